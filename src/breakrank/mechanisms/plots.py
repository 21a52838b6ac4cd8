"""Plots: founded at a decision opportunity, carried along trust ties, launched or lost.

Someone with cause, belief and standing plans to lead comrades out, or to rise, and sets a date. Members
approach trusted comrades one at a time, officers who mean to rise their classmates; whoever is approached
joins, declines or denounces. Plots to rise also ask commanders, and the high command, for a promise to
come. On its date, or when the challenger calls, a plot that is strong enough is launched; one that is not
sets another date, or is given up if its founder is alone; and one whose founder is taken or flees is lost
(conspiracy as recruitment under the risk of betrayal: Singh 2014, "Seizing power"; McAdam 1986 on
recruitment to risky action; Casper and Tyson 2014 on public signals and coups).
"""

from __future__ import annotations

import numpy as np

from breakrank.draws import decision, uniform_each
from breakrank.engine.codes import (
    AIMS,
    BY_AIM,
    CONFIDED_TO,
    CROSS,
    DEFEATED,
    DESERT,
    EV_APPROACHED_SOMEONE,
    EV_DECLINED,
    EV_FOUNDED,
    EV_JOINED,
    EV_LAUNCHED,
    EV_PLEDGED,
    INVITED,
    JOIN,
    LEAVE,
    LEAVE_WITH_FAMILY,
    PLAN_CROSSING,
    PLAN_UPRISING,
    RISE,
    SERVING,
    WARNED,
)
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moment, Moments, Soldiers, TrustTies
from breakrank.engine.records import RunRecords, room_left
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.force.force import GUARDS_POLITICIAN
from breakrank.kernel import lean
from breakrank.labels import LEAKED
from breakrank.mechanisms.comrades import PER
from breakrank.mechanisms.fear import punishment_by_rank
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.high_command import Command, let_go, seek_pledge
from breakrank.mechanisms.journeys import Journeys, Roads, days_to_capital, lead_out
from breakrank.mechanisms.plot_life import (
    ABOVE,
    ALIVE,
    ENDS,
    PLEDGED,
    SIZES,
    PlotCount,
    Plots,
    Plotting,
    answer,
    approach,
    count_plots,
    members_of,
    no_plots,
    review,
    under_way,
    with_room,
)
from breakrank.mechanisms.preference import Preferences, find_opposed
from breakrank.outputs import Measure, MeasureSource, Output, daily, stock
from breakrank.spec import Field, parameters_of
from breakrank.units import DAYS_A_YEAR

STANDING = 1.2
"""What each tier of rank adds to the odds of planning, utility. Theory only: Singh 2014, by whom those with
followers plan; size assumed."""
COMMAND = 3.0
"""What the command of a full unit adds, utility: it is the means to begin with, twenty times the odds."""
CONTACT = 4.0
"""What dealings with the challenger's side add, utility: both leaders of April had them by their duties."""
NEARNESS = 3.0
"""What each day of road to the seat of power costs who plans an uprising, utility: it is decided there."""
CALL = 1.5
"""Weight of a public call to rise: all know that all heard it. Theory only: Casper and Tyson 2014; size
assumed."""
PROMISE = 3.0
"""By how much a promise is easier than joining, utility: until the day it costs nothing."""
WORD = 2.0
"""What a member's word weighs when their plot sets out, utility: as a promise of the high command does."""
ROOM = 512
"""Plots and memberships for which there is always room, beside twice those that there are."""
ENTRIES = 4
"""Entries of the log for which there is always room, for each plot or membership for which there is."""
CALLED = Field("call", "fraction", 0, 1, "strength of a public call to rise", (), 0.0)
"""The field that plots, the high command and the exiles hear."""

_START = int(decision("plots.start"))
_LEAD = int(decision("plots.lead"))
_ABOVE_WHOM = int(decision("plots.above_whom"))
_PLANS = {PLAN_CROSSING: 1, PLAN_UPRISING: 1}
_LEAVES = {LEAVE: 1, LEAVE_WITH_FAMILY: 1}


@lean
def may_plan_uprising(at: Moment, w: Plotting, p: Plots) -> bool:
    """Who is opposed, has standing and time, is in no plot and not wary may plan an uprising."""
    may = at.margin > 0 and w.tier[at.rank] >= 1 and at.occasion < INVITED
    return may and not p.plotter[at.who] and at.day >= p.wary[at.who]


@lean
def may_plan_crossing(at: Moment, w: Plotting, p: Plots) -> bool:
    """Who may plan an uprising may plan a crossing, if they lead some and nobody just confided in them."""
    can = w.abroad and w.leads[at.rank] > 1 and at.occasion != CONFIDED_TO
    return can and may_plan_uprising(at, w, p)


@lean
def is_approached(at: Moment, p: Plots, records: RunRecords) -> bool:
    """Whether a member who still serves of a plot that still lives has asked them."""
    row = p.asked[at.who]
    if row < 0 or at.occasion >= INVITED or p.plotter[at.who]:
        return False
    return p.end[p.plot[row]] == ALIVE and records.fate[p.member[row]] == SERVING


@lean
def baseline_plan(w: Plotting) -> float:
    """The log-odds of planning without cause, fear or ties."""
    return -w.baseline_plan


@lean
def standing(at: Moment, w: Plotting) -> float:
    """Each tier of rank, and the unit that they command."""
    commands = w.full[at.unit] if w.leader[at.unit] == at.who else 0.0
    return STANDING * w.tier[at.rank] + COMMAND * commands


@lean
def place(at: Moment, w: Plotting, soldiers: Soldiers) -> float:
    """Less for each day by road to the seat of power; more for dealings with the challenger's side.

    Guards of its politicians and intelligence services have such dealings.
    """
    guards = soldiers.access[at.who] & GUARDS_POLITICIAN
    return w.nearness[at.state] + (CONTACT if guards or w.intelligence[at.unit] else 0.0)


@lean
def public_call(at: Moment, w: Plotting, p: Plots, records: RunRecords) -> float:
    """A public call to rise; it says nothing to who was asked to cross."""
    if is_approached(at, p, records) and p.aim[p.plot[p.asked[at.who]]] != RISE:
        return 0.0
    return CALL * w.call[at.day]


@lean
def baseline_join(at: Moment, w: Plotting, p: Plots) -> float:
    """The log-odds of joining, or of promising to come, without cause, fear or ties."""
    return (PROMISE if p.ask[at.who] == PLEDGED else 0.0) - w.baseline_join


@lean
def hunted(at: Moment, w: Plotting) -> float:
    """About to be taken: they were warned, or an uprising has failed."""
    return w.hunted[at.rank] if at.occasion == WARNED or at.occasion == DEFEATED else 0.0


@lean
def word(at: Moment, p: Plots) -> float:
    """Their word to a plot whose founder asks them along."""
    if at.occasion == INVITED and at.leader >= 0:
        row = p.first[at.who]
        if row >= 0 and p.founder[p.plot[row]] == at.leader:
            return WORD
    return 0.0


def _plots(ident: str, label: str, *ends: str, primary: int = 0) -> Measure:
    source = MeasureSource("plot_ends", {"plot_end": ends} if ends else {})
    whole = source if ends else MeasureSource("founded")
    return Measure(ident, label, "plots", "total", {"": whole, "aim": source}, primary=primary)


@lean
def lacks_room(p: Plots, records: RunRecords) -> bool:
    """Return whether there is too little room for what plots may write before the next look."""
    members = 2 * p.used[1] + ROOM
    full = p.used[0] + ROOM > p.founder.shape[0] or members > p.member.shape[0]
    return full or room_left(records) < ENTRIES * members


@lean
def begins(now: Now) -> bool:
    """On the first day some are already under way."""
    return now.day == 0


@lean
def answers_lack_room(moments: Moments, p: Plots) -> bool:
    """Return whether there is too little room for those who join or found plots now."""
    more = moments.count[JOIN] + moments.count[PLAN_CROSSING] + moments.count[PLAN_UPRISING]
    return p.used[0] + more > p.founder.shape[0] or p.used[1] + more > p.member.shape[0]


@lean
def count(p: Plots, count: PlotCount, command: Command) -> bool:
    """Count plots and plotters; return whether a promise from above is to a plot that is over."""
    count_plots(p, count)
    over = p.used[2] > 0
    for q in range(command.pledged_to.shape[0]):
        founder = command.pledged_to[q]
        over = over or (founder >= 0 and not p.plotter[founder])
    return over


class PlotsMechanism(Mechanism):
    """Founding, recruiting, waiting, launching. Off: nobody plots; leaders still ask comrades along."""

    name = "plots"
    subsystem = 8
    parameters = parameters_of(name, "soldiers found plots, recruit and launch them")
    outputs = (
        daily("founded", "Plots founded", EV_FOUNDED, unit="plots", measure=None),
        daily("approached", "Approached for a plot", EV_APPROACHED_SOMEONE, unit="approaches"),
        daily("joined", "Joined a plot", EV_JOINED),
        daily("declined", "Declined to join a plot", EV_DECLINED),
        daily("pledged", "Pledges given to a plot", EV_PLEDGED, unit="pledges", measure="pledges"),
        daily(
            "launched_crossing", "Crossings with comrades launched", EV_LAUNCHED, unit="plots", below=BY_AIM
        ),
        stock("plots", "Plots alive at dusk", "plots", by=("aim",)),
        stock("plotters", "Members of plots", by=("aim",)),
        Output(
            "plot_ends",
            ("run", "plot_end", "plot_size", "aim"),
            "int32",
            "Plots by end, size and aim",
            "plots",
            "sum",
        ),
    )
    measures = (
        _plots("plots_founded", "Plots founded"),
        _plots("plots_leaked", "Plots found out: broken or scattered", *LEAKED),
        _plots("plots_launched", "Plots launched", "launched", primary=6),
    )
    fields = (CALLED,)
    terms = (
        Term("plots.baseline_plan", "how rare planning is", _PLANS, baseline_plan, base=True),
        Term("plots.standing", "standing, and a unit to command", _PLANS, standing),
        Term("plots.place", "how near power and the challenger's side are", {PLAN_UPRISING: 1}, place),
        Term("plots.call", "a public call to rise", {PLAN_UPRISING: 1, JOIN: 1}, public_call),
        Term("plots.baseline_join", "how rare joining a plot is", {JOIN: 1}, baseline_join, base=True),
        Term("plots.hunted", "about to be taken", {DESERT: "decision.quiet", **_LEAVES}, hunted),
        Term("plots.word", "their word to the plot", _LEAVES, word),
    )
    opens = ((JOIN, is_approached), (PLAN_CROSSING, may_plan_crossing), (PLAN_UPRISING, may_plan_uprising))
    steps = (
        Step("dawn", begins, then="_under_way"),
        Step("act", answers_lack_room, then="_make_room_for_answers"),
        Step("act", answer),
        Step("conspire", lacks_room, then="_make_room"),
        Step("conspire", approach),
        Step("conspire", review, then="_launch"),
        Step("dusk", count, then="_let_go"),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        force, units, leader = world.force, world.force.units, world.force.leader
        nearness = -NEARNESS * days_to_capital(world)
        # a small force has as many garrisons as a large one: who commands a handful commands no unit
        full = np.where(leader >= 0, np.minimum(units.size / world.case.force.unit_size, 1.0), 0.0)
        plotting = Plotting(
            approaches=world["plots.approaches"] / DAYS_A_YEAR,
            # the high command is one for the country: more plots than its own do not reach it more often
            above=ABOVE / max(world.scale, 1.0),
            wary=int(world["comrades.memory"]),
            call=world.daily("call"),
            kind=force.ties.kind,
            formation=force.formation,
            first_unit=np.searchsorted(units.formation, np.arange(units.formation.max() + 2)),
            leader=leader,
            full=full,
            intelligence=world.intelligence_units,
            tier=world.tier,
            leads=np.array([r.leads for r in world.case.force.ranks], np.int64),
            nearness=nearness,
            abroad=world.on("routes"),
            # to go is no rare thought for who is about to be taken, and to stay is to be punished for certain
            hunted=world["decision.baseline_leave"] + world["fear.risk_weight"] * punishment_by_rank(world),
        )
        self.given = (plotting,)
        # who would found a plot to rise, relative to others; those under way were founded so, too
        self.leaders = some = np.flatnonzero((world.tier >= 1)[force.rank]).astype(np.int32)
        commanded = np.zeros(force.n)
        commanded[leader[leader >= 0]] = full[leader >= 0]
        dealings = ((force.access[some] & GUARDS_POLITICIAN) != 0) | world.intelligence[some]
        odds = STANDING * world.tier[force.rank[some]] + COMMAND * commanded[some] + CONTACT * dealings
        self.inclined = np.exp(odds + nearness[force.state[some]])

    def begin(self, run: Run) -> None:
        """There is no plot yet."""
        self.plots, aims = no_plots(run), len(AIMS)
        run.share(self.plots)
        ends = np.zeros((len(ENDS), SIZES, aims), np.int32)
        count = PlotCount(alive=np.zeros(aims, np.int32), members=np.zeros(aims, np.int32), ends=ends)
        run.share(count)
        run.stocks["plots"], run.stocks["plotters"] = count.alive, count.members
        run.tables["plot_ends"] = count.ends

    def _make_room(self, run: Run, more: int = ROOM) -> None:
        rows = int(self.plots.used[1])
        with_room(self.plots, more, more + rows)
        run.make_room(8 * (more + rows))

    def _make_room_for_answers(self, run: Run) -> None:
        count = run.view(Moments).count
        self._make_room(run, int(count[[JOIN, PLAN_CROSSING, PLAN_UPRISING]].sum()))

    def _under_way(self, run: Run) -> None:
        force, ties = self.world.force, run.view(TrustTies)
        mood = run.view(Preferences), run.view(Grievances)
        some, opposed = self.leaders, np.zeros(len(self.leaders), np.bool_)
        find_opposed(*mood, run.day, some, opposed)
        odds = np.zeros(force.n)
        odds[some] = np.where(opposed, self.inclined, 0.0)
        draws = uniform_each(run.key, _START, force.identity[some], np.zeros(len(some), np.int64))
        many = self.world["plots.from_start"] / PER * force.n
        founders = some[draws * max(odds.sum(), 1e-300) < many * odds[some]]
        known = ties.start[founders + 1] - ties.start[founders]
        self._make_room(run, int((known + 1).sum()) * 2 + ROOM)
        under_way(run.now, run.view(Plotting), ties, self.plots, run.records, *mood, founders)

    def _launch(self, run: Run) -> None:
        """Ask the high command for promises, and lead others out of the country."""
        p = self.plots
        launching = p.launching[: p.used[3]]
        for plot in p.seeking[: p.used[4]]:
            p.above[plot] += seek_pledge(run, int(p.founder[plot]), _ABOVE_WHOM)
        for plot in launching[p.aim[launching] == CROSS]:
            founder = int(p.founder[plot])  # he goes first, and the members keep their word or not
            roads, journeys = run.view(Roads), run.view(Journeys)
            if lead_out(run.now, _LEAD, run.view(Soldiers), run.records, founder, roads, journeys):
                run.call(members_of(p, run.records, int(plot)), INVITED, founder)

    def _let_go(self, run: Run) -> None:
        """Promises to plots that are over bind no longer."""
        if self.plots.used[2]:
            raise RuntimeError(f"day {run.day}: the table of plots ran out of room")
        promised = run.view(Command).pledged_to
        let_go(run, promised[(promised >= 0) & ~self.plots.plotter[promised]])
