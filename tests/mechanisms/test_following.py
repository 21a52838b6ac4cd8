"""Who follows a commander to the other side: the kernels agree with plain loops, to the last soldier."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank import Case
from breakrank.draws import NOBODY, decision, uniform
from breakrank.engine.codes import EV_DESERTED, HIDING, IMPRISONED, SERVING
from breakrank.engine.moments import Moment
from breakrank.engine.observe import Observer
from breakrank.engine.run import Run
from breakrank.mechanisms.cohesion import Units
from breakrank.mechanisms.following import (
    RETAKEN,
    Commands,
    lose_units,
    share_following,
    share_inclined,
    take_units_over,
)
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.ground import Ground, bring_along, is_lost
from breakrank.mechanisms.opposition import Insurgents
from breakrank.mechanisms.preference import Preferences
from breakrank.mechanisms.unit_defection import _call, _ground_falls, _men
from breakrank.mechanisms.unit_defection_parameters import NOT_FOLLOWED, REFUSED, TOOK_OVER
from breakrank.model import Model, build
from tests.mechanisms.plain_following import PlainFollowing, chance
from tests.mechanisms.yemen import yemen

SEED = 2
_CALLED, _FALLS = int(decision("unit_defection.called")), int(decision("unit_defection.falls"))


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return yemen(tmp_path_factory.mktemp("cases") / "yemen").set({"force.strength": 1500})


def lived(case: Case, days: int = 40, **values: float) -> tuple[Model, Run]:
    changed = case.set({k.replace("__", "."): v for k, v in values.items()})
    model = Model(changed, build(changed, SEED))
    run = model._run(SEED, 0, True)
    model.days.begin(run)
    model.days.go_on(run, Observer(model.world), 0, days)
    run.open_day(days)
    return model, run


def tables(run: Run) -> tuple[Commands, Preferences, Grievances, Units]:
    return run.view(Commands), run.view(Preferences), run.view(Grievances), run.view(Units)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.floats(0, 1), st.floats(-4, 4), st.floats(0, 4), st.floats(0.05, 1))
def test_units_are_taken_over_as_told_plainly(
    case: Case, luck: int, eager: float, authority: float, comrades: float, needed: float
) -> None:
    values = {"unit_defection.habit": 30.0, "unit_defection.authority": authority}
    values |= {"unit_defection.comrades_weight": comrades, "unit_defection.needed": needed}
    model, run = lived(case.set(values), 5)
    rng, c = np.random.default_rng(luck), run.view(Commands)
    c.chosen[:] = rng.random(len(c.chosen)) < eager
    c.stands[rng.random(len(c.stands)) < 0.1] = False
    c.over[rng.random(len(c.over)) < 0.1] = 3
    before = c.over.copy()
    run.records.fate[rng.random(model.world.force.n) < 0.1] = HIDING
    plain = PlainFollowing(run).all()
    run.make_room(8 * model.world.force.n)
    start = int(run.records.cursor[0])
    failed = take_units_over(run.now, *tables(run), run.view(Insurgents), run.records)
    log, world = run.records, model.world
    rows = slice(start, int(log.cursor[0]))

    def who(event: int) -> list[int]:
        return log.who[rows][log.event[rows] == event].tolist()

    assert failed.tolist() == sorted(plain.failed)
    assert np.flatnonzero((c.over == run.day) & (before != run.day)).tolist() == sorted(plain.over)
    assert np.flatnonzero(log.fate == world.fate("opposition")).tolist() == sorted(plain.with_them)
    assert sorted(who(world.event(REFUSED))) == sorted(plain.refused)
    assert sorted(who(EV_DESERTED)) == sorted(plain.went_home)
    assert sorted(who(world.event(TOOK_OVER))) == sorted(int(c.leader[u]) for u in plain.over)
    assert sorted(who(world.event(NOT_FOLLOWED))) == sorted(plain.failed)
    assert set(np.flatnonzero(log.fate == SERVING).tolist()) == plain.serves
    assert c.by_state[run.day].sum() == c.by_branch[run.day].sum() == len(plain.over)
    assert not c.chosen.any()
    assert not c.stands[plain.over].any()


def test_a_commander_knows_his_men_as_far_as_told(case: Case) -> None:
    model, run = lived(case)
    plain, (c, p, g, units) = PlainFollowing(run), tables(run)
    for u in range(0, len(c.leader), 3):
        given = c, p, g, units, run.records, run.day, u
        own = [chance(plain.by_himself(i)) for i in plain.men(u)]
        assert share_inclined(*given) == pytest.approx(np.mean(own) if own else 0.0, abs=1e-12)
        following = plain.share(u) if own else 0.0
        assert share_following(*given) == pytest.approx(following, abs=1e-12)
        i = int(c.leader[u])
        at = Moment(run.day, i, 0, -1, int(model.world.force.rank[i]), u, int(c.state[u]), 0, 0.0)
        expected = c.men_weight * (c.known * following + (1 - c.known) * 0.3 - c.needed)
        assert _men(at, c, p, g, units, run.records, 0.3) == pytest.approx(expected, abs=1e-12)


def test_who_is_called_and_whose_ground_falls_as_told_plainly(case: Case) -> None:
    _, run = lived(case, 49)  # the 22nd of March
    c, log = run.view(Commands), run.records
    rng = np.random.default_rng(0)
    c.over[rng.random(len(c.over)) < 0.3] = run.day - 1
    c.fresh[:] = run.day - 1, -9
    c.retaken[run.day] = 0.5, 0.2

    def draw(name: int, who: int) -> float:
        return uniform(run.key, name, who, int(NOBODY), run.day)

    called, falls = [], []
    for u, leader in enumerate(c.leader):
        told = c.calls[run.day, c.state[u], c.branch[u]]
        likely = max(told, c.hears) if c.fresh[c.state[u]] == run.day - 1 else told
        leads = c.over[u] == -1 and c.stands[u] and log.fate[leader] == SERVING
        if leads and draw(_CALLED, int(log.identity[leader])) < likely:
            called.append(int(leader))
        if c.over[u] >= 0 and draw(_FALLS, u) < c.retaken[run.day, c.state[u]]:
            falls.append(u)
    assert _call(run.now, c, log) == bool(called)
    assert c.called[: c.count[0]].tolist() == called
    assert len(called) > 5
    assert _ground_falls(run.now, c) == bool(falls)
    assert np.flatnonzero(c.falls).tolist() == np.flatnonzero(c.over == RETAKEN).tolist() == falls


def test_of_those_whose_ground_is_taken_back_some_are_taken_and_the_others_hide(case: Case) -> None:
    model, run = lived(case.set({"opposition.taken": 0.4, "opposition.deaths": 0}), 70)
    c, log, world = run.view(Commands), run.records, model.world
    there = np.flatnonzero((log.fate == world.fate("opposition")) & (run.view(Insurgents).place < 0))
    falls = np.unique(world.force.unit[there])[::2]
    c.falls[falls] = True
    run.make_room(world.force.n)
    lose_units(run.now, c, run.view(Insurgents), log)
    mine = np.isin(world.force.unit[there], falls)
    assert set(log.fate[there[~mine]]) == {world.fate("opposition")}
    away = log.fate[there[mine]]
    assert len(away) > 40
    assert (away == HIDING).mean() == pytest.approx(0.6, abs=0.15)
    assert world.fate("opposition") not in away
    assert IMPRISONED not in away
    assert not c.falls.any()


@given(st.integers(0, 2**32))
def test_ground_adds_up_as_parts_that_know_nothing_of_each_other(luck: int) -> None:
    rng = np.random.default_rng(luck)
    stated, taken = np.round(rng.random((6, 3)), 1), rng.random(3)
    ground = Ground(stated, stated.copy(), np.zeros(3), 0, np.ones(4, bool), rng.random(4))
    bring_along(ground, 2, taken)
    for day in range(6):
        for s in range(3):
            held = stated[day, s]
            if day > 2:
                held = round(1 - (1 - stated[day, s]) * (1 - taken[s]), 1)
                assert held >= stated[day, s] - 0.05
            assert ground.held[day, s] == pytest.approx(held, abs=1e-12)
            for u in range(4):
                lost = stated[day, s] >= ground.place[u] or ground.held[day, s] >= 1
                assert is_lost(ground, day, s, u) == lost
    assert ground.changes == 1
