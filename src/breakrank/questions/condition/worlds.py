"""Worlds that agree with a record, with what they were told and how well they meet it; kept as small text.

::

    worlds.csv     a row a world, all equally likely: its number, its draw, which draw of filters it descends
                   from, its path of luck, and a hash of what it counts by the figures it was told, which
                   whoever replays it finds again
    draws.csv      a row a draw; a column a parameter
    about.yaml     what they were told, how well each figure is met, what was thrown away, and at its end a
                   SHA-256 of what stands before and of the other two
"""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path as Folder
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank.case.draws import Draws, checked
from breakrank.case.luck import Luck, LuckPath
from breakrank.case.write import to_yaml, write_folder
from breakrank.case.yaml_reader import read_yaml
from breakrank.errors import BreakrankError, UsageError
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.calibrate.regression import Array
from breakrank.questions.condition.choose import FEW, FoundWorlds, SettledWorlds, numbers_of
from breakrank.questions.condition.later_events import with_later_events
from breakrank.questions.condition.lives import LivedWorlds
from breakrank.results.quantiles import MEDIAN_AND_ENDS

if TYPE_CHECKING:
    from breakrank.case import Case

WORLDS, DRAWS, ABOUT = "worlds.csv", "draws.csv", "about.yaml"
SEAL = "checksum: "


@dataclass(frozen=True, eq=False)
class Worlds:
    """Worlds that agree with a record.

    Attributes
    ----------
    draws : with their paths of luck.
    about : what they were told and what came of it, as in about.yaml.
    counted : hash of what each counts by the figures they were told.
    origins : of each, the draw that it descends from, by number: without steps, its own (worlds,).
    """

    draws: Draws
    about: Mapping[str, Any]
    counted: tuple[str, ...]
    origins: NDArray[np.int64]

    @property
    def figures(self) -> list[dict[str, Any]]:
        """What they were told, a row a figure."""
        return list(self.about["figures"])

    @property
    def doubt(self) -> str:
        """Why their intervals are not the exact ones, in words; empty if there is no sign of it."""
        about, words = self.about, []
        if about["failed"]:
            words.append(
                f"{about['failed']} of {about['filtered']:,} draws could not be lived, and are left out."
            )
        if about["power"] < 1:
            words.append(
                f"Few draws of parameters agree with all that is known: {about['effective_unsoftened']:.0f} "
                f"of {about['filtered']:,} would carry the weight. So the figures count for parameters with "
                f"{about['power']:.0%} of their weight, and for luck in full."
            )
        if not about.get("settled", {}).get("at_rest", True):
            words.append("The worlds still come nearer to the record with each step. Let them take more.")
        if about["effective"] < FEW:
            more = "Make more with another seed, and go on from both." if "settled" in about else "Make more."
            words.append(
                f"The worlds are worth {about['effective']:.0f} independent ones, so intervals are too "
                f"narrow: those of 90% would hold {held(about['effective']):.0%} if they differed by their "
                f"parameters alone. {more}"
            )
        return " ".join(words)

    def of(self, case: Case) -> Case:
        """Return a case whose runs are these worlds, and go on from them with luck of their own.

        What later events do is drawn for each world, where it has a prior.

        UsageError if they are worlds of another case or force.
        """
        told = self.about
        if (case.id, case.force.strength) != (told["case"], told["strength"]):
            raise UsageError(
                f"these are worlds of {told['case']} with {told['strength']:,} soldiers, and {case.id} has "
                f"{case.force.strength:,}"
            )
        return case.with_draws(with_later_events(self.draws, case))

    def save(self, folder: Folder) -> Folder:
        """Write them into a new or empty folder and return it; UsageError if that cannot be."""
        luck = self.draws.luck
        assert luck is not None
        numbers = numbers_of(self.draws).tolist()
        rows = dict(zip(numbers, self.draws.values.tolist(), strict=True))
        worlds, draws = io.StringIO(), io.StringIO()
        writer = csv.writer(worlds, lineterminator="\n")
        writer.writerow(["world", "draw", "origin", "path", "counted"])
        every = zip(numbers, self.origins.tolist(), luck.paths, self.counted, strict=True)
        writer.writerows(
            [k, number, origin, str(path), code] for k, (number, origin, path, code) in enumerate(every)
        )
        writer = csv.writer(draws, lineterminator="\n")
        writer.writerow(self.draws.names)
        writer.writerows([f"{x:.6g}" for x in row] for row in rows.values())
        about = to_yaml(dict(self.about))
        texts = (about, worlds.getvalue(), draws.getvalue())
        sealed = f"{about}{SEAL}{_seal(*texts)}\n"
        return write_folder(folder, {WORLDS: texts[1], DRAWS: texts[2], ABOUT: sealed})


def read_worlds(folder: Folder, case: Case) -> Worlds:
    """Return the worlds in a folder.

    Raises
    ------
    BreakrankError
        for a file that is missing or cannot be used.
    """
    try:
        told, worlds, text = ((folder / name).read_text("utf-8") for name in (ABOUT, WORLDS, DRAWS))
        about, found, sealed = told.partition(f"\n{SEAL}")
        if found and sealed.strip() != _seal(f"{about}\n", worlds, text):
            raise ValueError("they are not what was written (their checksum differs)")
        about = read_yaml(about, folder / ABOUT).data
        names, *values = csv.reader(io.StringIO(text))
        _, *rows = csv.reader(io.StringIO(worlds))
        table = np.array([[float(cell) for cell in row] for row in values])
        luck = Luck(
            int(about["luck"]),
            tuple(LuckPath.read(path) for *_, path, _ in rows),
            dt.date.fromisoformat(str(about["given"])),
        )
        taken = table[[int(draw) for _, draw, *_ in rows]]
        draws = checked(Draws(tuple(names), taken, 1, True, luck), case.declared)
        origins = np.array([int(origin) for _, _, origin, *_ in rows])
        return Worlds(draws, about, tuple(code for *_, code in rows), origins)
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        raise BreakrankError(f"{folder} holds no worlds that can be used: {error}") from error


def held(worth: float) -> float:
    """Return how often a 90% interval of so many independent draws holds one more of their kind.

    The ends of an interval lie within the draws, beyond which there is more; see the type 7 of Hyndman and
    Fan (1996), by which they are taken.

    >>> round(held(40), 2), round(held(1e6), 2)
    (0.86, 0.9)
    """
    return 0.9 * max(0.0, worth - 1.0) / (worth + 1.0)


def renamed_model(folder: Folder, digest: str) -> bool:
    """Write the digest of a model under which worlds are the same, to the bit; return whether it is new."""
    told, *texts = ((folder / name).read_text("utf-8") for name in (ABOUT, WORLDS, DRAWS))
    about = told.partition(f"\n{SEAL}")[0] + "\n"
    new = re.sub(r"(?m)^model: [0-9a-f]{64}$", f"model: {digest}", about)
    sealed = f"{new}{SEAL}{_seal(new, *texts)}\n"
    if sealed != told:
        (folder / ABOUT).write_text(sealed, "utf-8", newline="\n")
    return bool(sealed != told)


def _seal(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


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
