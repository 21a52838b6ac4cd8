"""Reception and lodging against a plain telling, and that everybody is counted where he is."""

import datetime as dt
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.case.place_codes import places
from breakrank.engine.codes import EV_CROSSED, EV_LODGED, EV_NO_PLACE, EV_PUT_OUT, EV_RELOCATED, EV_TOOK_OFFER
from breakrank.engine.records import record
from breakrank.mechanisms.journeys import FAMILY
from breakrank.mechanisms.lodging import (
    ELSEWHERE,
    EVICTION,
    IN_SITE,
    NOT_PLACED,
    PRIVATE_HOME,
    STAYS,
    STREET,
    Guests,
    find_sites,
    funds_by_day,
)
from breakrank.mechanisms.reception import ReceptionAccount, bill, count_stays
from tests.engine.stage import CROSSINGS, SITES, Stage
from tests.engine.worlds import live, lively
from tests.mechanisms.plain import set_the_mood
from tests.mechanisms.plain_guests import EMBASSY, Host, households, some_guests

PLACES = {s.id: len(CROSSINGS) + k for k, s in enumerate(SITES)}


def is_open(host: Host, s: int) -> bool:
    """Whether people can be lodged at a site today: an embassy takes in nobody from here."""
    today = dt.date(2019, 1, 1) + dt.timedelta(host.day)
    site = SITES[s]
    return not EMBASSY[s] and site.opens <= today and (site.closes is None or today <= site.closes)


def clear_out(host: Host) -> None:
    """Put out who has to go; let go who takes an offer; move elsewhere whom the authorities pick."""
    world, day = host.stage.world, host.day
    offered = float(world.daily("departure_offer")[day])
    tempted = 1 - (1 - world["reception.offer"]) ** (offered / 100)
    tense = host.town.tension[0] > 1
    moved_on = float(world.daily("dispersal")[day]) if tense else 0.0
    put_out = False
    for h in host.here:
        if h.stay != IN_SITE:
            continue
        s, site = h.site, SITES[h.site]
        evicted, accepts, picked, _ = host.four("reception.lodge", h)
        patient = host.town.unpaid[s] == 0
        broke = not patient and evicted < EVICTION * host.town.owed[s]
        over = site.stay_limit is not None and day - h.since >= site.stay_limit
        if over:
            h.served = True
        dropped = over or broke or not is_open(host, s)
        if dropped or not host.may_stay(h, site.admits):
            event, stay, put_out = EV_PUT_OUT, NOT_PLACED, True
            host.town.neglected[0] += dropped * (1 + h.relatives)
        elif accepts < tempted:
            event, stay, h.left, h.since = EV_TOOK_OFFER, PRIVATE_HOME, True, day
        elif picked < moved_on and site.admits != "permit":
            event, stay, h.since = EV_RELOCATED, ELSEWHERE, day
        else:
            continue
        host.leave_site(h)
        h.stay = stay
        host.record(h, event, PLACES[site.id], 1 + h.relatives)
    host.town.incidents[0] += put_out


def suits(host: Host, h: SimpleNamespace, s: int) -> bool:
    """Whether a household can go to a site today: whole, admitted, and no worse than where it is."""
    site, places = SITES[s], int(SITES[s].capacity * host.stage.world["reception.places"])
    room = host.town.persons[s] + 1 + h.relatives <= places
    again = h.served and site.stay_limit is not None
    better = h.site < 0 or site.admits != "anyone"
    return is_open(host, s) and room and not host.town.unpaid[s] and not again and better and not h.left


def find_places(host: Host) -> None:
    """Lodge one household after the other at the first site; the others at home with somebody, or nowhere."""
    week = 1_000_000 + host.day // 7
    for h in host.here:
        if h.stay > STREET or (h.site >= 0 and SITES[h.site].admits != "anyone"):
            continue
        fits = [s for s in range(len(SITES)) if suits(host, h, s) and host.may_stay(h, SITES[s].admits)]
        if fits:
            host.leave_site(h)
            h.stay, h.site, h.since = IN_SITE, fits[0], host.day
            host.town.persons[fits[0]] += 1 + h.relatives
            host.record(h, EV_LODGED, PLACES[SITES[fits[0]].id], 1 + h.relatives)
        elif h.stay in (NOT_PLACED, STREET):
            if host.one("reception.lodge", h, week) < host.stage.world["reception.private"]:
                h.stay, h.since = PRIVATE_HOME, host.day
            elif h.stay == NOT_PLACED:
                h.stay, h.since = STREET, host.day
                host.record(h, EV_NO_PLACE, value=1 + h.relatives)
                host.town.neglected[0] += (h.came == host.day) * (1 + h.relatives)


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
