"""What the challenger is believed: exiles under arms add to it, failure and neglect take."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine.codes import EV_UPRISING_COLLAPSED
from breakrank.engine.records import record
from breakrank.mechanisms.challenger import ARMY
from tests.engine.stage import Stage

seeds = st.integers(0, 2**32)
share = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))


@given(seeds, share, share)
def test_the_more_are_neglected_the_less_he_is_believed_and_something_is_left(
    seed: int, a: float, b: float
) -> None:
    left = []
    for dropped in sorted((a, b)):
        stage = Stage(seed, {"challenger.spent_by_neglect": 0.3}, {"credibility": 0.8, "recognition": 0})
        stage.run.open_day(3)
        challenger, town = stage.play["challenger"], stage.play["reception"].town
        challenger.dawn(stage.run)
        town.care[0], town.neglected[0] = 800, 800 * dropped
        challenger.dusk(stage.run)
        stage.run.open_day(4)
        challenger.dawn(stage.run)
        left.append(float(challenger.credit.today[0]))
    assert left[1] <= left[0] + 1e-12
    assert left[1] >= 0.8 / (1 + 0.3) - 1e-12


def test_a_failure_costs_the_more_the_more_was_hoped() -> None:
    cost = []
    for credible in (0.1, 0.9):
        stage = Stage(1, fields={"credibility": credible, "recognition": 0}, n=3)
        challenger, run = stage.play["challenger"], stage.run
        challenger.dawn(run)
        before = float(challenger.credit.today[0])
        record(run.records, 0, 0, EV_UPRISING_COLLAPSED, -1, -1, 1000.0)
        challenger.dusk(run)
        challenger.dawn(run)
        cost.append(1 - float(challenger.credit.today[0]) / before)
    assert 0 < cost[0] < cost[1] < 1


def test_exiles_under_arms_count_only_where_the_host_lets_them_arm() -> None:
    for arming in (0, 1):
        stage = Stage(1, {}, {"credibility": 0.3, "recognition": 0, "arming": arming}, n=3)
        stage.play["exile"].exiles.enlisted[0] = 500
        stage.play["challenger"].dawn(stage.run)
        doubt = 0.7 * (1 - ARMY) ** (0.5 * arming)
        assert stage.play["challenger"].credit.today[0] == pytest.approx(1 - doubt)
