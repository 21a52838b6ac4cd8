"""Effects of taking mechanisms out, ranked, and the outcomes and days on which they are read."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest

from breakrank.errors import UsageError
from breakrank.questions.explain import ExplainedOutcome, Removal, Switch, outcomes_of, ranked
from breakrank.results.paired import difference

COUNT = ExplainedOutcome("left_abroad", "Crossed", "soldiers")
RNG = np.random.default_rng(6)


def test_mechanisms_are_ranked_by_the_first_outcome_then_by_the_next() -> None:
    asked = (COUNT, ExplainedOutcome("regime_holds", "Holds", "1 or 0"))
    plain = np.stack([RNG.poisson(1000, 40), np.ones(40)]).astype(float)
    off = {
        "nothing": plain.copy(),
        "the next alone": np.stack([plain[0], np.zeros(40)]),
        "little": plain + np.array([[3.0], [0.0]]),
        "much": np.stack([plain[0] * 3, np.ones(40)]),
    }
    found = ranked(
        [
            Removal(Switch(name, name), a, difference(a.measure, "", "", plain[k], after[k]))
            for k, a in enumerate(asked)
        ]
        for name, after in off.items()
    )
    assert [each[0].switch.mechanism for each in found] == ["much", "little", "the next alone", "nothing"]


def test_outcomes_are_read_at_the_dates_of_the_record() -> None:
    from breakrank import load_case

    case = load_case("venezuela-2019")
    found = {a.measure: a for a in outcomes_of(case)}
    assert tuple(found) == case.catalogue.primary
    dates = {
        t.measure: [x.date for x in case.targets if x.measure == t.measure and not x.by] for t in case.targets
    }
    assert found["registered"].date == max(dates["registered"])
    assert found["left_abroad"].date == max(dates["share_left"])  # a share of what left_abroad counts
    assert found["uprisings"].date is None  # the record counts them month by month
    assert found["uprisings"].when == "by the end"
    assert found["regime_holds"].when == "at the end"
    (one,) = outcomes_of(case, ["serving"], "2019-06-30")
    assert (one.date, one.when) == (dt.date(2019, 6, 30), "on 30 Jun 2019")
    for measures, date, says in (
        (["servin"], None, "did you mean 'serving'"),
        (["rate_ratio"], None, "before and after"),
        (None, "soon", "is not a date"),
        (None, "2031-01-01", "2031-01-01"),
    ):
        with pytest.raises(UsageError, match=says):
            outcomes_of(case, measures, date)
