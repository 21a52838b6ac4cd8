"""What a plan reckons from runs, against plain NumPy on the same series."""

import datetime as dt
import math
import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from breakrank.errors import UsageError
from breakrank.questions.plan.answer import funds_assumed
from breakrank.questions.plan.course import course, price, rented
from breakrank.questions.plan.plan import USUAL
from breakrank.questions.plan.scope import HOST, Period, find_period, find_where, months
from breakrank.questions.plan.sums import (
    fundings,
    shelter,
    sufficient,
    weeks,
)
from breakrank.questions.plan.tables import too_few
from breakrank.runs.carry_out import simulate
from tests.results.guests import ENGINE, SITES, GuestCase, answered, bare, guest_answer, guest_plan, plan_of

CASE = GuestCase()


def result(case: Any, runs: int = 4) -> Any:
    return simulate(case, runs=runs, seed=3, workers=1, log_runs=0, simulator=ENGINE)


# Where and when.


def test_places_by_name() -> None:
    host = find_where(CASE, HOST)
    assert (host.label, host.sites, host.host) == ("Colombia", (0, 1, 2), True)
    hotels = find_where(CASE, "hotel")
    assert (hotels.sites, hotels.host) == ((1, 2), False)
    both = find_where(CASE, ["second-hotel", "parish-house", "church"])
    assert (both.sites, both.label) == ((0, 2), "Parish house; Second hotel")
    assert find_where(CASE, "embassy").sites == (3,)


@pytest.mark.parametrize("name", ["Río Alto", "rio alto", "RIO-ALTO"])
def test_towns_by_name(name: str) -> None:
    found = find_where(CASE, name)
    assert (found.label, found.sites, found.host) == ("Río Alto", (2,), False)
    both = find_where(CASE, ["bridgetown", name])
    assert (both.label, both.sites) == ("Bridgetown; Río Alto", (0, 1, 2))
    mixed = find_where(CASE, ["Bridgetown", "embassy"])
    assert mixed.label == "Parish house; First hotel; Embassy house"


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("first-hotl", "no place 'first-hotl', did you mean 'first-hotel'"),
        (["host", "hotel"], "both are asked for: host, hotel"),
        ("Rio Ato", "did you mean 'Río Alto'"),
        (
            "nowhere",
            r"a town \(Bridgetown, Río Alto\), a site \(parish-house, .* kind of site \(church, hotel,",
        ),
    ],
)
def test_places_that_there_are_not(at: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        find_where(CASE, at)


@pytest.mark.parametrize(
    ("since", "until", "message"),
    [
        (
            "2018-12-31",
            None,
            r"first day of the period: 2018-12-31 lies outside the calendar \(2019-01-01 to",
        ),
        (None, "2020-01-01", "the last day of the period: 2020-01-01 lies outside"),
        ("2019-03-02", "2019-03-01", "ends .* before it starts"),
        ("March", None, "is not a date"),
    ],
)
def test_periods_that_cannot_be(since: Any, until: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        find_period(CASE.calendar, since, until)


@given(st.dates(dt.date(2019, 1, 1), dt.date(2021, 12, 31)), st.integers(0, 700))
def test_months_cover_a_period_without_gaps(start: dt.date, days: int) -> None:
    period = Period(start, start + dt.timedelta(days=days), 5, 5 + days)
    found = months(period)
    assert found[0].first == period.first
    assert found[-1].last == period.last
    assert all(a.last + 1 == b.first for a, b in pairwise(found))
    assert len({w.label for w in found}) == len(found)
    assert all(w.last - w.first <= 30 for w in found)


# Spreads and assurance.

numbers = arrays(np.float64, st.integers(1, 60), elements=st.integers(0, 500).map(float))


@given(numbers, st.sampled_from([0.05, 0.5, 0.8, 0.9, 0.95, 1.0]))
def test_what_suffices_is_the_least_that_does(values: Any, assurance: float) -> None:
    enough_ = sufficient(values, assurance)
    assert enough_ in values
    assert (values <= enough_).mean() >= assurance - 1e-12
    less = values[values < enough_]
    assert less.size == 0 or (values <= less.max()).mean() < assurance


# People, places and money, against the series of the runs.


def test_costs_of_all_sites_are_those_that_the_runs_recorded() -> None:
    made = result(CASE)
    everywhere = find_where(CASE, [s.id for s in SITES])
    world = course(made, everywhere)
    assert world.payers == ("church", "town", "agency")
    recorded = made.data["cost"].sel(payer=list(world.payers)).values
    np.testing.assert_allclose(world.cost, recorded, rtol=1e-5)
    host = course(made, find_where(CASE))
    in_embassy = 12 * (made.data["site_soldiers"].values + made.data["site_relatives"].values)[:, :, 3]
    np.testing.assert_allclose(host.cost.sum(axis=2), recorded.sum(axis=2) - in_embassy, rtol=1e-5, atol=0.01)
    assert (host.unpaid <= host.billed + 0.01).all()


def test_rooms_for_permit_holders_are_told_apart_from_places_offered() -> None:
    rooms = SITES[2].model_copy(update={"admits": "permit"})
    case = GuestCase(sites=type(SITES)((*SITES[:2], rooms, *SITES[3:])))
    data = result(CASE).data
    used = (data["site_soldiers"] + data["site_relatives"]).values[:, :, 2]
    host = find_where(case)
    world = course(result(case), host)
    spent = (world.billed - world.unpaid).sum(axis=1)
    poor = (spent[:, 1:] >= world.funds[364, 1:] - 1).any(axis=1)  # of the hotels; the church pays all
    assert 0 < poor.sum() < 4
    taken = 40 + world.inside[:, 364, 1]
    assert np.array_equal(world.offered[:, 364], np.where(poor, taken, 300)), (
        "nobody gets into an unpaid site"
    )
    assert np.array_equal(rented(data, case, host), used)
    missing = np.maximum(world.persons["need"] - world.offered - world.rented, 0)
    assert np.array_equal(world.persons["short"], missing)
    alone = find_where(case, "second-hotel")
    assert (course(result(case), alone).offered[~poor, 364] == 200).all()
    assert not rented(data, case, alone).any()


def test_runs_without_reception_are_an_error() -> None:
    from tests.results.fake import fake_result

    made = fake_result(5)
    with pytest.raises(UsageError, match="record nothing of reception"):
        course(made, find_where(made.case))


# What suffices, and what it costs.


def test_beds_suffice_in_so_many_runs_and_one_bed_less_in_fewer() -> None:
    need = guest_plan().base.persons["need"]
    for one in shelter(guest_plan().base, guest_plan().period, USUAL):
        most = need[:, one.window.first : one.window.last + 1].max(axis=1)
        for share, beds in zip(USUAL, one.beds, strict=True):
            assert (most <= beds).mean() >= share
            assert (most <= beds - 1).mean() < share
        assert one.peak_q05 <= one.peak_median <= one.peak_q95
    whole, *rest = shelter(guest_plan().base, guest_plan().period, USUAL)
    assert [max(b) for b in zip(*(s.beds for s in rest), strict=True)] <= list(whole.beds)


def test_the_day_on_which_money_runs_out() -> None:
    by_payer = {f.payer: f for f in fundings(guest_plan().base, guest_plan().period)}
    assert list(by_payer) == ["church", "town", "agency"]
    town, unpaid = by_payer["town"], guest_plan().base.unpaid[:, :, 1]
    first = [next((d for d, v in enumerate(run) if v > 0.005), math.inf) for run in unpaid.tolist()]
    assert town.runs_out_share == np.isfinite(first).mean() == 29 / 30, "in one the regime falls before"
    start = dt.date(2019, 1, 1)
    assert town.runs_out_median is not None
    assert (town.runs_out_median - start).days == sorted(first)[14]
    assert town.funds == 390_000
    assert town.assumed
    assert (guest_answer().table("funds")["basis"] == "assumed").all()
    assert "no forecast" in funds_assumed(guest_plan())
    assert by_payer["church"].funds is None
    assert by_payer["church"].runs_out_share == 0
    assert by_payer["church"].runs_out_median is None


def test_runs_in_which_the_regime_falls_are_told() -> None:
    made = result(CASE)
    held = made.data["regime_holds"].copy(data=np.ones_like(made.data["regime_holds"].values))
    held[1, 200:] = 0
    fallen = replace(made, data=made.data.assign(regime_holds=held))
    world = course(fallen, find_where(CASE))
    assert not world.lived[1, 201:].any()
    assert not world.cost[1, 201:].any()
    assert world.lived.sum() == 3 * 365 + 201
    plan = replace(guest_plan(), worlds=(world,), staffings=(), differences={})
    assert "In 1 of 4 runs the regime falls before 30 Sep 2019" in " ".join(answered(plan).notes)


# The plan as a whole.


def test_every_table_is_one_row_a_fact() -> None:
    for table in guest_answer().tables:
        frame = table.rows
        assert len(frame), table.name
        assert not frame.duplicated().any(), table.name
        if table.name not in ("scenarios", "worlds"):
            assert frame.columns[0] == "scenario"
            assert list(frame["scenario"].unique()) == ["case", "twice-as-many", "more-funds"]
        quantiles = [c for c in ("q05", "q25", "median", "q75", "q95") if c in frame]
        values = frame[quantiles].to_numpy(float)
        values = values[np.isfinite(values).all(axis=1)]
        assert (np.diff(values, axis=1) >= -1e-9).all(), table.name
        assert all(column.label for column in table.columns), table.name


def test_the_first_sheet_has_a_row_a_week_and_what_suffices_in_it() -> None:
    plan = guest_plan(scenarios=False)
    first, *_ = answered(plan).tables
    assert first.name == "weeks"
    every = weeks(plan.period)
    assert [*first.rows["date"]] == [w.label for w in every]
    for row, week in zip(first.rows.to_dict("records"), every, strict=True):
        days = slice(week.first, week.last + 1)
        need = plan.base.persons["need"][:, days].max(axis=1)
        assert (need <= row["beds"]).mean() >= 0.8 > (need < row["beds"]).mean() or row["beds"] == 0
        assert row["meals"] == 3 * row["beds"]
        assert row["toilets"] == math.ceil(row["beds"] / 20)
        outside = plan.base.persons["private"][:, days] + plan.base.persons["street"][:, days]
        cost = plan.base.cost[:, days].sum(axis=(1, 2)) + price(plan.case, plan.where) * outside.sum(axis=1)
        assert row["full_cost"] == math.ceil(sufficient(cost, 0.8) - 0.005)


@pytest.mark.parametrize(
    ("runs", "low"), [(19, "95%, which is their worst"), (30, "95%, which leaves 1 of"), (60, "")]
)
def test_levels_of_too_few_runs_are_warned_of(runs: int, low: str) -> None:
    said = too_few(0.95, runs)
    assert low in said
    assert bool(said) == bool(low)
    if said:
        assert "take 60 runs or more" in said
    all_of_them = too_few(0.95, runs, all_there_are=True)
    assert bool(all_of_them) == bool(low)
    assert "or more" not in all_of_them
    level = re.search(r"take a level of (\d+)% or less", all_of_them)
    assert level is None or not too_few(int(level[1]) / 100, runs)


# What there may not be.


def test_a_case_without_sites_and_payers() -> None:
    plan = plan_of(bare(), runs=5)
    assert not plan.base.places.any()
    assert plan.base.payers == ()
    answer = answered(plan)
    names = {table.name for table in answer.tables}
    assert {"costs", "funds", "costs_at", "sites", "needs"}.isdisjoint(names)
    assert "toilets" not in answer.table("weeks"), "no toilets for sites that there are not"
    assert "toilets" in answered(plan_of(CASE, runs=5)).table("weeks")
    assert answer.finding.startswith("The case has no sites, so no place can be planned: ")
    assert shelter(plan.base, plan.period, USUAL)[0].beds[0] > 0
    assert plan.base.within("short", plan.period).any(axis=1).all()


def test_nobody_comes() -> None:
    plan = plan_of(GuestCase(rate=0.0), runs=3)
    assert shelter(plan.base, plan.period, USUAL)[0].beds == (0, 0, 0)
    assert not plan.base.within("short", plan.period).any()
    assert np.isnan(plan.staffings[0][0].told["wait"]).all()
    answer = answered(plan)
    assert answer.finding == "Nobody needs shelter from 1 Feb 2019 to 30 Sep 2019, in any run."
    assert answer.figures == ()
    assert "needs" not in {table.name for table in answer.tables}
