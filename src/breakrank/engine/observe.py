"""What is counted at dusk, straight from the day's log and the stocks, so that neither can drift."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import (
    BY_AIM,
    EV_APPROACHED_SOMEONE,
    EV_ARRESTED,
    EV_CAPTURED,
    EV_CAUGHT_HIDING,
    EV_CONFIDED,
    EV_CROSSED,
    EV_DECLARED,
    EV_DECLINED,
    EV_DESERTED,
    EV_DIED,
    EV_DISARMED,
    EV_DISCHARGED,
    EV_ENLISTED,
    EV_FELL,
    EV_FILED,
    EV_FOLLOWED,
    EV_FOUNDED,
    EV_GRANTED,
    EV_JOINED,
    EV_LAUNCHED,
    EV_LEFT,
    EV_MOVED_ON,
    EV_NAMED,
    EV_PERMIT,
    EV_PLEDGED,
    EV_PUT_OUT,
    EV_RAN,
    EV_REFUSED,
    EV_REFUSED_ASYLUM,
    EV_REGISTERED,
    EV_RELEASED,
    EV_RELOCATED,
    EV_RENEGED,
    EV_REPORTED,
    EV_REPRISAL,
    EV_RISING_COLLAPSED,
    EV_RISING_STALEMATE,
    EV_RISING_WON,
    EV_ROSE,
    EV_SENT,
    EV_SETTLED,
    EV_SHOCK,
    EV_SHOT,
    EV_SLIPPED,
    EV_STATUS_LOST,
    EV_STOOD_DOWN,
    EV_SURRENDERED,
    EV_TAPPED,
    EV_TOOK_OFFER,
    EV_WARNED,
    EV_WENT_BACK,
    EV_WORD,
    EVENTS,
    FATES,
)
from breakrank.engine.records import RunRecords
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import lean

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
    "founded": (EV_FOUNDED,),
    "approached": (EV_APPROACHED_SOMEONE,),
    "joined": (EV_JOINED,),
    "declined": (EV_DECLINED,),
    "pledged": (EV_PLEDGED,),
    "tapped": (EV_TAPPED,),
    "named": (EV_NAMED,),
    "warned": (EV_WARNED,),
    "risings": (EV_RISING_COLLAPSED, EV_RISING_STALEMATE, EV_RISING_WON),
    "rose": (EV_ROSE,),
    "followed": (EV_FOLLOWED,),
    "reneged": (EV_RENEGED,),
    "refused": (EV_REFUSED,),
    "surrendered": (EV_SURRENDERED,),
    "discharged": (EV_DISCHARGED,),
    "fell": (EV_FELL,),
    "infiltrators_sent": (EV_SENT,),
    "asylum_filed": (EV_FILED,),
    "asylum_granted": (EV_GRANTED,),
    "asylum_refused": (EV_REFUSED_ASYLUM,),
    "permits": (EV_PERMIT,),
    "status_lost": (EV_STATUS_LOST,),
    "moved_on": (EV_MOVED_ON,),
    "settled": (EV_SETTLED,),
    "enlisted": (EV_ENLISTED,),
    "stood_down": (EV_STOOD_DOWN,),
    "ran_to_border": (EV_RAN,),
    "went_back": (EV_WENT_BACK,),
    "put_out": (EV_PUT_OUT,),
    "relocated": (EV_RELOCATED,),
    "took_offer": (EV_TOOK_OFFER,),
    "disarmed": (EV_DISARMED,),
    "word_sent": (EV_WORD,),
}
ENDINGS = {
    "collapsed": EV_RISING_COLLAPSED,
    "stalemates": EV_RISING_STALEMATE,
    "won": EV_RISING_WON,
    "launched_crossing": EV_LAUNCHED,
}
"""Counted apart, because :data:`COUNTS` gives each event to one series only."""
_COLUMN = np.full(len(EVENTS), -1, np.int64)
for _column, _events in enumerate(COUNTS.values()):
    _COLUMN[list(_events)] = _column
_ENDING = np.full(len(EVENTS), -1, np.int64)
_ENDING[list(ENDINGS.values())] = np.arange(len(ENDINGS))


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


@lean
def _tally(
    records: RunRecords,
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
    ending: NDArray[np.int64],
    endings: NDArray[np.int32],
    fates: NDArray[np.int32],
) -> None:
    for k in range(first, records.cursor[0]):
        event = records.event[k]
        i = records.who[k]
        outcome = _outcome(records, k)
        if outcome >= 0:
            by_rank[day, outcome, records.rank[i]] += 1
            by_branch[day, outcome, branch[i]] += 1
        if event == EV_DESERTED or (event == EV_LEFT and records.value[k] >= 0):
            by_state[day, state[i]] += 1
        if event == EV_REGISTERED and records.value[k] > 0:
            registered[day] += 1
            registered_rank[day, records.rank[i]] += 1
            registered_branch[day, branch[i]] += 1
        if event == EV_CROSSED:
            by_route[day, records.place[k]] += 1
            crossed_rank[day, records.rank[i]] += 1
            crossed_branch[day, branch[i]] += 1
        if column[event] >= 0:
            counts[day, column[event]] += 1
        if ending[event] >= 0 and not (event == EV_LAUNCHED and records.value[k] >= BY_AIM):
            endings[day, ending[event]] += 1
    for f in range(records.stock.shape[0]):
        total = 0
        for r in range(records.stock.shape[1]):
            total += records.stock[f, r]
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
        self.endings = np.zeros((days, len(ENDINGS)), np.int32)
        self.holds = np.zeros(days, np.int32)
        self.extra: dict[str, NDArray[Any]] = {}

    def observe(self, run: Run) -> None:
        """Count today's events and everyone's fate."""
        force = self.world.force
        _tally(
            run.records,
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
            _ENDING,
            self.endings,
            self.fates,
        )
        self.holds[run.day] = run.fallen < 0
        for stock, count in run.stocks.items():
            if stock not in self.extra:
                self.extra[stock] = np.zeros((self.world.days, *count.shape), np.int32)
            self.extra[stock][run.day] = count

    def stand_still(self, run: Run) -> None:
        """Repeat today's stocks to the last day: after the regime's fall nothing more is counted."""
        for stock in (self.fates, *self.extra.values()):
            stock[run.day + 1 :] = stock[run.day]

    def series(self, run: Run) -> dict[str, NDArray[Any]]:
        """Return all series by name, each without the run dimension."""
        force, branches = self.world.force, len(self.world.branch_ids)
        last = np.bincount(
            run.records.fate.astype(np.int64) * branches + force.branch, minlength=len(FATES) * branches
        )
        counts: dict[str, NDArray[Any]] = {
            name: np.ascontiguousarray(self.counts[:, c]) for c, name in enumerate(COUNTS)
        }
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
            "fate_rank": run.records.stock.astype(np.int32),
            "fate_branch": last.reshape(len(FATES), branches).astype(np.int32),
            "moments": np.array(run.decisions, np.int64),
            **counts,
            **{name: np.ascontiguousarray(self.endings[:, c]) for c, name in enumerate(ENDINGS)},
            "regime_holds": self.holds,
            **self.extra,
            **run.tables,
            **run.measured,
        }
