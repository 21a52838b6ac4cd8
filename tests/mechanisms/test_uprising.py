"""The inner loops of a rising, told plainly: who is out first, what commanders weigh, who comes along."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine.codes import (
    DEFEATED,
    DESERT,
    DETAINED,
    EV_SURRENDERED,
    LEAVE,
    REPORT,
    SERVING,
    STAY,
    WARNED,
)
from breakrank.mechanisms.plot_table import MEMBER, Launches, Plots
from breakrank.mechanisms.uprising import (
    surrender,
)
from tests.engine.stage import Stage
from tests.mechanisms.plain import column, set_the_mood
from tests.mechanisms.plain_plots import people, some_plots

seeds = st.integers(0, 2**32)


@pytest.mark.parametrize(
    ("occasion", "choice", "ends"),
    [
        (DEFEATED, STAY, DETAINED),
        (DEFEATED, REPORT, DETAINED),  # naming somebody does not spare him
        (DEFEATED, DESERT, SERVING),  # others see to those who go
        (DEFEATED, LEAVE, SERVING),
        (WARNED, STAY, SERVING),
    ],
)
def test_after_a_failed_rising_whoever_stays_surrenders(occasion: int, choice: int, ends: int) -> None:
    stage = Stage(1, n=3)
    records = stage.records
    moments = stage.moments(np.array([1], np.int32), occasion)
    moments.choice[:] = choice
    surrender(stage.run.now, moments, stage.run.records)
    if ends == DETAINED:
        records.move(0, 1, DETAINED, EV_SURRENDERED)
    records.assert_same(stage.run.records)
    assert stage.run.records.fate.tolist() == [SERVING, ends, SERVING]


def launched(stage: Stage, table: Plots, plots: list[int]) -> list[int]:
    """Let plots rise today; return the positions of all who serve and are members of them."""
    stage.run.share(Launches(np.array(plots, np.int32), len(plots)))
    stage.play["rising"].rise(stage.run)
    rows = [r for k in plots for r in people(table, k) if table.role[r] == MEMBER]
    return sorted({int(table.member[r]) for r in rows})


@given(seeds)
def test_a_rising_for_which_everyone_is_willing_wins(seed: int) -> None:
    values = {"rising.loss": 0, "preference.rents_weight": 0, "rising.command": 0, "rising.sight": 0}
    values |= {"preference.opposed_at_start": 0.999, "rising.follow": 1, "rising.strength_spread": 0}
    stage = Stage(seed, values | {"rising.strength": 1, "rising.reach": 100})
    set_the_mood(stage)
    column(stage, "preference.disposition")[:] = 50  # nobody is loyal
    table = some_plots(stage)
    launched(stage, table, [0])
    assert stage.run.fallen == stage.run.day
    assert column(stage, "rising.rose").all()
    assert (stage.run.records.fate == SERVING).all()
    assert stage.run.calls == []


@given(seeds, st.floats(0, 1))
def test_a_rising_that_nobody_joins_collapses_and_everyone_in_it_pays(seed: int, taken: float) -> None:
    stage = Stage(seed, {"rising.strength": 2, "rising.strength_spread": 0, "rising.taken": taken})
    set_the_mood(stage)
    table = some_plots(stage)
    launched(stage, table, [0])
    run = stage.run
    rose = np.flatnonzero(column(stage, "rising.rose")).tolist()
    assert run.fallen < 0
    assert int(run.tables["rising_size"][run.day]) == len(rose)
    called = [i for who, why, _ in run.calls for i in who.tolist() if why == DEFEATED]
    held = [i for i in rose if run.records.fate[i] == DETAINED]
    assert sorted(called + held) == rose
    assert all(column(stage, "ways_out.hunted")[i] for i in rose)
