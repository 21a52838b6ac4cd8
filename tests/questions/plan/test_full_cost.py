"""The full cost of assistance: one number, wherever a plan tells it, with what is paid for and the gap."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import numpy as np
import openpyxl
import pytest

from breakrank.questions.plan import terminal
from breakrank.questions.plan.document import render
from breakrank.questions.plan.persons import full_care
from breakrank.questions.plan.result import Plan
from breakrank.questions.plan.spread import sufficient
from breakrank.questions.plan.text_tables import worlds_grid
from breakrank.questions.plan.texts import leading
from breakrank.questions.plan.workbook import write
from breakrank.show.words import number
from tests.results.guests import SITES, GuestCase, bare, guest_plan, plan_of

CASE = GuestCase()


def sentence(plan: Plan) -> str:
    """Return what is told of the costs of the side that leads, put together by hand."""
    days = slice(plan.period.first, plan.period.last + 1)
    full, paid = (
        float(np.ceil(sufficient(sums, 0.8) - 0.005))
        for sums in (full_care(plan.base, plan.period), plan.base.paid[:, days].sum(axis=(1, 2)))
    )
    assert full > paid > 0
    said = [number(one, "people") for one in (full, paid, full - paid)]
    return (
        f"Full cost of assistance at 80% assurance: {said[0]} {plan.case.currency}; "
        f"paid for until money ends: {said[1]}, a gap of {said[2]}."
    )


@pytest.mark.parametrize("one_change", [False, True])
def test_every_first_page_leads_with_it(one_change: bool, capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_of(CASE, {"twice": replace(CASE, rate=28.0)} if one_change else {}, runs=5)
    told = sentence(leading(plan))
    terminal.show(plan)
    assert told in " ".join(capsys.readouterr().out.split())
    assert told in re.sub(r"<[^>]+>", "", render(plan).partition("<figure")[0])
    book = BytesIO()
    write(plan, book)
    first = openpyxl.load_workbook(book).worksheets[0]
    assert told in [str(row[1].value).strip() for row in first.iter_rows()]
    assert sentence(replace(plan, worlds=plan.worlds[:1])) in repr(plan)
    side_by_side = {row[0].partition(",")[0]: row[1:] for row in worlds_grid(plan).rows}
    costs = [plan.assistance(world) for world in plan.worlds]
    for label, name in (
        ("Full cost of assistance at 80% assurance", "full"),
        ("Paid for until money ends", "paid"),
        ("Gap", "gap"),
    ):
        assert side_by_side[label] == tuple(number(getattr(one, name), "people") for one in costs)


def test_a_bill_that_stays_open_is_not_paid_for() -> None:
    world = guest_plan().base
    np.testing.assert_allclose(world.paid.sum(axis=2), (world.cost - world.unpaid).sum(axis=2), atol=0.1)
    town = plan_of(CASE, runs=3, at="Bridgetown").base
    assert (town.paid <= town.cost).all()
    short = town.unpaid > 0
    np.testing.assert_allclose(
        town.paid[short] / town.cost[short].clip(1e-9), 1 - town.unpaid[short] / town.billed[short], atol=1e-3
    )


def test_nothing_is_paid_where_no_bill_is_made_out() -> None:
    world = guest_plan().base
    still = replace(world, billed=world.billed * 0, unpaid=world.unpaid * 0)
    assert not still.paid.any()
    assert np.array_equal(still.cost, world.cost)


def test_with_money_for_everyone_and_nobody_outside_there_is_no_gap() -> None:
    rich = replace(CASE, settings={**CASE.settings, "reception.funding": 100.0})
    plan = plan_of(rich, runs=3, at=SITES[3].id)
    found = plan.assistance()
    assert found is not None
    assert (found.gap, found.full) == (0, found.paid)


def test_nothing_is_told_where_nobody_pays() -> None:
    plan = plan_of(bare(), runs=2)
    assert plan.assistance() is None
    assert "Full cost" not in repr(plan) + render(plan)
