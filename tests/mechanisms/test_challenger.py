"""What the challenger is believed, told plainly: exiles under arms add to it, failure and neglect take."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.codes import EV_CONFIDED, EV_RISING_COLLAPSED, EV_RISING_STALEMATE, EV_RISING_WON
from breakrank.engine.records import record
from tests.engine.stage import Stage
from tests.mechanisms.plain import set_the_mood

seeds = st.integers(0, 2**32)
share = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))
FAILED = (EV_RISING_COLLAPSED, EV_RISING_STALEMATE)


@settings(max_examples=60, deadline=None)
@given(seeds, share, share, share, share, st.integers(1, 400))
def test_credit_agrees_with_a_plain_reckoning(
    seed: int, credible: float, failure: float, neglect: float, army: float, memory: int
) -> None:
    values = {
        "challenger.spent_by_failure": failure,
        "challenger.spent_by_neglect": neglect,
        "comrades.memory": memory,
        "exile.army": army,
    }
    arming = np.arange(30) % 2
    stage = Stage(seed, values, {"credibility": credible, "arming": arming, "recognition": 0})
    set_the_mood(stage)
    run, rng, challenger, world = stage.run, stage.rng, stage.play["challenger"], stage.world
    town = stage.play["reception"].town
    against = care = 0.0
    half = world["rising.noticed"] * world.scale
    for _ in range(6):
        enlisted = int(rng.integers(0, 3000))
        stage.play["exile"].exiles.enlisted[0] = enlisted
        challenger.dawn(run)
        doubt = (1 - credible) * (1 - army * arming[run.day]) ** (enlisted / 1000 / world.scale)
        today = (1 - doubt) / (1 + against)
        assert challenger.credit.today[0] == pytest.approx(today, abs=1e-12)
        town.care[0], town.neglected[0] = rng.integers(0, 900), rng.choice([0, 0, 5, 700])
        against = against * math.exp(-1 / memory) + world["challenger.spent_by_waiting"] * today
        care = max(care, float(town.care[0]), float(town.neglected[0]))
        against += neglect * float(town.neglected[0]) / (care + half) * today
        for _ in range(int(rng.integers(0, 4))):
            event, size = int(rng.choice([*FAILED, EV_RISING_WON, EV_CONFIDED])), int(rng.integers(1, 5000))
            record(run.records, run.day, 0, event, -1, -1, float(size))
            if event in FAILED:
                against += failure * size / (half + size) * today
        challenger.dusk(run)
        run.open_day(run.day + 1)


@settings(max_examples=60, deadline=None)
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
        record(run.records, 0, 0, EV_RISING_COLLAPSED, -1, -1, 1000.0)
        challenger.dusk(run)
        challenger.dawn(run)
        cost.append(1 - float(challenger.credit.today[0]) / before)
    assert 0 < cost[0] < cost[1] < 1


def test_exiles_under_arms_count_only_where_the_host_lets_them_arm() -> None:
    for arming in (0, 1):
        stage = Stage(1, {"exile.army": 0.2}, {"credibility": 0.3, "recognition": 0, "arming": arming}, n=3)
        stage.play["exile"].exiles.enlisted[0] = 500
        stage.play["challenger"].dawn(stage.run)
        assert stage.play["challenger"].credit.today[0] == pytest.approx(1 - 0.7 * 0.8 ** (0.5 * arming))
