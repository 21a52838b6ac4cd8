"""What is counted at dusk, straight from the day's log and everyone's fate, so that neither can drift.

The outputs and measures that the engine itself declares, whatever the mechanisms: leaving, the register,
where everyone stands. The witness keeps, for chosen soldiers, what weighed at each decision opportunity.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import (
    EV_CROSSED,
    EV_DECLARED,
    EV_DESERTED,
    EV_FELL,
    EV_LEFT,
    EV_REFUSED_ORDER,
    EV_REGISTERED,
    EV_RESIGNED,
    EV_SLIPPED,
    EV_WENT_OVER,
)
from breakrank.engine.moments import Moments
from breakrank.engine.records import RunRecords
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.errors import UsageError
from breakrank.kernel import lean, straight
from breakrank.labels import FATES, OUTCOMES
from breakrank.outputs import YES_OR_NO, LogRows, Measure, MeasureSource, Output, at_end, daily, stock
from breakrank.table import Table, array

_SOME = 1e-30
"""Values from here on are above 0."""
EXITS = (
    LogRows(EV_DESERTED, at=0),
    LogRows(EV_SLIPPED, low=_SOME, at=0),
    LogRows(EV_REGISTERED, alone=True, at=1),
    LogRows(EV_DECLARED, at=2),
    LogRows(EV_RESIGNED, at=3),
    LogRows(EV_REFUSED_ORDER, at=3),
)
"""What completes a quiet desertion, a registered exit, an open defection, a resignation."""
POSTS = (
    LogRows(EV_DESERTED, low=0.0),
    LogRows(EV_LEFT, low=0.0),
    LogRows(EV_WENT_OVER, low=_SOME),
    LogRows(EV_RESIGNED),
    LogRows(EV_REFUSED_ORDER),
)
"""Leaving a post: alone, or with the unit that holds it."""
REGISTERED = LogRows(EV_REGISTERED, low=_SOME)

OUTPUTS = (
    daily("exits_rank", "Leaving, by kind and rank", *EXITS, by=("outcome", "rank"), measure=None),
    daily("exits_branch", "Leaving, by kind and branch", *EXITS, by=("outcome", "branch"), measure=None),
    daily("exits_state", "Leaving, by state of the post", *POSTS, by=("state",), measure=None),
    daily("exits_route", "Out of the country, by way", EV_CROSSED, by=("route",), measure=None),
    daily("crossed_rank", "Out of the country, by rank", EV_CROSSED, by=("rank",), measure=None),
    daily("crossed_branch", "Out of the country, by branch", EV_CROSSED, by=("branch",), measure=None),
    stock("fates", "Where soldiers stand at dusk", by=("fate",), measure=None),
    at_end("fate_rank", "Fate on the last day, by rank", "soldiers", "fate", "rank"),
    at_end("fate_branch", "Fate on the last day, by branch", "soldiers", "fate", "branch"),
    daily("registered", "Registered at the host", REGISTERED, measure=None),
    daily("registered_rank", "Registered at the host, by rank", REGISTERED, by=("rank",), measure=None),
    daily("registered_branch", "Registered at the host, by branch", REGISTERED, by=("branch",), measure=None),
    daily("left_abroad", "Crossed out of the country", EV_CROSSED, measure=None),
    daily("fell", "Regime fell", EV_FELL, unit="falls"),
    stock("regime_holds", "Regime still in place", YES_OR_NO, primary=9),
    Output(
        "decision_opportunities",
        ("run",),
        "int64",
        "Decision opportunities evaluated",
        "opportunities",
        "sum",
    ),
)
"""What it hands back, day by day."""

_CROSSED = {
    "": MeasureSource("exits_route"),
    "route": MeasureSource("exits_route"),
    "rank": MeasureSource("crossed_rank"),
    "branch": MeasureSource("crossed_branch"),
}
_REGISTERED = {
    "": MeasureSource("registered"),
    "rank": MeasureSource("registered_rank"),
    "branch": MeasureSource("registered_branch"),
}
_LEAVING = {
    "registered_exit": "Presented themselves abroad",
    "quiet_desertion": "Deserted quietly",
    "open_defection": "Declared for the challenger",
    "resigned": "Resigned or refused an order, at home",
}
_PRIMARY = {"quiet_desertion": 3, "open_defection": 4}


def _left(name: str, label: str, outcome: str | tuple[str, ...], primary: int = 0) -> Measure:
    at = {"outcome": outcome}
    rank, branch = MeasureSource("exits_rank", at), MeasureSource("exits_branch", at)
    kinds = (outcome,) if isinstance(outcome, str) else outcome
    rows = tuple(replace(r, at=0) for r in EXITS if tuple(OUTCOMES)[r.at] in kinds)
    sources = {"": rank, "rank": rank, "branch": branch}
    return Measure(name, label, "soldiers", "total", sources, rows=rows, primary=primary)


def level_of_fate(fate: str, label: str) -> Measure:
    """Return the measure of how many stand at a fate, also by rank and branch."""
    at = {"fate": fate}
    sources = {
        "": MeasureSource("fates", at),
        "rank": MeasureSource("fate_rank", at),
        "branch": MeasureSource("fate_branch", at),
    }
    return Measure(fate, label, "soldiers", "level", sources)


MEASURES = (
    Measure("registered", "Registered at the host", "soldiers", "total", _REGISTERED, primary=2),
    Measure("left_abroad", "Crossed out of the country", "soldiers", "total", _CROSSED, primary=1),
    Measure("share_left", "Share of the force that crossed out of the country", "share", "share", _CROSSED),
    *(_left(outcome, label, outcome, _PRIMARY.get(outcome, 0)) for outcome, label in _LEAVING.items()),
    _left("left", "Left: hid, resigned, presented themselves abroad, or declared", tuple(_LEAVING)),
    Measure(
        "left_post",
        "Left their posts by any way, whether they got away or not",
        "soldiers",
        "total",
        {"": MeasureSource("exits_state"), "state": MeasureSource("exits_state")},
    ),
    Measure("rate_ratio", "Speed of leaving after the date over before", "ratio", "ratio", _CROSSED),
    *(
        level_of_fate(fate, label)
        for fate, label in FATES.items()
        if fate not in ("registered", "discharged", "resigned")
    ),
)
"""What can be asked of that beyond each output by itself."""


class Cells(Table):
    """Where in a row of cells something is counted, by rule: ``base`` and steps along each dimension.

    Soldier i, who stands at fate f and whose row of the log names way w, is counted by rule c in cell
    ``base[c] + fate[c] * f + route[c] * w``, and so on for their rank, branch and state.
    """

    base: NDArray[np.int64]
    fate: NDArray[np.int64]
    route: NDArray[np.int64]
    rank: NDArray[np.int64]
    branch: NDArray[np.int64]
    state: NDArray[np.int64]


class Counted(Table):
    """Which rules count which event: those of event e are ``start[e]`` up to ``start[e + 1]``.

    A row is counted where its value is ``low`` or above and below ``below``, and, where ``alone``, it names
    nobody else.
    """

    start: NDArray[np.int64]
    low: NDArray[np.float64]
    below: NDArray[np.float64]
    alone: NDArray[np.bool_]


class Observed(Table):
    """What is counted by day. ``branch`` and ``state`` (soldier,) of the post.

    ``counts`` and ``levels`` (day, cell); ``level`` (cell,) as of now, and ``was`` (soldier,) the fate under
    which each is counted in it.
    """

    branch: NDArray[np.uint8]
    state: NDArray[np.uint8]
    was: NDArray[np.uint8]
    counts: NDArray[np.int32] = array("day", "cell")
    levels: NDArray[np.int32] = array("day", "cell")
    level: NDArray[np.int32]
    fates: NDArray[np.int32] = array("day", "fate")
    holds: NDArray[np.int32]


class Places:
    """Where outputs have their cells in a row: ``of[name]`` is the first cell and the shape.

    Parameters
    ----------
    outputs : what is counted. sizes : labels along each dimension.
    """

    def __init__(self, outputs: Sequence[Output], sizes: Mapping[str, int]) -> None:
        self.of: dict[str, tuple[int, tuple[int, ...]]] = {}
        self.steps: dict[str, dict[str, int]] = {}
        self.size = 0
        for output in outputs:
            dims = [dim for dim in output.dims if dim not in ("run", "day")]
            shape = tuple(sizes[dim] for dim in dims)
            self.of[output.name] = self.size, shape
            self.steps[output.name] = {dim: math.prod(shape[k + 1 :]) for k, dim in enumerate(dims)}
            self.size += math.prod(shape)

    def cells(self, rules: Sequence[tuple[str, int]]) -> Cells:
        """Return the cells of rules, each an output and where it counts along ``outcome``."""
        steps = [self.steps[name] for name, _ in rules]
        base = [
            self.of[name][0] + at * step.get("outcome", 0)
            for (name, at), step in zip(rules, steps, strict=True)
        ]
        dims = ("fate", "route", "rank", "branch", "state")
        return Cells(
            np.array(base, np.int64),
            *(np.array([step.get(dim, 0) for step in steps], np.int64) for dim in dims),
        )

    def split(self, rows: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return counts by output, from rows of cells (..., cell)."""
        return {
            name: np.ascontiguousarray(rows[..., first : first + math.prod(shape)]).reshape(
                *rows.shape[:-1], *shape
            )
            for name, (first, shape) in self.of.items()
        }


def counted(outputs: Sequence[Output], events: Sequence[str]) -> tuple[Counted, list[tuple[str, int]]]:
    """Return which rows are counted, and for each rule the output and its place along ``outcome``.

    Raises
    ------
    UsageError
        for an output that counts an event that there is not.
    """
    found = []
    for output in outputs:
        for row in output.rows:
            if row.event not in events and row.event not in range(len(events)):
                raise UsageError(f"{output.name} counts an event {row.event!r} that no mechanism declares")
            code = events.index(row.event) if isinstance(row.event, str) else row.event
            found.append((code, output.name, row))
    found.sort(key=lambda rule: rule[0])
    rows = [row for _, _, row in found]
    start = np.searchsorted([code for code, _, _ in found], np.arange(len(events) + 1))
    table = Counted(
        start,
        np.array([row.low for row in rows]),
        np.array([row.below for row in rows]),
        np.array([row.alone for row in rows], np.bool_),
    )
    return table, [(name, row.at) for _, name, row in found]


@lean
def _cell(c: Cells, k: int, o: Observed, records: RunRecords, i: int, fate: int, route: int) -> int:
    """Return the cell in which rule k counts soldier i."""
    place = c.base[k] + c.fate[k] * fate + c.route[k] * route
    return int(place + c.rank[k] * records.rank[i] + c.branch[k] * o.branch[i] + c.state[k] * o.state[i])


@straight
@lean
def _tally(now: Now, o: Observed, counted: Counted, cells: Cells, stand: Cells, records: RunRecords) -> None:
    """Count today's events, everyone's fate, and where those stand who are counted by parts."""
    day = now.day
    for k in range(now.first, records.cursor[0]):
        event, i, value = records.event[k], records.who[k], records.value[k]
        for c in range(counted.start[event], counted.start[event + 1]):
            if (
                value >= counted.below[c]
                or value < counted.low[c]
                or (counted.alone[c] and records.other[k] >= 0)
            ):
                continue
            o.counts[day, _cell(cells, c, o, records, i, 0, records.place[k])] += 1
        if stand.base.shape[0] > 0 and i >= 0 and o.was[i] != records.fate[i]:
            for c in range(stand.base.shape[0]):
                o.level[_cell(stand, c, o, records, i, o.was[i], 0)] -= 1
                o.level[_cell(stand, c, o, records, i, records.fate[i], 0)] += 1
            o.was[i] = records.fate[i]
    for c in range(o.level.shape[0]):
        o.levels[day, c] = o.level[c]
    for f in range(records.stock.shape[0]):
        total = 0
        for r in range(records.stock.shape[1]):
            total += records.stock[f, r]
        o.fates[day, f] = total
    o.holds[day] = not now.fallen


class Observer:
    """The daily series of one replicate; :meth:`series` gives them by name, as the outputs declare them.

    Parameters
    ----------
    world : what is the same in each replicate.
    asked : names of the series that anybody asks for, all if left out; others are left out or unfinished.
    """

    def __init__(self, world: World, asked: Container[str] | None = None) -> None:
        self.world = world
        self.asked = {one.name for one in world.outputs if asked is None or one.name in asked}
        days, force = world.days, world.force
        self.sizes = {
            "outcome": len(OUTCOMES),
            "fate": len(world.fates),
            "rank": len(world.rank_ids),
            "branch": len(world.branch_ids),
            "state": len(world.state_ids),
            "route": len(world.route_ids),
        }
        outputs = [output for output in world.outputs if output.name in self.asked]
        counting = [output for output in outputs if output.events]
        levels = [output for output in outputs if output.fates and "day" in output.dims]
        self.strengths = [output for output in outputs if output.fates and "day" not in output.dims]
        self.places, self.stand_places = Places(counting, self.sizes), Places(levels, self.sizes)
        self.counted, rules = counted(counting, world.events)
        self.cells = self.places.cells(rules)
        self.stand = self.stand_places.cells([(output.name, 0) for output in levels])
        self.observed = Observed(
            branch=force.branch,
            state=force.state,
            was=np.zeros(force.n if levels else 0, np.uint8),
            counts=np.zeros((days, self.places.size), np.int32),
            levels=np.zeros((days, self.stand_places.size), np.int32),
            level=np.zeros(self.stand_places.size, np.int32),
            fates=np.zeros((days, len(world.fates)), np.int32),
            holds=np.zeros(days, np.int32),
        )
        self.begun = False
        self.extra: dict[str, NDArray[Any]] = {}

    def observe(self, run: Run) -> None:
        """Count today's events and everyone's fate."""
        if not self.begun:
            self._begin(run)
        _tally(run.now, self.observed, self.counted, self.cells, self.stand, run.records)
        for name, by_day in self.extra.items():
            by_day[run.day] = run.stocks[name]

    def _begin(self, run: Run) -> None:
        """Count where everyone stands; from here on only those who move are looked at."""
        self.begun = True
        asked = ((name, count.shape) for name, count in run.stocks.items() if name in self.asked)
        self.extra = {name: np.zeros((self.world.days, *shape), np.int32) for name, shape in asked}
        if not self.stand_places.of:
            return
        self.observed.was[:] = run.records.fate
        columns = self._columns(run.records.fate)
        for name, (first, shape) in self.stand_places.of.items():
            counted = _grouped(columns, tuple(self.stand_places.steps[name]), shape)
            self.observed.level[first : first + math.prod(shape)] = counted.ravel()

    def _columns(self, fate: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
        force = self.world.force
        return {"fate": fate, "rank": force.rank, "branch": force.branch, "state": force.state}

    def stand_still(self, run: Run) -> None:
        """Repeat today's stocks to the last day: after the regime's fall nothing more is counted."""
        for by_day in (self.observed.fates, self.observed.levels, *self.extra.values()):
            by_day[run.day + 1 :] = by_day[run.day]

    def series(self, run: Run) -> dict[str, NDArray[Any]]:
        """Return the outputs asked for by name, each without the run dimension."""
        seen, columns = self.observed, self._columns(run.records.fate)
        grouped = {one.name: one.dims[1:] for one in self.strengths}
        if "fate_branch" in self.asked:
            grouped["fate_branch"] = ("fate", "branch")
        return {
            "fates": seen.fates,
            "fate_rank": run.records.stock.astype(np.int32),
            "decision_opportunities": np.array(run.decisions, np.int64),
            **self.places.split(seen.counts),
            **self.stand_places.split(seen.levels),
            **{
                name: _grouped(columns, dims, [self.sizes[d] for d in dims]) for name, dims in grouped.items()
            },
            "regime_holds": seen.holds,
            **self.extra,
            **run.tables,
            **run.measured,
        }


def _grouped(
    columns: Mapping[str, NDArray[Any]], dims: Sequence[str], shape: Sequence[int]
) -> NDArray[np.int32]:
    """Return how many soldiers there are by these dimensions, int32 of this shape."""
    place = np.zeros(len(columns["rank"]), np.int64)
    for dim, size in zip(dims, shape, strict=True):
        place = place * size + columns[dim]
    return np.bincount(place, minlength=math.prod(shape)).reshape(shape).astype(np.int32)


@dataclass(frozen=True, slots=True)
class Testimony:
    """One decision opportunity of one soldier: terms by row, utilities, chances and the option taken.

    ``margin`` says how far they were on the opposed side (> 0: privately opposed), ``leader`` who asked
    them to come along (position, -1: nobody).
    """

    day: int
    soldier: int
    occasion: int
    margin: float
    leader: int
    terms: NDArray[np.float64]
    utility: NDArray[np.float64]
    chance: NDArray[np.float64]
    choice: int


class Witness:
    """Records the moments of the soldiers with the given positions, and how everyone ended.

    Attributes
    ----------
    seen : testimonies in the order of the days.
    fate : uint8 (soldier,) on the last day; ``margin`` float64 (soldier,) on the opposed side then.
    """

    def __init__(self, positions: Iterable[int]) -> None:
        self.watched = np.array(sorted(set(positions)), np.int32)
        self.seen: list[Testimony] = []
        self.fate: NDArray[np.uint8] = np.empty(0, np.uint8)
        self.margin: NDArray[np.float64] = np.empty(0)

    def see(self, run: Run, moments: Moments) -> None:
        """Keep the moments of those watched."""
        at = np.searchsorted(moments.who, self.watched)
        for position, j in zip(self.watched, at, strict=True):
            if j < moments.n and moments.who[j] == position:
                self.seen.append(
                    Testimony(
                        run.day,
                        int(position),
                        int(moments.occasion[j]),
                        float(moments.margin[j]),
                        int(moments.leader[j]),
                        moments.terms[:, j].copy(),
                        moments.utility[:, j].copy(),
                        moments.chance[:, j].copy(),
                        int(moments.choice[j]),
                    )
                )

    def close(self, fate: NDArray[np.uint8], margin: NDArray[np.float64]) -> None:
        """Keep how everyone ended."""
        self.fate, self.margin = fate, margin
