"""What is counted at dusk, straight from the day's log and the stocks, so that neither can drift."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import (
    EV_CROSSED,
    EV_DECLARED,
    EV_DESERTED,
    EV_LEFT,
    EV_REGISTERED,
    EV_SLIPPED,
)
from breakrank.engine.records import RunRecords
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.errors import UsageError
from breakrank.kernel import lean, straight
from breakrank.outputs import Output
from breakrank.table import Table, array

OUTCOMES = ("quiet_desertion", "registered_exit", "open_defection")


class Counted(Table):
    """Which daily series count which event: those of event e are `series[start[e]:start[e + 1]]`.

    `below` holds for each what a value of the log has to be below to be counted, inf for any.
    """

    start: NDArray[np.int64]
    series: NDArray[np.int64]
    below: NDArray[np.float64]


def counted(outputs: Sequence[Output], events: Sequence[str]) -> Counted:
    """Return what is counted of each event, given the outputs that count any and the names of all events.

    Raises
    ------
    UsageError
        for an output that counts an event that there is not.
    """
    rows: list[tuple[int, int, float]] = []
    for column, output in enumerate(outputs):
        for event in output.events:
            if event not in events and event not in range(len(events)):
                raise UsageError(f"{output.name} counts an event {event!r} that no mechanism declares")
            code = events.index(event) if isinstance(event, str) else event
            rows.append((code, column, math.inf if output.below is None else output.below))
    rows.sort()
    start = np.searchsorted([row[0] for row in rows], np.arange(len(events) + 1))
    return Counted(start, np.array([r[1] for r in rows], np.int64), np.array([r[2] for r in rows]))


class Observed(Table):
    """What is counted by day; see :class:`Counted` for ``counts``. ``branch`` and ``state`` (soldier,)."""

    branch: NDArray[np.uint8]
    state: NDArray[np.uint8]
    by_rank: NDArray[np.int32] = array("day", "outcome", "rank")
    by_branch: NDArray[np.int32] = array("day", "outcome", "branch")
    by_state: NDArray[np.int32] = array("day", "state")
    by_route: NDArray[np.int32] = array("day", "route")
    registered: NDArray[np.int32]
    registered_rank: NDArray[np.int32] = array("day", "rank")
    registered_branch: NDArray[np.int32] = array("day", "branch")
    crossed_rank: NDArray[np.int32] = array("day", "rank")
    crossed_branch: NDArray[np.int32] = array("day", "branch")
    counts: NDArray[np.int32] = array("day", "series")
    fates: NDArray[np.int32] = array("day", "fate")
    holds: NDArray[np.int32]


@lean
def _outcome(records: RunRecords, k: int) -> int:
    """Return which kind of leaving (index into OUTCOMES) log row k completes, -1 for none."""
    event = records.event[k]
    if event == EV_DESERTED or (event == EV_SLIPPED and records.value[k] > 0):
        return 0
    if event == EV_REGISTERED and records.other[k] < 0:
        return 1
    if event == EV_DECLARED:
        return 2
    return -1


@straight
@lean
def _tally(now: Now, o: Observed, counted: Counted, records: RunRecords) -> None:
    """Count today's events and everyone's fate."""
    day = now.day
    for k in range(now.first, records.cursor[0]):
        event = records.event[k]
        i = records.who[k]
        outcome = _outcome(records, k)
        if outcome >= 0:
            o.by_rank[day, outcome, records.rank[i]] += 1
            o.by_branch[day, outcome, o.branch[i]] += 1
        if event == EV_DESERTED or (event == EV_LEFT and records.value[k] >= 0):
            o.by_state[day, o.state[i]] += 1
        if event == EV_REGISTERED and records.value[k] > 0:
            o.registered[day] += 1
            o.registered_rank[day, records.rank[i]] += 1
            o.registered_branch[day, o.branch[i]] += 1
        if event == EV_CROSSED:
            o.by_route[day, records.place[k]] += 1
            o.crossed_rank[day, records.rank[i]] += 1
            o.crossed_branch[day, o.branch[i]] += 1
        for c in range(counted.start[event], counted.start[event + 1]):
            if not records.value[k] >= counted.below[c]:
                o.counts[day, counted.series[c]] += 1
    for f in range(records.stock.shape[0]):
        total = 0
        for r in range(records.stock.shape[1]):
            total += records.stock[f, r]
        o.fates[day, f] = total
    o.holds[day] = not now.fallen


class Observer:
    """The daily series of one replicate; :meth:`series` gives them by name, as the outputs declare them."""

    def __init__(self, world: World) -> None:
        self.counting = [output for output in world.outputs if output.events]
        self.counted = counted(self.counting, world.events)
        days, ranks, branches = world.days, len(world.rank_ids), len(world.branch_ids)
        self.world = world

        def zeros(*axes: int) -> NDArray[np.int32]:
            return np.zeros((days, *axes), np.int32)

        self.observed = Observed(
            branch=world.force.branch,
            state=world.force.state,
            by_rank=zeros(len(OUTCOMES), ranks),
            by_branch=zeros(len(OUTCOMES), branches),
            by_state=zeros(len(world.state_ids)),
            by_route=zeros(len(world.route_ids)),
            registered=zeros(),
            registered_rank=zeros(ranks),
            registered_branch=zeros(branches),
            crossed_rank=zeros(ranks),
            crossed_branch=zeros(branches),
            counts=zeros(len(self.counting)),
            fates=zeros(len(world.fates)),
            holds=zeros(),
        )
        self.extra: dict[str, NDArray[Any]] = {}

    def observe(self, run: Run) -> None:
        """Count today's events and everyone's fate."""
        _tally(run.now, self.observed, self.counted, run.records)
        for stock, count in run.stocks.items():
            if stock not in self.extra:
                self.extra[stock] = np.zeros((self.world.days, *count.shape), np.int32)
            self.extra[stock][run.day] = count

    def stand_still(self, run: Run) -> None:
        """Repeat today's stocks to the last day: after the regime's fall nothing more is counted."""
        for stock in (self.observed.fates, *self.extra.values()):
            stock[run.day + 1 :] = stock[run.day]

    def series(self, run: Run) -> dict[str, NDArray[Any]]:
        """Return all series by name, each without the run dimension."""
        force, branches, seen = self.world.force, len(self.world.branch_ids), self.observed
        fates = len(self.world.fates)
        last = np.bincount(
            run.records.fate.astype(np.int64) * branches + force.branch, minlength=fates * branches
        )
        counts: dict[str, NDArray[Any]] = {
            one.name: np.ascontiguousarray(seen.counts[:, c]) for c, one in enumerate(self.counting)
        }
        return {
            "exits_rank": seen.by_rank,
            "exits_branch": seen.by_branch,
            "exits_state": seen.by_state,
            "exits_route": seen.by_route,
            "crossed_rank": seen.crossed_rank,
            "crossed_branch": seen.crossed_branch,
            "registered": seen.registered,
            "registered_rank": seen.registered_rank,
            "registered_branch": seen.registered_branch,
            "fates": seen.fates,
            "fate_rank": run.records.stock.astype(np.int32),
            "fate_branch": last.reshape(fates, branches).astype(np.int32),
            "moments": np.array(run.decisions, np.int64),
            **counts,
            "regime_holds": seen.holds,
            **self.extra,
            **run.tables,
            **run.measured,
        }
