"""What scenarios of one run ask alike is worked out once, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from breakrank.engine.calendar import once
from breakrank.model import Model
from tests.engine.worlds import assert_same_bits, busy, force_of

CASE = busy(500, "2019-03-01")


def counted(made: list[int]) -> Callable[[], int]:
    def make() -> int:
        made.append(len(made) + 1)
        return made[-1]

    return make


def test_the_same_is_made_once() -> None:
    made: list[int] = []
    for _ in range(3):
        assert once("a test of the same", (1, np.arange(3.0)), counted(made)) == 1


@pytest.mark.parametrize(
    "other",
    [
        (2, np.arange(3.0)),
        (1, np.array([0.0, 1.0, 3.0])),
        (1, np.arange(3)),
        (1, np.array([-0.0, 1.0, 2.0])),
        (1, np.arange(3.0)[None]),
        (1, np.arange(3.0), 4),
    ],
)
def test_what_differs_in_any_bit_is_made_anew(other: tuple[object, ...]) -> None:
    made: list[int] = []
    once("a test of others", (), counted([]))
    once("a test of others", (1, np.arange(3.0)), counted(made))
    assert once("a test of others", other, counted(made)) == 2
    assert once("a test of others", (1, np.arange(3.0)), counted(made)) == 3


@pytest.mark.parametrize(
    "changed",
    [
        {"detection.wiretaps": 0},
        {"opportunity.rate": 5},
        {"grievance.shock_rate": 1},
        {"preference.opposed_at_start": 0.4},
        {"preference.rank_loyalty": 1},
        {"preference.on": 0},
    ],
)
def test_a_scenario_after_another_is_what_it_is_alone(changed: dict[str, float]) -> None:
    force = force_of(CASE)
    after = Model(CASE.set(changed), force)
    Model(CASE, force).replicate(1, 2, log=True)
    second = after.replicate(1, 2, log=True)
    Model(CASE, force).replicate(1, 3)  # what was kept is of another run now
    alone = after.replicate(1, 2, log=True)
    assert_same_bits(second, alone)
