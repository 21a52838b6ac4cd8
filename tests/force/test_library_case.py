"""The built-in case: the force it describes is the force that is built."""

from __future__ import annotations

import numpy as np
import pytest

from breakrank.case import Case, load_case
from breakrank.force import Force, build_force
from breakrank.force.force import BORDER_POST
from breakrank.model import catalogue


@pytest.fixture(scope="module")
def case() -> Case:
    return load_case("venezuela-2019", catalogue())


@pytest.fixture(scope="module")
def force(case: Case, key: np.uint64) -> Force:
    return build_force(case, key)


def test_strengths_are_those_of_the_case(case: Case, force: Force) -> None:
    spec = case.force
    assert force.n == spec.strength == case.value("force.strength")
    assert np.bincount(force.branch).tolist() == [b.strength for b in spec.branches]
    for b in range(len(spec.branches)):
        mine = force.branch == b
        strength = np.count_nonzero(mine)
        by_rank = np.bincount(force.rank[mine], minlength=len(spec.ranks))
        assert np.abs(by_rank - spec.rank_shares[:, b] * strength).max() < 1
        by_state = np.bincount(force.state[mine], minlength=len(spec.states))
        assert np.abs(by_state - spec.stations[:, b] * strength).max() < 1
    assert force.labels.branches == tuple(spec.branches.ids)
    assert force.labels.ranks == tuple(spec.ranks.ids)
    assert force.labels.states == tuple(spec.states.ids)
    assert force.labels.regions == tuple(spec.regions.ids)
    np.testing.assert_array_equal(spec.region_of[force.formations.state], force.formations.region)


def test_posts_lie_where_crossings_are_manned(case: Case, force: Force) -> None:
    posted = np.unique(force.state[force.access & BORDER_POST > 0])
    assert {force.labels.states[s] for s in posted} == {c.state for c in case.crossings if c.posted}


def test_another_strength_keeps_the_proportions(case: Case, key: np.uint64) -> None:
    smaller = build_force(case.set({"force.strength": 115_000}), key)
    assert smaller.n == 115_000
    expected = [b.strength * 115_000 / 160_000 for b in case.force.branches]
    assert np.abs(np.bincount(smaller.branch) - expected).max() < 1
