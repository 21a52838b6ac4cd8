"""Opportunity: leave passes, errands and postings at the rates of branch, access and station."""

import numpy as np
import pytest

from breakrank.engine.codes import ERRAND, LEAVE_PASS, POSTING
from breakrank.force.force import BORDER_POST
from tests.engine.stage import Stage

DAYS = 365


def moments_of(stage: Stage, occasion: int) -> np.ndarray:
    """Return how many moments of one kind each soldier has."""
    process = [p for p in stage.run.processes if p[2] == occasion]
    return np.bincount(process[0][1], minlength=stage.n) if process else np.zeros(stage.n, int)


def busy(**values: float) -> Stage:
    posting = np.zeros((DAYS, 3))
    posting[100:110, 0] = 0.5
    rates = {"opportunity.rate": 30} | values
    return Stage(6, rates, {"posting": posting}, n=1500, days=DAYS)


def test_postings_fall_on_their_days_and_on_soldiers_of_the_state() -> None:
    stage = busy()
    days, who, _ = next(p for p in stage.run.processes if p[2] == POSTING)
    assert set(days.tolist()) <= set(range(100, 110))
    assert (stage.force.state[who] == 0).all()
    count, at_post = moments_of(stage, POSTING), (stage.force.access & BORDER_POST) != 0
    home = stage.force.state == 0
    reach = stage.world["opportunity.posting_reach"]
    assert count[home & at_post].mean() == pytest.approx(5, rel=0.1)
    assert count[home & ~at_post].mean() == pytest.approx(5 * reach, rel=0.25)


@pytest.mark.parametrize(
    ("name", "kind"), [("rate", LEAVE_PASS), ("rate", ERRAND), ("posting_reach", POSTING)]
)
def test_a_higher_rate_only_adds_moments(name: str, kind: int) -> None:
    low, high = {"posting_reach": (0.1, 0.5)}.get(name, (5, 7))
    few, many = (moments_of(busy(**{f"opportunity.{name}": v}), kind) for v in (low, high))
    assert (few <= many).all()
    assert few.sum() < many.sum()
