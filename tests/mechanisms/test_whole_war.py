"""A country at war that uses all at once: everyone is counted once, and each host has its own."""

from typing import Any

import numpy as np
import pytest

from breakrank import Case, Result, load_case, simulate
from breakrank.engine.codes import EV_CROSSED, EV_LODGED, EV_REGISTERED, EV_SENT
from breakrank.model import Model, Replicate, build
from breakrank.results.measures import measure
from tests.mechanisms.whole_war import EASY, write_whole_war

RUNS, SEED = 2, 1
NORTH, SOUTH = ["old-bridge", "hill-trail"], ["south-pass", "police-boat"]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return load_case(write_whole_war(tmp_path_factory.mktemp("cases") / "montara"))


@pytest.fixture(scope="module")
def result(case: Case) -> Result:
    return simulate(case, runs=RUNS, seed=SEED, workers=1)


@pytest.fixture(scope="module")
def lived(case: Case) -> tuple[Model, Replicate]:
    easy = case.set({k: v for k, v in EASY.items() if not k.startswith("war.")})
    model = Model(easy, build(easy, SEED))
    return model, model.replicate(SEED, 0, log=True)


def total(result: Result, name: str, **by: Any) -> int:
    return int(measure(result.data, name, by=by or None).sum())


def test_everyone_stands_somewhere_and_every_part_of_it_happens(case: Case, result: Result) -> None:
    assert (result.data["fates"].sum("fate") == case.force.strength).all()
    for name in (
        "posts_lost",
        "surrendered_in_field",
        "killed_in_field",
        "went_over",
        "left_as_units_came_apart",
    ):
        assert total(result, name) > 0, name
    for way in (NORTH, SOUTH):
        assert total(result, "on_register", route=way) > 0
    assert total(result, "on_register", route="hill-region") == 0  # it keeps none
    before = result.data["registered_at_home"].sel(day=slice(None, "2025-05-31")).sum()
    assert total(result, "registered_at_home") > 3 * before  # the later register opens in August


def test_nobody_is_lodged_in_a_country_that_he_did_not_reach(
    case: Case, lived: tuple[Model, Replicate]
) -> None:
    model, log = lived[0], lived[1].events
    states, ways = len(model.world.state_ids), len(case.crossings)
    country = [c.country for c in case.crossings] + [s.country for s in case.sites]
    went = {}
    for event, who, place in zip(log["event"], log["soldier"], log["place"] - states, strict=True):
        if event in (EV_CROSSED, EV_SENT):
            went[who] = country[place]
        elif event == EV_LODGED:
            assert place >= ways
            assert country[place] == went[who]
    lodged = log["place"][log["event"] == EV_LODGED] - states
    assert {country[place] for place in lodged} == {"Norlund", "Sudmark"}


def test_each_host_counts_those_who_present_themselves_while_it_keeps_a_register(
    case: Case, lived: tuple[Model, Replicate]
) -> None:
    log, counted = lived[1].events, lived[1].series["on_register"].sum(axis=2)
    came = log["event"] == EV_REGISTERED
    day, way = log["day"][came], log["place"][came] - len(case.force.states)  # places are states, then routes
    kept = case.daily("register")[day, way] > 0
    expected = np.zeros(counted.shape, int)
    np.add.at(expected, (day[kept], way[kept]), 1)
    np.testing.assert_array_equal(counted, expected)
    assert 0 < kept.sum() < len(kept)


def test_without_registers_of_their_own_hosts_receive_as_they_did(case: Case, result: Result) -> None:
    off = simulate(case.set({"registers.on": 0}), runs=RUNS, seed=SEED, workers=1).data
    assert int(off["on_register"].sum()) == 0
    for name in set(off.data_vars) - {"on_register"}:
        assert off[name].equals(result.data[name]), name


def test_a_way_of_one_service_is_taken_by_its_ranks_only(case: Case, lived: tuple[Model, Replicate]) -> None:
    model, log = lived[0], lived[1].events
    boat = len(model.world.state_ids) + case.crossings.position("police-boat")
    by_boat = (log["event"] == EV_CROSSED) & (log["place"] == boat)
    ranks = model.world.force.rank[[model.world.force.position(int(w)) for w in log["soldier"][by_boat]]]
    assert {model.world.rank_ids[rank] for rank in ranks} <= {"constable", "inspector"}
    assert by_boat.sum() > 5
