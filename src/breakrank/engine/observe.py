"""What is counted at dusk, straight from the day's log and the stocks, so that neither can drift."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.books import Books
from breakrank.engine.codes import (
    EV_ARRESTED,
    EV_CAPTURED,
    EV_CAUGHT_HIDING,
    EV_CONFIDED,
    EV_CROSSED,
    EV_DECLARED,
    EV_DESERTED,
    EV_DIED,
    EV_LEFT,
    EV_REGISTERED,
    EV_RELEASED,
    EV_REPORTED,
    EV_REPRISAL,
    EV_SHOCK,
    EV_SHOT,
    EV_SLIPPED,
    EVENTS,
    FATES,
)
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import kernel

OUTCOMES = ("quiet_desertion", "registered_exit", "open_defection")
COUNTS = {
    "arrested": (EV_ARRESTED,),
    "released": (EV_RELEASED,),
    "captured": (EV_CAPTURED, EV_CAUGHT_HIDING),
    "shot": (EV_SHOT,),
    "died_in_custody": (EV_DIED,),
    "reprisals": (EV_REPRISAL,),
    "shocks": (EV_SHOCK,),
    "confided": (EV_CONFIDED,),
    "reported": (EV_REPORTED,),
    "left_abroad": (EV_CROSSED,),
}
_COLUMN = np.full(len(EVENTS), -1, np.int64)
for _column, _events in enumerate(COUNTS.values()):
    _COLUMN[list(_events)] = _column


@kernel
def _outcome(books: Books, k: int) -> int:
    """Return which kind of leaving (index into OUTCOMES) log row k completes, -1 for none."""
    event = books.event[k]
    if event == EV_DESERTED or (event == EV_SLIPPED and books.value[k] > 0):
        return 0
    if event == EV_REGISTERED and books.other[k] < 0:
        return 1
    if event == EV_DECLARED:
        return 2
    return -1


@kernel
def _tally(
    books: Books,
    first: int,
    day: int,
    branch: NDArray[np.uint8],
    state: NDArray[np.uint8],
    by_rank: NDArray[np.int32],
    by_branch: NDArray[np.int32],
    by_state: NDArray[np.int32],
    by_route: NDArray[np.int32],
    registered: NDArray[np.int32],
    registered_rank: NDArray[np.int32],
    registered_branch: NDArray[np.int32],
    crossed_rank: NDArray[np.int32],
    crossed_branch: NDArray[np.int32],
    column: NDArray[np.int64],
    counts: NDArray[np.int32],
    fates: NDArray[np.int32],
) -> None:
    for k in range(first, books.cursor[0]):
        event = books.event[k]
        i = books.who[k]
        outcome = _outcome(books, k)
        if outcome >= 0:
            by_rank[day, outcome, books.rank[i]] += 1
            by_branch[day, outcome, branch[i]] += 1
        if event == EV_DESERTED or (event == EV_LEFT and books.value[k] >= 0):
            by_state[day, state[i]] += 1
        if event == EV_REGISTERED and books.value[k] > 0:
            registered[day] += 1
            registered_rank[day, books.rank[i]] += 1
            registered_branch[day, branch[i]] += 1
        if event == EV_CROSSED:
            by_route[day, books.place[k]] += 1
            crossed_rank[day, books.rank[i]] += 1
            crossed_branch[day, branch[i]] += 1
        if column[event] >= 0:
            counts[day, column[event]] += 1
    for f in range(books.stock.shape[0]):
        total = 0
        for r in range(books.stock.shape[1]):
            total += books.stock[f, r]
        fates[day, f] = total


class Observer:
    """The daily series of one replicate; :meth:`series` gives them by name (see ``results.variables``)."""

    def __init__(self, world: World) -> None:
        days, ranks = world.days, len(world.rank_ids)
        self.world = world
        self.by_rank = np.zeros((days, len(OUTCOMES), ranks), np.int32)
        self.by_branch = np.zeros((days, len(OUTCOMES), len(world.branch_ids)), np.int32)
        self.by_state = np.zeros((days, len(world.state_ids)), np.int32)
        self.by_route = np.zeros((days, len(world.route_ids)), np.int32)
        self.crossed_rank = np.zeros((days, ranks), np.int32)
        self.crossed_branch = np.zeros((days, len(world.branch_ids)), np.int32)
        self.registered = np.zeros(days, np.int32)
        self.registered_rank = np.zeros_like(self.crossed_rank)
        self.registered_branch = np.zeros_like(self.crossed_branch)
        self.counts = np.zeros((days, len(COUNTS)), np.int32)
        self.fates = np.zeros((days, len(FATES)), np.int32)

    def observe(self, run: Run) -> None:
        """Count today's events and everyone's fate."""
        force = self.world.force
        _tally(
            run.books,
            run.mark,
            run.day,
            force.branch,
            force.state,
            self.by_rank,
            self.by_branch,
            self.by_state,
            self.by_route,
            self.registered,
            self.registered_rank,
            self.registered_branch,
            self.crossed_rank,
            self.crossed_branch,
            _COLUMN,
            self.counts,
            self.fates,
        )

    def series(self, run: Run) -> dict[str, NDArray[Any]]:
        """Return all series by name, each without the run dimension."""
        force, branches = self.world.force, len(self.world.branch_ids)
        last = np.bincount(
            run.books.fate.astype(np.int64) * branches + force.branch, minlength=len(FATES) * branches
        )
        counts = {name: np.ascontiguousarray(self.counts[:, c]) for c, name in enumerate(COUNTS)}
        return {
            "exits_rank": self.by_rank,
            "exits_branch": self.by_branch,
            "exits_state": self.by_state,
            "exits_route": self.by_route,
            "crossed_rank": self.crossed_rank,
            "crossed_branch": self.crossed_branch,
            "registered": self.registered,
            "registered_rank": self.registered_rank,
            "registered_branch": self.registered_branch,
            "fates": self.fates,
            "fate_rank": run.books.stock.astype(np.int32),
            "fate_branch": last.reshape(len(FATES), branches).astype(np.int32),
            "moments": np.array(run.decisions, np.int64),
            **counts,
            **run.gauges,
        }
