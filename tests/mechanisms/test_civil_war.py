"""An opposition inside the country, a war, and who an army is made of: what must hold, signs, and errors."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from breakrank import Case, Result, load_case, simulate
from breakrank.engine.codes import EV_CROSSED, EV_DECLARED, EV_DESERTED, EV_LEFT, EV_WENT_OVER
from breakrank.engine.observe import Observer
from breakrank.engine.records import event_columns
from breakrank.errors import CaseError
from breakrank.mechanisms.civil_war.opposition import TURNED_AWAY
from breakrank.mechanisms.civil_war.war import BROKE_OUT, SURRENDERED
from breakrank.mechanisms.journeys import find_ways, held_by_opposition
from breakrank.mechanisms.preference import margins
from breakrank.model import Model, build
from tests.mechanisms import files
from tests.mechanisms.civil_war import EASY, civil_war, write_civil_war
from tests.mechanisms.whole_war import write_whole_war
from tests.new_cases import without_priors

RUNS, SEED = 4, 3
OFF = {"opposition.on": 0, "war.on": 0, "composition.on": 0, "cohesion.on": 0}


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return civil_war(tmp_path_factory.mktemp("cases") / "montara")


@pytest.fixture(scope="module")
def result(case: Case) -> Result:
    return simulate(case, runs=RUNS, seed=SEED, workers=1)


def total(result: Result, variable: str, **at: Any) -> int:
    found = result.data[variable].sel(**at)
    return int(found.sum())


def changed(case: Case, **values: float) -> Result:
    return simulate(
        case.set({k.replace("__", "."): v for k, v in values.items()}), runs=RUNS, seed=SEED, workers=1
    )


def test_no_place_holds_more_than_it_can_or_anyone_while_it_is_not_held(result: Result) -> None:
    held = result.data["with_opposition"]
    assert held.sel(route="hill-band").max() <= 12
    shut = (held["day"] < np.datetime64("2025-02-01")) | (held["day"] > np.datetime64("2025-04-30"))
    assert held.sel(route="free-coast").max() > 0
    assert held.sel(route="free-coast").where(shut, 0).max() == 0
    assert held.sel(route=["old-bridge", "hill-trail", "hotline"]).max() == 0


def test_who_is_turned_away_has_left_and_hides_as_any_deserter(tmp_path: Path) -> None:
    folder = write_civil_war(tmp_path / "full")
    files.change(folder, "routes.yaml", "capacity: 12", "capacity: 1")
    full = load_case(folder).set(EASY)
    model = Model(full, build(full, SEED))
    found = model.replicate(SEED, 0, log=True)
    log = found.events
    away = np.flatnonzero(log["event"] == model.world.event(TURNED_AWAY))
    assert len(away) > 5
    for k in away:
        mine = (log["soldier"] == log["soldier"][k]) & (log["day"] <= log["day"][k])
        assert (mine & (log["event"] == EV_DESERTED)).sum() == 1
    posts = np.isin(log["event"], (EV_DESERTED, EV_LEFT)) & (log["value"] >= 0)
    posts |= (log["event"] == EV_WENT_OVER) & (log["value"] > 0)
    assert found.series["exits_state"].sum() == posts.sum(), "he left his post when he set out"


def test_who_goes_over_never_crosses_a_border_and_declares(case: Case) -> None:
    model = Model(case, build(case, SEED))
    log = model.replicate(SEED, 0, log=True).events
    over = np.flatnonzero(log["event"] == EV_WENT_OVER)
    surrendered = model.world.event(SURRENDERED)
    at_home = [k + len(case.force.states) for k, c in enumerate(case.crossings) if c.at_home]
    assert over.size
    assert np.isin(log["place"][over], at_home).all()
    assert not np.isin(log["place"][log["event"] == EV_CROSSED], at_home).any()
    for k in over:
        mine = log["soldier"] == log["soldier"][k]
        before = log["event"][mine & (log["day"] <= log["day"][k])]
        assert np.isin(before, (EV_LEFT, surrendered)).any()
        assert (log["event"][mine & (log["day"] == log["day"][k])] == EV_DECLARED).any()


def test_switched_off_nothing_differs_from_the_country_without(
    case: Case, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = without_priors(tmp_path_factory.mktemp("cases") / "montara")
    values = {k: v for k, v in EASY.items() if not k.startswith("war.")}
    plain = simulate(load_case(folder).set(values), runs=2, seed=SEED, workers=1).data
    off = simulate(case.set(OFF), runs=2, seed=SEED, workers=1).data
    for name, series in plain.data_vars.items():
        if "route" in series.dims:
            other = off[name].sel(route=plain["route"])
        else:
            other = off[name].sel(fate=plain["fate"]) if "fate" in series.dims else off[name]
        np.testing.assert_array_equal(series.values, other.values, err_msg=str(name))


def test_an_army_that_fights_loses_men_and_posts(case: Case, result: Result) -> None:
    calm = changed(case.with_events([{**EVENT, "effects": [{"field": "contact", "op": "set", "value": 0}]}]))
    assert total(calm, "killed_in_field") == total(calm, "units_fighting") == 0
    killed = total(result, "killed_in_field")
    there = result.data["fates"].sel(fate="serving") / case.force.strength  # the others are in no fight
    men = case.force.unit_size * float((there * result.data["units_fighting"].sum("state")).sum())
    assert killed == pytest.approx(0.004 * men, rel=0.15)
    lost = result.data["posts_lost"].sum(["run", "state"])
    assert total(result, "posts_lost") > 0
    assert lost.where(lost["day"] < np.datetime64("2025-02-01"), 0).sum() == 0  # nothing is held yet
    assert lost.where(lost["day"] > np.datetime64("2025-04-30"), 0).sum() == 0


EVENT = {"id": "other", "date": "2025-01-01", "title": "Another war", "assumed": "For a test."}


def test_those_on_the_other_side_surrender_more(case: Case) -> None:
    # those of one post go together, so it takes many posts to tell a share
    given_up = {
        w: simulate(case.set({"war.margin_weight": w}), runs=20, seed=SEED, workers=1) for w in (0.0, 3.0)
    }
    share = {}
    for weight, found in given_up.items():
        gave, broke = total(found, "surrendered_in_field"), total(found, "broke_out")
        share[weight] = gave / (gave + broke)
    assert share[0.0] == pytest.approx(0.5, abs=0.05)
    assert share[3.0] > share[0.0]


def test_with_the_last_ground_the_last_posts_go_and_a_unit_of_one_mind_goes_as_a_whole(case: Case) -> None:
    calm = {**EVENT, "effects": [{"field": "contact", "op": "set", "value": 0}]}
    model = Model(case.with_events([calm]).set({"war.margin_weight": 0}), build(case, SEED))
    force, event = model.world.force, model.world.event
    made = model.replicate(SEED, 0, log=True)
    log = made.events
    there = force.units.state == model.world.state_ids.index("XX-C")
    lost, coast = made.series["posts_lost"], model.world.state_ids.index("XX-C")
    assert lost[31, coast] == lost.sum() == there.sum() > 5  # on 1 February, without a fight
    fates = [log["event"] == event(what) for what in (SURRENDERED, BROKE_OUT)]
    assert set(log["day"][fates[0] | fates[1]]) == {31}
    units = [set(force.unit[[force.position(int(w)) for w in log["soldier"][one]]]) for one in fates]
    assert not units[0] & units[1]
    assert units[0] | units[1] == set(np.flatnonzero(there))


def test_who_is_on_the_side_of_those_to_whom_he_surrenders_joins_them(case: Case) -> None:
    model = Model(case.set({"war.surrender": 3}), build(case, SEED))
    run, observer = model.started(SEED, 0, True), Observer(model.world)
    model.days.begin(run)
    model.days.go_on(run, observer, 0, 32)
    log, code = event_columns(run.records, len(model.world.state_ids)), model.world.event(SURRENDERED)
    there = model.world.state_ids.index("XX-C")
    given_up = log["soldier"][(log["day"] == 31) & (log["event"] == code)]
    who = np.array([model.world.force.position(int(w)) for w in given_up])
    who = who[model.world.force.state[who] == there]
    opposed, fate = margins(run)[who] > 0, run.records.fate[who]
    assert 0.2 < opposed.mean() < 0.98
    assert (fate[opposed] == model.world.fate("opposition")).all()
    assert (fate[~opposed] == model.world.fate("prisoner")).all()

    alone = changed(case, opposition__on=0).data
    prisoners = alone["fates"].sel(fate="prisoner").isel(day=-1)
    assert (prisoners == alone["surrendered_in_field"].sum("day")).all()
    assert prisoners.sum() > 0


def test_comrades_killed_make_soldiers_leave(case: Case) -> None:
    def left(result: Result) -> int:
        return total(result, "exits_rank") + total(result, "went_over")

    assert left(changed(case, war__danger_weight=4)) > left(changed(case, war__danger_weight=0))


def test_reservists_are_called_up_in_turn_and_the_opposed_stay_away(case: Case, result: Result) -> None:
    reserve = result.data["fates"].sel(fate="reserve")
    came, stayed = total(result, "called_up"), total(result, "evaded")
    in_first = int(reserve.isel(day=0).sum()) + int(
        (result.data["called_up"] + result.data["evaded"]).isel(day=0).sum()
    )
    assert came + stayed == in_first  # in fifty days all are called
    assert reserve.isel(day=50).sum() == 0
    assert reserve.isel(day=24).sum() == pytest.approx(in_first / 2, rel=0.1)
    assert (
        total(changed(case, war__evasion=2), "evaded")
        > stayed
        > total(changed(case, war__evasion=-6), "evaded")
    )


def test_a_cut_road_leads_nowhere_and_held_land_is_safer(case: Case) -> None:
    ways = find_ways(Model(case, build(case, SEED)).world)
    border, coast = case.force.states.position("XX-B"), case.force.states.position("XX-C")
    bridge = case.crossings.position("old-bridge")
    held = held_by_opposition(ways.world)
    every = [ways.on(day, held[day]) for day in range(len(held))]
    before, during = every[0].checkpoints, every[40].checkpoints
    assert during[coast, bridge] < before[coast, bridge]
    assert during[border, bridge] == before[border, bridge]
    trail = case.crossings.position("hill-trail")
    assert ways.capture[40, trail] == pytest.approx(0.6 * ways.capture[0, trail])
    hotline = case.crossings.position("hotline")
    assert all((one.days[:, hotline] == 0.1).all() for one in every)


def test_roads_can_be_cut_by_date(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = write_civil_war(tmp_path_factory.mktemp("cases") / "montara")
    road = "{from: XX-A, to: XX-B, days: 0.5, checkpoints: 2"
    cut = ", cut: [{from: 2025-03-01, to: 2025-03-10, assumed: Fighting.}]"
    case = load_case(files.change(folder, "routes.yaml", road, road + cut))
    ways = find_ways(Model(case, build(case, SEED)).world)
    capital, bridge = case.force.states.position("XX-A"), case.crossings.position("old-bridge")
    held = held_by_opposition(ways.world)
    shut = np.isinf([ways.on(day, held[day]).days[capital, bridge] for day in range(len(held))])
    assert np.flatnonzero(shut).tolist() == list(range(59, 69))
    assert ways.epoch[59] > ways.epoch[58]


def test_whoever_leaves_is_counted_in_one_group_once(case: Case) -> None:
    slipping = case.set({"routes.slip_abroad": 1.0})
    model = Model(slipping, build(slipping, SEED))
    found = model.replicate(SEED, 0, log=True)
    log = found.events
    gone = np.isin(log["event"], (EV_DESERTED, EV_CROSSED, EV_WENT_OVER))
    counted = found.series["left_in_group"].sum() + found.series["left_out_group"].sum()
    assert counted == len(np.unique(log["soldier"][gone])) < gone.sum()


def test_the_group_that_the_regime_rests_on_leaves_less(case: Case, result: Result) -> None:
    inside, outside = total(result, "left_in_group"), total(result, "left_out_group")
    assert inside / 0.3 < outside / 0.7
    alike = changed(case, composition__attachment=0)
    assert total(alike, "left_in_group") / 0.3 == pytest.approx(total(alike, "left_out_group") / 0.7, rel=0.3)


CUT = "cut: [{from: 2025-03-02, to: 2025-03-01, assumed: x}]"
REFUSED = [
    ("routes.yaml", "kind: area,", "kind: area, host: true,", "host: false"),
    ("routes.yaml", "kind: area, state: XX-C, country: Montara", "kind: area, state: XX-C, country: Norlund",
     "lies inside the country"),
    ("routes.yaml", "kind: region, state: XX-A, country: Montara", "kind: region, state: XX-A, country: Else",
     "inside"),
    ("routes.yaml", "kind: register,", "kind: register, capacity: 3,", "belongs to an area or a group"),
    ("routes.yaml", "kind: group,", "kind: group, later: true,", "later belongs to a register"),
    ("routes.yaml", "checkpoints: 2}", f"checkpoints: 2, {CUT}}}", "before it starts"),
    ("routes.yaml", "ranks: [constable,", "ranks: [constabel,", "constabel"),
    ("sites.yaml", "country: Sudmark", "country: Ostland", "leads to 'Ostland'"),
    ("register.csv", "old-bridge", "old-bridle", "unknown route 'old-bridle'"),
    ("case.yaml", "[opposition, war,", "[war,", "Add opposition to the mechanisms"),
]  # fmt: skip
"""In which file, which text is replaced by what, and what is said."""


@pytest.mark.parametrize(("file", "old", "new", "said"), REFUSED)
def test_what_does_not_fit_is_refused_and_told(
    tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    folder = files.change(write_whole_war(tmp_path / "montara"), file, old, new)
    with pytest.raises(CaseError, match=rf"\w+.(yaml|csv):\d+(.|\n)*{said}"):
        load_case(folder)
