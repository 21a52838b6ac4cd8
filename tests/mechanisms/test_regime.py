"""The regime's reactions, held to their budgets: alarm, pay and perks, purges, closures."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine import codes
from breakrank.engine.records import record
from tests.engine.plain_books import rows
from tests.engine.stage import CROSSINGS, Stage
from tests.mechanisms.plain import tier, ties

seeds = st.integers(0, 2**32)
CLOSABLE = [c.kind != "embassy" for c in CROSSINGS]
HAPPENS = (
    codes.EV_TAPPED,
    codes.EV_NAMED,
    codes.EV_REPORTED,
    codes.EV_CROSSED,
    codes.EV_DESERTED,
    codes.EV_LEFT,
    codes.EV_SHOCK,
)
RISES = (codes.EV_ROSE, codes.EV_FOLLOWED, codes.EV_RISING_COLLAPSED, codes.EV_RISING_STALEMATE)


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


reactions = knobs(
    alarm_plot=st.floats(0, 1),
    alarm_rising=st.floats(0, 3),
    alarm_memory=st.floats(1, 100),
    effort_budget=st.floats(0, 3),
    pay_step=st.floats(0, 0.5),
    perk_step=st.floats(0, 0.2),
    pay_budget=st.floats(0, 3),
    pay_trigger=st.floats(0, 3000),
    purge=st.floats(0, 0.5),
    closure=st.floats(1, 12),
    closure_days=st.floats(0, 9),
)


@given(seeds, reactions, st.floats(0, 3), st.floats(0, 0.3), st.sampled_from([0, 330]))
def test_whatever_happens_the_regime_keeps_to_its_means_and_purges_officers_tied_to_those_who_rose(
    seed: int, values: dict[str, float], usual: float, busy: float, first: int
) -> None:
    stage = Stage(seed, values, {"surveillance": usual}, days=first + 70)
    regime, before = stage.play["regime"], (0.0, 1.0, 0.0)
    for day in range(first, first + 70):
        a_day(stage, day, busy)
        assert usual - 0.025 <= regime.watch.today[0]
        assert regime.watch.today[0] <= usual * (1 + values["regime.effort_budget"]) + 0.025 + 1e-9
        regime.dusk(stage.run)
        assert 0 <= regime.reaction.alarm <= values["regime.effort_budget"]
        assert regime.reaction.spent <= values["regime.pay_budget"] * (1 + (day > 365))
        after = (float(regime.reaction.spent), regime.watch.raised.min(), regime.watch.perks.min())
        assert all(b >= a for a, b in zip(before, after, strict=True)), "nothing is taken back"
        before = after
    for _, i, event, _, whom, _ in rows(stage.run.records):
        if event == codes.EV_DISCHARGED:
            assert tier(stage, i) >= 2
            assert whom in ties(stage, i)


def test_the_alarm_fades_to_37_percent_in_the_time_given_and_then_goes_out() -> None:
    values = {"alarm_memory": 20, "alarm_rising": 2, "effort_budget": 9}
    stage = Stage(1, {f"regime.{k}": v for k, v in values.items()}, n=9, days=200)
    regime, alarms = stage.play["regime"], []
    for day in range(200):
        stage.run.open_day(day)
        regime.dawn(stage.run)
        if day == 0:
            record(stage.run.records, 0, 0, codes.EV_RISING_COLLAPSED, -1, -1, 1e6)
        regime.dusk(stage.run)
        alarms.append(regime.reaction.alarm)
    assert alarms[20] / alarms[0] == pytest.approx(math.exp(-1))
    assert alarms == sorted(alarms, reverse=True)
    assert alarms[-1] == 0
    assert stage.run.measured["watch"][-1] == 1


def test_a_closure_begins_the_next_day_and_lasts_as_long_as_said() -> None:
    stage = Stage(1, {"regime.closure": 5, "regime.closure_days": 4}, n=9)
    regime, shut = stage.play["regime"], []
    for day in range(20):
        stage.run.open_day(day)
        regime.dawn(stage.run)
        shut.append(regime.watch.closed.tolist())
        for _ in range(6 if day == 3 else 0):
            for route in range(4):
                record(stage.run.records, day, 0, codes.EV_CROSSED, route, -1, 0.0)
        regime.dusk(stage.run)
    # every way but an embassy's door can be closed or guarded; the crowd of a day counts for a week
    days = [day for day in range(20) if shut[day] != [False] * 4]
    assert all(shut[day] == CLOSABLE for day in days)
    assert days == list(range(4, 3 + 7 + 4))
