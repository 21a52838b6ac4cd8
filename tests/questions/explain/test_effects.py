"""Effects of taking mechanisms out: paired, clustered by draw, ranked."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from breakrank.errors import UsageError
from breakrank.questions.explain import ExplainedOutcome, Switch, outcomes_of, ranked, removal

COUNT = ExplainedOutcome("left_abroad", "Crossed", "soldiers")
RNG = np.random.default_rng(6)
EACH = np.arange(40)
FEAR = Switch("fear", "soldiers weigh the risk")


def test_it_is_the_paired_t_test() -> None:
    a = RNG.normal(100, 20, 40)
    b = a + RNG.normal(5, 4, 40)
    d = removal(FEAR, COUNT, a, b, EACH).found
    known: Any = stats.ttest_rel(b, a).confidence_interval(0.95)
    assert (d.low, d.high) == pytest.approx((known.low, known.high))
    assert d.mean == pytest.approx((b - a).mean())
    assert d.same_sign == (b > a).mean()
    assert d.told


def test_runs_that_share_a_draw_are_not_independent() -> None:
    """Two runs to a draw whose effect is the draw's alone tell no more than one run to each."""
    per_draw = RNG.normal(1, 2, 20)
    a, twice = np.zeros(40), np.repeat(np.arange(20), 2)
    alone = removal(FEAR, COUNT, a[:20], per_draw, np.arange(20)).found
    both = removal(FEAR, COUNT, a, np.repeat(per_draw, 2), twice).found
    assert (both.low, both.high) == pytest.approx((alone.low, alone.high))
    naive = removal(FEAR, COUNT, a, np.repeat(per_draw, 2), EACH).found
    assert naive.high - naive.low < 0.8 * (both.high - both.low)


def test_runs_that_failed_are_left_out() -> None:
    a, b = np.arange(5.0), np.array([1.0, 3.0, np.nan, 4.0, 6.0])
    found = removal(FEAR, COUNT, a, b, np.arange(5)).found
    assert (found.runs, found.mean) == (4, 1.5)
    none = removal(FEAR, COUNT, a, np.full(5, np.nan), np.arange(5))
    assert (none.found.runs, none.found.told, none.vital) == (0, False, False)
    assert math.isnan(none.found.mean)
    one = removal(FEAR, COUNT, a[:1], b[:1], np.arange(1)).found
    assert math.isnan(one.low)
    assert not one.told


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
        [removal(Switch(name, name), a, plain[k], after[k], EACH) for k, a in enumerate(asked)]
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
