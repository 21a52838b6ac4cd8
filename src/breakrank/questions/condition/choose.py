"""Worlds of one weight, chosen by what filters found."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from breakrank.case.draws import Draws, Luck, LuckPath
from breakrank.case.worlds import FEW, TELLING
from breakrank.errors import BreakrankError
from breakrank.questions.calibrate.regression import Array, effective
from breakrank.questions.condition.filter import DAYS, NUMBERS, FilteredDraw
from breakrank.questions.condition.weights import shares, softening, start, systematic

REST = 0.5
"""Most that the logarithm of the likelihood may rise between the two, for worlds that are at rest."""


@dataclass(frozen=True)
class ToldFigure:
    """What one figure did.

    Attributes
    ----------
    id : of the target. date : on which it was told.
    before : share of the lives that agreed with it before it was told.
    information : how much it alone tells them, in bits: of the weights that it would give.
    twice : the other figure of the same date that it counts again, so that it was left out; else empty.
    """

    id: str
    date: dt.date
    before: float
    information: float
    twice: str = ""


@dataclass(frozen=True)
class SettledWorlds:
    """What came of rounds of steps.

    Attributes
    ----------
    steps : of each world, in all calls.
    origins : of each world, the draw it descends from among those that filters left, by number (worlds,).
    taken : share of the last round's steps that were taken.
    middles : by round of the last call, the median logarithm of the likelihood of the worlds.
    """

    steps: int
    origins: NDArray[np.int64]
    taken: float = 0.0
    middles: tuple[float, ...] = ()

    @property
    def at_rest(self) -> bool:
        """Whether the record has stopped to become more likely in them, as far as so many rounds can tell."""
        size = len(self.middles) // TELLING
        if not size:
            return False
        before, last = self.middles[-2 * size : -size], self.middles[-size:]
        return float(np.mean(last) - np.mean(before)) <= REST


@dataclass(frozen=True)
class FoundWorlds:
    """Worlds, all of one weight, and what came of the search.

    Attributes
    ----------
    draws : with their paths of luck.
    figures : that they were told.
    filtered : draws that were filtered. failed : of these, could not be lived.
    sharp : how many would carry the weight if it were not softened.
    power : to which weights were raised, 1 for not softened. effective : how many carry it then, at most
        those that are among the worlds.
    counts : what each world counts by the figures that its filter was given (worlds, counts).
    settled : what came of rounds of steps; ``None`` if worlds took none.
    """

    draws: Draws
    figures: tuple[ToldFigure, ...]
    filtered: int
    failed: int
    sharp: float
    power: float
    effective: float
    counts: Array
    settled: SettledWorlds | None = None


def chosen(
    draws: Draws,
    found: Mapping[int, FilteredDraw],
    dates: list[dt.date],
    given: dt.date,
    number: int,
    figures: tuple[ToldFigure, ...],
    base: Array,
    density: Array,
) -> FoundWorlds:
    """Return so many worlds: draws by weight, and of each draw evenly of the paths that its filter left.

    Parameters
    ----------
    draws : that were filtered. found : what filters found, by row.
    dates : on which they were told figures. given : last day of publications that was known.
    base : logarithms of the weights that draws had before (rows,).
    density : logarithm of the density at which they were drawn over that of the prior, which their evidence
        is set against (rows,).

    Raises
    ------
    BreakrankError
        if no draw could be lived.
    """
    luck = draws.luck
    assert luck is not None
    if not found:
        raise BreakrankError(f"no world could be lived until {given}")
    rows = np.array(sorted(found))
    base = base[rows]
    logs = np.array([float(found[k].evidence.sum()) for k in rows]) - density[rows]
    power = softening(base, logs, min(FEW, len(rows) / 2))
    weights = shares(base + power * logs)
    taken = systematic(weights, number, start(luck.seed, "draws", luck.until.toordinal()))
    paths: list[LuckPath] = []
    counts: list[Array] = []
    for place, times in zip(*np.unique(taken, return_counts=True), strict=True):
        row = int(rows[place])
        mine = found[row].paths(luck.paths[row], luck.until, dates)
        which = systematic(np.ones(len(mine)), int(times), start(luck.seed, "path of draw", row))
        paths += [mine[k] for k in which]
        counts.append(found[row].counts[which])
    return FoundWorlds(
        Draws(
            draws.names, draws.values[rows[taken]], luck=Luck(luck.seed, apart(paths, dates, given), given)
        ),
        figures,
        len(draws),
        len(draws) - len(rows),
        effective(shares(base + logs)),
        power,
        min(effective(weights), float(len(counts))),
        np.concatenate(counts),
    )


def apart(paths: list[LuckPath], dates: list[dt.date], given: dt.date) -> tuple[LuckPath, ...]:
    """Return paths of luck; copies part after the last date, if days are left before the given one."""
    following = dates[-1] + dt.timedelta(days=1)
    if following > given:
        return tuple(paths)
    seen: set[LuckPath] = set()
    out = []
    for k, path in enumerate(paths):
        number = (following.toordinal() * DAYS + k) * NUMBERS
        out.append(path.branched(following, number) if path in seen else path)
        seen.add(path)
    return tuple(out)
