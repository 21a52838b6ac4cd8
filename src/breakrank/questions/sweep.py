"""A sweep: one or two parameters over a range, and how an outcome answers."""

from __future__ import annotations

import datetime as dt
import importlib
import itertools
import math
import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank.answer.answer import Answer, Column, Figure, Provenance, Table, brief
from breakrank.case.changes import unselected
from breakrank.case.models_parameters import STRENGTH
from breakrank.case.values import number
from breakrank.errors import BreakrankError, UsageError, nearest
from breakrank.questions.paired import PairedRuns, Reading, bases, made_by
from breakrank.results.measures import check_question, find, in_steps, read_by
from breakrank.results.outcomes import called
from breakrank.results.uncertainty import FEW, holds
from breakrank.results.uncertainty import LEVELS as QUANTILES
from breakrank.runs.study import CASE, Scenario, Study
from breakrank.show import words
from breakrank.show.extras import require
from breakrank.show.words import between, interval, within

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.declared import Sweep
    from breakrank.results.measures import Values
    from breakrank.runs.carry_out import Making

Point = tuple[float, ...]

STEPS = {1: 11, 2: 7}
"""Points along an axis of a grid with so many axes, where the call does not say."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A parameter and the range that it is swept over.

    Attributes
    ----------
    name, unit : of the parameter.
    low, high : first and last value.
    steps : points along it in a grid.
    """

    name: str
    unit: str
    low: float
    high: float
    steps: int

    def at(self, place: float) -> float:
        """Return the value at a place from 0 (low) to 1 (high), in six digits so that it can be typed."""
        value = float(f"{self.low + place * (self.high - self.low):.6g}")
        return float(round(value)) if self.name == STRENGTH else value

    def place(self, value: float) -> float:
        """Return where a value lies, 0 (low) to 1 (high)."""
        return (value - self.low) / (self.high - self.low)


def axes(texts: Sequence[str], case: Case) -> tuple[Axis, ...]:
    """Return the axes that are asked for in words such as ``fear.weight=0:2`` or ``fear.weight=0:2:9``.

    Raises
    ------
    UsageError
        for anything else, an unknown parameter, a value out of its range, or none or more than two of them.
    """
    if len(texts) not in STEPS:
        raise UsageError(f"a sweep is over one or two parameters, not {len(texts)}; name them with --over")
    found = []
    for text in texts:
        match = re.fullmatch(r"\s*([^=\s]+)\s*=([^:]+):([^:]+?)(?::\s*([0-9]+)\s*)?", text)
        try:
            assert match is not None
            name, low, high = match[1], number(match[2].strip()), number(match[3].strip())
        except (AssertionError, ValueError):
            raise UsageError(
                f"--over {text!r} is not NAME=LOW:HIGH or NAME=LOW:HIGH:STEPS, as in --over fear.on=0:1:2"
            ) from None
        declared = case.declared.get(name)
        if declared is None:
            raise UsageError(f"there is no parameter {name!r}{nearest(name, case.declared)}")
        if not declared.low <= low < high <= declared.high:
            raise UsageError(
                f"--over {text}: rising numbers from {declared.low:g} to {declared.high:g} {declared.unit} "
                "are expected"
            )
        steps = int(match[4]) if match[4] else 2 if declared.unit == "switch" else STEPS[len(texts)]
        if steps < 2 or (declared.unit == "switch" and (steps, low, high) != (2, 0, 1)):
            least = (
                "a switch is swept as 0:1:2" if declared.unit == "switch" else "at least 2 steps are expected"
            )
            raise UsageError(f"--over {text}: {least}")
        found.append(Axis(name, declared.unit, low, high, steps))
    if len({a.name for a in found}) < len(found):
        raise UsageError(f"--over {found[0].name} is given twice")
    return tuple(found)


def points(over: Sequence[Axis]) -> list[Point]:
    """Return the points of the grid that some axes span, each a value for every axis."""
    return list(itertools.product(*([a.at(k / (a.steps - 1)) for k in range(a.steps)] for a in over)))


LEVELS = (0.05, 0.5, 0.95)
"""Chances at which tipping lines are drawn."""
MIDDLE = 0.5
"""The level of which is told first."""
AGAIN = 400
"""How often the runs are drawn again, those of one draw of the parameters together."""

BEYOND = "An interval that ends where the range of the sweep ends goes there or beyond."
"""How the interval of a tipping place is read."""

_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_TOLD = {"<": "below", "<=": "at most", ">": "above", ">=": "at least"}

Triangles = NDArray[np.int64]
Segment = tuple[float, float, float, float]
"""A piece of a tipping line: x, y, x2, y2."""


@dataclass(frozen=True, slots=True)
class Statement:
    """An outcome that a run has or has not: a measure against a number."""

    measure: str
    sign: str
    number: float

    @property
    def words(self) -> str:
        """The outcome as the end of a sentence.

        >>> Statement("regime_holds", "<", 1).words, Statement("uprisings", ">=", 2).words
        ('the regime has fallen', '“Uprisings” is at least 2')
        """
        if (self.measure, self.sign, self.number) == ("regime_holds", "<", 1):
            return "the regime has fallen"
        return f"“{called(self.measure)}” is {_TOLD[self.sign]} {self.number:,g}"

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

    `low` and `high` are nan where one draw, or one run, cannot tell. An end of the range that was swept
    stands for there or beyond.
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
            places = [_place(at, chance, level, value, rises) for chance in drawn]
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


def _place(
    x: NDArray[np.float64], chance: NDArray[np.float64], level: float, value: float, rises: bool
) -> float:
    """Return where chances pass a level nearest to a value in its direction.

    Where they do not, the place lies at or beyond one end of x: a chance that still has to rise is below the
    level there, one that has risen is above it, and the other way round where it falls.
    """
    same = [v for v, up in _passes(x, chance, level) if up == rises]
    if same:
        return min(same, key=lambda v: abs(v - value))
    below = bool(np.interp(value, x, chance) < level)
    return float(x[-1] if below == rises else x[0])


def triangles(places: NDArray[np.float64]) -> Triangles:
    """Return triangles (n, 3) between points (points, 2), as Delaunay (1934) has them."""
    require("a sweep over two parameters", "scipy", extra="sweep")
    spatial: Any = importlib.import_module("scipy.spatial")
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


LEAST_RISE = 0.15
"""Rise between two neighbours below which nothing is looked at more closely."""


def steep(
    places: NDArray[np.float64], heights: Sequence[NDArray[np.float64]], most: int
) -> list[NDArray[np.float64]]:
    """Return places between points where a surface is steep, steepest first.

    Parameters
    ----------
    places : of the points, each coordinate 0 to 1 (points, dims).
    heights : surfaces over them, each from 0 to 1 (points,).
    most : how many places are wanted at most.
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
        if rise >= LEAST_RISE and far > 1 / 128:
            found.append((-rise * far, a, b))
    return [(places[a] + places[b]) / 2 for _, a, b in sorted(found)[:most]]


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """What a sweep asks: a measure at a date, and an outcome whose tipping lines are drawn."""

    measure: str
    outcome: Statement
    date: dt.date | None = None

    @property
    def variables(self) -> set[str]:
        """The variables that answer it."""
        return {*read_by(self.measure), *read_by(self.outcome.measure)}


@dataclass(frozen=True, eq=False, repr=False)
class Response:
    """What a sweep found.

    Attributes
    ----------
    axes : the parameters swept over.
    question : what was asked.
    points : values of the parameters, float64 (points, axes), in the order in which they were run.
    values : the measure, float64 (points, runs); nan where a run failed, or has none.
    held : whether the outcome came about, bool (points, runs); False where a run failed.
    ran : whether the run finished, bool (points, runs).
    draw : which draw of the case's parameters each run lives under, int64 (runs,); ``None`` without draws.
    stands_for : soldiers of the country for whom one of the force stands.
    """

    axes: tuple[Axis, ...]
    question: SweepRequest
    points: NDArray[np.float64]
    values: NDArray[np.float64]
    held: NDArray[np.bool_]
    ran: NDArray[np.bool_]
    draw: NDArray[np.int64] | None = None
    stands_for: float = 1.0

    @property
    def chance(self) -> NDArray[np.float64]:
        """Share of the runs that have the outcome (points,); nan where none finished."""
        ran = self.ran.sum(1)
        return np.where(ran, self.held.sum(1) / np.maximum(ran, 1), np.nan)

    def quantile(self, *levels: float) -> NDArray[np.float64]:
        """Return quantiles of the measure over runs (levels, points)."""
        out = np.full((len(levels), len(self.points)), np.nan)
        unit = find(self.question.measure).unit
        for k, values in enumerate(self.values):
            kept = values[np.isfinite(values)]
            if kept.size:
                out[:, k] = in_steps(np.quantile(kept, levels), self.stands_for, unit)
        return out

    def tips(self) -> list[Tip]:
        """Return where the chance passes 5, 50 and 95% along one parameter, each with a 95% interval."""
        whole = self.ran.all(0)
        if not whole.any():
            return []
        draw = None if self.draw is None else self.draw[whole]
        return tips(self.points[:, 0], self.held[:, whole], LEVELS, draw)

    def lines(self) -> dict[float, list[Segment]]:
        """Return the lines on which the chance is 5, 50 and 95% over two parameters, as straight pieces."""
        known = np.isfinite(self.chance)
        places = self.places()[known]
        if len(places) < 3:
            return {level: [] for level in LEVELS}
        mesh = triangles(places)
        low = np.array([a.low for a in self.axes])
        span = np.array([a.high - a.low for a in self.axes])
        at = low + places * span
        return {level: contour(at, self.chance[known], mesh, level) for level in LEVELS}

    def places(self) -> NDArray[np.float64]:
        """Return the points as shares of the ranges, 0 to 1 (points, axes)."""
        columns = [[a.place(v) for v in self.points[:, k]] for k, a in enumerate(self.axes)]
        return np.array(columns, float).T


def swept(question: Sweep, case: Case, making: Making) -> Answer:
    """Return how the outcome responds, from points that are denser where it is steep.

    All points share their random numbers run by run, so that the response is that of the parameters and not
    of chance. Parameters that are not swept are as the case has them, or are draws of its posterior in place
    of runs that were selected to match the observed figures.
    """
    case = unselected(case)
    over = axes([question.over] if isinstance(question.over, str) else question.over, case)
    for axis in over:
        if axis.name in making.changes.values:
            raise UsageError(f"--set {axis.name}: --over sets it at each point; leave one of the two out")
    if question.refine < 0:
        raise UsageError(f"--refine {question.refine}: 0 or more rounds are expected")
    date = None if question.date is None else case.calendar.within(question.date, "--date")
    asked = SweepRequest(question.measure, statement(question.outcome), date)
    for name in (asked.measure, asked.outcome.measure):
        check_question(name, None, case)
    found = respond(question, case, over, asked, making)
    if not found.ran.any():
        if making.interrupted:
            raise KeyboardInterrupt
        raise BreakrankError(f"no run of any point finished; the first says: {making.failed[0]}")
    return answer_of(found, case, made_by(making, case, question.runs, question.seed))


def respond(
    question: Sweep, case: Case, over: Sequence[Axis], asked: SweepRequest, making: Making
) -> Response:
    """Run a case at the points of a grid, and more closely where the answer is steep.

    Points are added between neighbours that differ much, each time at most half as many as there were at
    first.
    """
    at = list(dict.fromkeys(points(over)))
    limit, store = max(1, len(at) // 2), making.keep(asked.variables)
    for turn in range(question.refine + 1):
        some = tuple(_at(case, making.changes.name(), over, p) for p in at)
        study = Study(some, question.runs, question.seed)
        many = f", round {turn + 1}" if turn else ""
        what = f"Sweep of {case.id}, {len(some)} points{many}"
        account = making.carry(study, store, what)
        found = _read(PairedRuns.of_study(study, store, asked.variables), over, at, asked)
        ends = account.interrupted or turn == question.refine
        more = [] if ends else [p for p in _closer(found, limit) if p not in at]
        if not more:
            return found
        at += more
    return found


def _read(pairs: PairedRuns, over: Sequence[Axis], at: Sequence[Point], asked: SweepRequest) -> Response:
    """Return the results of the runs of all points."""
    values, held, ran = [], [], []
    for name in pairs.cases:
        finished = pairs.finished(name)
        values.append(pairs.read(name, Reading(asked.measure, asked.date)))
        outcome = pairs.read(name, Reading(asked.outcome.measure, asked.date))
        held.append(asked.outcome.holds(np.where(finished, outcome, 0.0)) & finished)
        ran.append(finished)
    first = next(iter(pairs.cases))
    return Response(
        tuple(over),
        asked,
        np.array(at, float),
        np.array(values),
        np.array(held),
        np.array(ran),
        pairs.draw(first),
        pairs.cases[first].stands_for,
    )


def _at(case: Case, named: str, over: Sequence[Axis], point: Point) -> Scenario:
    values = dict(zip((a.name for a in over), point, strict=True))
    where = "" if named == CASE else f", {named}"
    return Scenario(case.set(values), ", ".join(f"{n}={value:g}" for n, value in values.items()) + where)


def _closer(found: Response, most: int) -> list[Point]:
    """Return points between those that there are, where the chance or the measure changes much."""
    middle = found.quantile(0.5)[0]
    known = np.isfinite(middle)
    if known.sum() <= len(found.axes) or any(a.unit == "switch" for a in found.axes):
        return []
    span = float(np.ptp(middle[known])) or 1.0
    # a measure goes from its least to its most somewhere, so that half of its rise is no news
    heights = [found.chance[known], 0.5 * (middle[known] - middle[known].min()) / span]
    between = steep(found.places()[known], heights, most)
    return list(
        dict.fromkeys(tuple(a.at(float(p)) for a, p in zip(found.axes, at, strict=True)) for at in between)
    )


def answer_of(found: Response, case: Case, made: Provenance) -> Answer:
    """Return the answer that a response comes to."""
    one = len(found.axes) == 1
    tips_of = _tipping(found) if one else _tipping_lines(found)
    said = tuple(_tips(found)) if one else (_passed(found),)
    about, happens = find(found.question.measure), found.question.outcome.words
    return Answer(
        question="sweep",
        title=f"{case.title}: {about.label}, and the chance that {happens}, {_when(found)}",
        finding=brief(said[0]),
        doubt=f"This is how the model responds; {_spread(found.values.shape[1], case)}.",
        tables=(_points(found), tips_of),
        figures=_figures(found, brief(said[0])),
        notes=said[1:],
        evidence=bases(case, [axis.name for axis in found.axes]),
        provenance=made,
    )


def _spread(runs: int, case: Case) -> str:
    if runs < 2:
        return "one run of each point has no interval"
    return f"intervals include only {holds(case)}"


def _when(found: Response) -> str:
    return "on the last day" if found.question.date is None else f"on {found.question.date}"


def _tips(found: Response) -> Iterable[str]:
    """Say where the chance passes a level, one half first."""
    name, outcome = found.axes[0].name, found.question.outcome.words
    some = sorted(found.tips(), key=lambda tip: tip.level != MIDDLE)
    if not some:
        yield from _ends(found)
        yield f"Over this range the chance that {outcome} passes neither 5, 50 nor 95%."
    for tip in some:
        way = "rises above" if tip.rises else "falls below"
        ends = "" if math.isnan(tip.low) else f" (95%: {interval(tip.low, tip.high)})"
        at = between(tip.value, tip.low, tip.high)
        yield f"The chance that {outcome} {way} {tip.level:.0%} at {name} = {at}{ends}."
    if some:
        yield from _ends(found)


def _ends(found: Response) -> Iterable[str]:
    """Say what the measure is at both ends of the range, where runs finished at both."""
    about, at = find(found.question.measure), found.points[:, 0]
    ends = [int(at.argmin()), int(at.argmax())]
    low, high = (float(found.quantile(0.5)[0][k]) for k in ends)
    if math.isfinite(low) and math.isfinite(high):
        first, last = (f"{at[k]:g}" for k in ends)
        less, more = (words.number(value, words.way(about.unit)) for value in (low, high))
        unit = f" {about.unit}" if about.unit in words.WHOLE else ""
        yield (
            f"{about.label} {_when(found)}: {less}{unit} at {found.axes[0].name} = {first}, {more} at {last} "
            "(medians)."
        )


def _passed(found: Response) -> str:
    passed = ", ".join(f"{level:.0%}" for level, pieces in found.lines().items() if pieces)
    told = f"{passed}; the chart shows where" if passed else "neither 5, 50 nor 95%"
    return f"Within these ranges the chance that {found.question.outcome.words} passes {told}."


def _points(found: Response) -> Table:
    """Return a row for each point: parameters, runs, quantiles and mean of the measure, chance."""
    import pandas as pd

    about, runs = find(found.question.measure), found.values.shape[1]
    unit = about.unit
    columns = (
        *(
            Column(a.name, a.name, unit="" if a.unit == "switch" else a.unit, kind="value")
            for a in found.axes
        ),
        Column("runs", "runs", kind="count"),
        *(Column(end, f"{within(runs)}, {end}", unit=unit, shown=False) for end in ("low", "high")),
        Column("q05", "90% interval, from", unit=unit, shown=False),
        Column("q25", "50% interval, from", unit=unit, shown=False),
        Column("median", f"median, {unit}", unit=unit, low="low", high="high", interval=within(runs)),
        Column("q75", "50% interval, to", unit=unit, shown=False),
        Column("q95", "90% interval, to", unit=unit, shown=False),
        Column("mean", "Mean", unit=unit, shown=False),
        Column(
            "chance", "chance", kind="share", meaning=f"share of runs in which {found.question.outcome.words}"
        ),
    )
    rows = {a.name: found.points[:, k] for k, a in enumerate(found.axes)}
    ends = (0.05, 0.95) if runs >= FEW else (0.0, 1.0)
    names = ("low", "high", "q05", "q25", "median", "q75", "q95")
    levels = dict(zip(names, found.quantile(*ends, *QUANTILES), strict=True))
    kept = [values[np.isfinite(values)] for values in found.values]
    means = [float(values.mean()) if values.size else math.nan for values in kept]
    frame = pd.DataFrame(rows | {"runs": found.ran.sum(1)} | levels | {"mean": means, "chance": found.chance})
    frame = frame[[one.name for one in columns]].sort_values([axis.name for axis in found.axes])
    return Table("points", f"{about.label}, {_when(found)}", columns, frame)


def _tipping(found: Response) -> Table:

    name, unit = found.axes[0].name, found.axes[0].unit
    columns = (
        Column("level", "chance passes", kind="share"),
        Column("at", f"at {name}", unit=unit, kind="value", low="low", high="high"),
        Column("low", "95% interval, from", unit=unit, shown=False),
        Column("high", "95% interval, to", unit=unit, shown=False),
        Column("rises", "Whether it rises there", kind="flag", shown=False),
    )
    rows = [
        {"level": t.level, "at": t.value, "low": t.low, "high": t.high, "rises": t.rises}
        for t in found.tips()
    ]
    return Table.of("tipping", "Where the chance tips", columns, rows, note=BEYOND if rows else "")


def _tipping_lines(found: Response) -> Table:

    one, two = found.axes
    columns = (
        Column("level", "Chance", kind="share", shown=False),
        *(
            Column(name, f"{axis.name}, {end}", unit=axis.unit, shown=False)
            for name, axis, end in (
                ("x", one, "from"),
                ("y", two, "from"),
                ("x2", one, "to"),
                ("y2", two, "to"),
            )
        ),
    )
    names = [each.name for each in columns]
    lines = ((level, *piece) for level, pieces in found.lines().items() for piece in pieces)
    rows = [dict(zip(names, line, strict=True)) for line in lines]
    return Table.of("tipping", "Lines on which the chance tips", columns, rows)


def _figures(found: Response, said: str) -> tuple[Figure, ...]:
    """Return the charts of the chance and of the measure, the one of which the finding speaks first."""
    about, runs = find(found.question.measure), found.values.shape[1]
    title = f"{about.label} as the points have it, median of {runs} runs"
    x, *across = (axis.name for axis in found.axes)
    look: dict[str, Any] = {"kind": "map" if across else "curve", "table": "points", "x": x}
    band: dict[str, Any] = {"note": _when(found)}
    if not across:
        band = {"low": "low", "high": "high", "inner": ("q25", "q75")}
        band |= {"note": f"{_when(found)}; line: median; bands: 50% and {within(runs)}"}
    tips = bool(across or found.tips())
    chance = Figure(
        name="chance",
        title=said if tips else "The chance passes neither 5, 50 nor 95%",
        y=(*across, "chance"),
        marks="tipping",
        note=f"share of runs in which {found.question.outcome.words}, {_when(found)}; lines: 5, 50 and 95%",
        **look,
    )
    response = Figure(name="response", title=title if tips else said, y=(*across, "median"), **look, **band)
    return (chance, response) if tips else (response, chance)
