"""A plan for a town or a site: its share of those in no site, and where persons inside are a lower bound."""

import datetime as dt
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import xarray as xr

from breakrank.errors import UsageError
from breakrank.page.answers import place_of
from breakrank.questions.plan.answer import AT_SITES
from breakrank.questions.plan.course import in_no_site, price, shares
from breakrank.questions.plan.scope import find_where
from breakrank.questions.plan.sums import figures, full_care
from tests.results.guests import SITES, GuestCase, answered, bare, plan_of

CASE = GuestCase()


@pytest.fixture(scope="module")
def host() -> Any:
    return plan_of(CASE, runs=20)


@pytest.fixture(scope="module")
def town() -> Any:
    return plan_of(CASE, runs=20, at="Bridgetown")


def said(plan: Any) -> str:
    answer = answered(plan)
    return " ".join((answer.finding, *answer.notes))


def test_need_of_a_town_is_who_is_inside_and_its_share_of_those_in_no_site(host: Any, town: Any) -> None:
    assert shares(town.case, town.where) == (300, 500)
    persons = town.base.persons
    outside = host.base.persons["private"] + host.base.persons["street"]
    assert np.array_equal(persons["unmet"], outside)
    assert np.array_equal(persons["need"], persons["in_sites"] + np.ceil(outside * 0.6))
    other = plan_of(CASE, runs=20, at="Río Alto").base.persons
    both = persons["need"] + other["need"] - host.base.persons["need"]
    assert set(np.unique(both)) <= {0, 1}, "the towns add up to the host, but for persons cut in two"


def test_a_town_whose_hotel_closes_keeps_its_share(town: Any) -> None:
    shut = SITES[1].model_copy(update={"capacity": 0})
    closed = replace(CASE, sites=type(SITES)((SITES[0], shut, *SITES[2:])), rate=14.001)
    plan = plan_of(CASE, {"closed": closed}, runs=3, at="Bridgetown")
    base, other = plan.worlds
    assert [shares(one.case, one.where) for one in (base, other)] == [(300, 500)] * 2
    paid = [price(one.case, one.where) for one in (base, other)]
    assert paid[0] == paid[1], "nor does an average place become cheaper"
    need = other.persons["in_sites"] + np.ceil(other.persons["unmet"] * 0.6)
    assert np.array_equal(other.persons["need"], need)
    assert "its share (60%, 300 of 500 places, the case's in every scenario)" in said(plan)
    assert "(60%, 300 of 500 places) of those in no site" in said(town)
    assert {d.id: d.mean for d in plan.differences["closed"]}["short_peak"] > 0


def test_beds_of_several_countries_are_not_added_up(host: Any) -> None:
    first, *others = SITES
    abroad = [one.model_copy(update={"country": "Farland"}) for one in others if one.kind != "embassy"]
    case = replace(CASE, sites=type(CASE.sites)([first, *abroad]))
    with pytest.raises(UsageError, match=r"several countries \(Nextland, Farland\)(.|\n)*--place Nextland"):
        find_where(case, "host")
    farther = find_where(case, "farland")
    assert (farther.label, farther.sites, farther.host) == (
        "Farland",
        tuple(range(1, 1 + len(abroad))),
        False,
    )
    assert find_where(case, "Nextland").sites == (0,)
    assert place_of(case, "host") == "Nextland"
    assert [place_of(case, "Farland"), place_of(CASE, "host")] == ["Farland", "host"]
    assert host.where.host


def test_whom_no_site_takes_in_counts_in_the_country_to_which_he_crossed() -> None:
    first, second, *_ = SITES
    case: Any = SimpleNamespace(
        sites=(first, second.model_copy(update={"country": "Farland"})),
        crossings=[SimpleNamespace(country=name) for name in ("nextland", "Farland", None)],
    )
    near, far = find_where(case, "Nextland"), find_where(case, "Farland")
    dims = {"exits_route": "route", "site_soldiers": "site", "site_relatives": "site"}
    days = {"exits_route": [[30, 10, 5], [30, 10, 5]], "site_soldiers": [[20, 0], [40, 10]]}
    days["site_relatives"] = [[0, 0], [0, 0]]
    data = xr.Dataset({n: (("run", "day", dims[n]), np.array([days[n]], float)) for n in dims})
    stays = np.array([[[20.0, 16, 4], [50, 20, 10]]])  # 40 and 80 in care: three in four in Nextland
    mine = in_no_site(data, case, near, stays)
    assert mine.tolist() == [[10, 20]]
    assert (mine + in_no_site(data, case, far, stays)).tolist() == [[20, 30]]
    alone: Any = SimpleNamespace(sites=(first,), crossings=case.crossings)
    assert in_no_site(data, alone, find_where(alone, "Nextland"), stays).tolist() == [[20, 30]]


def test_a_full_town_misses_places(town: Any) -> None:
    found = {one.id: one for one in figures(town.base, town.period)}
    assert found["short_peak"].spread.median > 0
    assert found["days_full"].spread.median > 0
    assert found["in_sites_peak"].least
    assert found["need_peak"].spread.median > found["in_sites_peak"].spread.median
    frame = answered(town).table("period").set_index("figure")
    assert frame.loc["in_sites_peak", "bound"] == "at least"
    assert set(frame["bound"]) == {"", "at least"}
    assert frame.loc["in_sites_peak", "label"] == "In the sites, at the peak, at least"
    assert "so the demand is at least that" in said(town)
    assert AT_SITES in answered(town).notes


def test_a_day_turns_people_away_where_no_site_is_open_paid_for_and_free(town: Any) -> None:
    base = town.base
    unmet = base.persons["unmet"]
    assert not base.turned_away[unmet == 0].any()
    shut = ~((base.dates >= np.datetime64("2019-02-20")) | np.zeros_like(base.dates, bool))
    assert np.array_equal(base.turned_away[:, shut], unmet[:, shut] > 0), "no site is open before"
    free = 300 - base.inside.sum(axis=2)
    assert not (base.turned_away & (free > 50) & (base.unpaid.sum(axis=2) == 0) & ~shut)[:, :200].any()


def test_a_town_with_room_turns_nobody_away() -> None:
    roomy = SITES[0].model_copy(update={"capacity": 20_000, "opens": dt.date(2019, 1, 1)})
    case = GuestCase(sites=type(SITES)((roomy, *SITES[1:])))
    plan = plan_of(case, runs=3, at="parish-house")
    assert not plan.base.turned_away.any()
    assert "demand is at least" not in said(plan)
    assert np.array_equal(plan.base.persons["need"], plan.base.persons["in_sites"])


def test_an_empty_site_is_not_told_that_nobody_needs_shelter() -> None:
    roomy = SITES[0].model_copy(update={"capacity": 20_000, "opens": dt.date(2019, 1, 1)})
    case = GuestCase(sites=type(SITES)((roomy, *SITES[1:])))
    text = said(plan_of(case, runs=3, at="second-hotel"))
    assert "Nobody needs shelter" not in text
    assert text.startswith("Nobody is put into these sites from 1 Feb 2019")
    assert "other sites hold up to" in text
    assert "Sites fill in the order of the case's file" in text


def test_a_case_without_sites_is_told_how_to_have_some() -> None:
    off = {**CASE.settings, "reception.on": 0.0}
    with pytest.raises(UsageError, match=r"no sites(.|\n)*breakrank case add reception FOLDER"):
        plan_of(bare(settings=off), runs=1)
    with pytest.raises(UsageError, match=r"Set reception.on to 1"):
        plan_of(replace(CASE, settings=off), runs=1)


def test_places_for_some_only_have_no_share() -> None:
    plan = plan_of(CASE, runs=3, at="embassy")
    assert shares(plan.case, plan.where) == (0, 500)
    assert np.array_equal(plan.base.persons["need"], plan.base.persons["in_sites"])
    assert "it has no share of others" in said(plan)


def test_rooms_for_permit_holders_are_no_places_of_a_town() -> None:
    rooms = SITES[1].model_copy(update={"admits": "permit"})
    plan = plan_of(GuestCase(sites=type(SITES)((SITES[0], rooms, *SITES[2:]))), runs=3, at="Bridgetown")
    assert plan.base.offered.max() == 40
    assert shares(plan.case, plan.where) == (40, 240)
    assert np.array_equal(plan.base.rented, plan.base.inside[:, :, 1])
    assert "All in Bridgetown, rented rooms too" in set(answered(plan).table("inside")["label"])


def test_full_care_of_a_town_holds_its_share(town: Any) -> None:
    days = slice(town.period.first, town.period.last + 1)
    cost = town.base.cost[:, days].sum(axis=(1, 2))
    outside = town.base.within("need", town.period) - town.base.within("in_sites", town.period)
    more = (outside * town.base.lived[:, days]).sum(axis=1)
    np.testing.assert_allclose(full_care(town.base, town.period), cost + price(town.case, town.where) * more)


def test_the_cost_of_a_payer_is_that_of_the_sites_here(town: Any) -> None:
    days = slice(town.period.first, town.period.last + 1)
    rows = answered(town).table("funds").set_index("payer")
    for k, name in enumerate(town.base.payers):
        assert rows.loc[name, "cost_median"] == np.median(town.base.cost[:, days, k].sum(axis=1))
    assert "bills" not in {table.name for table in answered(town).tables}, "funds are for all their sites"
    assert "for all their sites together" in said(town)


# The size of the force.


@pytest.mark.parametrize("scale", [0.25, 1.0, 2.0])
@pytest.mark.parametrize("at", ["host", "Bridgetown", "second-hotel"])
def test_places_and_funds_are_those_of_the_whole_force_for_any_size(scale: float, at: str) -> None:
    case = replace(CASE, scale=scale, rate=14.0 * scale)
    base = plan_of(case, runs=4, at=at, until="2019-12-31").base
    general = [k for k, site in enumerate(base.where.sites) if CASE.sites[site].kind != "embassy"]
    assert (base.inside[:, :, general].sum(axis=2) <= base.offered).all()
    assert (base.inside.sum(axis=2).max() > 0.9 * base.offered.max()) == (scale > 0)
    paid = np.cumsum(base.billed - base.unpaid, axis=1)
    assert (paid <= base.funds + 1.0).all()
    expected = {"host": (500, 500), "Bridgetown": (300, 500), "second-hotel": (200, 500)}
    assert shares(base.case, base.where) == expected[at]


def test_few_runs_that_turn_people_away_make_no_lower_bound(town: Any) -> None:
    base = town.base
    days = base.turned_away.copy()
    days[len(days) // 4 :] = False
    rare = replace(town, worlds=(_TurnsAway(base, days),))
    assert "only in runs with such days is the demand at least that" in said(rare)
    assert set(answered(rare).table("period")["bound"]) == {""}


class _TurnsAway:
    """A course with other days on which people are turned away."""

    def __init__(self, course: Any, days: Any) -> None:
        self._course = course
        self.turned_away = days

    def __getattr__(self, name: str) -> Any:
        return getattr(self._course, name)
