"""What is counted at dusk, straight from the day's log and everyone's fate, so that neither can drift."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.records import RunRecords
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.errors import UsageError
from breakrank.kernel import lean, straight
from breakrank.labels import OUTCOMES
from breakrank.outputs import Output
from breakrank.table import Table, array


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
        for stock, by_day in self.extra.items():
            by_day[run.day] = run.stocks[stock]

    def _begin(self, run: Run) -> None:
        """Count where everyone stands; from here on only those who move are looked at."""
        self.begun = True
        asked = ((stock, count.shape) for stock, count in run.stocks.items() if stock in self.asked)
        self.extra = {stock: np.zeros((self.world.days, *shape), np.int32) for stock, shape in asked}
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
        for stock in (self.observed.fates, self.observed.levels, *self.extra.values()):
            stock[run.day + 1 :] = stock[run.day]

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
