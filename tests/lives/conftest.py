"""The country whose lives are told."""

import pytest

from breakrank import load_case
from breakrank.case import Case
from breakrank.force import Force
from breakrank.model import build


@pytest.fixture(scope="session")
def case() -> Case:
    """Return a small case whose host lets nobody work without a permit, from first to last."""
    made = load_case("venezuela-2019", "point").set({"force.strength": 3000})
    assert (made.daily("right_to_work") < 0.5).all()
    return made


@pytest.fixture(scope="session")
def force(case: Case) -> Force:
    """Return its force."""
    return build(case, 0)
