"""Finished worlds with all that is said of them: what they were told, and how well they meet it."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from breakrank.case.draws import Draws, LuckPath
from breakrank.case.worlds import Worlds, numbers_of
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.calibrate.regression import Array
from breakrank.questions.condition.choose import FoundWorlds, SettledWorlds
from breakrank.questions.condition.lives import LivedWorlds
from breakrank.results.quantiles import MEDIAN_AND_ENDS


def told(
    lives: LivedWorlds,
    record: TargetRecord,
    found: FoundWorlds,
    counts: list[Array],
    model: str,
    price: Mapping[str, Any],
) -> Worlds:
    """Return finished worlds with all that is said of them.

    Parameters
    ----------
    counts : what each target of the record counts in them, (n, lag + 1) each.
    model : digest of its source. price : what they took.
    """
    case, draws = lives.case, found.draws
    assert draws.luck is not None
    given = draws.luck.until
    place = {aim.id: k for k, aim in enumerate(record.aims)}
    figures = []
    for told in found.figures:
        aim = record.aims[place[told.id]]
        x = counts[place[told.id]][:, 0]
        x = x[np.isfinite(x)]
        low, middle, high = np.quantile(x, MEDIAN_AND_ENDS).tolist() if x.size else [np.nan] * 3
        figures.append(
            {
                "id": told.id,
                "label": aim.target.label,
                "date": str(told.date),
                "used": not told.twice,
                **({"counts_again": told.twice} if told.twice else {}),
                "median": _plain(middle),
                "interval90": [_plain(low), _plain(high)],
                "error90": [_plain(x) for x in _error(record, place[told.id])],
                "agree_before": round(told.before, 3),
                "agree": round(float(aim.agrees(x).mean()) if x.size else 0.0, 3),
                "bits": round(told.information, 2),
            }
        )
    about = {
        "case": case.id,
        "given": str(given),
        "strength": case.force.strength,
        "seed": lives.seed,
        "luck": draws.luck.seed,
        "worlds": len(draws),
        "draws": len({row.tobytes() for row in draws.values}),
        "effective": round(found.effective, 1),
        "effective_unsoftened": round(found.sharp, 1),
        "power": round(found.power, 3),
        "filtered": found.filtered,
        "failed": found.failed,
        **({} if found.settled is None else {"settled": _told_of(found.settled)}),
        **price,
        "model": model,
        "figures": figures,
    }
    origins = numbers_of(draws) if found.settled is None else found.settled.origins
    return Worlds(Draws(draws.names, draws.values, 1, True, draws.luck), about, hashes(counts), origins)


def drawn_from_prior(lives: LivedWorlds, given: dt.date, number: int, model: str) -> Worlds:
    """Return draws of the prior up to a day by which nothing was published, each with its own random numbers.

    Parameters
    ----------
    model : digest of its source.
    """
    z = lives.free.drawn(lives.seed, "worlds 0", np.arange(number))
    draws = lives.draws(z, [LuckPath(k) for k in range(number)], given)
    assert draws.luck is not None
    draws = replace(draws, luck=replace(draws.luck, informed=False))
    nothing = np.empty((number, 0))
    found = FoundWorlds(draws, (), number, 0, number, 1.0, number, nothing)
    record = TargetRecord((), lives.case.calendar.start)
    return told(lives, record, found, [nothing], model, {"paths": [0, 0], "lives": 0})


def told_otherwise(worlds: Worlds, record: TargetRecord) -> list[str]:
    """Return by id the figures that a record holds otherwise now than when worlds were told of them."""
    now = {aim.id: [_plain(end) for end in _error(record, k)] for k, aim in enumerate(record.aims)}
    return sorted(row["id"] for row in worlds.figures if now.get(row["id"], row["error90"]) != row["error90"])


def hashes(counts: list[Array]) -> tuple[str, ...]:
    """Return for each world a hash of what the targets of a record count in it, to the bit."""
    every = np.concatenate(counts, axis=1).astype("<f8")
    return tuple(hashlib.sha256(row.tobytes()).hexdigest()[:16] for row in every)


def _told_of(made: SettledWorlds) -> dict[str, Any]:
    return {
        "steps": made.steps,
        "starts": len(set(made.origins.tolist())),
        "taken": round(made.taken, 3),
        "at_rest": made.at_rest,
        "middles": list(made.middles),
    }


def _plain(value: float) -> float | None:
    """Return a number with four digits after the point; ``None`` for an open end, or where nothing counts."""
    return round(value, 4) if np.isfinite(value) else None


def _error(record: TargetRecord, which: int) -> tuple[float, float]:
    """Return the ends of what a figure allows with its own error (90%); infinite where it sets none."""
    aim = record.aims[which]
    ends = []
    for figure in aim.figures:
        low, high = aim.bounds(figure)
        room = 1.645 * aim.softness(figure)
        ends.append((float(aim.unscaled(np.array(low - room))), float(aim.unscaled(np.array(high + room)))))
    return min(low for low, _ in ends), max(high for _, high in ends)
