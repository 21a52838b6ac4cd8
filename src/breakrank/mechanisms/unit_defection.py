"""Unit defection: commanders who take their units over to the opposition, whole and with their ground.

Armies split by units rather than by men: where they did, a commander went over, most of his men followed
him, and the place stayed with them (Albrecht and Ohl 2016, "Exit, resistance, loyalty", on what a commander
may do and his men may do apart from it; Koehler, Ohl and Albrecht 2016, "From disaffection to desertion").
Where perks hold commanders, a rebellion that gains some gains others; where a group does, those outside it go
(McLauchlin 2010, "Loyalty strategies and military defection in rebellion"; Lee 2015, "Defect or defend").

Who commands a unit may choose to take it over at any moment of decision, as long as it has ground to stand
on. The motives are those of leaving and of planning a rising: what he thinks, whether the challenger is
believed in, what he fears and what he has to lose. Beside them count which share of the units around him is
over, the largest of those of his formation, his state and his branch, and how many of his men would follow.
That he knows in part; for the rest he goes by what he believes of comrades. He faces the choice besides
where he is called upon (a dated field) and on the day after a unit in his state has gone.

It is done on the same day, or on the next where he decides in the evening. Who commands a formation asks
the commanders of its units, and each commander his men; who follows is told in
:mod:`breakrank.mechanisms.following`. Where enough men follow, they have gone over, on the ground on which
they stand. Of those who refuse, the opposed go home, and the loyal get away and serve elsewhere. Where too
few follow, all stay, and he alone is taken, runs or surrenders, as after a failed rising.
"""

from __future__ import annotations

import numpy as np

from breakrank.draws import NOBODY, decision, uniform
from breakrank.engine.codes import CALLED_OVER, DEFEATED, INVITED, LEAVE, PLAN_RISING, REPORT, STAY, WARNED
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moment, Moments
from breakrank.engine.records import RunRecords
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.cohesion import Units
from breakrank.mechanisms.following import (
    NOT_OVER,
    RETAKEN,
    Commands,
    commands,
    lose_units,
    share_following,
    take_units_over,
)
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.ground import Ground, bring_along
from breakrank.mechanisms.opposition import Insurgents
from breakrank.mechanisms.preference import Preferences
from breakrank.mechanisms.rising import TAKEN, Risings
from breakrank.mechanisms.unit_defection_parameters import (
    AROUND,
    AUTHORITY,
    CALLED,
    COMRADES,
    EVENTS,
    FIELDS,
    HABIT,
    HEARS,
    KNOWN,
    LOST_AGAIN,
    MEASURES,
    MEN,
    NEEDED,
    OUTPUTS,
    PARAMETERS,
)
from breakrank.mechanisms.uprising import surrender, take_prisoners

_NOBODY = int(NOBODY)
_CALL = int(decision("unit_defection.called"))
_FALLS = int(decision("unit_defection.falls"))
_TAKEN = int(decision("unit_defection.taken"))
_ROWS = 4
"""Rows of the log, at most, of one whose unit goes over."""
_BEFORE = -9
"""A day before any of the run."""
TAKE_OVER = "take his unit over to the opposition"
_OVER = {TAKE_OVER: 1.0}


@lean
def _may_take_over(at: Moment, c: Commands, records: RunRecords) -> bool:
    """Who commands a unit that has ground to stand on may take it over, unless he is on the run."""
    if c.leader[at.unit] != at.who or at.occasion in (INVITED, WARNED, DEFEATED):
        return False
    return commands(c, records, at.unit)


@lean
def _habit(c: Commands) -> float:
    """The log-odds of taking a unit over without cause, fear or ties."""
    return -c.habit


@lean
def _around(at: Moment, c: Commands) -> float:
    """The share of the units around him that has gone over."""
    return c.around_weight * c.around[at.unit]


@lean
def _men(
    at: Moment,
    c: Commands,
    p: Preferences,
    g: Grievances,
    units: Units,
    records: RunRecords,
    believed: float,
) -> float:
    """The share of his men who would follow, as he can know it, beyond the share that he needs."""
    following = share_following(c, p, g, units, records, at.day, at.unit)
    return c.men_weight * (c.known * following + (1.0 - c.known) * believed - c.needed)


@lean
def _choose(moments: Moments, c: Commands) -> None:
    """Commanders make up their minds to take their units over."""
    if moments.count[c.option]:
        for j in range(moments.who.shape[0]):
            if moments.choice[j] == c.option:
                for u in range(c.leader.shape[0]):
                    if c.leader[u] == moments.who[j]:
                        c.chosen[u] = True


@lean
def _give_up(now: Now, moments: Moments, c: Commands, r: Risings, records: RunRecords) -> None:
    """Commanders who were not followed and do not run surrender."""
    if c.failed == now.day and not r.size[now.day] and moments.count[STAY] + moments.count[REPORT]:
        surrender(now, moments, records)


@lean
def _call(now: Now, c: Commands, records: RunRecords) -> bool:
    """Commanders are called upon, or hear that a unit near them has gone over."""
    c.count[0] = 0
    for u in range(c.leader.shape[0]):
        chance = c.calls[now.day, c.state[u], c.branch[u]]
        if c.fresh[c.state[u]] == now.day - 1:
            chance = max(chance, c.hears)
        if chance <= 0.0 or not commands(c, records, u):
            continue
        i = c.leader[u]
        if uniform(now.key, _CALL, records.identity[i], _NOBODY, now.day) < chance:
            c.called[c.count[0]] = i
            c.count[0] += 1
    return c.count[0] > 0


@lean
def _anyone_goes(c: Commands) -> bool:
    """Units are taken over, as far as their men follow."""
    for u in range(c.chosen.shape[0]):  # noqa: SIM110 (compiled)
        if c.chosen[u]:
            return True
    return False


@lean
def _ground_falls(now: Now, c: Commands) -> bool:
    """The ground of units that went over is taken back."""
    any_falls = False
    for u in range(c.over.shape[0]):
        chance = c.retaken[now.day, c.state[u]]
        if c.over[u] >= 0 and chance > 0.0 and uniform(now.key, _FALLS, u, _NOBODY, now.day) < chance:
            c.over[u], c.falls[u] = RETAKEN, True
            any_falls = True
    return any_falls


class UnitDefection(Mechanism):
    """Units that go over whole, with their ground. Off, or without an opposition at home: none does."""

    name = "unit_defection"
    subsystem = 7
    citation = "Albrecht, H. and Ohl, D. (2016), Exit, resistance, loyalty: military behavior during unrest"
    parameters = PARAMETERS
    fields = FIELDS
    events = EVENTS
    outputs = OUTPUTS
    measures = MEASURES
    options = (TAKE_OVER,)
    motives = ((TAKE_OVER, (LEAVE, PLAN_RISING)),)
    opens = ((TAKE_OVER, _may_take_over),)
    terms = (
        Term("unit_defection.habit", "how rare taking a unit over is", _OVER, _habit, base=True),
        Term("unit_defection.around", "units around have gone over", _OVER, _around),
        Term("unit_defection.men", "his men would follow", _OVER, _men),
    )
    steps = (
        Step("act", _choose),
        Step("act", _give_up),
        Step("rise", _anyone_goes, then="_take_over"),
        Step("rise", _call, then="_let_decide"),
        Step("receive", _ground_falls, then="_lose"),  # before dusk, when custody follows up the day's log
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.acts = self.on and "opposition" in world.case.mechanisms and world.on("opposition")
        force, units = world.force, world.force.units
        self.leader = force.leader
        self.calls, self.retaken = world.daily(CALLED.name), world.daily(LOST_AGAIN.name)
        self.men = np.argsort(force.unit, kind="stable").astype(np.int32)
        self.first = np.searchsorted(force.unit[self.men], np.arange(len(units) + 1)).astype(np.int64)
        self.head = np.searchsorted(units.formation, np.arange(len(force.formations))).astype(np.int32)
        codes = [world.event(e) for e in self.events] if self.acts else [-1] * len(self.events)
        self.codes = np.array(codes, np.int64)
        self.option = world.options.index(TAKE_OVER) if self.acts else -1

    def begin(self, run: Run) -> None:
        """All units stand with the regime."""
        world, units = self.world, self.world.force.units
        days, n = world.days, len(units)
        numbers = (HABIT, AROUND, MEN, KNOWN, AUTHORITY, COMRADES, NEEDED, HEARS)
        self.commands = Commands(
            self.leader.copy(),
            units.formation,
            units.state,
            units.branch,
            np.full(n, NOT_OVER, np.int32),
            np.zeros(n, np.bool_),
            np.zeros(n, np.bool_),
            np.zeros(n),
            run.view(Ground).stands,
            self.head,
            self.first,
            self.men,
            np.zeros(n, np.int32),
            np.zeros(1, np.int64),
            np.full(len(world.state_ids), _BEFORE, np.int32),
            self.calls,
            self.retaken,
            np.zeros((days, len(world.state_ids)), np.int32),
            np.zeros((days, len(world.branch_ids)), np.int32),
            self.codes,
            self.option,
            _BEFORE,
            *(world[p.name] for p in numbers),
        )
        run.share(self.commands)
        self.with_them = np.zeros(len(world.state_ids), np.int32)
        run.stocks["units_with_opposition"] = self.with_them
        run.tables["units_over_state"] = self.commands.by_state
        run.tables["units_over_branch"] = self.commands.by_branch

    def _let_decide(self, run: Run) -> None:
        c = self.commands
        run.call(np.sort(c.called[: c.count[0]]), CALLED_OVER)

    def _take_over(self, run: Run) -> None:
        c, world = self.commands, self.world
        going = np.isin(c.formation, c.formation[c.chosen])
        run.make_room(_ROWS * int(world.force.units.size[going].sum()))
        failed = take_units_over(
            run.now,
            c,
            run.view(Preferences),
            run.view(Grievances),
            run.view(Units),
            run.view(Insurgents),
            run.records,
        )
        self._look_around(run)
        if len(failed):
            c.failed = run.day
            hunted = run.column("ways_out.hunted", np.bool_)
            free = take_prisoners(run.key, _TAKEN, run.records, run.day, failed, world[TAKEN.name], hunted)
            run.call(free, DEFEATED)

    def _lose(self, run: Run) -> None:
        c = self.commands
        run.make_room(int(self.world.force.units.size[c.falls].sum()))
        lose_units(run.now, c, run.view(Insurgents), run.records)
        self._look_around(run)

    def _look_around(self, run: Run) -> None:
        """See which share of the units around each is over, and what ground they hold."""
        c, ground = self.commands, run.view(Ground)
        over = c.over >= 0

        def share(of: np.ndarray, parts: int) -> np.ndarray:
            return np.bincount(of, over, parts) / np.maximum(np.bincount(of, minlength=parts), 1)

        taken = share(c.state, len(ground.taken))
        branch, formation = share(c.branch, len(self.world.branch_ids)), share(c.formation, len(self.head))
        c.around[:] = np.maximum(np.maximum(taken[c.state], branch[c.branch]), formation[c.formation])
        ground.place[over] = -1.0
        self.with_them[:] = np.bincount(c.state, over, len(ground.taken)).astype(np.int32)
        if (taken != ground.taken).any():
            bring_along(ground, run.day, taken)
