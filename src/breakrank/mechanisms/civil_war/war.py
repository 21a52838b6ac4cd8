"""A war inside the country, as far as it bears on loyalty: contact, losses, surrender, lost posts, call-up.

How much units fight and how much of each state an opposition holds are dated fields of the case; this is no
model of combat. What they do to soldiers is here. Soldiers see comrades killed, and leave sooner: desertions
in Syria followed deaths on both sides, month by month and province by province (Albrecht and Koehler 2018,
"Going on the run"). Fighting one's own people injures as orders to repress do (Litz et al. 2009). A fight is
also an occasion to slip away (McLauchlin 2014, "Desertion, terrain, and control of the home front"). A unit
may lose its post; then each of its soldiers surrenders or breaks out, by how far they are on the other side
(Grauer 2014, "Why do soldiers give up?"; Castillo 2014, "Endurance and war"). Reservists are called up, and
some stay away (Levi 1997, "Consent, dissent and patriotism"; on losses as a share of those who fight
Biddle 2004, "Military power").

On a day on which a unit of branch b in state s may fight, it does with chance

    contact(s) * duty(b),   duty(b) = repression(b) / the largest repression of any branch

and with chance lost_posts * held(s) it then loses its post. Where the opposition holds all of a state, no
post is left, whether there was a fight or not; where an army dissolves, as many are lost as of the state
(see ``dissolution``). A soldier surrenders, or evades their call-up, with log-odds
base + margin_weight * margin, the margin being how far they are on the opposed side. Those of one post do it
together: one draw holds for all of them, so a unit of one mind goes or stays as a whole.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, WORDS, decision, fraction, uniform_each, uniforms, words_each
from breakrank.engine.codes import DEAD as KILLED_FATE
from breakrank.engine.codes import DESERT, HIDING, LEAVE, LEAVE_WITH_FAMILY, SERVING, UNDER_FIRE
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moment
from breakrank.engine.observe import level_of_fate
from breakrank.engine.records import RunRecords, move
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.grievance import Burden, Grievances
from breakrank.mechanisms.high_command import logistic
from breakrank.mechanisms.journeys import Ground, is_lost
from breakrank.mechanisms.preference import Preferences, margin_of
from breakrank.outputs import daily
from breakrank.spec import Field, parameters_of
from breakrank.table import Table, array, number

DANGER_HALF = 0.02
"""Share of a unit killed lately at which the danger has half of its full weight: two of a hundred, whom
everyone in a company knew by name."""
DANGER_MEMORY = 60.0
"""Days in which the memory of the killed fades to 37%. Theory only: Albrecht and Koehler 2018, by whom
desertions follow the deaths of the same month; size assumed."""
INJURY = 0.5
"""Orders to repress that a day of fighting one's own people counts as, in moral injury: part of a fight is
against armed men. Theory only: Litz et al. 2009; size assumed."""

KILLED = "was killed in the field"
SURRENDERED = "surrendered in the field"
BROKE_OUT = "broke out of a lost post"
CALLED_UP = "was called up"
EVADED = "evaded his call-up and hid"


_NOBODY = int(NOBODY)
_ROWS = 4
"""Rows of the log, at most, of one whose post is lost: they give up, go over and declare themselves."""
_UNIT = int(decision("war.unit"))
_FIGHT = int(decision("war.fight"))
_POST = int(decision("war.post"))
_RESERVIST = int(decision("war.reservist"))
_CALLED = int(decision("war.called"))
_GOING = {DESERT: 1.0, LEAVE: 1.0, LEAVE_WITH_FAMILY: 1.0}


class Front(Table):
    """Where units fight, and what it has cost them.

    ``contact`` (day, state) share of units that fight; ``duty`` (branch,) 0 to 1. ``first`` (unit + 1,): the
    soldiers of unit u are ``first[u]`` to ``first[u + 1] - 1``. ``toll`` (unit,) share killed, as far as it
    is remembered, of which ``keep`` is left a day later. ``called`` positions of those under fire who decide
    today, the first ``count[0]``. ``reservist`` positions in the order of their call-up, of a day those from
    ``until[day]`` to ``until[day + 1]``. The ground on which units stand is told in ``ground``.
    ``words`` is room for the draws of a unit. ``fighting`` and ``posts`` (day, state) units. ``codes``: two
    fates and five events.
    """

    contact: NDArray[np.float64] = array("day", "state")
    duty: NDArray[np.float64]
    unit_state: NDArray[np.uint8]
    unit_branch: NDArray[np.uint8]
    first: NDArray[np.int64]
    words: NDArray[np.uint32] = array("word", "man")
    toll: NDArray[np.float64]
    called: NDArray[np.int32]
    count: NDArray[np.int64]
    reservist: NDArray[np.int32]
    until: NDArray[np.int64]
    fighting: NDArray[np.int32] = array("day", "state")
    posts: NDArray[np.int32] = array("day", "state")
    codes: NDArray[np.int64]
    keep: float
    lost_posts: float = number("war.lost_posts")
    deaths: float = number("war.deaths")
    surrender: float = number("war.surrender")
    margin: float = number("war.margin_weight")
    danger: float = number("war.danger_weight")
    moments: float = number("war.opportunities")
    evasion: float = number("war.evasion")


@lean
def _danger(at: Moment, f: Front) -> float:
    """The danger of staying, by how many of their unit have been killed lately."""
    return f.danger * f.toll[at.unit] / (DANGER_HALF + f.toll[at.unit])


@lean
def _call_up(now: Now, f: Front, p: Preferences, g: Grievances, records: RunRecords) -> None:
    """Reservists are called up; some stay away."""
    for k in range(f.until[now.day], f.until[now.day + 1]):
        i = f.reservist[k]
        if records.fate[i] != f.codes[1]:
            continue
        stays_away, _, _, _ = uniforms(now.key, _CALLED, records.identity[i], _NOBODY, now.day)
        if stays_away < logistic(f.evasion + f.margin * margin_of(p, g, now.day, i)):
            move(records, now.day, i, HIDING, f.codes[6], -1, -1, 0.0)
        else:
            move(records, now.day, i, SERVING, f.codes[5], -1, -1, 0.0)


@lean
def _fight(
    now: Now, f: Front, ground: Ground, b: Burden, p: Preferences, g: Grievances, records: RunRecords
) -> bool:
    """Units fight: some of their men fall, some decide, and a post may be lost."""
    day = now.day
    f.count[0] = 0
    for u in range(f.toll.shape[0]):
        f.toll[u] *= f.keep
        s = f.unit_state[u]
        chance = f.contact[day, s] * f.duty[f.unit_branch[u]]
        if not ground.stands[u] or chance <= 0.0:
            continue
        fights, falls, gives_up, _ = uniforms(now.key, _UNIT, u, _NOBODY, day)
        if fights >= chance:
            continue
        f.fighting[day, s] += 1
        b.orders[u] += INJURY
        lost = falls < ground.held[day, s] * f.lost_posts
        f.posts[day, s] += 1 if lost else 0
        killed, first, end = 0, f.first[u], f.first[u + 1]
        words_each(now.key, _FIGHT, records.identity[first:end], day, f.words)
        for i in range(first, end):
            if records.fate[i] != SERVING:
                continue
            hit, decides = fraction(f.words[0, i - first]), fraction(f.words[1, i - first])
            if hit < f.deaths:
                move(records, day, i, KILLED_FATE, f.codes[2], -1, -1, 0.0)
                killed += 1
            elif lost:
                _lose_post(now, f, p, g, records, i, gives_up)
            elif decides < f.moments:
                f.called[f.count[0]] = i
                f.count[0] += 1
        f.toll[u] += killed / max(1, end - first)
    return f.count[0] > 0


@lean
def _ground_is_lost(now: Now, f: Front, ground: Ground) -> bool:
    """Return whether units have lost their ground since yesterday; those of ground won back stand again."""
    lost = False
    for u in range(ground.stands.shape[0]):
        if is_lost(ground, now.day, f.unit_state[u], u):
            lost |= ground.stands[u]
        else:
            ground.stands[u] = True
    return lost


@lean
def _lose_ground(
    now: Now, f: Front, ground: Ground, p: Preferences, g: Grievances, records: RunRecords
) -> None:
    """Units whose ground is lost lose their posts, fight or no fight."""
    for u in range(ground.stands.shape[0]):
        if ground.stands[u] and is_lost(ground, now.day, f.unit_state[u], u):
            ground.stands[u] = False
            f.posts[now.day, f.unit_state[u]] += 1
            gives_up, _, _, _ = uniforms(now.key, _POST, u, _NOBODY, now.day)
            for i in range(f.first[u], f.first[u + 1]):
                if records.fate[i] == SERVING:
                    _lose_post(now, f, p, g, records, i, gives_up)


@lean
def _lose_post(
    now: Now, f: Front, p: Preferences, g: Grievances, records: RunRecords, i: int, gives_up: float
) -> None:
    """Soldier i of a lost post surrenders, or breaks out and goes on serving."""
    if gives_up < logistic(f.surrender + f.margin * margin_of(p, g, now.day, i)):
        move(records, now.day, i, f.codes[0], f.codes[3], -1, -1, 0.0)
    else:
        move(records, now.day, i, SERVING, f.codes[4], -1, -1, 0.0)


class War(Mechanism):
    """Fights, losses, surrender, lost posts and call-up. Off: nobody fights; reservists stay at home."""

    name = "war"
    subsystem = 2
    citation = (
        "Albrecht, H. and Koehler, K. (2018), Going on the run; Grauer, R. (2014), Why do soldiers give up?"
    )
    parameters = parameters_of(name, "units fight, lose men and posts, and are filled up")
    fields = (
        Field(
            "contact", "fraction", 0, 1, "share of the units in a state that fight on a day", ("state",), 0.0
        ),
        Field(
            "held",
            "fraction",
            0,
            1,
            "share of a state that the opposition holds; at 1 no post is left",
            ("state",),
            0.0,
        ),
        Field(
            "call_up", "fraction per day", 0, 1, "share of the first reserve that is called up a day", (), 0.0
        ),
    )
    events = (KILLED, SURRENDERED, BROKE_OUT, CALLED_UP, EVADED)
    outputs = (
        daily("killed_in_field", "Killed in the field", KILLED),
        daily("surrendered_in_field", "Surrendered in the field", SURRENDERED),
        daily("broke_out", "Broke out of a lost post", BROKE_OUT),
        daily("called_up", "Called up from the reserve", CALLED_UP),
        daily("evaded", "Evaded a call-up", EVADED),
        daily("units_fighting", "Units that fight", unit="units", by=("state",)),
        daily("posts_lost", "Posts lost", unit="posts", by=("state",)),
    )
    fates = ("prisoner", "reserve")
    measures = (
        level_of_fate("prisoner", "Prisoners of an opposition at home"),
        level_of_fate("reserve", "In reserve, not called up"),
    )
    terms = (Term("war.danger", "comrades of the unit killed", _GOING, _danger),)
    steps = (
        Step("dawn", _call_up),
        Step("conspire", _ground_is_lost, then="_make_room"),
        Step("conspire", _lose_ground),
        Step("conspire", _fight, then="_let_decide"),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        force = world.force
        duty = np.array([b.repression for b in world.case.force.branches], np.float64)
        self.duty = duty / max(float(duty.max()), 1e-12)
        self.first = force.unit_start
        codes = [world.fate(f) for f in self.fates] + [world.event(e) for e in self.events]
        self.codes = np.array(codes, np.int64)
        self.lowest = world.tier[force.rank] == world.tier.min()

    def begin(self, run: Run) -> None:
        """Some are in reserve; nobody has fought yet."""
        world = self.world
        units, days = len(world.force.units), world.days
        reservist, until = self._reserve(run)
        front = Front(
            contact=world.daily("contact"),
            duty=self.duty,
            unit_state=world.force.units.state,
            unit_branch=world.force.units.branch,
            first=self.first,
            words=np.zeros((WORDS, int(np.diff(self.first).max(initial=0))), np.uint32),
            toll=np.zeros(units),
            called=np.zeros(world.force.n, np.int32),
            count=np.zeros(1, np.int64),
            reservist=reservist,
            until=until,
            fighting=np.zeros((days, len(world.state_ids)), np.int32),
            posts=np.zeros((days, len(world.state_ids)), np.int32),
            codes=self.codes,
            keep=float(np.exp(-1 / DANGER_MEMORY)),
        )
        run.share(front)
        run.tables["units_fighting"], run.tables["posts_lost"] = front.fighting, front.posts

    def _reserve(self, run: Run) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Put a share of the lowest rank in reserve; return who is called up, and how many by each day."""
        world, records = self.world, run.records
        force, days = world.force, world.days
        none = np.zeros(0, np.int32), np.zeros(days + 1, np.int64)
        if not self.on or world["war.reserve"] <= 0:
            return none
        order = uniform_each(run.key, _RESERVIST, force.identity, np.zeros(force.n, np.int64))
        reserve = np.flatnonzero(self.lowest & (order < world["war.reserve"]))
        records.fate[reserve] = self.codes[1]
        moved = np.bincount(records.rank[reserve], minlength=records.stock.shape[1])
        records.stock[SERVING] -= moved
        records.stock[int(self.codes[1])] += moved
        called = np.cumsum(world.daily("call_up"))
        turn = order[reserve] / world["war.reserve"]
        in_turn = reserve[np.argsort(turn, kind="stable")].astype(np.int32)
        until = np.concatenate(([0], np.searchsorted(np.sort(turn), called, side="right")))
        return in_turn, until.astype(np.int64)

    def _make_room(self, run: Run) -> None:
        run.make_room(_ROWS * self.world.force.n)

    def _let_decide(self, run: Run) -> None:
        front = run.view(Front)
        run.call(front.called[: front.count[0]].copy(), UNDER_FIRE)
