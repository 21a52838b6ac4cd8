"""An uprising: what commanders weigh, what the log says of them, how it ends, and who pays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine import codes
from breakrank.mechanisms.comrades import Expectations
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.plot_life import MEMBER, Plots
from breakrank.mechanisms.preference import Preferences
from breakrank.mechanisms.uprising import surrender, tell_sides, weigh_joining_in
from tests.engine.stage import Stage
from tests.mechanisms.plain import column, set_the_mood
from tests.mechanisms.plain_plots import people, some_plots

seeds = st.integers(0, 2**32)


@given(seeds, st.floats(0.1, 5), st.floats(0.1, 5))
def test_what_there_is_to_lose_holds_commanders_back_and_what_there_is_to_gain_moves_them(
    seed: int, loss: float, more: float
) -> None:
    stage = Stage(seed)
    set_the_mood(stage)
    stage.any_fates(0.8)
    run, sides = stage.run, stage.play["uprising"]._sides()
    minds = run.view(Preferences), run.view(Grievances), run.view(Expectations)

    def weighed(loss: float, gain: float) -> tuple[np.ndarray, np.ndarray]:
        found = np.full(len(sides.leader), np.nan), np.full(len(sides.leader), np.nan)
        by_rank = np.full(len(stage.world.tier), loss)
        weigh_joining_in(run.records, run.day, sides, *minds, by_rank, gain, *found)
        return found

    threshold, belief = weighed(loss, 2.0)
    assert ((threshold >= 0) & (threshold <= 1) & (belief >= 0) & (belief <= 1)).all()
    assert (weighed(loss + more, 2.0)[0] >= threshold).all()
    assert (weighed(loss, 2.0 + more)[0] <= threshold).all()
    serves = np.array([c >= 0 and run.records.fate[c] == codes.SERVING for c in sides.leader])
    assert (threshold[~serves] == 1).all()
    assert not belief[~serves].any()
    # loyalty weighs against a success
    stage.play["preference"].view.disposition[:] += 1  # all are more opposed
    assert (weighed(loss, 2.0)[0] <= threshold).all()


def test_the_log_says_who_joined_who_refused_and_who_broke_his_word() -> None:
    stage = Stage(5, n=40)
    run, sides = stage.run, stage.play["uprising"]._sides()
    sides.leader[:] = range(4)
    sides.joined[:], sides.refused[:], sides.pledged[:] = (2, -1, -1, 0), (-1, 1, -1, -1), (1, 0, 1, 1)
    records = stage.records
    tell_sides(run.records, run.day, 9, 8, sides)
    for who, event, value in ((0, codes.EV_ROSE, 2), (1, codes.EV_REFUSED, 1), (2, codes.EV_RENEGED, 8)):
        records.record(run.day, who, event, other=9, value=value)
    records.assert_same(run.records)


@pytest.mark.parametrize(
    ("occasion", "choice", "ends"),
    [
        (codes.DEFEATED, codes.STAY, codes.DETAINED),
        (codes.DEFEATED, codes.REPORT, codes.DETAINED),  # naming somebody does not spare him
        (codes.DEFEATED, codes.DESERT, codes.SERVING),  # others see to those who go
        (codes.DEFEATED, codes.LEAVE, codes.SERVING),
        (codes.WARNED, codes.STAY, codes.SERVING),
    ],
)
def test_after_a_failed_uprising_whoever_stays_surrenders(occasion: int, choice: int, ends: int) -> None:
    stage = Stage(1, n=3)
    records = stage.records
    moments = stage.moments(np.array([1], np.int32), occasion)
    moments.choice[:] = choice
    surrender(stage.run.now, moments, stage.run.records)
    if ends == codes.DETAINED:
        records.move(0, 1, codes.DETAINED, codes.EV_SURRENDERED)
    records.assert_same(stage.run.records)
    assert stage.run.records.fate.tolist() == [codes.SERVING, ends, codes.SERVING]


def launched(stage: Stage, table: Plots, plots: list[int]) -> list[int]:
    """Let plots rise today; return the positions of all who serve and are members of them."""
    table.used[3] = len(plots)
    table.launching[: len(plots)], table.aim[plots] = plots, codes.RISE
    stage.play["uprising"].rise(stage.run)
    rows = [r for k in plots for r in people(table, k) if table.role[r] == MEMBER]
    return sorted({int(table.member[r]) for r in rows})


@given(seeds)
def test_a_uprising_for_which_everyone_is_willing_wins(seed: int) -> None:
    values = {"uprising.loss": 0, "preference.rents_weight": 0, "uprising.noticed": 0.1}
    values |= {"preference.opposed_at_start": 0.999, "uprising.follow": 1, "uprising.strength_spread": 0}
    stage = Stage(seed, values | {"uprising.strength": 1})
    set_the_mood(stage)
    column(stage, "preference.disposition")[:] = 50  # nobody is loyal
    table = some_plots(stage)
    stage.play["uprising"].call[:] = 1  # all hear of it
    launched(stage, table, [0])
    assert stage.run.fallen == stage.run.day
    assert column(stage, "uprising.rose").all()
    assert (stage.run.records.fate == codes.SERVING).all()
    assert stage.run.calls == []


@given(seeds, st.floats(0, 1))
def test_a_uprising_that_nobody_joins_collapses_and_everyone_in_it_pays(seed: int, taken: float) -> None:
    stage = Stage(seed, {"uprising.strength": 2, "uprising.strength_spread": 0, "uprising.taken": taken})
    set_the_mood(stage)
    table = some_plots(stage)
    launched(stage, table, [0])
    run = stage.run
    rose = np.flatnonzero(column(stage, "uprising.rose")).tolist()
    assert run.fallen < 0
    assert int(run.tables["uprising_size"][run.day]) == len(rose)
    called = [i for who, why, _ in run.calls for i in who.tolist() if why == codes.DEFEATED]
    held = [i for i in rose if run.records.fate[i] == codes.DETAINED]
    assert sorted(called + held) == rose
    assert all(column(stage, "routes.hunted")[i] for i in rose)
