from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.draws import NOBODY, decision, words
from breakrank.force import Force, build_force
from breakrank.force.ranks import UNRANKED, deal, highest


def plain_deal(
    key: np.uint64, time: int, which: int, kind: Any, branch: Any, quota: Any, rank: Any
) -> list[int]:
    """Deal as the words of the documentation say: one slot after the other, tickets in a hat."""
    result = rank.tolist()
    slots = [i for i in range(len(result)) if result[i] == UNRANKED and kind[i] & which]
    for b, left in enumerate(quota.tolist()):
        here = [i for i in slots if branch[i] == b]
        for done, i in enumerate(here):
            hat = [r for r, number in enumerate(left) for _ in range(number)]
            word = int(words(key, decision("force.rank"), i, NOBODY, time)[0])
            ticket = word * (len(here) - done) // 2**32
            if ticket < len(hat):
                result[i] = hat[ticket]
                left[hat[ticket]] -= 1
    return result


@settings(deadline=None)
@given(st.integers(0, 2**64 - 1), st.integers(0, 9), st.data())
def test_deal_agrees_with_tickets_in_a_hat(seed: int, time: int, data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 40))
    kind = np.array(data.draw(st.lists(st.sampled_from([1, 2, 4]), min_size=n, max_size=n)), np.uint8)
    branch = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), np.uint8)
    rank = np.array(data.draw(st.lists(st.sampled_from([0, 255]), min_size=n, max_size=n)), np.uint8)
    which = data.draw(st.sampled_from([1, 6, 7]))
    slots = np.flatnonzero((rank == UNRANKED) & (kind & which != 0)).astype(np.uint32)
    room = np.bincount(branch[slots], minlength=2)
    quota = np.zeros((2, 3), np.int64)
    for b in range(2):
        for r in range(3):
            quota[b, r] = data.draw(st.integers(0, int(room[b] - quota[b].sum())))
    expected = plain_deal(np.uint64(seed), time, which, kind, branch, quota, rank)
    before = np.array([np.count_nonzero(rank == r) for r in range(3)])
    deal(np.uint64(seed), time, slots, room, branch, quota, rank)
    assert rank.tolist() == expected
    assert [np.count_nonzero(rank == r) for r in range(3)] == (before + quota.sum(axis=0)).tolist()


def test_the_highest_fill_the_room_first() -> None:
    left = np.array([[5, 3, 2], [0, 1, 0], [4, 0, 0]])
    room = np.array([4, 3, 0])
    assert highest(left, room).tolist() == [[0, 2, 2], [0, 1, 0], [0, 0, 0]]


def test_deals_are_even_over_the_slots() -> None:
    hits = np.zeros(20)
    slots, branch = np.arange(20, dtype=np.uint32), np.zeros(20, np.uint8)
    for seed in range(2_000):
        rank = np.full(20, UNRANKED, np.uint8)
        deal(np.uint64(seed), 0, slots, np.array([20]), branch, np.array([[15, 5]]), rank)
        hits += rank == 1
    assert np.abs(hits / 2_000 - 0.25).max() < 4.5 * (0.25 * 0.75 / 2_000) ** 0.5


def test_command_follows_rank(country: Callable[..., Any], key: np.uint64) -> None:
    force = build_force(country(60_000), key)
    formation_head = np.concatenate(([True], np.diff(force.units.formation) > 0))
    commander = force.rank[force.leader]
    assert (commander[force.units.headquarters & formation_head] == 5).all()
    assert (commander[formation_head] >= 3).all()
    plain = ~formation_head & ~force.units.headquarters
    assert (commander[plain] == 2).all()  # units of the line are led by lieutenants
    general = force.rank == 5
    assert force.units.headquarters[force.unit[general]].all()
    field = force.rank >= 3
    assert (force.units.headquarters | formation_head)[force.unit[field]].all()


@pytest.mark.parametrize("strength", [1, 5, 30, 3_000])
def test_the_leader_is_the_most_senior_present(
    strength: int, country: Callable[..., Any], key: np.uint64
) -> None:
    force: Force = build_force(country(strength), key)
    for _ in range(3):
        for u, leader in enumerate(force.leader):
            members = np.flatnonzero(force.unit == u).tolist()
            best = max(members, key=lambda i: (force.rank[i], force.years[i], -i), default=-1)
            assert leader == best
        if force.n:
            force = force.without(int(force.identity[force.leader[0]]))
