"""Local: what differs by state and branch, and from when.

Armies do not come apart everywhere at once. How closely soldiers are watched, what they think, what they
are paid and when they get out of their barracks differ by garrison and service, and desertion is local with
them (Bearman 1991, "Desertion as localism"; McLauchlin 2014, "Desertion, terrain, and control of the home
front"). Where a case names this mechanism, the fields `surveillance`, `pay` and `credibility` may have the
dimensions state and branch, and what events do to them may be limited by `states:` and `branches:`. Three
fields that have them join: `leave` and `errands` multiply occasions, and `opinion` is by how many standard
deviations those of a state and branch are more opposed than the force.

Checkpoints and crossings catch by the watch of the states that they lie in, and deserters are hunted by that
of their garrison. What is the country's as a whole (reactions of the regime, the high command) goes by the
mean over the force as it is stationed. The share of the force that is opposed at the start stays what
the case says. Where more are opposed at the start, they are also farther beyond the line, and keener; what
shifts opinion later moves everyone there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import (
    AGAINST,
    DESERT,
    JOIN,
    LEAVE,
    LEAVE_WITH_FAMILY,
    PLAN_CROSSING,
    PLAN_UPRISING,
)
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moment
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.challenger import Appeal, Offer
from breakrank.mechanisms.fear import UNWATCHED, Stakes
from breakrank.mechanisms.grievance import Grievances, bought_here, by_cell, cell_of_units, lacks
from breakrank.mechanisms.opportunity import LEAVE as PASSES
from breakrank.mechanisms.opportunity import OUTSIDE
from breakrank.mechanisms.preference import OPINION
from breakrank.mechanisms.regime import SURVEILLANCE, Watch
from breakrank.spec import parameters_of
from breakrank.table import Table, array, number

_PLOT = {JOIN: 1.0, PLAN_CROSSING: 1.0, PLAN_UPRISING: 1.0}
_PULLED = {LEAVE: 1.0, LEAVE_WITH_FAMILY: 1.0, **_PLOT}
_ALONE: dict[int, float | str] = {DESERT: "decision.quiet", LEAVE: 1.0, **_PLOT}


class LocalCells(Table):
    """What differs by cell, a branch in a state; ``cell`` int32 (unit,).

    ``watch`` (day, cell) surveillance relative to the country's; ``hope`` (day, cell) by how much likelier
    the challenger is thought to win, before disappointments; ``opinion`` (day, cell) utility, of which
    ``first`` (cell,) was there from the start. ``bought`` (day, cell, rank) part of the basket that pay buys;
    without days where pay is alike. ``hardship`` its weight;
    ``afraid`` whether fear is switched on; ``watched_apart`` whether surveillance is told apart by cell.
    """

    cell: NDArray[np.int32]
    watch: NDArray[np.float64] = array("day", "cell")
    hope: NDArray[np.float64] = array("day", "cell")
    opinion: NDArray[np.float64] = array("day", "cell")
    first: NDArray[np.float64]
    bought: NDArray[np.float64] = array("dayhere", "cell", "rank")
    hardship: float = number("grievance.hardship_weight")
    afraid: bool
    watched_apart: bool


@lean
def _look(now: Now, h: LocalCells, g: Grievances, w: Watch) -> None:
    """Today's values of this place: surveillance, pay, and opinion."""
    day = now.day
    for u in range(h.cell.shape[0]):
        c = h.cell[u]
        w.here[u] = h.watch[day, c]
        if h.watched_apart:
            w.hunt[u] = h.watch[day, c] * w.today[0]
        for rank in range(g.apart.shape[1]):
            apart = h.opinion[day, c]
            if h.bought.shape[0] > 0:
                bought = h.bought[day, c, rank] * w.raised[rank]
                apart += h.hardship * lacks(bought, g.usual[rank], g.custom[rank]) - g.hardship[rank]
            g.apart[u, rank] = apart


@lean
def _lot(at: Moment, h: LocalCells, g: Grievances) -> float:
    """By how much pay here, and what has come to be thought here, move them more than others."""
    return g.apart[at.unit, at.rank] - h.first[h.cell[at.unit]]


@lean
def _hope(at: Moment, h: LocalCells, o: Offer, a: Appeal) -> float:
    """By how much the challenger and their amnesty are worth more here."""
    if at.margin <= 0.0:
        return 0.0
    more = h.hope[at.day, h.cell[at.unit]] / (1.0 + a.against.counts[0])
    return (o.pull + o.amnesty[at.day, at.rank]) * more


@lean
def _more(at: Moment, h: LocalCells, w: Watch, share: float) -> float:
    """By how much a share of those who try, punished or their families harmed, is expected higher here."""
    here = w.here[at.unit]
    if here == 1.0 or not h.afraid:
        return 0.0
    usual = UNWATCHED + (1.0 - UNWATCHED) * w.today[0]
    if usual <= 0.0:
        return 0.0
    odds = share * (UNWATCHED + (1.0 - UNWATCHED) * w.today[0] * here) / usual
    return odds / (1.0 - share + odds) - share


@lean
def _watch_alone(at: Moment, h: LocalCells, s: Stakes, w: Watch, punished: float, harmed: float) -> float:
    """Punishment, and reprisals on all relatives, as far as they are expected more here."""
    reprisals = s.reprisal * (s.beside + at.dependants)
    return -_more(at, h, w, punished) * s.risk[at.rank] - _more(at, h, w, harmed) * reprisals


@lean
def _watch_family(at: Moment, h: LocalCells, s: Stakes, w: Watch, punished: float, harmed: float) -> float:
    """Punishment, and reprisals on those who stay, as far as they are expected more here."""
    reprisals = s.reprisal * s.beside
    return -_more(at, h, w, punished) * s.risk[at.rank] - _more(at, h, w, harmed) * reprisals


class Local(Mechanism):
    """What differs by state and branch. Off: watch, opinion, pay, hope and occasions are the country's."""

    name = "local"
    subsystem = 6
    citation = "Bearman, P. S. (1991), Desertion as localism"
    parameters = parameters_of(name, "surveillance, opinion, pay, hope and opportunities may differ by place")
    fields = (PASSES, OUTSIDE, OPINION)
    terms = (
        Term("local.lot", "pay and opinion here", dict.fromkeys(AGAINST, 1.0), _lot),
        Term("local.hope", "the challenger is believed in here", _PULLED, _hope),
        Term("local.watch_alone", "watched more closely here", _ALONE, _watch_alone),
        Term("local.watch_family", "watched more closely here", {LEAVE_WITH_FAMILY: 1.0}, _watch_family),
    )
    steps = (Step("dawn", _look),)

    def __init__(self, world: World) -> None:
        super().__init__(world)
        opinion = by_cell(world.daily(OPINION.name)) * world["preference.weight"] * world.on("preference")
        first = (
            by_cell(world.case.stated(OPINION.name))[0] * world["preference.weight"] * world.on("preference")
        )
        cells = opinion.shape[1]
        whole = world.daily(SURVEILLANCE.name)[:, None]
        watch = world.case.local(SURVEILLANCE.name)
        shared = np.ones((world.days, cells))
        if watch is not None:
            shared = np.where(whole > 0, by_cell(watch) / np.maximum(whole, 1e-12), 1.0)
        bought = bought_here(world) if world.on("grievance") else None
        self.here = LocalCells(
            cell=cell_of_units(world),
            watch=np.ascontiguousarray(shared),
            hope=self._hope_here(cells),
            opinion=opinion,
            first=first,
            bought=np.zeros((0, cells, len(world.rank_ids))) if bought is None else bought,
            afraid=world.on("fear"),
            watched_apart=watch is not None,
        )
        self.given = (self.here,)

    def _hope_here(self, cells: int) -> NDArray[np.float64]:
        world = self.world
        hope = world.case.local("credibility")
        if hope is None or not world.on("challenger"):
            return np.zeros((world.days, cells))
        recognised = (1 - world["challenger.recognition_weight"]) ** world.daily("recognition")
        more = by_cell(hope) - world.daily("credibility")[:, None]
        return np.ascontiguousarray(more * recognised[:, None])

    def begin(self, run: Run) -> None:
        """What is thought and paid here counts from the first day on."""
        if self.on:
            grievances = run.view(Grievances)
            grievances.apart = np.zeros((len(self.world.force.units), len(self.world.rank_ids)))
            _look(run.now, self.here, grievances, run.view(Watch))
