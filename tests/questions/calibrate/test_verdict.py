"""Sentences of the verdict that follow from a table: recovery, and the naive curve."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest

from breakrank.questions.calibrate.predictive import beside_curve
from breakrank.questions.calibrate.verdict import _curve, _misfit, _ranks, _recovery, failures


def parameters(all_: list[float], some: list[float]) -> pd.DataFrame:
    names = [*(f"p{k}" for k in range(len(all_))), "other"]
    told = {"coverage90": [*all_, 0.2], "coverage90_of_50": [*some, 0.2]}
    return pd.DataFrame({**told, "informed": [*(True for _ in all_), False]}, index=names)


def test_recovery_is_told_for_all_worlds_and_for_fifty() -> None:
    told = _recovery({"worlds": 300}, parameters([0.87, 0.93], [0.84, 0.98]))
    assert "In 300 simulations with known parameters" in told
    assert "held the truth in 87% to 93% (standard error 1.7%): every one is recovered" in told
    assert told.endswith(
        "In 50 of these, spread evenly, it was 84% to 98% (standard error 4.2%), outside that range: p1."
    )
    told = _recovery({"worlds": 300}, parameters([0.87, 0.70], [0.84, 0.86]))
    assert "not as required (83% to 96%): p1." in told
    assert told.endswith("84% to 86% (standard error 4.2%).")
    assert "50 of these" not in _recovery({"worlds": 50}, parameters([0.9], [0.9]))


def test_the_posterior_is_told_beside_the_curve() -> None:
    targets = pd.DataFrame({"score": [0.1, 0.4, 0.3], "curve_score": [0.2, 0.8, math.nan]})
    assert beside_curve(zip(targets["score"], targets["curve_score"], strict=True)) == (2, pytest.approx(0.5))
    (told,) = _curve(targets)
    assert "forecasts 2 figures" in told
    assert "is 0.50 times the curve's (geometric mean)" in told
    assert "the posterior was fitted to these figures, and the curve was not" in told
    assert _curve(targets.assign(curve_score=math.nan)) == ()


@pytest.mark.parametrize(
    ("p", "told"), [(0.3, "p = 0.30 (TARP)."), (3e-6, "p < 0.01 (TARP); the joint posterior is too wide")]
)
def test_a_joint_test_that_fails_is_no_zero(p: float, told: str) -> None:
    about = {"level": 0.05, "free": 2, "joint_p": p, "joint_mean": 0.4}
    assert told in _ranks(about, pd.DataFrame({"ranks_fail": [False, False]}))


def beside(inside: list[bool]) -> pd.DataFrame:
    labels = [f"figure {k}" for k in range(len(inside))]
    ends = {"record_low": 300.0, "record_high": 400.0, "posterior_q05": 290.0, "posterior_q95": 420.0}
    return pd.DataFrame({"label": labels, "inside": inside, "pull_posterior": [0.5] * len(inside), **ends})


def test_intervals_far_wider_than_the_record_agree_but_weakly() -> None:
    about = {"effective": 150.0, "misfit": {"prior": {"p": 0.4}, "posterior": {"p": 0.6}}}
    table = beside([True, True, True])
    assert "says little" not in _misfit(about, table)
    table.loc[:1, "posterior_q95"] = 2884.0
    assert _misfit(about, table).endswith(
        "2 of 3 intervals are more than 4 times as wide as what the record says."
    )
    table["record_low"] = -math.inf
    assert "says little" not in _misfit(about, table)


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ([True, True], "The model can produce a record like this one"),
        ([True, False], "but in part: figure 1 lies outside."),
        ([False, False], "but in part: figure 0 and figure 1 lie outside."),
    ],
)
def test_no_record_can_be_produced_while_figures_lie_outside(inside: list[bool], words: str) -> None:
    about = {"effective": 150.0, "misfit": {"prior": {"p": 0.4}, "posterior": {"p": 0.6}}}
    said = _misfit(about, beside(inside))
    assert words in said
    assert ("can produce" in said) == all(inside)


def test_a_small_budget_says_what_it_cannot_decide() -> None:
    about: dict[str, Any] = {"effective": 21.4, "misfit": {"prior": {"p": 0.4}, "posterior": {"p": 0.6}}}
    said = _misfit(about, beside([True]))
    assert said.startswith("21 effective draws do not decide whether the model can produce")
    about["misfit"]["prior"]["p"] = 0.001
    assert _misfit(about, beside([True])).startswith("The model does not produce")


def test_each_check_that_a_posterior_fails_is_named() -> None:
    about: dict[str, Any] = {"effective": 150.0, "level": 0.05, "joint_p": 1e-6, "joint_mean": 0.4}
    about |= {"misfit": {"posterior": {"p": 0.6}}, "agreement": {"parameters": 1, "median": 0.2, "most": 0.4}}
    ranks = pd.DataFrame({"ranks_fail": [False, False]}, index=["fear.reach", "other"])
    tables = {"parameters": ranks, "targets": beside([True, True])}
    assert failures(about, tables) == (), "a joint posterior that is too wide errs on the safe side"
    about |= {"effective": 12.0, "joint_mean": 0.6, "misfit": {"posterior": {"p": 0.001}}}
    about["agreement"]["most"] = 1.1
    tables = {"parameters": ranks.assign(ranks_fail=[True, False]), "targets": beside([True, False])}
    assert failures(about, tables) == (
        "the ranks are not uniform for fear.reach",
        "the joint posterior is too narrow",
        "the two methods differ by up to 1.10 posterior standard deviations",
        "12 effective draws are too few to tell",
        "all targets taken together lie further out than the model reaches",
        "outside the 90% intervals: figure 1",
    )
