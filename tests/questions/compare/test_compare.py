"""A case beside another: zero where nothing differs, the right sign where something does, whoever runs it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import stats

import breakrank
from breakrank.errors import UsageError
from breakrank.questions.paired import PairedRuns, check_pair
from breakrank.results.paired import Difference, difference
from tests.new_cases import full_case

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.results.result import Result


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    folder = full_case(tmp_path_factory.mktemp("cases") / "made-up")
    return breakrank.load_case(folder)


@pytest.fixture(scope="module")
def before(case: Case) -> Result:
    return breakrank.simulate(case, runs=6, seed=3, workers=1, log_runs=0)


@pytest.fixture(scope="module")
def fearless(case: Case) -> Answer:
    return breakrank.compare(case, case.set({"fear.on": 0}), runs=6, seed=3, workers=1)


def paired(before: Result, after: Result, name: str = "left_abroad") -> Difference:
    return PairedRuns.of_results(before, after).difference("before", "after", name)


def test_a_case_does_not_differ_from_itself(case: Case, before: Result) -> None:
    made = breakrank.compare(case, case, runs=6, seed=3, workers=1).table()
    assert tuple(made.index[:2]) == ("regime_holds", "left")
    assert set(made.index) == {*case.catalogue.primary, "left"}
    assert not made[["mean", "low", "high", "more", "less"]].to_numpy().any()
    assert (made["before"] == made["after"]).all()
    assert (made["same_sign"] == 1).all()
    assert set(made["verdict"]) == {"no difference"}
    assert made.loc["left_abroad", "reduction"] == math.inf
    assert made.loc["left_abroad", "before"] == float(before.data["left_abroad"].sum("day").mean())


def test_who_is_not_afraid_leaves(case: Case, before: Result, fearless: Answer) -> None:
    left = paired(before, breakrank.simulate(case.set({"fear.on": 0}), runs=6, seed=3, workers=1))
    assert left.mean > 0
    assert left.told
    assert (left.more, left.less, left.same_sign) == (1, 0, 1)
    assert (left.against("more"), left.against("less")) == ("agrees", "opposite")
    assert left.against("either") == "open"
    assert left.after == pytest.approx(left.before + left.mean)
    row = fearless.table().loc["left_abroad"]
    assert (row["mean"], row["low"], row["high"]) == (left.mean, left.low, left.high)


def test_any_number_of_workers_gives_the_same(case: Case, fearless: Answer) -> None:
    seen: list[tuple[int, int]] = []
    again = breakrank.compare(
        case,
        case.set({"fear.on": 0}),
        runs=6,
        seed=3,
        workers=2,
        progress=lambda done, every: seen.append((done, every)),
    )
    assert again == fearless
    assert seen[-1] == (12, 12)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert (
        breakrank.compare(case, values={"fear.on": 0}, runs=6, seed=3, workers=1)
        .table()["mean"]
        .equals(fearless.table()["mean"])
    )


def test_two_results_pair_by_run_and_not_by_place(case: Case, before: Result, fearless: Answer) -> None:
    after = breakrank.simulate(case.set({"fear.on": 0}), runs=6, seed=3, workers=1, log_runs=0)
    assert paired(before, after).mean == fearless.table().loc["left_abroad", "mean"]
    some = replace(before, data=before.data.isel(run=[0, 2, 5]))
    fewer = replace(after, data=after.data.isel(run=[5, 4, 2]))
    made = paired(some, fewer)
    assert made.runs == 2
    left = [r.data["left_abroad"].sum("day").values[[2, 5]].astype(float) for r in (before, after)]
    assert made.mean == float((left[1] - left[0]).mean())
    with pytest.raises(UsageError, match="no run in common"):
        paired(some, replace(after, data=after.data.isel(run=[1])))
    with pytest.raises(UsageError, match="share no random draws"):
        paired(before, replace(after, seed=4))


def test_what_is_no_case_is_refused_by_name(case: Case, before: Result) -> None:
    for wrong, name in ((before, "Result"), ({"fear.on": 0}, "dict"), (5, "int")):
        for ask in (breakrank.compare, breakrank.simulate):
            with pytest.raises(UsageError, match=f"folder is expected, not a {name}\\n.*result.case"):
                ask(*([case, [wrong]] if ask is breakrank.compare else [wrong]))
    for question in (breakrank.plan, breakrank.explain, breakrank.calibrate, breakrank.hindcast):
        with pytest.raises(UsageError, match="not a Result"):
            question(before)
    with pytest.raises(UsageError, match="not a Result"):
        breakrank.forecast(before, "2025-03-01")


def test_another_force_or_calendar_is_refused(case: Case) -> None:
    with pytest.raises(UsageError, match=r"different forces \(force.strength"):
        breakrank.compare(case, case.set({"force.strength": 4000}))
    with pytest.raises(UsageError, match="until"):
        breakrank.compare(case, case.until("2025-03-01"))
    with pytest.raises(UsageError, match="nothing to compare made-up with; it has no-appeal"):
        breakrank.compare(case)
    check_pair(case, case.set({"fear.on": 0}).without_event("appeal"))


def test_the_interval_is_that_of_the_paired_t_test() -> None:
    rng = np.random.default_rng(1)
    a = rng.normal(10, 3, 40)
    b = a + rng.normal(1, 1, 40)
    d = difference("x", "X", "soldiers", a, b)
    known: Any = stats.ttest_rel(b, a).confidence_interval(0.95)
    assert (d.low, d.high) == pytest.approx((known.low, known.high))
    assert d.reduction == pytest.approx((a.var(ddof=1) + b.var(ddof=1)) / (b - a).var(ddof=1))
    assert d.more + d.less == 1


def test_runs_of_one_draw_are_taken_together() -> None:
    rng = np.random.default_rng(2)
    draw = np.repeat(np.arange(20), 2)
    apart = rng.normal(1, 1, 20)[draw]
    d = difference("x", "X", "soldiers", np.zeros(40), apart, draw)
    known: Any = stats.ttest_1samp(apart[::2], 0).confidence_interval(0.95)
    assert (d.low, d.high) == pytest.approx((known.low, known.high))
    assert (d.runs, d.draws) == (40, 20)
    assert math.isnan(difference("x", "X", "", np.zeros(2), apart[:2], draw[:2]).low)


def test_intervals_of_an_effect_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(3)
    draw = np.repeat(np.arange(25), 2)
    held = 0
    for _ in range(2_000):
        apart = rng.normal(0, 1, 25)[draw] + rng.normal(0, 0.5, 50)
        d = difference("x", "X", "", np.zeros(50), apart, draw)
        held += d.low <= 0 <= d.high
    assert 0.935 <= held / 2_000 <= 0.965  # three standard errors; as 50 pairs of their own they hold 86%


def test_few_pairs_and_gaps() -> None:
    one = difference("x", "X", "", np.array([1.0]), np.array([3.0]))
    assert (one.mean, one.more, one.runs) == (2, 1, 1)
    assert math.isnan(one.low)
    assert not one.told
    gap = difference("x", "X", "", np.array([1.0, np.nan, 2.0]), np.array([1.0, 2.0, 2.0]))
    assert (gap.runs, gap.mean) == (2, 0)
    none = difference("x", "X", "", np.array([np.nan]), np.array([1.0]))
    assert none.runs == 0
    assert math.isnan(none.mean)
    same = difference("x", "X", "", np.ones(5), np.ones(5))
    assert math.isnan(same.reduction)
