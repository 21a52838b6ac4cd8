from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from breakrank.force import Force, build_force
from breakrank.force.build import highest
from tests.force.absent import without


def test_the_highest_fill_the_room_first() -> None:
    left = np.array([[5, 3, 2], [0, 1, 0], [4, 0, 0]])
    room = np.array([4, 3, 0])
    assert highest(left, room).tolist() == [[0, 2, 2], [0, 1, 0], [0, 0, 0]]


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
            force = without(force, int(force.identity[force.leader[0]]))
