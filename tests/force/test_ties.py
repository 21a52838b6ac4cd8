"""Ties are symmetric, follow from identities alone, and agree with a slow and obvious reference."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.draws import NOBODY, decision, words
from breakrank.force import Force, build_force
from breakrank.force.force import CLASSMATE, KIN, UNIT, ClassTable, Ties, UnitTable
from breakrank.force.ties import KIN_CIRCLE, build_ties
from tests.force.absent import degree, without

MEANS = (5.0, 2.0, 0.3)
COLUMNS = (
    "identity",
    "branch",
    "rank",
    "state",
    "unit",
    "years",
    "school_class",
    "dependants",
    "kin_abroad",
    "access",
)


def plain_ties(
    key: np.uint64, force: Force, identity: Any, unit: Any, school_class: Any, means: tuple[float, ...]
) -> dict[tuple[int, int], int]:
    """Ask every pair, one after the other; return the kind of each tie by the two positions."""
    strength = int(force.units.size.sum())
    circles = max(1, round(strength / KIN_CIRCLE))

    def circle(who: int) -> int:
        return int(words(key, decision("force.kin_circle"), who, NOBODY, 0)[0]) * circles // 2**32

    def trusted(name: str, i: int, j: int, mean: float, others: float) -> bool:
        word = int(words(key, decision(name), int(identity[i]), int(identity[j]), 0)[0])
        return word < round(min(1.0, mean / max(others, 1e-9)) * 2**32)

    of_kin = [circle(int(who)) for who in identity]
    ties = {}
    for i, j in combinations(range(len(identity)), 2):
        if unit[i] == unit[j]:
            if trusted("force.comrades", i, j, means[0], force.units.size[unit[i]] - 1):
                ties[i, j] = UNIT
        elif school_class[i] == school_class[j] != 0:
            others = float(force.classes.expected[school_class[i] - 1])
            if trusted("force.classmates", i, j, means[1], others):
                ties[i, j] = CLASSMATE
        elif of_kin[i] == of_kin[j] and trusted("force.kin", i, j, means[2], (strength - 1) / circles):
            ties[i, j] = KIN
    return ties


def as_pairs(ties: Ties) -> dict[tuple[int, int], int]:
    who = np.repeat(np.arange(ties.start.size - 1), np.diff(ties.start))
    listed = zip(who.tolist(), ties.other.tolist(), ties.kind.tolist(), strict=True)
    return {(i, j): kind for i, j, kind in listed if i < j}


def assert_sound(ties: Ties, n: int) -> None:
    assert ties.start.shape == (n + 1,)
    assert ties.start[0] == 0
    assert ties.start[-1] == ties.other.size == ties.kind.size == len(ties)
    who = np.repeat(np.arange(n), np.diff(ties.start))
    assert not (who == ties.other).any()
    flat = who * n + ties.other  # ascending rows, nobody twice
    assert (np.diff(flat) > 0).all()
    mirrored = ties.other.astype(np.int64) * n + who
    order = np.argsort(mirrored)
    np.testing.assert_array_equal(mirrored[order], flat)
    np.testing.assert_array_equal(ties.kind[order], ties.kind)


def test_ties_agree_with_asking_every_pair(country: Callable[..., Any], key: np.uint64) -> None:
    for strength, means in ((800, MEANS), (120, (30.0, 50.0, 5.0))):
        values = dict(zip(("comrades", "classmates", "kin"), means, strict=True))
        force = build_force(country(strength, **values), key)
        expected = plain_ties(key, force, force.identity, force.unit, force.school_class, means)
        assert as_pairs(force.ties) == expected
        assert set(expected.values()) == {UNIT, CLASSMATE, KIN}
        assert_sound(force.ties, force.n)


def test_the_largest_identities_fit(force: Force, key: np.uint64) -> None:
    n = 300
    identity = (np.uint32(2**32 - 1 - n) + np.arange(n, dtype=np.uint32)).astype(np.uint32)
    assert int(identity[-1]) == 2**32 - 2  # one below NOBODY
    unit, school_class = force.unit[:n].copy(), force.school_class[:n].copy()
    ties = build_ties(key, identity, unit, school_class, force.units, force.classes, MEANS)
    assert as_pairs(ties) == plain_ties(key, force, identity, unit, school_class, MEANS)


@pytest.mark.parametrize("strength", [1, 2, 3, 17, 99, 100, 101, 1_000, 20_000])
def test_any_size_is_sound(strength: int, country: Callable[..., Any], key: np.uint64) -> None:
    force = build_force(country(strength), key)
    assert force.n == strength == force.units.size.sum()
    assert_sound(force.ties, strength)


@given(st.data())
def test_without_a_soldier_all_else_stays(force: Force, key: np.uint64, data: st.DataObject) -> None:
    who = data.draw(st.integers(0, force.n - 1))
    less = without(force, who)
    stay = np.delete(np.arange(force.n), who)
    assert less.n == force.n - 1
    assert who not in less.identity
    for name in COLUMNS:
        one, other = getattr(less, name), getattr(force, name)
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other[stay])
    assert less.units is force.units
    assert less.classes is force.classes
    assert_sound(less.ties, less.n)
    before = as_pairs(force.ties)
    after = {(int(less.identity[i]), int(less.identity[j])): k for (i, j), k in as_pairs(less.ties).items()}
    assert after == {pair: kind for pair, kind in before.items() if who not in pair}


@given(st.sets(st.integers(0, 2_999), min_size=1, max_size=1_500))
def test_ties_built_among_some_are_the_ties_among_all(force: Force, key: np.uint64, gone: set[int]) -> None:
    stay = np.delete(np.arange(force.n), sorted(gone))
    ties = build_ties(
        key,
        force.identity[stay],
        force.unit[stay],
        force.school_class[stay],
        force.units,
        force.classes,
        MEANS,
    )
    here = {(int(stay[i]), int(stay[j])): k for (i, j), k in as_pairs(ties).items()}
    assert here == {pair: k for pair, k in as_pairs(force.ties).items() if not gone & set(pair)}


def test_without_twice_and_down_to_nobody(country: Callable[..., Any], key: np.uint64) -> None:
    force = build_force(country(3), key)
    assert without(without(force, 0), 2).identity.tolist() == [1]
    nobody = without(without(without(force, 1), 0), 2)
    assert (nobody.n, len(nobody.ties)) == (0, 0)
    assert repr(nobody).startswith("Force of 0 soldiers")
    assert (nobody.leader == -1).all()


def test_room_for_pairs_grows_when_the_guess_was_too_small(key: np.uint64) -> None:
    units = UnitTable(
        formation=np.zeros(1, np.int32),
        state=np.zeros(1, np.uint8),
        branch=np.zeros(1, np.uint8),
        size=np.array([4], np.int32),
        headquarters=np.zeros(1, np.bool_),
    )
    none = ClassTable(*(np.zeros(0, t) for t in (np.uint8, np.int16, np.int32, np.float64)))
    # 60 identities in a unit set up for 4, none of them a likely pair, yet all of them listed once
    n = 60
    identity = np.arange(n, dtype=np.uint32)
    zero = np.zeros(n, np.int32)
    ties = build_ties(key, identity, zero, zero.astype(np.uint32), units, none, (3.0, 0.0, 0.0))
    assert (degree(ties) == n - 1).all()
