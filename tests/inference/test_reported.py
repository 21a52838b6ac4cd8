"""What a target reports: which lie within the calendar, how far off they may be, what was counted before."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest

from breakrank.case import Case
from breakrank.case.models_evidence import Target
from breakrank.inference.observed import ObservedTargets, bound, ends, inside
from breakrank.questions.forecasters import split
from tests.inference.toys import toy_case
from tests.new_cases import printed

DAY = dt.timedelta(days=1)


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return toy_case(tmp_path_factory.mktemp("cases"))


def target(case: Case, name: str, **more: object) -> Target:
    told = {"date": str(case.calendar.end), "measure": "registered", "unit": "soldiers", "assumed": "made up"}
    more = {"from" if k == "start" else k: x for k, x in more.items()}
    return Target(id=name, label=name, **{**told, **more})


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
    assert ObservedTargets.of(told).ids == ("known", "end")
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
