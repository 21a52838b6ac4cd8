"""What a target reports: which lie within the calendar, how far off they may be, what was counted before."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import numpy as np
import pytest

from breakrank.case import Case, load_case
from breakrank.case.models_evidence import Target
from breakrank.model import catalogue
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.calibrate.reported import bound, ends, inside
from breakrank.questions.calibrate.summarise import curve_before
from breakrank.questions.hindcast.figures import split
from tests.new_cases import printed
from tests.questions.calibrate.toys import toy_case

DAY = dt.timedelta(days=1)


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return toy_case(tmp_path_factory.mktemp("cases"))


@pytest.fixture(scope="module")
def built_in() -> Case:
    return load_case("venezuela-2019", catalogue())


def target(case: Case, name: str, **more: object) -> Target:
    told = {"date": str(case.calendar.end), "measure": "registered", "unit": "soldiers", "assumed": "made up"}
    more = {"from" if k == "start" else k: x for k, x in more.items()}
    return Target(id=name, label=name, **{**told, **more})  # type: ignore[arg-type]


def with_targets(case: Case, *targets: Target) -> Case:
    return Case(replace(case.content, targets=targets), case.catalogue)


def test_what_begins_before_the_calendar_is_left_out_everywhere(case: Case) -> None:
    """A calibration never read such a target; a hold-out that kept it looked for it in vain."""
    first, last = case.calendar.start, case.calendar.end
    early = target(case, "early", value=5, date=str(first + 9 * DAY), start=str(first - DAY))
    known = target(case, "known", value=5, date=str(first + 9 * DAY), start=str(first))
    after = target(case, "after", value=9, date=str(last + DAY))
    later = target(case, "later", value=9, start=str(first - 9 * DAY))
    targets = (early, known, after, later, target(case, "end", value=7))
    told = Case(printed(case.content, *targets), case.catalogue)
    assert [t.id for t in inside(told)] == ["known", "end"]
    assert TargetRecord.of(told).ids == ("known", "end")
    assert [[t.id for t in part] for part in split(told, first + 20 * DAY)] == [["known"], ["end"]]


def test_ends_of_every_kind_of_figure(case: Case) -> None:
    assert ends(target(case, "a", value=3)) == (3, 3)
    assert ends(target(case, "a", range=[1, 4])) == (1, 4)
    assert ends(target(case, "a", at_most=3)) == (-np.inf, 3)
    assert ends(target(case, "a", at_least=3)) == (3, np.inf)
    assert [bound(target(case, "a", **{k: 3})) for k in ("value", "at_least", "at_most")] == [
        False,
        True,
        True,
    ]


def test_a_curve_is_fitted_to_earlier_figures_of_the_count_and_to_nothing_else(built_in: Case) -> None:
    by_id = {t.id: t for t in built_in.targets}
    curves = {name: curve_before(built_in, t) for name, t in by_id.items()}
    assert {name for name, draws in curves.items() if draws is not None} == {
        "registered-month",
        "registered-april",
    }
    april = curves["registered-april"]
    assert april is not None
    assert 975 < np.median(april) < 1400
    # neither its own figure nor a later one is seen
    for name, moved in (("registered-april", "registered-april"), ("registered-month", "registered-april")):
        other = with_targets(
            built_in,
            *(t.model_copy(update={"value": 99_999.0}) if t.id == moved else t for t in built_in.targets),
        )
        again = curve_before(other, by_id[name])
        assert again is not None
        np.testing.assert_array_equal(again, curves[name])


def test_a_curve_wants_counts_that_began_on_one_day(case: Case) -> None:
    first = case.calendar.start
    early = target(case, "early", value=20, date=str(first + 30 * DAY), start=str(first + 5 * DAY))
    late = target(case, "late", value=30, date=str(first + 60 * DAY))
    same = target(case, "same", value=30, date=str(first + 60 * DAY), start=str(first + 5 * DAY))
    least = target(case, "least", at_least=30, date=str(first + 60 * DAY), start=str(first + 5 * DAY))
    told = with_targets(case, early, late, same, least)
    assert curve_before(told, late) is None
    assert curve_before(told, same) is not None
    assert curve_before(told, least) is None
