"""Ground and men of units that went over: how it adds up, and what becomes of them where it is lost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank import Case
from breakrank.engine.codes import HIDING, IMPRISONED, SERVING
from breakrank.engine.observe import Observer
from breakrank.engine.run import Run
from breakrank.mechanisms.civil_war.cohesion import Units
from breakrank.mechanisms.civil_war.opposition import Insurgents
from breakrank.mechanisms.civil_war.unit_defection import (
    REFUSED,
    Commands,
    lose_units,
    take_units_over,
)
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.journeys import Ground, bring_along, is_lost
from breakrank.mechanisms.preference import Preferences, margins
from breakrank.model import Model, build
from tests.mechanisms.yemen import yemen

SEED = 2


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return yemen(tmp_path_factory.mktemp("cases") / "yemen").set({"force.strength": 1500})


def lived(case: Case, days: int = 40, **values: float) -> tuple[Model, Run]:
    changed = case.set({k.replace("__", "."): v for k, v in values.items()})
    model = Model(changed, build(changed, SEED))
    run = model.started(SEED, 0, True)
    model.days.begin(run)
    model.days.go_on(run, Observer(model.world), 0, days)
    run.open_day(days)
    return model, run


def test_of_those_who_do_not_follow_the_opposed_go_home_and_the_loyal_serve_on(case: Case) -> None:
    model, run = lived(case, 5, unit_defection__baseline=30.0, unit_defection__authority=0.0)
    c, log = run.view(Commands), run.records
    c.chosen[:] = True
    leaders, opposed, start = set(c.leader.tolist()), margins(run) > 0, int(log.cursor[0])
    run.make_room(8 * model.world.force.n)
    mind = run.view(Preferences), run.view(Grievances), run.view(Units)
    take_units_over(run.now, c, *mind, run.view(Insurgents), log)
    rows = slice(start, int(log.cursor[0]))
    refused = set(log.who[rows][log.event[rows] == model.world.event(REFUSED)].tolist()) - leaders
    home, stay = ([i for i in refused if opposed[i] == yes] for yes in (True, False))
    assert min(len(home), len(stay)) > 20
    assert set(log.fate[home]) == {HIDING}
    assert set(log.fate[stay]) == {SERVING}
    assert (c.over == run.day).sum() > 5
    assert log.stock.sum() == model.world.force.n


def test_units_of_a_formation_follow_the_one_that_commands_it(case: Case) -> None:
    model, run = lived(case, 5, unit_defection__baseline=30.0, unit_defection__authority=8.0)
    c, mind = run.view(Commands), (run.view(Preferences), run.view(Grievances), run.view(Units))
    formation = model.world.force.units.formation
    heads = np.flatnonzero(np.diff(formation, prepend=-1))
    c.chosen[heads[::2]] = True
    run.make_room(8 * model.world.force.n)
    take_units_over(run.now, c, *mind, run.view(Insurgents), run.records)
    over = np.flatnonzero(c.over == run.day)
    assert set(formation[over]) <= set(formation[heads[::2]])
    assert len(over) > 2 * len(heads[::2])


def test_of_those_whose_ground_is_taken_back_some_are_taken_and_the_others_hide(case: Case) -> None:
    values = {"opposition.taken": 0.4, "opposition.deaths": 0, "unit_defection.baseline": 10}  # many go over
    model, run = lived(case.set(values), 70)
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
