"""Plots: founded at a moment of decision, carried along trust ties, launched or lost.

Someone with cause, belief and standing plans to lead comrades out, or to rise. Members approach
trusted comrades one at a time; whoever is approached joins, declines or denounces. Plots to rise ask
unit commanders for pledges. A plot waits for a date, a public call or enough strength (conspiracy as
recruitment under the risk of betrayal: Singh 2014, "Seizing power"; McAdam 1986 on recruitment to
risky action; Casper and Tyson 2014 on public signals and coups).
"""

from __future__ import annotations

import numpy as np

from breakrank.draws import decision, uniform_each
from breakrank.engine.codes import (
    AIMS,
    CROSS,
    DESERT,
    INVITED,
    JOIN,
    LEAVE,
    LEAVE_WITH_FAMILY,
    PLAN_CROSSING,
    PLAN_RISING,
    SERVING,
    TRAVELLING,
)
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moments, Soldiers, TrustTies
from breakrank.engine.run import Run
from breakrank.engine.world import OFFICER, World
from breakrank.force.columns import GUARDS_POLITICIAN
from breakrank.mechanisms import plot_choices as choices
from breakrank.mechanisms import plot_steps
from breakrank.mechanisms.comrades import MEMORY, PER
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.high_command import Command, let_go, seek_pledge
from breakrank.mechanisms.journeys import Journeys, Roads, lead_out
from breakrank.mechanisms.plot_founding import Waiting, plots_under_way
from breakrank.mechanisms.plot_life import members_of
from breakrank.mechanisms.plot_recruiting import PlotNumbers, Ranks
from breakrank.mechanisms.plot_steps import ROOM
from breakrank.mechanisms.plot_table import (
    ENDS,
    SIZES,
    Launches,
    PlotCount,
    no_plots,
    with_room,
)
from breakrank.mechanisms.plots_parameters import (
    ABOVE,
    APPROACHES,
    BACKING,
    CALL,
    CALLED,
    CELL,
    COMMAND,
    COMMITMENT,
    CONTACT,
    DISCERNMENT,
    FROM_START,
    HABIT_CROSSING,
    HABIT_JOIN,
    HABIT_RISING,
    HUNTED,
    MEASURES,
    NEARNESS,
    OLD_SCHOOL,
    OUTPUTS,
    PARAMETERS,
    PATIENCE,
    PLEDGE_EASE,
    PLEDGE_WORTH,
    PLEDGES,
    READY,
    SIZE,
    SIZE_CROSSING,
    SPREAD,
    STANDING,
    WAIT_DATE,
    WAIT_SIGNAL,
)
from breakrank.mechanisms.preference import Preferences, margins
from breakrank.mechanisms.quiet_desertion import QUIET
from breakrank.mechanisms.routes import days_to_capital
from breakrank.units import DAYS_A_YEAR

_START = int(decision("plots.start"))
_LEAD = int(decision("plots.lead"))
_ABOVE_WHOM = int(decision("plots.above_whom"))


class PlotsMechanism(Mechanism):
    """Founding, recruiting, waiting, launching. Off: nobody plots; leaders still ask comrades along."""

    name = "plots"
    subsystem = 8
    parameters = PARAMETERS
    outputs = OUTPUTS
    measures = MEASURES
    fields = (CALLED,)
    terms = (
        Term(
            "plots.habit_crossing",
            "how rare planning a crossing is",
            {PLAN_CROSSING: 1},
            choices.habit_crossing,
            base=True,
        ),
        Term(
            "plots.habit_rising",
            "how rare planning a rising is",
            {PLAN_RISING: 1},
            choices.habit_rising,
            base=True,
        ),
        Term("plots.standing", "standing", {PLAN_CROSSING: 1, PLAN_RISING: 1}, choices.standing),
        Term("plots.command", "a unit to command", {PLAN_CROSSING: 1, PLAN_RISING: 1}, choices.command),
        Term("plots.contact", "dealings with the challenger's side", {PLAN_RISING: 1}, choices.contact),
        Term("plots.nearness", "distance to the seat of power", {PLAN_RISING: 1}, choices.nearness),
        Term("plots.call", "a public call to rise", {PLAN_RISING: 1, JOIN: 1}, choices.public_call),
        Term("plots.habit_join", "how rare joining a plot is", {JOIN: 1}, choices.habit_join, base=True),
        Term("plots.pledge_ease", "a promise is easier than a deed", {JOIN: 1}, choices.pledge_ease),
        Term("plots.backing", "others have pledged themselves", {JOIN: 1}, choices.backing),
        Term(
            "plots.hunted",
            "about to be taken",
            {DESERT: QUIET.name, LEAVE: 1, LEAVE_WITH_FAMILY: 1},
            choices.hunted,
        ),
        Term(
            "plots.commitment", "his word to the plot", {LEAVE: 1, LEAVE_WITH_FAMILY: 1}, choices.commitment
        ),
    )
    opens = (
        (JOIN, choices.is_approached),
        (PLAN_CROSSING, choices.may_plan_crossing),
        (PLAN_RISING, choices.may_plan_rising),
    )

    steps = (
        Step("dawn", plot_steps.begins, then="_begin_day"),
        Step("act", plot_steps.answers_lack_room, then="_make_room_for_answers"),
        Step("act", plot_steps.answer),
        Step("conspire", plot_steps.lacks_room, then="_make_room"),
        Step("conspire", plot_steps.conspire, then="_launch"),
        Step("dusk", plot_steps.count, then="_let_go"),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.call = world.daily("call")
        self.distance = days_to_capital(world)
        self.leader = world.force.leader
        units = world.force.units
        led = self.leader >= 0
        # a small force has as many garrisons as a large one: who commands a handful commands no unit
        full = np.where(led, np.minimum(units.size / world.case.force.unit_size, 1.0), 0.0)
        intelligence = np.array([b.intelligence for b in world.case.force.branches], np.bool_)[units.branch]
        planned = (HABIT_CROSSING, HABIT_RISING, STANDING, CONTACT, NEARNESS, COMMAND)
        answered = (HABIT_JOIN, PLEDGE_EASE, BACKING, HUNTED, COMMITMENT)
        self.planning = choices.Planning(
            world.tier,
            np.array([r.leads for r in world.case.force.ranks], np.int64),
            self.distance,
            self.leader,
            full,
            intelligence,
            world[CALL.name] * self.call,
            world.on("ways_out"),
            *(world[w.name] for w in (*planned, *answered)),
        )
        self.numbers = PlotNumbers(
            world[APPROACHES.name] / DAYS_A_YEAR,
            int(world[CELL.name]),
            world[OLD_SCHOOL.name],
            world[DISCERNMENT.name],
            world[PLEDGES.name] / DAYS_A_YEAR,
            world[PATIENCE.name],
            world[READY.name],
            world[PLEDGE_WORTH.name],
            world["detection.warned"],
            # the high command is one for the country: more plots than its own do not reach it more often
            world[ABOVE.name] / DAYS_A_YEAR / max(world.scale, 1.0),
            int(world[MEMORY.name]),
            self.call,
        )
        self.ranks = Ranks(
            world.force.ties.kind,
            world.force.formation,
            world.force.units.formation,
            self.leader,
            world.tier >= OFFICER,
        )
        # who would found a plot to rise, relative to others; those under way were founded so, too
        level, near = world.tier[world.force.rank], self.distance[world.force.state]
        odds = world[STANDING.name] * level - world[NEARNESS.name] * near
        commanded, dealings = np.zeros(world.force.n), world.force.access & GUARDS_POLITICIAN
        commanded[self.leader[led]] = full[led]
        odds += world[COMMAND.name] * commanded + world[CONTACT.name] * ((dealings != 0) | world.intelligence)
        self.inclined = np.where(level >= 1, np.exp(odds), 0.0)
        waits = (SIZE, SIZE_CROSSING, SPREAD, WAIT_SIGNAL, WAIT_DATE, PATIENCE, CELL)
        self.waiting = Waiting(*(world[w.name] for w in waits))
        self.given = self.planning, self.numbers, self.ranks, self.waiting

    def begin(self, run: Run) -> None:
        """There is no plot yet."""
        self.plots, aims = no_plots(run), len(AIMS)
        run.share(self.plots)
        run.share(Launches(np.empty(0, np.int32), 0))
        count = PlotCount(
            np.zeros(aims, np.int32), np.zeros(aims, np.int32), np.zeros((len(ENDS), SIZES, aims), np.int32)
        )
        run.share(count)
        run.stocks["plots"], run.stocks["plotters"] = count.alive, count.members
        run.tables["plot_ends"] = count.ends

    def _begin_day(self, run: Run) -> None:
        self._make_room(run)
        if run.day == 0:
            self._under_way(run)

    def _make_room(self, run: Run, more: int = ROOM) -> None:
        rows = int(self.plots.used[1])
        with_room(self.plots, more, more + rows)
        run.make_room(8 * (more + rows))

    def _make_room_for_answers(self, run: Run) -> None:
        count = run.view(Moments).count
        self._make_room(run, int(count[[JOIN, PLAN_CROSSING, PLAN_RISING]].sum()))

    def _under_way(self, run: Run) -> None:
        world, force = self.world, self.world.force
        opposed = np.where(margins(run) > 0, self.inclined, 0.0)
        total = opposed.sum()
        if total <= 0:
            return
        draws = uniform_each(run.key, _START, force.identity, np.zeros(force.n, np.int64))
        founders = np.flatnonzero(draws < world[FROM_START.name] / PER * force.n / total * opposed)
        self._make_room(run, int((np.diff(force.ties.start)[founders] + 1).sum()) * 2 + ROOM)
        mood = run.view(Preferences), run.view(Grievances)
        cell = int(world[CELL.name])
        ties = run.view(TrustTies)
        plots_under_way(run.now, self.waiting, ties, self.plots, run.records, founders, *mood, cell)

    def _launch(self, run: Run) -> None:
        """Ask the high command for promises, note who rises, and lead others out of the country."""
        p, launches = self.plots, run.view(Launches)
        launching, seeking = p.launching[: p.used[3]], p.seeking[: p.used[4]]
        for plot in seeking:
            p.above[plot] += seek_pledge(run, int(p.founder[plot]), _ABOVE_WHOM)
        rising = p.aim[launching] != CROSS
        launches.plots = np.concatenate([launching[rising], launching[~rising]])
        launches.rising = int(rising.sum())
        for plot in launching[~rising]:
            if p.founder[plot] not in p.founder[launching[rising]]:  # who rises today stays for it
                self._set_out(run, int(plot))

    def _set_out(self, run: Run, plot: int) -> None:
        """Lead a plot out of the country: the founder goes first, the members keep their word or not."""
        founder, roads, journeys = int(self.plots.founder[plot]), run.view(Roads), run.view(Journeys)
        if run.records.fate[founder] == SERVING:
            lead_out(run.now, _LEAD, run.view(Soldiers), run.records, founder, roads, journeys)
        if run.records.fate[founder] == TRAVELLING:  # by now, or with another plot of his today
            run.call(members_of(self.plots, run.records, plot), INVITED, founder)

    def _let_go(self, run: Run) -> None:
        """Promises to plots that are over bind no longer."""
        if self.plots.used[2]:
            raise RuntimeError(f"day {run.day}: the table of plots ran out of room")
        promised = run.view(Command).pledged_to
        let_go(run, promised[(promised >= 0) & ~self.plots.plotter[promised]])
