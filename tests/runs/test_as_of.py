"""A case as known on a day."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest

import breakrank
from breakrank.case import Case
from breakrank.errors import UsageError
from breakrank.runs.as_of import Known, as_known

DAY = dt.date(2019, 2, 28)


@pytest.fixture(scope="module")
def case() -> Case:
    return breakrank.load_case("venezuela-2019")


@pytest.fixture(scope="module")
def known(case: Case) -> Known:
    return as_known(case, DAY)


def test_nothing_before_the_day_changes(case: Case, known: Known) -> None:
    at = case.calendar.day(DAY) + 1
    for name in case.catalogue.fields:
        assert np.allclose(case.daily(name)[:at], known.case.daily(name)[:at], rtol=1e-12), name
    for what in ("open", "capture", "violence"):
        assert np.array_equal(case.route_daily(what)[:at], known.case.route_daily(what)[:at])


def test_later_events_have_no_effect_and_series_stand_still(case: Case, known: Known) -> None:
    at = case.calendar.day(DAY)
    assert case.daily("call").max() > 0.5
    assert known.case.daily("call")[at + 1 :].max() == 0
    assert case.daily("registration")[-1] == 0
    assert known.case.daily("registration")[-1] == 1
    pay = known.case.daily("pay")
    assert (pay[at:] == pay[at]).all()
    assert "la-carlota" in known.dropped
    assert max(e.date for e in known.case.events) <= DAY


def test_an_announced_event_is_left_in(case: Case) -> None:
    known = as_known(case, DAY, ["la-carlota"])
    assert known.announced == ("la-carlota",)
    assert known.case.daily("call").max() > 0.5
    with pytest.raises(UsageError, match="did you mean"):
        as_known(case, DAY, ["la-carlotta"])


@pytest.mark.parametrize("day", [dt.date(2018, 12, 31), dt.date(2019, 12, 31)])
def test_a_day_has_to_leave_something(case: Case, day: dt.date) -> None:
    with pytest.raises(UsageError, match="leaves nothing to forecast"):
        as_known(case, day)
