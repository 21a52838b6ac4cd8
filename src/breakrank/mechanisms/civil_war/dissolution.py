"""Dissolution: units that come apart when their ground is lost, or once their officers have gone.

What holds soldiers at their posts is the unit rather than the cause: when it is broken up, its officers gone
and its men scattered, most who remain go home or give themselves up, whatever they think (Shils and Janowitz
1948, "Cohesion and disintegration in the Wehrmacht"). Each who goes tells the others that the unit will not
stand (Granovetter 1978; McLauchlin 2015, "Desertion and collective action in civil wars"). Officers know
first, and have more to fear from those who come (Grauer 2014, "Why do soldiers give up?").

Who breaks out of a lost post is adrift for some days. On any of them they may face the choice between
rejoining, going home and going over, in the terms of every other decision opportunity. Then serving on is no
longer what one does without thinking, nobody counts who is missing, and to go home is no act against
anyone: `rout`, `unseen` and `unbound` say how much that is worth. Before their ground is lost it is so much
less, under fire as well.

Where the opposition holds part of a state, that part of its posts is lost, which of them is chance. Those of
the others see their neighbours go (Lyall 2020, "Divided armies"): who is missing around them counts as if
they were missing from their own unit. Officers there face the choice before their ground is lost, and once so
many officers of the unit, or around it, are gone the men do, too. Officers choose in the morning, the men of
the same unit after them on the same day. So a whole unit may go over, or home, within days, or stand. Who
has not gone when the days are over has rejoined their army.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, uniform, uniform_each
from breakrank.engine.codes import ADRIFT, DESERT, LEAVE, LEAVE_WITH_FAMILY, SERVING, UNDER_FIRE
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moment, Moments
from breakrank.engine.records import RunRecords, record
from breakrank.engine.run import Now, Run
from breakrank.engine.world import OFFICER, World
from breakrank.kernel import lean
from breakrank.mechanisms.civil_war.war import BROKE_OUT
from breakrank.mechanisms.fear import Stakes
from breakrank.mechanisms.journeys import Ground, held_by_opposition
from breakrank.mechanisms.preference import Preferences
from breakrank.outputs import daily
from breakrank.spec import parameters_of
from breakrank.table import Table, array, number

WARNING = 0.3
"""Chance a day that an officer faces the choice before ground is lost, in a state that is all but held:
one day in three, since they have telephones and vehicles. Theory only: Grauer 2014; size assumed."""
LEADERLESS = 0.5
"""Share of a unit's officers missing from which its men face the choice before their ground is lost:
platoons have none then. Theory only: Shils and Janowitz 1948, on primary groups and their leaders;
size assumed."""
STRENGTH_MEMORY = 30.0
"""Days in which a unit comes to take its present strength for the full one, to 63%: a month, after which
replacements or new routines have set in."""
REJOINED = "rejoined his army after his post was lost"


class Straggling(Table):
    """Who is adrift, and which units come apart.

    ``until`` (soldier,) last day on which they are adrift, -1 for none. ``first`` (unit + 1,): the soldiers
    of unit u are ``first[u]`` to ``first[u + 1] - 1``. ``strength`` (unit, 2) soldiers and officers as they
    are remembered, ``gone`` (unit, 2) the share of them that is missing, ``near`` (state, 2) that of all in a
    state, ``around``, where the opposition holds a part. ``held`` (day, state) share that it holds;
    ``officer`` (rank,). ``called`` positions of those who decide, the first ``count[0]``. ``left`` (day,) who
    left as their unit came apart. ``codes``: two events.
    """

    until: NDArray[np.int32]
    first: NDArray[np.int64]
    unit_state: NDArray[np.uint8]
    strength: NDArray[np.float64] = array("unit", "kind")
    gone: NDArray[np.float64] = array("unit", "kind")
    near: NDArray[np.float64] = array("state", "kind")
    around: NDArray[np.float64] = array("state", "kind")
    held: NDArray[np.float64] = array("day", "state")
    officer: NDArray[np.bool_]
    called: NDArray[np.int32]
    count: NDArray[np.int64]
    left: NDArray[np.int32]
    codes: NDArray[np.int64]
    days: int
    keep: float
    moments: float = number("dissolution.opportunities")
    rout: float = number("dissolution.rout")
    unseen: float = number("dissolution.unseen")
    unbound: float = number("dissolution.unbound")
    comrades: float = number("dissolution.comrades_weight")
    officers: float = number("dissolution.officers_weight")
    threat: float = number("dissolution.threat_weight")


@lean
def missing(f: Straggling, u: int, kind: int) -> float:
    """Return the share of a unit that is missing, or of those around it where that is more."""
    return max(f.gone[u, kind], f.near[f.unit_state[u], kind])


@lean
def muster(now: Now, f: Straggling, records: RunRecords, keep: float) -> None:
    """Count who of each unit is there, and around it; the strength that is remembered follows with time."""
    f.near[:] = 0.0
    f.around[:] = 0.0
    for u in range(f.unit_state.shape[0]):
        here = officers = 0.0
        for i in range(f.first[u], f.first[u + 1]):
            if records.fate[i] == SERVING:
                here += 1.0
                officers += 1.0 if f.officer[records.rank[i]] else 0.0
        for kind in range(2):
            there = officers if kind else here
            f.strength[u, kind] = max(there, keep * f.strength[u, kind] + (1.0 - keep) * there)
            f.gone[u, kind] = 1.0 - there / f.strength[u, kind] if f.strength[u, kind] > 0.0 else 0.0
            f.around[f.unit_state[u], kind] += f.strength[u, kind]
            f.near[f.unit_state[u], kind] += f.strength[u, kind] - there
    for s in range(f.near.shape[0]):
        for kind in range(2):
            threatened = f.held[now.day, s] > 0.0 and f.around[s, kind] > 0.0
            f.near[s, kind] = f.near[s, kind] / f.around[s, kind] if threatened else 0.0


_NOBODY = int(NOBODY)
_OFFICER = int(decision("dissolution.officer"))
_PLACE = int(decision("dissolution.place"))
_SOLDIER = int(decision("dissolution.soldier"))
_GOING = {DESERT: 1.0, LEAVE: 1.0, LEAVE_WITH_FAMILY: 1.0}
_SEEN: dict[int, float | str] = {DESERT: "decision.quiet", LEAVE: 1.0}


@lean
def _lost(at: Moment, f: Straggling) -> bool:
    """Whether their post is lost, and they have not rejoined."""
    return f.until[at.who] >= at.day


@lean
def _apart(at: Moment, f: Straggling) -> float:
    """How far their unit has come apart, 0 to 1: wholly where their post is lost."""
    if _lost(at, f):
        return 1.0
    if at.occasion != ADRIFT and at.occasion != UNDER_FIRE:
        return 0.0
    held = f.held[at.day, at.state]
    return max(held, missing(f, at.unit, 1)) if held > 0.0 else 0.0


@lean
def _rout(at: Moment, f: Straggling) -> float:
    """Serving on is no longer what one does without thinking."""
    return f.rout * _apart(at, f)


@lean
def _unseen(at: Moment, f: Straggling, s: Stakes, punished: float) -> float:
    """Nobody counts who is missing: punishment and reprisals are expected that much less."""
    stake = s.risk[at.rank] + s.reprisal * (s.beside + at.dependants)
    return f.unseen * _apart(at, f) * punished * stake


@lean
def _unbound(at: Moment, f: Straggling, p: Preferences) -> float:
    """Going home is no act against anyone: loyalty and the perks of rank hold them that much less."""
    holds = p.rents[at.rank] - p.numbers[2] * min(at.margin, 0.0) - min(p.zeal[at.who], 0.0)
    return f.unbound * _apart(at, f) * holds


@lean
def _comrades(at: Moment, f: Straggling) -> float:
    """The share of their unit that is missing, or of those around it."""
    return f.comrades * missing(f, at.unit, 0)


@lean
def _officers(at: Moment, f: Straggling) -> float:
    """The share of its officers that is missing, or of those around it."""
    return f.officers * missing(f, at.unit, 1)


@lean
def _threat(at: Moment, f: Straggling) -> float:
    """What officers have to fear from those who come, by how much they hold: their post, or of the state."""
    if not f.officer[at.rank]:
        return 0.0
    return f.threat * (1.0 if _lost(at, f) else f.held[at.day, at.state])


@lean
def _warn_officers(now: Now, f: Straggling, records: RunRecords) -> bool:
    """Officers whose unit comes apart, or whose state is threatened, face the choice first."""
    f.count[0] = 0
    for u in range(f.unit_state.shape[0]):
        near = WARNING * f.held[now.day, f.unit_state[u]]
        for i in range(f.first[u], f.first[u + 1]):
            if not f.officer[records.rank[i]] or records.fate[i] != SERVING:
                continue
            chance = max(near, f.moments if f.until[i] >= now.day else 0.0)
            if chance > 0.0 and uniform(now.key, _OFFICER, records.identity[i], _NOBODY, now.day) < chance:
                f.called[f.count[0]] = i
                f.count[0] += 1
    return f.count[0] > 0


@lean
def _scatter(now: Now, f: Straggling, records: RunRecords) -> bool:
    """Then their men do, who see who is missing."""
    f.count[0] = 0
    muster(now, f, records, 1.0)
    for u in range(f.unit_state.shape[0]):
        leaderless = missing(f, u, 1) >= LEADERLESS and f.held[now.day, f.unit_state[u]] > 0.0
        for i in range(f.first[u], f.first[u + 1]):
            if records.fate[i] != SERVING or f.officer[records.rank[i]]:
                continue
            if not leaderless and f.until[i] < now.day:
                continue
            if uniform(now.key, _SOLDIER, records.identity[i], _NOBODY, now.day) < f.moments:
                f.called[f.count[0]] = i
                f.count[0] += 1
    return f.count[0] > 0


@lean
def _count(now: Now, f: Straggling, moments: Moments) -> None:
    """Count who goes as their unit comes apart."""
    for j in range(moments.who.shape[0]):
        if moments.occasion[j] == ADRIFT and DESERT <= moments.choice[j] <= LEAVE_WITH_FAMILY:
            f.left[now.day] += 1


@lean
def _lose_touch(now: Now, f: Straggling, records: RunRecords) -> None:
    """Who broke out of a lost post is adrift from tomorrow on; who has stayed long enough has rejoined."""
    last = records.cursor[0]
    for k in range(now.first, last):
        if records.event[k] == f.codes[0]:
            f.until[records.who[k]] = now.day + f.days
    muster(now, f, records, f.keep)
    for u in range(f.unit_state.shape[0]):
        for i in range(f.first[u], f.first[u + 1]):
            if f.until[i] == now.day and records.fate[i] == SERVING:
                f.until[i] = -1
                record(records, now.day, i, f.codes[1], -1, -1, 0.0)


class Dissolution(Mechanism):
    """Units that come apart, officers first. Off: who breaks out of a lost post serves on at once."""

    name = "dissolution"
    subsystem = 6
    citation = "Shils, E. A. and Janowitz, M. (1948), Cohesion and disintegration in the Wehrmacht"
    parameters = parameters_of(name, "units come apart when their post is lost or their officers are gone")
    events = (REJOINED,)
    outputs = (
        daily("left_as_units_came_apart", "Left as their unit came apart"),
        daily("rejoined", "Rejoined after their post was lost", REJOINED),
    )
    terms = (
        Term("dissolution.rout", "the unit has come apart", _GOING, _rout),
        Term("dissolution.unseen", "nobody counts who is missing", _SEEN, _unseen),
        Term("dissolution.unbound", "going home is no act against anyone", {DESERT: 1.0}, _unbound),
        Term("dissolution.comrades", "comrades of the unit are missing", _GOING, _comrades),
        Term("dissolution.officers", "officers of the unit are missing", _GOING, _officers),
        Term("dissolution.threat", "officers fear those who come", _GOING, _threat),
    )
    steps = (
        Step("dawn", _warn_officers, then="_let_decide"),
        Step("act", _count),
        Step("conspire", _scatter, then="_let_decide"),
        Step("dusk", _lose_touch),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.held = held_by_opposition(world)
        known = [BROKE_OUT, *self.events]
        self.codes = np.array([world.event(e) if e in world.events else -1 for e in known], np.int64)

    def begin(self, run: Run) -> None:
        """All units stand, each somewhere in its state."""
        world = self.world
        units, n = len(world.force.units), world.force.n
        left = np.zeros(world.days, np.int32)
        run.share(
            Straggling(
                until=run.column("dissolution.until", np.int32, -1),
                first=world.force.unit_start,
                unit_state=world.force.units.state,
                strength=np.zeros((units, 2)),
                gone=np.zeros((units, 2)),
                near=np.zeros((len(world.state_ids), 2)),
                around=np.zeros((len(world.state_ids), 2)),
                held=run.view(Ground).held,
                officer=world.tier >= OFFICER,
                called=np.zeros(n, np.int32),
                count=np.zeros(1, np.int64),
                left=left,
                codes=self.codes,
                days=round(world["dissolution.days"]),
                keep=float(np.exp(-1 / STRENGTH_MEMORY)),
            )
        )
        run.tables["left_as_units_came_apart"] = left
        if self.on and self.held.any():
            each = np.arange(units)
            run.view(Ground).place[:] = uniform_each(run.key, _PLACE, each.astype(np.uint32), 0 * each)

    def _let_decide(self, run: Run) -> None:
        f = run.view(Straggling)
        run.make_room(len(run.records.fate))
        run.call(f.called[: f.count[0]].copy(), ADRIFT)
