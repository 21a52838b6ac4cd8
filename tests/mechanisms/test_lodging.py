"""Reception and lodging against a plain telling, and that everybody is counted where he is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.case.place_codes import places
from breakrank.engine.codes import EV_CROSSED, EV_LODGED
from breakrank.engine.records import record
from breakrank.mechanisms.journeys import FAMILY
from breakrank.mechanisms.lodging import IN_SITE, NOT_PLACED, STAYS, STREET, Guests, find_sites, funds_by_day
from breakrank.mechanisms.reception import ReceptionAccount, bill, count_stays
from tests.engine.stage import SITES, Stage
from tests.engine.worlds import live, lively
from tests.mechanisms.plain import set_the_mood
from tests.mechanisms.plain_guests import EMBASSY, Host, households, some_guests
from tests.mechanisms.plain_lodging import clear_out, find_places

seeds = st.integers(0, 2**32)
share = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))


@given(seeds, share, share, st.sampled_from([0, 40, 110, 1000]), st.floats(0, 3))
def test_lodging_agrees_with_a_plain_telling(
    seed: int, private: float, dispersal: float, offer: int, places: float
) -> None:
    values = {"private": private, "places": places, "offer": 0.3}
    stage = Stage(
        seed,
        {f"reception.{k}": v for k, v in values.items()},
        {"departure_offer": offer, "dispersal": dispersal},
    )
    some_guests(stage)
    host = Host(stage)
    clear_out(host)
    find_places(host)
    stage.play["reception"].receive(stage.run)
    host.assert_same()


@given(seeds, st.floats(0, 5))
def test_nobody_pays_more_than_he_has_and_what_is_left_open_is_due(seed: int, factor: float) -> None:
    stage = Stage(seed, {"reception.funding": factor})
    some_guests(stage)
    reception, rng = stage.play["reception"], stage.rng
    town, funds = reception.town, reception.funds[stage.run.day]
    for _ in range(3):
        house = rng.choice([0, 0, 1, 7, 30], len(SITES))
        before = town.spent.copy()
        bill(reception.sites, town, funds, house.astype(np.int64))
        whole = sum(n * s.cost_per_person_day.value for n, s in zip(house, SITES, strict=True))
        assert town.due.sum() == pytest.approx(whole)
        assert ((town.paid >= 0) & (town.paid <= town.due)).all()
        assert town.spent == pytest.approx(before + town.paid)
        assert (town.spent <= np.maximum(before, funds) + 1e-9).all()
        assert ((town.owed >= 0) & (town.owed <= 1 + 1e-9)).all()
        assert ((town.unpaid > 0) == (town.owed > 1e-9)).all()


@pytest.mark.parametrize("factor", [0.0, 1.0])
def test_who_pays_without_a_limit_does_so_whatever_others_have(factor: float) -> None:
    stage = Stage(1, {"reception.funding": factor}, n=5)
    reception = stage.play["reception"]
    assert np.isinf(reception.funds[:, 2]).all()
    assert not np.isnan(reception.funds).any()
    assert (reception.funds[:, :2] >= 0).all()
    assert factor or not reception.funds[:, :2].any()


@given(seeds)
def test_all_who_ever_came_are_counted_once_and_families_where_their_soldier_is(seed: int) -> None:
    stage = Stage(seed)
    g = some_guests(stage)
    for k in g.here[: g.used[1]]:
        if g.stay[k] == NOT_PLACED:
            g.stay[k] = STREET  # by dusk everybody is somewhere
    account = stage.run.view(ReceptionAccount)
    care, morale, idle = count_stays(g, account)
    (soldiers, relatives), at_site, programme = account.stays, account.at_site, account.enrolled
    waiting, families = account.waiting
    used = int(g.used[0])
    assert soldiers.tolist() == np.bincount(g.stay[:used], minlength=len(STAYS)).tolist()
    assert relatives.sum() == g.relatives[:used].sum()
    assert at_site[0].sum() == soldiers[IN_SITE]
    assert at_site[1].sum() == relatives[IN_SITE]
    assert (at_site[2] <= at_site[1]).all()
    assert not at_site[:, EMBASSY].any()
    assert care == soldiers[: STREET + 1].sum()
    assert programme[0] <= care
    assert 0 <= families <= care
    assert 0 <= waiting <= g.used[1]
    assert 0 <= morale <= care
    assert 0 <= idle <= care


def test_whoever_brings_his_family_brings_somebody() -> None:
    for along in (0.0, 0.01, 0.5, 1.0):
        stage = Stage(4, {"reception.relatives": along}, n=40)
        set_the_mood(stage)
        stage.play["routes"].journeys.mode[:] = FAMILY
        for i in range(40):
            record(stage.run.records, stage.run.day, i, EV_CROSSED, 0, -1, 1.0)
        stage.play["reception"].travel(stage.run)
        for h in households(stage.run.view(Guests)):
            behind = int(stage.force.dependants[h.who])
            assert min(1, behind) <= h.relatives <= behind
            assert h.relatives == behind or along < 1


def test_places_of_the_log_are_those_of_the_results() -> None:
    case = lively().set({"force.strength": 20_000}).until("2019-03-20")
    replicate = live(case)
    lodged = replicate.events["place"][replicate.events["event"] == EV_LODGED]
    named = {places(case)[k] for k in np.unique(lodged)}
    assert named
    assert named <= {s.id for s in case.sites if s.kind != "embassy"}


def test_a_case_without_sites_or_payers_receives_nobody_in_a_site() -> None:
    stage = Stage(1, n=3, sites=(), payers=())
    assert find_sites(stage.world).share.shape == (0, 0)
    assert funds_by_day(stage.world, 1.0).shape == (stage.world.days, 0)
    stage.run.open_day(0)
    stage.days.phase["receive"](stage.run)
    stage.days.phase["dusk"](stage.run)
    assert stage.run.stocks["site_soldiers"].shape == (0,)
    assert stage.run.tables["cost"].shape == (stage.world.days, 0)
