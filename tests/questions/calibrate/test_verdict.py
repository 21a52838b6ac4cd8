"""Sentences of the verdict that follow from a table: recovery, and the naive curve."""

from __future__ import annotations

from typing import Any

import pandas as pd

from breakrank.questions.calibrate.verdict import _misfit, failures


def parameters(all_: list[float], some: list[float]) -> pd.DataFrame:
    names = [*(f"p{k}" for k in range(len(all_))), "other"]
    told = {"coverage90": [*all_, 0.2], "coverage90_of_50": [*some, 0.2]}
    return pd.DataFrame({**told, "informed": [*(True for _ in all_), False]}, index=names)


def beside(inside: list[bool]) -> pd.DataFrame:
    labels = [f"figure {k}" for k in range(len(inside))]
    ends = {"record_low": 300.0, "record_high": 400.0, "posterior_q05": 290.0, "posterior_q95": 420.0}
    return pd.DataFrame({"label": labels, "inside": inside, "pull_posterior": [0.5] * len(inside), **ends})


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
