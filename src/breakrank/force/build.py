"""From a case to its synthetic force: the order of battle, ranks, and what each soldier brings along.

The order of battle is force, region, formation, unit of about a hundred, and the slots in it. Nothing of it
is drawn. Soldiers are numbered in order of battle, so that a unit is a run of identities. What each brings
along is service, academy class, household, kin abroad and access.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import CHUNK, NOBODY, WORDS, decision, fraction, words, words_each
from breakrank.force.establishment import Establishment
from breakrank.force.force import (
    BORDER_POST,
    ESCORT,
    GUARDS_POLITICIAN,
    VEHICLE,
    ClassTable,
    Force,
    FormationTable,
    UnitTable,
)
from breakrank.force.ties import build_ties
from breakrank.kernel import kernel

if TYPE_CHECKING:
    from breakrank.case import Case


COMMANDS_REGION, COMMANDS_FORMATION, COMMANDS_UNIT, REGIONAL_STAFF, FORMATION_STAFF, LINE = 1, 2, 4, 8, 16, 32
"""Kinds of slot a soldier can fill. The first slot of a unit commands; staff sits at headquarters."""


def order_of_battle(plan: Establishment) -> tuple[FormationTable, UnitTable]:
    """Divide the soldiers of each state and branch evenly into units, and the units into formations.

    Regions come in the case's order, then states, then branches. The formation that commands a
    branch in a region (``headquarters``) is the first one in the capital's state if that lies in
    the region, else in the state where the region has most soldiers of the branch.
    """
    formations: list[tuple[int, int, int]] = []
    unit_formation, unit_size, unit_hq = [], [], []
    for region, state, branch, strength in _garrisons(plan):
        units = max(1, round(strength / plan.unit_size))
        groups = min(units, max(1, round(strength / plan.formation_size)))
        within = np.arange(units, dtype=np.int64) * groups // units
        unit_formation.append(within + len(formations))
        unit_size.append(strength // units + (np.arange(units) < strength % units))
        unit_hq.append((within == 0) & (_seat(plan, region, branch) == state))
        formations += [(region, state, branch)] * groups
    table = np.array(formations, np.uint8)
    formation = np.concatenate(unit_formation)
    return FormationTable(*table.T.copy()), UnitTable(
        formation=formation.astype(np.int32),
        state=table[formation, 1],
        branch=table[formation, 2],
        size=np.concatenate(unit_size).astype(np.int32),
        headquarters=np.concatenate(unit_hq),
    )


def _garrisons(plan: Establishment) -> Iterator[tuple[int, int, int, int]]:
    """Yield region, state, branch and strength wherever a branch has soldiers, in order of battle."""
    for region in range(len(plan.labels.regions)):
        for state in np.flatnonzero(plan.region_of == region).tolist():
            for branch in np.flatnonzero(plan.posted_strength[state]).tolist():
                yield region, state, branch, int(plan.posted_strength[state, branch])


def _seat(plan: Establishment, region: int, branch: int) -> int:
    """Return the state from which a branch is commanded in a region."""
    here = np.where(plan.region_of == region, plan.posted_strength[:, branch], -1)
    return plan.capital if here[plan.capital] > 0 else int(here.argmax())


def slot_kinds(units: UnitTable) -> NDArray[np.uint8]:
    """Return the kind of every slot in order of battle, uint8, shape (n,).

    The lower half of the slots of regional headquarters, and of the first unit of every other
    formation, are staff; the rest of them are the clerks, drivers and guards that staff needs.
    """
    size = units.size.astype(np.int64)
    first = np.concatenate(([0], np.cumsum(size)))
    leading = np.concatenate(([True], np.diff(units.formation) != 0))
    staff = np.where(units.headquarters, REGIONAL_STAFF, np.where(leading, FORMATION_STAFF, LINE))
    slot = np.arange(first[-1], dtype=np.int32) - np.repeat(first[:-1].astype(np.int32), size)
    half = np.repeat((units.size // 2), size)
    kinds = np.where(slot < half, np.repeat(staff.astype(np.uint8), size), np.uint8(LINE))
    leader = np.where(units.headquarters, COMMANDS_REGION, COMMANDS_FORMATION)
    kinds[first[:-1]] = np.where(leading, leader, COMMANDS_UNIT)
    return kinds


UNRANKED = 255
_RANK = int(decision("force.rank"))

_COMMANDS_MORE = COMMANDS_REGION | COMMANDS_FORMATION
_COMMANDS = _COMMANDS_MORE | COMMANDS_UNIT
_ALL = _COMMANDS | REGIONAL_STAFF | FORMATION_STAFF | LINE


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
        (general, COMMANDS_REGION),
        (general, REGIONAL_STAFF),
        (senior, _COMMANDS_MORE),
        (senior, FORMATION_STAFF | REGIONAL_STAFF),
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


_PERSON = int(decision("force.person"))
_ACCESS = int(decision("force.access"))
_POST = int(decision("force.manned_post"))
_NOBODY = int(NOBODY)

# Shapes, not sizes: they decide how a mean of a parameter is spread, never how large it is.

CLASS_SECTION = 40
"""Soldiers in one section of an academy class, about a lecture hall: classmates who know one another."""
MOST_DEPENDANTS = 31
"""Largest household drawn; the tail of the Poisson distribution is gathered there."""


def academy_classes(plan: Establishment) -> tuple[ClassTable, NDArray[np.int64]]:
    """Divide each academy's classes into sections of about `CLASS_SECTION` soldiers.

    The number of sections follows from the establishment, not from who was drawn into a class.

    Returns
    -------
    The sections, and the row of the first section by rank and years served, int64 (r, 257): the
    sections of rank r and y years are ``first[r, y]:first[r, y + 1]``, none without an academy.
    """
    expected = np.zeros((len(plan.labels.schools), 256))
    of_rank = plan.rank_strength.sum(axis=0)
    for r, school in enumerate(plan.school.tolist()):
        if school >= 0:
            low, high = plan.years[r].tolist()
            expected[school, low : high + 1] += of_rank[r] / (high - low + 1)
    sections = np.where(expected > 0, np.maximum(1, np.rint(expected / CLASS_SECTION)), 0).astype(np.int64)
    school, years = np.nonzero(sections)
    repeats = sections[school, years]
    start = np.cumsum(repeats) - repeats
    table = ClassTable(
        school=np.repeat(school, repeats).astype(np.uint8),
        entry=np.repeat(plan.start_year - years, repeats).astype(np.int16),
        section=(np.arange(repeats.sum()) - np.repeat(start, repeats)).astype(np.int32),
        expected=np.repeat(expected[school, years] / repeats, repeats),
    )
    first = np.zeros((plan.school.size, 257), np.int64)
    ends = np.cumsum(sections).reshape(sections.shape)
    for r, s in enumerate(plan.school.tolist()):
        if s >= 0:
            first[r, 1:] = ends[s]
            first[r, 0] = ends[s, 0] - sections[s, 0]
    return table, first


def household(plan: Establishment) -> NDArray[np.float64]:
    """Return the cumulative distribution of dependants by years served, float64 (256, MOST_DEPENDANTS).

    Poisson; the mean grows evenly from a recruit's to that of those who serve longest, and averages
    ``force.dependants`` over the establishment. Column k is the probability of at most k.
    """
    recruit, longest = plan.values["recruit_family"], max(int(plan.years.max()), 1)
    growth = recruit + (1 - recruit) * np.minimum(np.arange(256) / longest, 1)
    of_rank = plan.rank_strength.sum(axis=0)
    by_rank = [growth[low : high + 1].mean() for low, high in plan.years.tolist()]
    means = plan.values["dependants"] * growth / np.average(by_rank, weights=of_rank)
    table = np.empty((256, MOST_DEPENDANTS))
    for y, mean in enumerate(means.tolist()):
        term, total = math.exp(-mean), 0.0
        for k in range(MOST_DEPENDANTS):
            total += term
            table[y, k] = total
            term *= mean / (k + 1)
    return table


def manned_posts(plan: Establishment, key: np.uint64, units: UnitTable) -> NDArray[np.float64]:
    """Return each unit's probability that one of its soldiers is on duty at a crossing, float64 (units,).

    Just enough units of the states with a manned crossing are chosen, by draw, that ``force.border_post`` of
    the whole force is on duty there; a unit mans its crossing as a whole.
    """
    chance = np.zeros(len(units))
    size = units.size.astype(np.int64)
    near = np.flatnonzero(plan.manned[units.state])
    wanted = plan.values["border_post"] * plan.n
    if near.size == 0 or wanted == 0:
        return chance
    names = (np.cumsum(size) - size)[near]  # a unit is named by its first soldier
    luck = np.array([words(key, _POST, int(i), _NOBODY, 0)[0] for i in names])
    near = near[np.argsort(luck, kind="stable")]
    have = np.cumsum(size[near])
    chosen = near[: int(np.searchsorted(have, wanted)) + 1]
    chance[chosen] = min(1.0, wanted / int(size[chosen].sum()))
    return chance


@kernel
def draw_people(
    key: np.uint64,
    identity: NDArray[np.uint32],
    rank: NDArray[np.uint8],
    unit: NDArray[np.int32],
    years_range: NDArray[np.int64],
    first_class: NDArray[np.int64],
    at_most: NDArray[np.float64],
    kin_abroad_chance: float,
    access_chance: tuple[float, NDArray[np.float64], float, float],
    years: NDArray[np.uint8],
    school_class: NDArray[np.uint32],
    dependants: NDArray[np.uint8],
    kin_abroad: NDArray[np.bool_],
    access: NDArray[np.uint8],
) -> None:
    """Fill the last five columns, two draws a soldier."""
    vehicle, border, escort, guards = access_chance
    person, near = np.empty((WORDS, CHUNK), np.uint32), np.empty((WORDS, CHUNK), np.uint32)
    for i in range(rank.size):
        c = i % CHUNK
        if c == 0:
            words_each(key, _PERSON, identity[i : i + CHUNK], 0, person)
            words_each(key, _ACCESS, identity[i : i + CHUNK], 0, near)
        r, u = rank[i], unit[i]
        low = years_range[r, 0]
        y = low + int(fraction(person[0, c]) * (years_range[r, 1] - low + 1))
        years[i] = y
        sections = first_class[r, y + 1] - first_class[r, y]
        if sections > 0:
            school_class[i] = 1 + first_class[r, y] + int(fraction(person[1, c]) * sections)
        k, by_household = 0, fraction(person[2, c])
        while k < at_most.shape[1] and by_household > at_most[y, k]:
            k += 1
        dependants[i] = k
        kin_abroad[i] = fraction(person[3, c]) < kin_abroad_chance
        flags = 0
        if fraction(near[0, c]) < vehicle:
            flags |= VEHICLE
        if fraction(near[1, c]) < border[u]:
            flags |= BORDER_POST
        if fraction(near[2, c]) < escort:
            flags |= ESCORT
        if fraction(near[3, c]) < guards:
            flags |= GUARDS_POLITICIAN
        access[i] = flags


def access_chances(
    plan: Establishment, key: np.uint64, units: UnitTable
) -> tuple[float, NDArray[np.float64], float, float]:
    """Return the probabilities of a vehicle, of a border post by unit, of escort and of guard duty."""
    vehicle, escort, guards = (plan.values[n] for n in ("vehicle_access", "escort", "guards_politician"))
    return vehicle, manned_posts(plan, key, units), escort, guards


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
