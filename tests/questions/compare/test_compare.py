"""A case beside another: zero where nothing differs, the right sign where something does, whoever runs it."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import stats

import breakrank
from breakrank.answer.charts import panels
from breakrank.errors import UsageError
from breakrank.questions.paired import PairedRuns, check_pair
from breakrank.results.paired import Difference, difference
from breakrank.show.axes import Look
from breakrank.show.style import LIGHT
from breakrank.wording import listed
from tests.new_cases import full_case

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.results.result import Result
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
from breakrank.questions.compare import clause, finding, leaving, sentence, verdict


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


def test_days_are_those_of_the_pairs(case: Case) -> None:
    other = case.set({"decision.baseline_leave": 4})
    answer = breakrank.compare(case, other, runs=5, seed=3, workers=1, outcomes=("serving", "share_left"))
    table = answer.table("daily")
    last = table[table["date"] == table["date"].max()].set_index("id")
    both = [name for name in answer.table().index if name in last.index]
    assert len(both) > 5
    for name in both:
        for number in ("before", "after", "mean", "low", "high"):
            assert last.loc[name, number] == answer.table().loc[name, number], (name, number)
    assert "median" not in table, "one estimand: the mean of the pairs"
    left = table[table["id"] == "left"]
    assert (np.diff(left["before"]) >= 0).all()
    assert last.loc["left", "after"] > last.loc["left", "before"]
    shown = answer.table().loc[both]
    clear = shown["label"][(shown["low"] > 0) | (shown["high"] < 0)]
    drawn = panels(answer, answer.figures[1], Look(LIGHT, still=True))
    assert [one.sentence.partition(":")[0] for one in drawn] == ["All who left", *clear.drop("left")]
    whole = answer.table().drop(index=both)
    others = whole["label"][(whole["low"] > 0) | (whole["high"] < 0)]
    assert len(others), "some clear difference is not counted by day"
    assert answer.figures[1].note.endswith(f"not drawn, as not counted by day: {listed(list(others))}")


def test_what_the_literature_expects_is_held_against_it(case: Case) -> None:
    answer = breakrank.compare(case, ["no-appeal", "null-model"], runs=12, workers=2)
    rows = answer.table()
    expected = rows[rows["expected"] != ""]
    assert dict(zip(expected["id"], expected["expected"], strict=True))["left_abroad"] == "less"
    assert any(note.startswith("Changed: the event appeal does not happen") for note in answer.notes)
    assert any("less expected (" in note for note in answer.notes)


def test_what_cannot_be_told_from_zero_heads_no_chart(case: Case) -> None:
    little = breakrank.compare(case, case.set({"decision.baseline_leave": 10}), runs=5, seed=3, workers=1)
    assert "; no clear difference in how many leave by 30 Jun 2025 (−0.4 to +0.8)." in little.finding
    assert little.figures[0].title == "No clear difference in how many leave by 30 Jun 2025 (−0.4 to +0.8)"
    assert "“All who left” leaves out soldiers who crossed" in little.tables[0].note


def _apart(name: str, before: float, mean: float, half: float, unit: str = "soldiers") -> Difference:
    ends = (mean - half, mean + half)
    return Difference(name, name, unit, before, before + mean, mean, *ends, 0.5, 0.3, 2.0, 8, 8)


def _effect(name: str, regime: Difference, left: Difference) -> Any:
    change = SimpleNamespace(id=name)
    return SimpleNamespace(change=change, left=left, differences=[regime, left], runs=8, untouched="")


def test_an_unclear_difference_is_small_only_beside_the_cases_own_number() -> None:
    wide, narrow = (_apart("left", 40_000, mean, half) for mean, half in ((-12_444, 18_532), (100, 1_899)))
    assert clause(wide, "1 May") == "no clear difference in how many leave by 1 May (−30,976 to +6,088)"
    assert clause(narrow, "1 May") == "how many leave by 1 May hardly changes (−1,799 to +1,999)"
    said = sentence(_effect("x", _apart("regime_holds", 0.5, 0.25, 0.3, "1 or 0"), wide), "31 Mar 2019")
    assert said.endswith("how many leave by 31 Mar 2019 (−30,976 to +6,088).")
    assert len(said.split()) <= 25


def test_of_several_changes_the_strongest_clear_one_of_the_regime_is_named_too() -> None:
    unclear, less = _apart("left", 3_000, -100, 400), _apart("left", 3_000, -300, 200)
    holds = [_apart("regime_holds", 0.5, mean, 0.2, "1 or 0") for mean in (0.42, 0.25, 0.1)]
    named = zip(("silent", "loyal", "arrested"), holds, (unclear, unclear, less), strict=True)
    found = [_effect(*each) for each in named]
    said = finding(found, "31 Mar 1986")
    assert said == (
        "Of 3 changes silent moves the regime's survival most (92%, not 50%), arrested how many leave by "
        "31 Mar 1986 (−500 to −100)."
    )
    assert finding(found[:2], "31 Mar 1986").endswith(", none clearly how many leave by 31 Mar 1986.")
    assert finding(found[2:] * 2, "31 Mar 1986") == leaving(found[2:] * 2, "31 Mar 1986")


def _one(label: str, apart: list[float]) -> Difference:
    before = np.array([100.0, 900.0, 400.0, 250.0])
    return difference(label, label, "people", before, before + np.array(apart))


def test_it_says_how_many_differ_clearly_and_how_many_would_by_chance() -> None:
    left, registered = _one("Left", [-50, 60, -40, 30]), _one("Registered", [150, 160, 140, 150])
    assert verdict([left, registered], 4).startswith("In 4 pairs of runs 1 of 2 outcomes looked at differ")


def test_the_variance_is_split_into_parameters_and_luck() -> None:
    rng = np.random.default_rng(5)
    shares = []
    for _ in range(200):
        draw = np.repeat(np.arange(60), 2)
        apart = 3.0 * rng.standard_normal(60)[draw] + 2.0 * rng.standard_normal(120)
        d = difference("x", "X", "", np.zeros(120), apart, draw)
        shares.append((d.paired.between, d.paired.within, d.parameters))
    between, within, share = np.mean(shares, axis=0)
    assert between == pytest.approx(9, rel=0.06), "the method of moments has no bias"
    assert within == pytest.approx(4, rel=0.06)
    assert share == pytest.approx(9 / 13, abs=0.03)


def test_pairs_of_uneven_draws_are_split_without_bias() -> None:
    rng = np.random.default_rng(6)
    draw = np.repeat(np.arange(60), [1, 2, 5] * 20)
    found = []
    for _ in range(400):
        apart = 3.0 * rng.standard_normal(60)[draw] + 2.0 * rng.standard_normal(draw.size)
        found.append(difference("x", "X", "", np.zeros(draw.size), apart, draw).paired)
    assert np.mean(found, axis=0) == pytest.approx([9, 4], rel=0.06)


def test_without_draws_that_pairs_share_nothing_is_said_of_the_parameters() -> None:
    apart = np.random.default_rng(3).normal(0, 1, 40)
    assert math.isnan(difference("x", "X", "", np.zeros(40), apart).parameters)
    assert math.isnan(difference("x", "X", "", np.zeros(40), apart, np.arange(40)).parameters)
    few = difference("x", "X", "", np.zeros(18), apart[:18], np.repeat(np.arange(9), 2))
    assert math.isnan(few.parameters)
    enough = difference("x", "X", "", np.zeros(20), apart[:20], np.repeat(np.arange(10), 2))
    assert 0 <= enough.parameters <= 1
    assert enough.draws == 10
