"""From a case to its synthetic force."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import CHUNK, WORDS, decision, words_each
from breakrank.force import battle
from breakrank.force.battle import order_of_battle, slot_kinds
from breakrank.force.establishment import Establishment
from breakrank.force.force import Force
from breakrank.force.ties import build_ties
from breakrank.force.traits import academy_classes, access_chances, draw_people, household
from breakrank.kernel import kernel

if TYPE_CHECKING:
    from breakrank.case import Case


UNRANKED = 255
_RANK = int(decision("force.rank"))

_COMMANDS_MORE = battle.COMMANDS_REGION | battle.COMMANDS_FORMATION
_COMMANDS = _COMMANDS_MORE | battle.COMMANDS_UNIT
_ALL = _COMMANDS | battle.REGIONAL_STAFF | battle.FORMATION_STAFF | battle.LINE


@kernel
def deal(
    key: np.uint64,
    time: int,
    slots: NDArray[np.uint32],
    room: NDArray[np.int64],
    branch: NDArray[np.uint8],
    quota: NDArray[np.int64],
    rank: NDArray[np.uint8],
) -> None:
    """Deal `quota` ranks to some unranked slots, every arrangement equally likely.

    Selection sampling (Knuth 1969, algorithm S): going through the slots once, each takes a rank with
    probability ranks left / slots left, so that the numbers come out exactly. Integers only.

    Parameters
    ----------
    key, time : of the draw; one draw per slot and time.
    slots : to deal to, ascending; ``room`` how many of them each branch has, which is changed.
    branch : of each slot of the force, uint8 (n,).
    quota : ranks to deal by branch and rank, int64 (b, r); at most as many as there are such slots.
    rank : result, uint8 (n,), changed in place at `slots`.
    """
    left = quota.copy()
    total = quota.sum(axis=1)
    words = np.empty((WORDS, CHUNK), np.uint32)
    for k in range(slots.size):
        c = k % CHUNK
        if c == 0:
            words_each(key, _RANK, slots[k : k + CHUNK], time, words)
        i = slots[k]
        b = branch[i]
        if total[b] > 0:
            ticket = np.int64((np.uint64(words[0, c]) * np.uint64(room[b])) >> np.uint64(32))
            if ticket < total[b]:
                r = 0
                while ticket >= left[b, r]:
                    ticket -= left[b, r]
                    r += 1
                rank[i] = r
                left[b, r] -= 1
                total[b] -= 1
        room[b] -= 1


def highest(left: NDArray[np.int64], room: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many of each rank fill `room` slots per branch, highest ranks first, int64 (b, r)."""
    above = np.cumsum(left[:, ::-1], axis=1)[:, ::-1]
    return np.diff(np.minimum(above, room[:, None])[:, ::-1], axis=1, prepend=0)[:, ::-1]


def deal_ranks(
    plan: Establishment, key: np.uint64, kind: NDArray[np.uint8], branch: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Give every slot a rank; the numbers by branch and rank are those of the establishment.

    Officers of the highest tier command the regions and sit at their headquarters, those above the
    lowest tier of officers command formations and sit at headquarters of either kind; of the others
    the highest command units, and who is left is spread at random. Where there are too few of a grade
    the next lower ranks take the slots, where too many they go on to the next lower slots.

    Parameters
    ----------
    kind, branch : of each slot in order of battle, uint8 (n,).

    Returns
    -------
    Rank of each slot, uint8 (n,).
    """
    lowest_officers = plan.tier[plan.officer].min() if plan.officer.any() else plan.tier.max()
    senior = plan.tier > lowest_officers
    general = senior & (plan.tier == plan.tier.max())
    anyone = np.ones(plan.tier.size, np.bool_)
    rank = np.full(kind.size, UNRANKED, np.uint8)
    left = plan.rank_strength.copy()
    order = (
        (general, battle.COMMANDS_REGION),
        (general, battle.REGIONAL_STAFF),
        (senior, _COMMANDS_MORE),
        (senior, battle.FORMATION_STAFF | battle.REGIONAL_STAFF),
        (anyone, _COMMANDS),
        (anyone, _ALL),
    )
    for time, (grade, which) in enumerate(order):
        slots = np.flatnonzero((rank == UNRANKED) & (kind & which != 0)).astype(np.uint32)
        room = np.bincount(branch[slots], minlength=left.shape[0])
        quota = highest(np.where(grade, left, 0), room)
        deal(key, time, slots, room, branch, quota, rank)
        left -= quota
    return rank


def build_force(case: Case, key: np.uint64) -> Force:
    """Build the synthetic force of a case: order of battle, soldiers, trust ties.

    Branches, stations and ranks have exactly the strengths of the case (largest remainder); who
    holds which rank, their service, household, access and ties are draws under `key`, named by
    identity (:mod:`breakrank.draws`). The same case and key give the same bits.

    Parameters
    ----------
    case : its force, crossings, capital, calendar and the parameters ``force.*`` are read.
    key : key of the draws, from :func:`breakrank.draws.luck_key`.

    Raises
    ------
    UsageError
        if ``force.strength`` is not in 1..10,000,000.
    """
    return force_of_plan(Establishment.of(case), np.uint64(key))


def force_of_plan(plan: Establishment, key: np.uint64) -> Force:
    """Build the synthetic force that an establishment describes; see :func:`build_force`."""
    formations, units = order_of_battle(plan)
    classes, first_class = academy_classes(plan)
    n = plan.n
    identity = np.arange(n, dtype=np.uint32)
    unit = np.repeat(np.arange(len(units), dtype=np.int32), units.size)
    branch = units.branch[unit]
    rank = deal_ranks(plan, key, slot_kinds(units), branch)
    years, dependants, access = (np.zeros(n, np.uint8) for _ in range(3))
    school_class, kin_abroad = np.zeros(n, np.uint32), np.zeros(n, np.bool_)
    draw_people(
        key,
        identity,
        rank,
        unit,
        plan.years,
        first_class,
        household(plan),
        plan.values["kin_abroad"],
        access_chances(plan, key, units),
        years,
        school_class,
        dependants,
        kin_abroad,
        access,
    )
    comrades, classmates, kin = (plan.values[name] for name in ("comrades", "classmates", "kin"))
    return Force(
        identity=identity,
        branch=branch,
        rank=rank,
        state=units.state[unit],
        unit=unit,
        years=years,
        school_class=school_class,
        dependants=dependants,
        kin_abroad=kin_abroad,
        access=access,
        units=units,
        formations=formations,
        classes=classes,
        labels=plan.labels,
        ties=build_ties(key, identity, unit, school_class, units, classes, (comrades, classmates, kin)),
    )
