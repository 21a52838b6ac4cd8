"""What each soldier brings along: service, academy class, household, kin abroad, access."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import CHUNK, NOBODY, WORDS, decision, fraction, words, words_each
from breakrank.force.columns import BORDER_POST, ESCORT, GUARDS_POLITICIAN, VEHICLE, ClassTable, UnitTable
from breakrank.force.establishment import Establishment
from breakrank.force.parameters import (
    CLASS_SECTION,
    MOST_DEPENDANTS,
)
from breakrank.kernel import kernel

_PERSON = int(decision("force.person"))
_ACCESS = int(decision("force.access"))
_POST = int(decision("force.manned_post"))
_NOBODY = int(NOBODY)


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
