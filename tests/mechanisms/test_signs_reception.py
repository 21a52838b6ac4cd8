"""Monotone signs of reception, asylum and exile under common random numbers.

Two worlds that differ in one thing are the same, row by row of the log, until it first matters. On that first
day the direction is exact: the same people, the same draws, one threshold moved. Later on nothing is exact,
since who was put out yesterday cannot be put out today; there the totals of a few runs are compared.
"""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import zip_longest
from typing import Any

import numpy as np
import pytest

from breakrank.case import Case
from breakrank.mechanisms.lodging import STAYS
from breakrank.model import Model
from tests.engine.hosts import effect, hosting, with_sites
from tests.engine.worlds import Replicate, force_of, live, rows, with_crossings

Count = Callable[[Mapping[str, Any]], Any]
RUNS = 3


def series(name: str) -> Count:
    """Return a daily series of soldiers, or of both soldiers and relatives for a stay."""
    if name in STAYS:
        k = STAYS.index(name)
        return lambda found: found["stay_soldiers"][:, k] + found["stay_relatives"][:, k]
    if name == "decided":
        return lambda found: found["asylum_granted"] + found["asylum_refused"]
    return lambda found: found[name]


RISES = [
    ("reception__offer", 0.05, 0.9, "took_offer"),
    ("reception__relatives", 0.1, 1, "arrived_relatives"),
    ("reception__private", 0.1, 0.9, "private"),
    ("screening__sent", 0.05, 0.9, "infiltrators_sent"),
    ("screening__found", 0.02, 0.5, "infiltrators_found"),
    ("screening__wrong", 0.001, 0.05, "wrongly_suspected"),
    ("asylum__recognised", 0.2, 0.8, "asylum_granted"),
    ("exile__onward_kin", 0.002, 0.1, "onward_movement"),
    ("exile__onward_other", 0.002, 0.1, "onward_movement"),
    ("exile__onward_helped", 0.5, 20, "onward_movement"),
    ("exile__settle", 0.002, 0.1, "settled"),
    ("exile__return_rate", 0.002, 0.1, "returned"),
    ("exile__idle", 0.1, 1, "returned"),
    ("exile__news", 0.1, 1, "returned"),
    ("exile__willing", 0.2, 1, "enlisted"),
    ("exile__willing", 0.2, 1, "ran_to_border"),
    ("exile__border_run", 0.1, 0.9, "ran_to_border"),
    ("diaspora__contact", 0.3, 4, "diaspora_messages"),
]
FALLS = [
    ("reception__places", 0.5, 2, "street"),
    ("reception__funding", 0.3, 3, "evicted"),
    ("reception__private", 0.1, 0.9, "street"),
    ("asylum__double_nationals", 0.05, 0.6, "asylum_filed"),
    ("asylum__first_days", 5, 30, "decided"),
]
FIELDS = [
    ("asylum_staff", 0, "decided", False),
    ("departure_offer", 400, "took_offer", True),
    ("dispersal", 0.3, "relocated", True),
    ("onward_help", 1, "onward_movement", True),
    ("right_to_work", 1, "settled", True),
    ("permit", 1, "permits", True),
    ("enlistment", 0.9, "enlisted", True),
    ("call", 0.9, "ran_to_border", True),
]


@cache
def alone() -> Case:
    """Return a world in which everybody comes without a family, so that one bed more is one bed more."""
    case = hosting(1_500)
    return with_crossings(case, {c.kind for c in case.crossings}, family=False)


@cache
def poor() -> Case:
    """Return a world in which money runs out while people come."""
    return with_sites(alone(), funds=2_500)


def base(name: str) -> Case:
    if name == "reception__funding":
        return poor()
    return alone() if name == "reception__places" else hosting(1_500)


def first_difference(one: Replicate, other: Replicate) -> int:
    """Return the first day on which the logs of two worlds differ."""
    for a, b in zip_longest(rows(one), rows(other)):
        if a != b:
            return min(row[0] for row in (a, b) if row)
    return 10**6


def assert_first_day(low: Case, high: Case, count: Count, seed: int) -> None:
    """Assert that on the first day on which it matters there is no less in the second world."""
    few, many = (live(case, force_of(hosting(1_500)), seed) for case in (low, high))
    a, b = (np.asarray(count(world.series)) for world in (few, many))
    day = min([first_difference(few, many), *np.flatnonzero(a != b)[:1].tolist()])
    assert a[day] <= b[day]
    assert day < low.calendar.days, "it never matters"


@pytest.mark.parametrize(
    ("name", "low", "high", "what"), [*RISES, *((name, high, low, what) for name, low, high, what in FALLS)]
)
def test_a_parameter_works_on_the_first_day_on_which_it_matters(
    name: str, low: float, high: float, what: str
) -> None:
    dotted = name.replace("__", ".")
    for seed in (1, 2):
        worlds = [base(name).set({dotted: value}) for value in (low, high)]
        assert_first_day(worlds[0], worlds[1], series(what), seed)


@pytest.mark.parametrize(("field", "value", "what", "rises"), FIELDS)
def test_what_the_host_does_works_on_the_first_day(field: str, value: float, what: str, rises: bool) -> None:
    before = hosting(1_500)
    after = before.with_events([effect(field, "set", value)[0] | {"date": "2019-01-25"}])
    worlds = (before, after) if rises else (after, before)
    assert_first_day(*worlds, series(what), 1)


def total(case: Case, count: Count) -> float:
    """Return the mean of a total over a few runs of one force."""
    model = Model(case, force_of(hosting(1_500)))
    return sum(float(np.nansum(count(model.replicate(5, run).series))) for run in range(RUNS)) / RUNS


LEVELS = [
    ("reception__tension_numbers", 1, 8, "tension", True),
    ("reception__tension_incident", 0.02, 1, "tension", True),
    ("exile__idle", 0.1, 1, "morale", False),
    ("exile__news", 0.1, 1, "morale", False),
    ("asylum__effort", 0.5, 8, "files_open", True),
    ("asylum__effort", 0.5, 8, "files_age", True),
    ("reception__registration_desk", 1, 20, "awaiting_registration", False),
    ("reception__places", 0.2, 3, "expected_treatment", True),
    ("reception__funding", 0, 5, "expected_treatment", True),
    ("reception__funding", 0, 5, "site", True),
    ("reception__places", 0.2, 3, "site", True),
]


@pytest.mark.parametrize(("name", "low", "high", "what", "rises"), LEVELS)
def test_levels_move_in_their_direction(name: str, low: float, high: float, what: str, rises: bool) -> None:
    dotted = name.replace("__", ".")
    few, many = (total(hosting(1_500).set({dotted: value}), series(what)) for value in (low, high))
    assert (few < many) == rises
