from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from breakrank.case.force_spec import apportion

WEIGHTS = st.lists(st.floats(0, 1e6), min_size=1, max_size=30).filter(lambda w: sum(w) > 1e-3)


@given(st.integers(0, 10_000_000), WEIGHTS)
def test_parts_add_up_and_stay_within_one_of_the_quota(total: int, weights: list[float]) -> None:
    parts = apportion(total, weights)
    quota = np.array(weights) / sum(weights) * total
    assert parts.sum() == total
    assert (np.abs(parts - quota) < 1 + 1e-6).all()
    assert (parts[np.array(weights) == 0] == 0).all()


def test_equal_remainders_go_to_the_earlier() -> None:
    assert apportion(7, [1, 1, 1, 1]).tolist() == [2, 2, 2, 1]
    assert apportion(0, [0, 0]).tolist() == [0, 0]
