"""Who follows a commander to the other side: commanders of a formation's units, and the men of a unit.

A soldier follows with log-odds

    authority + stance + unit + comrades_weight * (2 * inclined - 1)

`stance` is how far he is on the opposed side, or, of the loyal, the weight of how far they are on the
other; `unit` what his unit thinks and how much of one mind it is (see ``cohesion``). `inclined` is the
share of those asked with him who would follow by the other parts alone: each looks at the others before he
moves (Granovetter 1978).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, uniform
from breakrank.engine.codes import EV_DESERTED, HIDING, SERVING
from breakrank.engine.records import RunRecords, move, record
from breakrank.engine.run import Now
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.cohesion import Units
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.normal import logistic
from breakrank.mechanisms.opposition import Insurgents, join, lose_place
from breakrank.mechanisms.preference import Preferences, margin_of
from breakrank.table import Table, array

_NOBODY = int(NOBODY)
_FOLLOWS = int(decision("unit_defection.follows"))
NOT_OVER, RETAKEN = -1, -2


class Commands(Table):
    """Who commands which unit, and which have gone over; for the numbers see ``unit_defection_parameters``.

    (unit,): ``leader`` position, -1 none; ``formation``, ``state``, ``branch``; ``over`` the day on which it
    went over, below 0 where it has not or its ground was retaken; ``chosen`` whether its commander has made
    up his mind; ``falls`` whether its ground is retaken today; ``around`` the share of the units around it
    that is over, 0 to 1; ``stands`` whether it has ground to stand on. ``head`` (formation,) the unit of who
    commands it; ``calls`` (day, state, branch) and ``retaken`` (day, state) chances. The soldiers of unit u
    are ``men[first[u] : first[u + 1]]``. ``called`` positions of commanders who decide, the first
    ``count[0]``; ``fresh`` (state,) the last day on which a unit went over. ``by_state`` and ``by_branch``
    (day, ...) units that went over. ``codes``: three events; ``option`` the code of taking a unit over;
    ``failed`` the last day on which a commander was not followed.
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
    men: NDArray[np.int32]
    called: NDArray[np.int32]
    count: NDArray[np.int64]
    fresh: NDArray[np.int32]
    calls: NDArray[np.float64] = array("day", "state", "branch")
    retaken: NDArray[np.float64] = array("day", "state")
    by_state: NDArray[np.int32] = array("day", "state")
    by_branch: NDArray[np.int32] = array("day", "branch")
    codes: NDArray[np.int64]
    option: int
    failed: int
    habit: float
    around_weight: float
    men_weight: float
    known: float
    authority: float
    comrades: float
    needed: float
    hears: float


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
    for k in range(c.first[u], c.first[u + 1]):
        i = c.men[k]
        if i != c.leader[u] and records.fate[i] == SERVING:
            here += 1.0
            following += logistic(inclination(c, p, g, units, day, u, i) + others)
    return following / here if here > 0.0 else 0.0


@lean
def share_inclined(
    c: Commands, p: Preferences, g: Grievances, units: Units, records: RunRecords, day: int, u: int
) -> float:
    """Return which share of the men of a unit would follow its commander by themselves, 0 to 1."""
    return _share(c, p, g, units, records, day, u, 0.0)


@lean
def _others(c: Commands, inclined: float) -> float:
    """Return what those who are asked with him add to the log-odds of one, by the share that is inclined."""
    return c.comrades * (2 * inclined - 1.0)


@lean
def share_following(
    c: Commands, p: Preferences, g: Grievances, units: Units, records: RunRecords, day: int, u: int
) -> float:
    """Return which share of the men of a unit can be expected to follow its commander, 0 to 1."""
    others = _others(c, share_inclined(c, p, g, units, records, day, u))
    return _share(c, p, g, units, records, day, u, others)


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
    """Let a commander take his unit over; return whether enough of his men follow."""
    day, head = now.day, c.leader[u]
    others = _others(c, share_inclined(c, p, g, units, records, day, u))
    following = here = 0
    for k in range(c.first[u], c.first[u + 1]):
        i = c.men[k]
        if i != head and records.fate[i] == SERVING:
            here += 1
            log_odds = inclination(c, p, g, units, day, u, i) + others
            following += 1 if _follows(now, records, i, log_odds) else 0
    if following < c.needed * here:
        record(records, day, head, c.codes[1], -1, -1, float(following))
        return False
    record(records, day, head, c.codes[0], -1, -1, float(following))
    for k in range(c.first[u], c.first[u + 1]):
        i = c.men[k]
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
    c.by_state[day, c.state[u]] += 1
    c.by_branch[day, c.branch[u]] += 1
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
    others = _others(c, inclined / asked) if asked > 0.0 else 0.0
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
            for k in range(c.first[u], c.first[u + 1]):
                i = c.men[k]
                if records.fate[i] == f.codes[0] and f.place[i] < 0:
                    lose_place(now, f, records, i, -1)
