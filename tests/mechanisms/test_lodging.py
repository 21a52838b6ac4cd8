"""Lodging against a plain telling, what a day costs, and that everybody is counted where he is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.mechanisms.lodging import IN_SITE, NOT_PLACED, STAYS, STREET
from breakrank.mechanisms.reception import ReceptionAccount, bill, count_stays
from tests.engine.stage import SITES, Stage
from tests.mechanisms.plain_guests import EMBASSY, Host, some_guests
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
