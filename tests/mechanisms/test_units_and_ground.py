"""A country at war in which units go over whole: their ground counts, and nothing is lost on the way."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from breakrank import Case, load_case
from breakrank.engine.codes import SERVING
from breakrank.mechanisms.civil_war.dissolution import Straggling
from breakrank.mechanisms.civil_war.unit_defection import Commands, UnitDefection
from breakrank.mechanisms.journeys import Ground, Roads, bring_along, find_ways
from breakrank.model import Model, build
from tests.engine.by_hand import gone_on, gone_on_with, kept, same, told
from tests.mechanisms.whole_war import EASY, write_whole_war

SEED = 1
SPLIT = {
    **EASY,
    "preference.rank_loyalty": 0,
    "preference.rents_weight": 0.5,
    "fear.punishment_slope": 0.05,
    "unit_defection.baseline": 3,
}
"""Officers think as their men do, and seldom need a reason."""
BELIEVED = {
    "id": "believed",
    "date": "2025-01-01",
    "title": "The challenger is believed in",
    "assumed": "For a test.",
    "effects": [{"field": "credibility", "op": "add", "value": 0.4}],
}


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    folder = write_whole_war(tmp_path_factory.mktemp("cases") / "montara")
    return load_case(folder).set(SPLIT).with_events([BELIEVED])


@pytest.fixture(scope="module")
def model(case: Case) -> Model:
    return Model(case, build(case, SEED))


@pytest.mark.parametrize("day", [12, 55])
def test_a_run_kept_at_a_dusk_and_gone_on_with_is_the_uninterrupted_one(case: Case, day: int) -> None:
    short = case.until("2025-05-31")
    one, other = Model(short, build(short, SEED)), Model(short, build(short, SEED))
    run, observer = gone_on(one, one.world.days)
    expected = told(one, run, observer)
    assert run.view(Ground).changes > 3
    snapshot = kept(one, day)
    assert same(gone_on_with(one, snapshot), expected)
    assert same(gone_on_with(other, snapshot), expected)
    run, _ = snapshot.open(other.days)
    assert run.view(Ground).stands is run.view(Commands).stands


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.integers(0, 2**32),
    st.dictionaries(st.sampled_from(UnitDefection.parameters[1:]), st.floats(0, 1), max_size=5),
)
def test_whatever_the_values_everyone_is_somewhere_once(
    case: Case, seed: int, values: dict[Any, float]
) -> None:
    given = {p.name: p.low + x * (p.high - p.low) for p, x in values.items()}
    small = case.set({"force.strength": 900, **given}).until("2025-04-30")
    model = Model(small, build(small, seed))
    run, observer = gone_on(model, model.world.days)
    series, c, world = observer.series(run), run.view(Commands), model.world
    assert (series["fates"].sum(axis=1) == world.force.n).all()
    over = series["went_over_route"].sum(axis=1) + series["went_over_with_unit"]
    np.testing.assert_array_equal(over, series["went_over"])
    gone = series["units_over_state"].sum(axis=1)
    np.testing.assert_array_equal(gone, series["units_over_branch"].sum(axis=1))
    assert (series["units_with_opposition"].sum(axis=1) <= np.cumsum(gone)).all()
    assert series["units_with_opposition"][-1].sum() == (c.over >= 0).sum()
    stock = np.bincount(run.records.fate, minlength=len(world.fates))
    np.testing.assert_array_equal(stock, run.records.stock.sum(axis=1))
    assert not c.stands[c.over >= 0].any()
    for u in np.flatnonzero(c.over >= 0):
        assert run.records.fate[model.days.mechanisms[-1].leader[u]] != SERVING


def test_ground_that_units_brought_along_makes_ways_safer_and_others_feel_it(case: Case) -> None:
    alone = case.set(
        {"unit_defection.baseline": 30}
    )  # no unit goes by itself meanwhile, with ground of its own
    model = Model(alone, build(alone, SEED))
    run, observer = gone_on(model, 20)
    before, ground = run.view(Roads), run.view(Ground)
    capture, posts = before.capture.copy(), before.checkpoints.copy()
    border = model.world.state_ids.index("XX-B")
    taken = ground.taken.copy()
    taken[border] = 0.6
    bring_along(ground, 19, taken)
    model.days.go_on(run, observer, 20, 22)
    after = run.view(Roads)
    home = find_ways(model.world).home == border
    inland = after.inland
    assert (after.capture[home & ~inland] < 0.5 * capture[home & ~inland]).all()
    assert (after.checkpoints <= posts).all()
    assert (after.checkpoints < posts).any()
    assert run.view(Straggling).held is run.view(Ground).held
    assert run.view(Straggling).held[21, border] == pytest.approx(0.6)


def test_units_that_went_over_do_not_fight_and_lose_no_post(case: Case) -> None:
    fights = {**BELIEVED, "id": "fights", "effects": [{"field": "contact", "op": "set", "value": 1}]}
    quiet = {**BELIEVED, "id": "quiet", "effects": [{"field": "held", "op": "set", "value": 0}]}
    always = case.with_events([fights, quiet]).until("2025-03-31").set({"war.deaths": 0})
    model = Model(always, build(always, SEED))
    run, observer = gone_on(model, model.world.days)
    series, c = observer.series(run), run.view(Commands)
    guard = c.branch == model.world.branch_ids.index("guard")
    assert guard.any()
    over = np.cumsum(series["units_over_branch"], axis=0)
    assert over[-1].sum() > 3
    most = len(c.over) - np.concatenate(([0], over.sum(axis=1)[:-1]))
    assert (series["units_fighting"].sum(axis=1) <= most).all()
    all_guard = int(guard.sum())  # a guard of the largest duty fights every day
    here = series["units_fighting"].sum(axis=1)
    assert (here[:5] >= all_guard).all()
