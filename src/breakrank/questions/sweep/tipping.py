"""Where an outcome tips: the values of one or two parameters at which its chance passes a level.

Between points that were run, the chance is taken to be linear: along the line for one parameter, over the
triangle for two. How sure a place is follows from drawing the runs again with replacement (Efron 1979), the
same runs at every point, because they share their luck. Runs that share a draw of the parameters are drawn
together (Davison and Hinkley 1997, "Bootstrap methods and their application", section 3.8): one by one they
would seem to tell more of the parameters than they do.
"""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank.errors import UsageError
from breakrank.questions.sweep.design import scipy_part
from breakrank.results.measures import find

if TYPE_CHECKING:
    from breakrank.results.measures import Values

LEVELS = (0.05, 0.5, 0.95)
"""Chances at which tipping lines are drawn."""
AGAIN = 400
"""How often the runs are drawn again, those of one draw of the parameters together."""

_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

Triangles = NDArray[np.int64]
Segment = tuple[float, float, float, float]
"""A piece of a tipping line: x, y, x2, y2."""


@dataclass(frozen=True, slots=True)
class Statement:
    """An outcome that a run has or has not: a measure against a number."""

    measure: str
    sign: str
    number: float

    def __str__(self) -> str:
        return f"{self.measure}{self.sign}{self.number:g}"

    def holds(self, values: Values) -> NDArray[np.bool_]:
        """Say of each run whether it has the outcome."""
        return np.asarray(_SIGNS[self.sign](values, self.number), bool)


def statement(text: str) -> Statement:
    """Return an outcome written as ``regime_holds<1``.

    Raises
    ------
    UsageError
        for anything else, or an unknown measure.
    """
    match = re.fullmatch(r"\s*([\w.-]+)\s*(<=|>=|<|>)\s*([-+0-9.eE]+)\s*", text)
    try:
        assert match is not None
        return Statement(find(match[1]).id, match[2], float(match[3]))
    except (AssertionError, ValueError):
        raise UsageError(
            f"{text!r} is no outcome such as regime_holds<1 or left_abroad>=5000: MEASURE, a sign, a number"
        ) from None


@dataclass(frozen=True, slots=True)
class Tip:
    """Where the chance passes a level along one parameter: the place, and between what it lies in 95%.

    `low` and `high` are nan where one draw, or one run, cannot tell.
    """

    level: float
    value: float
    low: float
    high: float
    rises: bool


def tips(
    x: Sequence[float] | NDArray[np.float64],
    held: NDArray[np.bool_],
    levels: Sequence[float] = LEVELS,
    draw: NDArray[np.int64] | None = None,
) -> list[Tip]:
    """Return where the chance of an outcome passes each level, in order of x.

    Parameters
    ----------
    x : values of the parameter (points,).
    held : whether each run has the outcome, bool (points, runs).
    levels : chances.
    draw : which draw of the other parameters each run lives under, int64 (runs,); by default each its own.
        The intervals of places are nan where all runs share one.
    """
    order = np.argsort(x)
    at, have = np.asarray(x, float)[order], held[order]
    drawn = _drawn_again(have, np.arange(have.shape[1]) if draw is None else draw)
    found = []
    for level in levels:
        for value, rises in _passes(at, have.mean(1), level):
            again = [_nearest(_passes(at, chance, level), value, rises) for chance in drawn]
            places = [v for v in again if v is not None]
            low, high = np.quantile(places, (0.025, 0.975)) if places else (np.nan, np.nan)
            found.append(Tip(level, value, float(low), float(high), rises))
    return found


def _drawn_again(have: NDArray[np.bool_], draw: NDArray[np.int64]) -> list[NDArray[np.float64]]:
    """Return the chances at all points (points,) as often as the draws are drawn again; none of one draw."""
    _, which, counts = np.unique(draw, return_inverse=True, return_counts=True)
    rows = counts.size
    if rows < 2:
        return []
    sums = np.array([np.bincount(which, one) for one in have])
    rng = np.random.default_rng(0)
    picks = (rng.integers(0, rows, rows) for _ in range(AGAIN))
    return [sums[:, pick].sum(1) / counts[pick].sum() for pick in picks]


def _passes(x: NDArray[np.float64], chance: NDArray[np.float64], level: float) -> list[tuple[float, bool]]:
    """Return where a line through the points passes a level, and whether it rises there."""
    found = []
    for (x0, c0), (x1, c1) in itertools.pairwise(zip(x.tolist(), chance.tolist(), strict=True)):
        if (c0 < level) != (c1 < level):
            found.append((x0 + (x1 - x0) * (level - c0) / (c1 - c0), c1 > c0))
    return found


def _nearest(places: list[tuple[float, bool]], value: float, rises: bool) -> float | None:
    same = [v for v, up in places if up == rises]
    return min(same, key=lambda v: abs(v - value)) if same else None


def triangles(places: NDArray[np.float64]) -> Triangles:
    """Return triangles (n, 3) between points (points, 2), as Delaunay (1934) has them."""
    spatial: Any = scipy_part("spatial", "a sweep over two parameters")
    try:
        return np.asarray(spatial.Delaunay(places).simplices, np.int64)
    except spatial.QhullError:  # all on one line
        return np.empty((0, 3), np.int64)


def contour(
    places: NDArray[np.float64], height: NDArray[np.float64], mesh: Triangles, level: float
) -> list[Segment]:
    """Return the line on which a surface over triangles has a height, as straight pieces."""
    pieces: list[Segment] = []
    for corners in mesh:
        ends = []
        for a, b in itertools.combinations(corners, 2):
            if (height[a] < level) != (height[b] < level):
                share = (level - height[a]) / (height[b] - height[a])
                ends.append(places[a] + share * (places[b] - places[a]))
        if len(ends) == 2:
            (x, y), (x2, y2) = ends
            pieces.append((float(x), float(y), float(x2), float(y2)))
    return pieces


def steep(
    places: NDArray[np.float64], heights: Sequence[NDArray[np.float64]], most: int, least: float = 0.15
) -> list[NDArray[np.float64]]:
    """Return places between points where a surface is steep, steepest first.

    Parameters
    ----------
    places : of the points, each coordinate 0 to 1 (points, dims).
    heights : surfaces over them, each from 0 to 1 (points,).
    most : how many places are wanted at most.
    least : rise between two neighbours below which nothing is looked at more closely.
    """
    if places.shape[1] == 1:
        order = np.argsort(places[:, 0])
        edges = set(zip(order[:-1].tolist(), order[1:].tolist(), strict=True))
    else:
        mesh = triangles(places)
        edges = {tuple(sorted(e)) for t in mesh.tolist() for e in itertools.combinations(t, 2)}
    found = []
    for a, b in sorted(edges):
        rise = max(float(abs(h[a] - h[b])) for h in heights)
        far = float(np.linalg.norm(places[a] - places[b]))
        if rise >= least and far > 1 / 128:
            found.append((-rise * far, a, b))
    return [(places[a] + places[b]) / 2 for _, a, b in sorted(found)[:most]]
