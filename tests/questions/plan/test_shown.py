"""A plan as charts, sentences and pages of paper."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from breakrank.answer import html as on_paper
from breakrank.answer.answer import Answer
from breakrank.answer.html import pdf
from breakrank.errors import BreakrankError
from breakrank.page.shown import MOST, drawn
from breakrank.questions.plan.tables import too_few
from tests.results.guests import GuestCase, answered, bare, funded, guest_answer, guest_plan, plan_of
from tests.show.valid import validated

CASE = GuestCase()


# Charts.


def test_every_chart_is_valid_and_its_title_says_what_it_shows() -> None:
    answer = guest_answer()
    assert [one.name for one in answer.figures] == ["beds", "changes", "people", "staff", "money"]
    for figure in answer.figures:
        spec: Any = answer.plot(figure.name)
        assert validated(spec)["datasets"]
        assert figure.title not in answer.finding
    with_number = [one for one in answer.figures if re.search(r"\d", one.title)]
    assert len(with_number) == 4, "the title of staff has none, since no number of them keeps up"


# Words.


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda: plan_of(GuestCase(rate=0.0), runs=2), "shelter from 1 Feb 2019 to 30 Sep 2019, in any run."),
        (lambda: plan_of(bare(), runs=2), "The case has no sites"),
        (lambda: plan_of(CASE, runs=1), "beds in the one run, most from "),
        (
            lambda: plan_of(CASE, runs=2, at="hotel"),
            "its share (92%, 460 of 500 places) of those in no site.",
        ),
        (lambda: plan_of(CASE, runs=19), too_few(0.95, 19)),
    ],
)
def test_what_is_said_in_sentences(made: Callable[[], Any], says: str) -> None:
    assert says in sentences(answered(made()))


def sentences(answer: Answer) -> str:
    notes = [table.note for table in answer.tables]
    return " ".join((answer.finding, answer.doubt, *answer.notes, *notes))


def test_it_is_said_what_money_and_numbers_are() -> None:
    told = sentences(guest_answer())
    for says in (
        "The town: funds (390,000 dollars, assumed) run out in 97% of runs, median 2",
        "dates that follow from them are no forecast.",
        "Here and below, numbers and days are medians of the runs",
        "Each number is of its week alone",
    ):
        assert says in told


def test_one_change_leads() -> None:
    plan = plan_of(CASE, {"twice-as-many": replace(CASE, rate=28.0)}, runs=8)
    alone = plan_of(replace(CASE, rate=28.0), runs=8)
    answer, changed = answered(plan), answered(alone)
    beds = changed.finding.partition(", most ")[0]
    before = answered(plan_of(CASE, runs=8)).finding.partition(" beds")[0]
    assert answer.finding.startswith(f"{beds} with the change, {before} without; ")
    assert [one.title for one in answer.figures if one.name != "changes"] == [
        one.title for one in changed.figures
    ]
    mine, its = (answer.table("beds"), changed.table("beds"))
    lead = mine[mine["scenario"] == "twice-as-many"].drop(columns="scenario").reset_index(drop=True)
    assert lead.equals(its)
    several = guest_answer()
    beds, *others = several.table("worlds")["beds"].tolist()
    one, other = (
        f"{n:,.0f} with {name}" for n, name in zip(others, ("twice-as-many", "more-funds"), strict=True)
    )
    assert several.finding.startswith(f"{beds:,.0f} beds at 80%, {one}, {other}; "), "of several none leads"
    assert several.title.endswith("; beside twice-as-many and more-funds")


def test_more_arrivals_are_named_beside_what_else_a_scenario_changes() -> None:
    plan = plan_of(CASE, {"more-funds": funded(CASE, 3.0)}, runs=3)
    one = replace(
        plan.worlds[1], title="More funds; 2 times as many people come", times=2.0, changes=("a", "b")
    )
    answer = answered(replace(plan, worlds=(plan.base, one)))
    assert answer.title.endswith("; More funds; 2 times as many people come")
    assert " with both changes, " in answer.finding


# Pages and paper.


@pytest.mark.parametrize("much", [True, False])
def test_the_pdf_has_at_most_three_pages(much: bool) -> None:
    pytest.importorskip("typst")
    answer = answered(guest_plan() if much else plan_of(bare(rate=0.0), runs=1))
    made = pdf(answer)
    assert made.startswith(b"%PDF")
    assert len(re.findall(rb"/Type ?/Page\b(?!s)", made)) <= 3
    assert len(made) < 600_000
    assert pdf(answer) == made


def test_markup_of_a_case_stays_text_on_paper() -> None:
    pytest.importorskip("typst")
    plan = plan_of(GuestCase(title='#panic("x") $a$ *b* _c_ <d> @e \\ "'), runs=2)
    assert pdf(answered(plan)).startswith(b"%PDF")


def test_too_much_for_the_pages_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("typst")
    monkeypatch.setattr(on_paper, "OWN", {"plan": ("plan.typ", 1)})
    with pytest.raises(BreakrankError, match="too much to say"):
        pdf(answered(guest_plan(scenarios=False)))


def test_the_table_behind_the_chart_has_every_day_or_days_evenly_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = plan_of(CASE, runs=2)
    (found,) = drawn(answered(plan), ["beds"])
    assert len(found["table"]["rows"]) == plan.period.days > MOST
    monkeypatch.setattr("breakrank.page.shown.MOST_DAYS", plan.period.days // 2 + 1)
    (thin,) = drawn(answered(plan), ["beds"])
    assert thin["table"]["rows"] == found["table"]["rows"][::-2][::-1]


# Beside each other.


def test_scenarios_side_by_side() -> None:
    answer = guest_answer()
    side, beds = answer.table("worlds"), answer.table("beds")
    assert "suffices on every day" in answer["beds"].column("at_80").meaning
    whole = beds[beds["stretch"] == "Whole period"].set_index("scenario")
    assert [*side.index] == ["case", "twice-as-many", "more-funds"]
    assert side["beds"].tolist() == whole.loc[side.index, "at_80"].tolist()
    funds = answer.table("funds").set_index(["scenario", "payer"])
    assert funds.loc[("case", "town"), "runs_out_median"].startswith("2019-")
    assert funds.loc[("more-funds", "town"), "runs_out_share"] == 0
    assert funds.loc[("more-funds", "town"), "runs_out_median"] == ""
