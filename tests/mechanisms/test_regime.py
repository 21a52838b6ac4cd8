"""The regime's reactions, held to their budgets, and what its challenger is believed."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine import codes
from breakrank.engine.codes import EV_UPRISING_COLLAPSED
from breakrank.engine.records import record
from breakrank.mechanisms.challenger import ARMY
from breakrank.mechanisms.regime import ALARM_MEMORY, GRAIN, RISES_A_YEAR
from tests.engine.plain_books import rows
from tests.engine.stage import Stage
from tests.mechanisms.plain import tier, ties

seeds = st.integers(0, 2**32)
HAPPENS = (
    codes.EV_TAPPED,
    codes.EV_NAMED,
    codes.EV_REPORTED,
    codes.EV_DESERTED,
    codes.EV_LEFT,
    codes.EV_SHOCK,
)
RISES = (codes.EV_ROSE, codes.EV_FOLLOWED, codes.EV_UPRISING_COLLAPSED, codes.EV_UPRISING_STALEMATE)


def a_day(stage: Stage, day: int, busy: float) -> None:
    """Open a day on which all kinds of things happen."""
    run, rng = stage.run, stage.rng
    run.open_day(day)
    run.make_room(200)
    stage.play["regime"].dawn(run)
    for _ in range(int(rng.integers(0, 9))):
        who, other = rng.integers(0, stage.n, 2)
        value = float(rng.integers(-1, 2))
        record(run.records, day, int(who), int(rng.choice(HAPPENS)), int(rng.integers(4)), int(other), value)
    if rng.random() < busy:
        for event in rng.choice(RISES, 5):
            record(
                run.records, day, int(rng.integers(stage.n)), int(event), -1, -1, float(rng.integers(1, 90))
            )


def knobs(**values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, float]]:
    return st.fixed_dictionaries({f"regime.{name}": value for name, value in values.items()})


reactions = knobs(alarm_uprising=st.floats(0, 3), pay_step=st.floats(0, 0.5), purge=st.floats(0, 0.5))


@given(seeds, reactions, st.floats(0, 3), st.floats(0, 0.3), st.sampled_from([0, 330]))
def test_whatever_happens_the_regime_keeps_to_its_means_and_purges_officers_tied_to_those_who_rose(
    seed: int, values: dict[str, float], usual: float, busy: float, first: int
) -> None:
    stage = Stage(seed, values, {"surveillance": usual}, days=first + 70)
    regime, before = stage.play["regime"], (0.0, 1.0, 0.0)
    for day in range(first, first + 70):
        a_day(stage, day, busy)
        assert usual - GRAIN <= regime.watch.today[0]
        assert regime.watch.today[0] <= usual * 2 + GRAIN
        regime.dusk(stage.run)
        assert 0 <= regime.reaction.alarm <= 1
        assert regime.reaction.rises <= RISES_A_YEAR * (1 + (day > 365))
        after = (float(regime.reaction.rises), regime.watch.raised.min(), regime.watch.perks.min())
        assert all(b >= a for a, b in zip(before, after, strict=True)), "nothing is taken back"
        before = after
    for _, i, event, _, whom, _ in rows(stage.run.records):
        if event == codes.EV_DISCHARGED:
            assert tier(stage, i) >= 2
            assert whom in ties(stage, i)


@pytest.mark.parametrize("found", [1, 10, 100])
def test_a_plot_found_out_alarms_a_little_as_one_who_rose_and_is_not_forgotten_the_next_day(
    found: int,
) -> None:
    stage = Stage(1, {"regime.alarm_uprising": 0.1}, n=9)
    regime = stage.play["regime"]
    stage.run.open_day(0)
    stage.run.make_room(found)
    for _ in range(found):
        record(stage.run.records, 0, 0, codes.EV_TAPPED, -1, -1, 0.0)
    regime.dusk(stage.run)
    first = float(regime.reaction.alarm)
    assert first == pytest.approx(0.1 * found / (found + regime.reaction.noticed))
    stage.run.open_day(1)
    regime.dusk(stage.run)
    assert regime.reaction.alarm == pytest.approx(first * math.exp(-1 / ALARM_MEMORY))


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
