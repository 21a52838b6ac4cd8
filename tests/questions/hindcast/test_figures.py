"""Figures before and after a day, and the days from which a case can be forecast."""

import datetime as dt

import pytest

import breakrank
from breakrank.case import Case, Target
from breakrank.questions.forecasters import as_of_dates, count_so_far, kind_of, least_known, split
from breakrank.questions.hindcast import verdict

DAY = dt.date(2019, 2, 28)
MONTH = dt.date(2019, 3, 23)


@pytest.fixture(scope="module")
def case() -> Case:
    return breakrank.load_case("venezuela-2019", "point")


def find(case: Case, name: str) -> Target:
    return next(t for t in case.targets if t.id == name)


def test_the_record_is_split_by_what_had_been_published(case: Case) -> None:
    assert split(case, DAY)[0] == (), "nothing that counts until then was printed by then"
    published, later = split(case, MONTH)
    assert {t.id for t in published} >= {"registered-month", "january-rising", "infiltrators"}
    assert not {t.id for t in published} & {"registered-february", "church-first-night", "slower-before"}
    assert "registered-april" in {t.id for t in later}
    assert "enlisted" not in {t.id for t in (*published, *later)}, "a constant was set from it"


def test_a_case_is_forecast_from_each_day_of_a_publication_that_leaves_something(case: Case) -> None:
    days = as_of_dates(case)
    assert MONTH in days
    assert DAY not in days
    assert list(days) == sorted(set(days))
    for day in days:
        known, later = split(case, day)
        assert known
        assert later
    assert as_of_dates(breakrank.load_case("east-germany-1989", "point")) == ()


def test_a_count_goes_on_from_its_last_figure_in_the_middle_of_its_days(case: Case) -> None:
    known, _ = split(case, MONTH)
    so_far = count_so_far(find(case, "registered-april"), known)
    assert so_far.last.id == "registered-month"
    assert so_far.whole
    assert [t.date for t in so_far.figures] == [MONTH - dt.timedelta(days=so_far.last.lag // 2)]
    assert so_far.last.lag == 7, "the report of 22 March repeats a count of some days before"


def test_what_is_asked_of_later_days_alone_goes_on_from_the_whole_count(case: Case) -> None:
    known, _ = split(case, MONTH)
    april = find(case, "registered-april")
    window = april.model_copy(update={"start": MONTH + dt.timedelta(days=1)})
    so_far = count_so_far(window, known)
    assert not so_far.whole
    assert count_so_far(april.model_copy(update={"start": DAY}), known) is None, "that span is not known"


def test_no_stock_and_no_chance_goes_on_from_a_count(case: Case) -> None:
    known, _ = split(case, dt.date(2019, 12, 30))
    for name in ("hotels-may", "political-prisoners-december", "regime-holds", "april-rising"):
        assert count_so_far(find(case, name), known) is None
        assert least_known(find(case, name), known) == 0


def test_a_count_is_at_least_what_is_known_also_by_a_bound(case: Case) -> None:
    known, _ = split(case, MONTH)
    april = find(case, "registered-april")
    assert least_known(april, known) == 950
    bound = find(case, "registered-month").model_copy(
        update={"id": "more", "range": None, "at_least": 990.0, "value": None}
    )
    assert kind_of(bound) == "bound"
    assert least_known(april, (*known, bound)) == 990


def test_scores_of_the_null_model_are_no_scores_of_a_simple_baseline() -> None:
    about = {"case": "x", "as_of": "2025-03-10", "target": "registered", "score_kind": "CRPS"}
    scores = {"model": 1.0, "null model": 2.0, "pool": 1.5}
    about |= {"in50": True, "in90": True}
    rows = [about | {"forecaster": name, "score": score} for name, score in scores.items()]
    lead = next(iter(verdict(rows)))
    assert lead.startswith("The simple baselines (last value, constant rate, curve) had nothing to continue")
    assert len(lead.split()) <= 25
