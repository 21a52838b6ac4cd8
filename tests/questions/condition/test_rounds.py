"""Which worlds go on from what filters left."""

from __future__ import annotations

import numpy as np
import pytest

from breakrank.questions.condition.choose import SettledWorlds
from breakrank.questions.condition.search import _spread


@pytest.mark.parametrize(
    ("number", "which"),
    [(2, [0, 3]), (3, [0, 3, 4]), (5, [0, 1, 3, 4, 5]), (6, [0, 1, 2, 3, 4, 5]), (9, [0, 1, 2, 3, 4, 5])],
)
def test_one_world_of_each_draw_goes_on_before_a_second(number: int, which: list[int]) -> None:
    assert _spread(np.array([0, 0, 0, 1, 2, 2]), number).tolist() == which


@pytest.mark.parametrize(
    ("middles", "rest"),
    [
        ([-8, -7, -6, -5, -4], False),
        ([-8, -2, 1, 2, 2.1], True),
        ([0.0] * 4, False),
        ([-8.0, -4, -1, 0, 2, 3, 4.0, 5.2, 4.9, 5.1], True),
        ([-8.0, -4, -1, 0, 2, 3, 3.0, 3.4, 4.0, 4.4], False),
        ([5.0, 4, 3, 2, 1], True),
    ],
)
def test_worlds_are_at_rest_once_the_record_no_longer_becomes_likelier(
    middles: list[float], rest: bool
) -> None:
    assert SettledWorlds(10, np.zeros(1, np.int64), 0.3, tuple(middles)).at_rest is rest
