"""Unit defection: commanders who take their units over to the opposition, whole and with their ground.

Armies split by units rather than by men: where they did, a commander went over, most of their men followed
them, and the place stayed with them (Albrecht and Ohl 2016, "Exit, resistance, loyalty", on what a commander
may do and their men may do apart from it; Koehler, Ohl and Albrecht 2016, "From disaffection to desertion").
Where perks hold commanders, a rebellion that gains some gains others; where a group does, those outside it go
(McLauchlin 2010, "Loyalty strategies and military defection in rebellion"; Lee 2015, "Defect or defend").

Who commands a unit may choose to take it over at any decision opportunity, as long as it has ground to stand
on. The motives are those of leaving and of planning an uprising: what they think, whether the challenger is
believed in, what they fear and what they have to lose. Beside them count which share of the units around them
is over, the largest of those of their formation, their state and their branch, and how many of their men
would follow. That they know in part; for the rest they go by what they believe of comrades. They face the
choice besides where they are called upon (a dated field) and on the day after a unit in their state has gone.

It is done on the same day, or on the next where they decide in the evening. Who commands a formation asks
the commanders of its units, and each commander their men (see below). Where enough men follow, they have gone
over, on the ground on which they stand. Of those who refuse, the opposed go home, and the loyal get away and
serve elsewhere. Where too few follow, all stay, and they alone are taken, run or surrender, as after a failed
uprising.

Who follows a commander to the other side: commanders of a formation's units, and the men of a unit.

A soldier follows with log-odds

    authority + stance + unit + COMRADES * (2 * inclined - 1)

`stance` is how far they are on the opposed side, or, of the loyal, the weight of how far they are on the
other; `unit` what their unit thinks and how much of one mind it is (see ``cohesion``). `inclined` is the
share of those asked with them who would follow by the other parts alone: each looks at the others before they
moves (Granovetter 1978).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, uniform
from breakrank.engine.codes import (
    CALLED_OVER,
    DEFEATED,
    EV_DESERTED,
    EV_WENT_OVER,
    HIDING,
    INVITED,
    LEAVE,
    PLAN_UPRISING,
    REPORT,
    SERVING,
    STAY,
    WARNED,
)
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moment, Moments
from breakrank.engine.records import RunRecords, move, record
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.civil_war.cohesion import Units
from breakrank.mechanisms.civil_war.opposition import Insurgents, join, lose_place
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.high_command import logistic
from breakrank.mechanisms.journeys import Ground, bring_along
from breakrank.mechanisms.preference import Preferences, margin_of
from breakrank.mechanisms.uprising import Uprisings, surrender, take_prisoners
from breakrank.outputs import LogRows, Measure, MeasureSource, daily, stock
from breakrank.spec import Field, parameters_of
from breakrank.table import Table, array, number

COMRADES = 2.0
"""What comrades add to following, log-odds, where all are inclined to, and take away where nobody is: as
much as comrades who are missing add to going home. Theory only: Granovetter 1978; McLauchlin 2015; size
assumed."""
NEEDED = 0.5
"""Share of their men who have to follow before a commander can take their unit over: with fewer those who
refuse are the stronger. Theory only: Singh 2014; size assumed."""
CALLED = Field(
    "commanders_called", "probability per day", 0, 1,
    "chance that a commander is called upon to take his unit over: by who has declared himself, or by envoys",
    ("state", "branch"), 0.0,
)  # fmt: skip
LOST_AGAIN = Field(
    "units_retaken", "probability per day", 0, 1,
    "chance that the regime takes back the ground of a unit that went over", ("state",), 0.0,
)  # fmt: skip
TOOK_OVER = "took his unit over to the opposition"
NOT_FOLLOWED = "was not followed by his unit to the opposition"
REFUSED = "refused to go over with his unit"
_LABEL = "Units that went over as a whole"


_NOBODY = int(NOBODY)
_FOLLOWS = int(decision("unit_defection.follows"))
NOT_OVER, RETAKEN = -1, -2


class Commands(Table):
    """Who commands which unit, and which have gone over.

    (unit,): ``leader`` position, -1 none; ``formation``, ``state``, ``branch``; ``over`` the day on which it
    went over, below 0 where it has not or its ground was retaken; ``chosen`` whether its commander has made
    up their mind; ``falls`` whether its ground is retaken today; ``around`` the share of the units around it
    that is over, 0 to 1; ``stands`` whether it has ground to stand on. ``head`` (formation,) the unit of who
    commands it; ``calls`` (day, state, branch) and ``retaken`` (day, state) chances. The soldiers of unit u
    are ``first[u]`` to ``first[u + 1] - 1``. ``called`` (unit,) whose commanders decide; ``fresh`` (state,)
    the last day on which a unit went over. ``codes``: three events; ``option`` the code of taking a unit
    over; ``failed`` the last day on which a commander was not followed.
    """

    leader: NDArray[np.int32]
    formation: NDArray[np.int32]
    state: NDArray[np.uint8]
    branch: NDArray[np.uint8]
    over: NDArray[np.int32]
    chosen: NDArray[np.bool_]
    falls: NDArray[np.bool_]
    around: NDArray[np.float64]
    stands: NDArray[np.bool_]
    head: NDArray[np.int32]
    first: NDArray[np.int64]
    called: NDArray[np.bool_]
    fresh: NDArray[np.int32]
    calls: NDArray[np.float64] = array("day", "state", "branch")
    retaken: NDArray[np.float64] = array("day", "state")
    codes: NDArray[np.int64]
    option: int
    failed: int
    habit: float = number("unit_defection.baseline")
    around_weight: float = number("unit_defection.around_weight")
    men_weight: float = number("unit_defection.men_weight")
    known: float = number("unit_defection.known")
    authority: float = number("unit_defection.authority")
    hears: float = number("unit_defection.hears")


@lean
def commands(c: Commands, records: RunRecords, u: int) -> bool:
    """Return whether a unit stands for the regime, and its commander with it."""
    return c.leader[u] >= 0 and c.stands[u] and c.over[u] == NOT_OVER and records.fate[c.leader[u]] == SERVING


@lean
def inclination(c: Commands, p: Preferences, g: Grievances, units: Units, day: int, u: int, i: int) -> float:
    """Return the log-odds that soldier i of unit u follows, whatever the others do."""
    margin = margin_of(p, g, day, i)
    stance = margin if margin > 0.0 else p.numbers[2] * margin
    return c.authority + stance + units.norm[u] + units.solidarity[u]


@lean
def _share(
    c: Commands,
    p: Preferences,
    g: Grievances,
    units: Units,
    records: RunRecords,
    day: int,
    u: int,
    others: float,
) -> float:
    """Return which share of the men of a unit can be expected to follow, with what others add for each."""
    following = here = 0.0
    for i in range(c.first[u], c.first[u + 1]):
        if i != c.leader[u] and records.fate[i] == SERVING:
            here += 1.0
            following += logistic(inclination(c, p, g, units, day, u, i) + others)
    return following / here if here > 0.0 else 0.0


@lean
def _others(inclined: float) -> float:
    """Return the log-odds that others who are asked add, by the share of them that is inclined."""
    return COMRADES * (2 * inclined - 1.0)


@lean
def _follows(now: Now, records: RunRecords, i: int, log_odds: float) -> bool:
    return uniform(now.key, _FOLLOWS, records.identity[i], _NOBODY, now.day) < logistic(log_odds)


@lean
def take_over(
    now: Now,
    c: Commands,
    p: Preferences,
    g: Grievances,
    units: Units,
    f: Insurgents,
    records: RunRecords,
    u: int,
) -> bool:
    """Let a commander take their unit over; return whether enough of their men follow."""
    day, head = now.day, c.leader[u]
    others = _others(_share(c, p, g, units, records, day, u, 0.0))
    following = here = 0
    for i in range(c.first[u], c.first[u + 1]):
        if i != head and records.fate[i] == SERVING:
            here += 1
            log_odds = inclination(c, p, g, units, day, u, i) + others
            following += 1 if _follows(now, records, i, log_odds) else 0
    if following < NEEDED * here:
        record(records, day, head, c.codes[1], -1, -1, float(following))
        return False
    record(records, day, head, c.codes[0], -1, -1, float(following))
    for i in range(c.first[u], c.first[u + 1]):
        if records.fate[i] != SERVING:
            continue
        if i == head:
            join(now, f, records, i, -1, -1)
        elif _follows(now, records, i, inclination(c, p, g, units, day, u, i) + others):
            join(now, f, records, i, -1, head)
        else:
            record(records, day, i, c.codes[2], -1, head, 0.0)
            if margin_of(p, g, day, i) > 0.0:
                move(records, day, i, HIDING, EV_DESERTED, -1, -1, 0.0)
    c.over[u], c.stands[u], c.fresh[c.state[u]] = day, False, day
    return True


@lean
def ask_commanders(
    now: Now, c: Commands, p: Preferences, g: Grievances, units: Units, records: RunRecords, head: int
) -> None:
    """Note which commanders follow who commands their formation, whose unit `head` has gone over."""
    inclined = asked = 0.0
    for u in range(c.leader.shape[0]):
        if c.formation[u] == c.formation[head] and commands(c, records, u):
            asked += 1.0
            inclined += logistic(inclination(c, p, g, units, now.day, u, c.leader[u]))
    others = _others(inclined / asked) if asked > 0.0 else 0.0
    for u in range(c.leader.shape[0]):
        if c.formation[u] == c.formation[head] and commands(c, records, u):
            i = c.leader[u]
            if _follows(now, records, i, inclination(c, p, g, units, now.day, u, i) + others):
                c.chosen[u] = True
            else:
                record(records, now.day, i, c.codes[2], -1, c.leader[head], 0.0)


@kernel
def take_units_over(
    now: Now, c: Commands, p: Preferences, g: Grievances, units: Units, f: Insurgents, records: RunRecords
) -> NDArray[np.int32]:
    """Let commanders who have chosen it take their units over; return those who were not followed, ascending.

    These command no more. Those who command a formation go first; the commanders of its other units follow
    them or not.
    """
    failed = np.empty(c.leader.shape[0], np.int32)
    n = 0
    for first in (True, False):
        for u in range(c.leader.shape[0]):
            leads = c.head[c.formation[u]] == u
            if not c.chosen[u] or leads != first:
                continue
            c.chosen[u] = False
            if not commands(c, records, u):
                continue
            if not take_over(now, c, p, g, units, f, records, u):
                failed[n] = c.leader[u]
                c.leader[u] = -1
                n += 1
            elif leads:
                ask_commanders(now, c, p, g, units, records, u)
    return np.sort(failed[:n])


@kernel
def lose_units(now: Now, c: Commands, f: Insurgents, records: RunRecords) -> None:
    """Let those whose ground falls be taken, or get away."""
    for u in range(c.over.shape[0]):
        if c.falls[u]:
            c.falls[u] = False
            for i in range(c.first[u], c.first[u + 1]):
                if records.fate[i] == f.codes[0] and f.place[i] < 0:
                    lose_place(now, f, records, i, -1)


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
    """Who commands a unit that has ground to stand on may take it over, unless they are on the run."""
    if c.leader[at.unit] != at.who or at.occasion in (INVITED, WARNED, DEFEATED):
        return False
    return commands(c, records, at.unit)


@lean
def _habit(c: Commands) -> float:
    """The log-odds of taking a unit over without cause, fear or ties."""
    return -c.habit


@lean
def _around(at: Moment, c: Commands) -> float:
    """The share of the units around them that has gone over."""
    return c.around_weight * c.around[at.unit]


@lean
def _men(
    at: Moment, c: Commands, p: Preferences, g: Grievances, units: Units, records: RunRecords, believed: float
) -> float:
    """The share of their men who would follow, as they can know it, beyond the share that they need."""
    others = _others(_share(c, p, g, units, records, at.day, at.unit, 0.0))
    following = _share(c, p, g, units, records, at.day, at.unit, others)
    return c.men_weight * (c.known * following + (1.0 - c.known) * believed - NEEDED)


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
def _give_up(now: Now, moments: Moments, c: Commands, r: Uprisings, records: RunRecords) -> None:
    """Commanders who were not followed and do not run surrender."""
    if c.failed == now.day and not r.size[now.day] and moments.count[STAY] + moments.count[REPORT]:
        surrender(now, moments, records)


@lean
def _call(now: Now, c: Commands, records: RunRecords) -> bool:
    """Commanders are called upon, or hear that a unit near them has gone over."""
    for u in range(c.leader.shape[0]):
        chance = c.calls[now.day, c.state[u], c.branch[u]]
        if c.fresh[c.state[u]] == now.day - 1:
            chance = max(chance, c.hears)
        asked = chance > 0.0 and commands(c, records, u)
        who = records.identity[c.leader[u]]
        c.called[u] = asked and uniform(now.key, _CALL, who, _NOBODY, now.day) < chance
    return bool(c.called.any())


@lean
def _anyone_goes(c: Commands) -> bool:
    """Units are taken over, as far as their men follow."""
    return bool(c.chosen.any())


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
    parameters = parameters_of(name, "commanders can take their units over to an opposition at home")
    fields = (CALLED, LOST_AGAIN)
    events = (TOOK_OVER, NOT_FOLLOWED, REFUSED)
    outputs = (
        daily("units_over_state", _LABEL, TOOK_OVER, unit="units", by=("state",), measure=None),
        daily(
            "units_over_branch", f"{_LABEL}, by branch", TOOK_OVER, unit="units", by=("branch",), measure=None
        ),
        stock("units_with_opposition", "Units that stand with the opposition", "units", ("state",)),
        daily("units_not_followed", "Commanders whose units did not follow them", NOT_FOLLOWED, unit="units"),
        daily("went_over_with_unit", "Went over with their unit", LogRows(EV_WENT_OVER, low=0.5)),
        daily("refused_with_unit", "Refused to go over with their unit", REFUSED),
    )
    measures = (
        Measure(
            "units_over", _LABEL, "units", "total",
            {
                "": MeasureSource("units_over_state"),
                "state": MeasureSource("units_over_state"),
                "branch": MeasureSource("units_over_branch"),
            },
            primary=15,
        ),
    )  # fmt: skip
    options = (TAKE_OVER,)
    motives = ((TAKE_OVER, (LEAVE, PLAN_UPRISING)),)
    opens = ((TAKE_OVER, _may_take_over),)
    terms = (
        Term("unit_defection.baseline", "how rare taking a unit over is", _OVER, _habit, base=True),
        Term("unit_defection.around", "units around have gone over", _OVER, _around),
        Term("unit_defection.men", "their men would follow", _OVER, _men),
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
        self.head = np.searchsorted(units.formation, np.arange(len(force.formations))).astype(np.int32)
        codes = [world.event(e) for e in self.events] if self.acts else [-1] * len(self.events)
        self.codes = np.array(codes, np.int64)
        self.option = world.options.index(TAKE_OVER) if self.acts else -1

    def begin(self, run: Run) -> None:
        """All units stand with the regime."""
        world, units = self.world, self.world.force.units
        n = len(units)
        if "cohesion" not in world.case.mechanisms:  # nobody minds what his unit thinks
            run.share(Units(norm=np.zeros(n), solidarity=np.zeros(n)))
        self.commands = Commands(
            leader=self.leader.copy(),
            formation=units.formation,
            state=units.state,
            branch=units.branch,
            over=np.full(n, NOT_OVER, np.int32),
            chosen=np.zeros(n, np.bool_),
            falls=np.zeros(n, np.bool_),
            around=np.zeros(n),
            stands=run.view(Ground).stands,
            head=self.head,
            first=world.force.unit_start,
            called=np.zeros(n, np.bool_),
            fresh=np.full(len(world.state_ids), _BEFORE, np.int32),
            calls=world.daily(CALLED.name),
            retaken=world.daily(LOST_AGAIN.name),
            codes=self.codes,
            option=self.option,
            failed=_BEFORE,
        )
        run.share(self.commands)
        self.with_them = np.zeros(len(world.state_ids), np.int32)
        run.stocks["units_with_opposition"] = self.with_them

    def _let_decide(self, run: Run) -> None:
        c = self.commands
        run.call(np.sort(c.leader[c.called]), CALLED_OVER)

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
            hunted = run.column("routes.hunted", np.bool_)
            free = take_prisoners(run.now, _TAKEN, run.records, failed, world["uprising.taken"], hunted)
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
