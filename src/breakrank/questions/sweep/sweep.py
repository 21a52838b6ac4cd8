"""A sweep: one or two parameters over a range, and how an outcome answers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.questions.sweep.design import Axis, Point, scipy_part
from breakrank.questions.sweep.tipping import LEVELS, Segment, Statement, Tip, contour, steep, tips, triangles
from breakrank.results import quantiles
from breakrank.results.measures import check_question, find, measure, read_by
from breakrank.results.uncertainty import rows_of
from breakrank.results.whole_force import in_steps
from breakrank.runs.carry_out import Account
from breakrank.runs.scenario import Scenario
from breakrank.runs.scenario_names import CASE
from breakrank.runs.study import Study

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.runs.store import Store

Read = tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]
Carry = Callable[[Study, int], Account]
"""Carries out the study of a round (counted from 1)."""


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
class Sweep:
    """What a sweep found.

    Attributes
    ----------
    axes : the parameters swept over.
    question : what was asked.
    points : values of the parameters, float64 (points, axes), in the order in which they were run.
    values : the measure, float64 (points, runs); nan where a run failed, or has none.
    held : whether the outcome came about, bool (points, runs); False where a run failed.
    ran : whether the run finished, bool (points, runs).
    accounts : what came of each round.
    draw : which draw of the case's parameters each run lives under, int64 (runs,); ``None`` without draws.
    stands_for : soldiers of the country for whom one of the force stands.
    """

    axes: tuple[Axis, ...]
    question: SweepRequest
    points: NDArray[np.float64]
    values: NDArray[np.float64]
    held: NDArray[np.bool_]
    ran: NDArray[np.bool_]
    accounts: tuple[Account, ...] = ()
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

    def surface(self, height: NDArray[np.float64], at: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what a surface over the points (points,) is at other places (n, 2); nan outside of them.

        Places are shares of the ranges, as :meth:`places` gives them.
        """
        known = np.isfinite(height)
        if known.sum() < 3:
            return np.full(len(at), np.nan)
        interpolate = scipy_part("interpolate", "a map")
        try:
            between = interpolate.LinearNDInterpolator(self.places()[known], height[known])
        except scipy_part("spatial", "a map").QhullError:  # all on one line
            return np.full(len(at), np.nan)
        return np.asarray(between(at), np.float64)

    def places(self) -> NDArray[np.float64]:
        """Return the points as shares of the ranges, 0 to 1 (points, axes)."""
        columns = [[a.place(v) for v in self.points[:, k]] for k, a in enumerate(self.axes)]
        return np.array(columns, float).T

    def table(self) -> pd.DataFrame:
        """Return a row for each point: parameters, runs, quantiles and mean of the measure, chance."""
        import pandas as pd

        names = ("q05", "q25", "median", "q75", "q95")
        found = self.quantile(*quantiles.LEVELS)
        rows = {a.name: self.points[:, k] for k, a in enumerate(self.axes)}
        rows |= {"runs": self.ran.sum(1)} | dict(zip(names, found, strict=True))
        with np.errstate(invalid="ignore"):
            mean = np.array(
                [v[np.isfinite(v)].mean() if np.isfinite(v).any() else np.nan for v in self.values]
            )
        return pd.DataFrame(rows | {"mean": mean, "chance": self.chance})

    def __repr__(self) -> str:
        ranges = ", ".join(f"{a.name} {a.low:g} to {a.high:g} {a.unit}" for a in self.axes)
        (n, runs), label = self.values.shape, find(self.question.measure).label
        ends = [
            np.nanmin(self.values),
            np.nanmax(self.values),
            np.nanmin(self.chance),
            np.nanmax(self.chance),
        ]
        return (
            f"Sweep over {ranges}: {n} points of {runs} runs\n"
            f"├── {label}: {ends[0]:g} to {ends[1]:g}\n"
            f"└── chance of {self.question.outcome}: {ends[2]:.0%} to {ends[3]:.0%}"
        )


def sweep(
    base: Study,
    over: Sequence[Axis],
    start: Sequence[Point],
    question: SweepRequest,
    store: Store,
    carry: Carry,
    rounds: int = 2,
) -> Sweep:
    """Run a scenario at points of one or two parameters, and more closely where the answer is steep.

    All points share their luck run by run, so that the surface is that of the parameters and not of chance.

    Parameters
    ----------
    base : the scenario in which the parameters are set, with the runs and the seed of each point.
    over, start : the parameters, and the points to begin with.
    question : what is asked.
    store, carry : where runs are kept, and what carries out a study for it.
    rounds : how often points are added between neighbours that differ much, each time at most half as many as
        there were at first.

    Raises
    ------
    UsageError
        for a measure or a date that cannot be answered, before anything runs.
    """
    (scenario,), runs, seed = base.scenarios, base.runs, base.seed
    for name in (question.measure, question.outcome.measure):
        check_question(name, None, scenario.made)
    if question.date is not None:
        scenario.made.calendar.day(question.date)  # which refuses a day that is none of its own
    at = list(dict.fromkeys(start))
    limit = max(1, len(at) // 2)
    accounts: list[Account] = []
    made: dict[Point, Read] = {}

    def read(point: Point) -> Read:
        values = np.full(runs, np.nan)
        held, ran = np.zeros(runs, bool), np.zeros(runs, bool)
        case = _at(scenario, over, point).made
        if store.stored(case, seed).finished(range(runs)):
            data = store.result(case, seed, runs, only=question.variables).whole.data
            numbers = data["run"].values
            ran[numbers] = True
            values[numbers] = measure(data, question.measure, question.date)
            held[numbers] = question.outcome.holds(measure(data, question.outcome.measure, question.date))
        return values, held, ran

    for number in range(rounds + 1):
        study = Study(tuple(_at(scenario, over, p) for p in at), runs, seed)
        accounts.append(carry(study, number + 1))
        made |= {p: read(p) for p in at if p not in made}
        found = Sweep(
            tuple(over),
            question,
            np.array(at, float),
            np.array([made[p][0] for p in at]),
            np.array([made[p][1] for p in at]),
            np.array([made[p][2] for p in at]),
            tuple(accounts),
            rows_of(_at(scenario, over, at[0]).made, seed, np.arange(runs)),
            scenario.made.stands_for,
        )
        if accounts[-1].interrupted or number == rounds:
            return found
        more = [p for p in _closer(found, limit) if p not in made]
        if not more:
            return found
        at += more
    return found


def _at(base: Scenario, over: Sequence[Axis], point: Point) -> Scenario:
    values = dict(zip((a.name for a in over), point, strict=True))
    where = "" if base.name == CASE else f", {base.name}"
    return base.but(", ".join(f"{name}={value:g}" for name, value in values.items()) + where, values)


def _closer(found: Sweep, most: int) -> list[Point]:
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
