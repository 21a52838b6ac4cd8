"""Forecasts hold the truth of synthetic worlds of the real model as often as so few draws can."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import breakrank
from benchmarks.synthetic_worlds import DATES, LEVELS, ForecastOfTruth, Size, SyntheticWorlds, held, tables

SIZE = Size(strength=8_000, bank=1_000, draws=24, paths=3, forks=2, truths=20)


@pytest.mark.thorough
@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_so_few_draws_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = list(SyntheticWorlds("venezuela-2019", SIZE, 0, tmp_path).lines())
    monkeypatch.setattr(SyntheticWorlds, "_lived", None)
    assert list(SyntheticWorlds("venezuela-2019", SIZE, 0, tmp_path).lines()) == lines, (
        "nothing is lived again"
    )
    for date in range(len(DATES)):
        told = [line["dates"][date] for line in lines]
        ranks = np.array([[figure["rank"] for figure in one["figures"]] for one in told])
        for level, could in zip(LEVELS, np.mean([one["could"] for one in told], axis=0), strict=True):
            # a standard error of 20 truths is 4 to 5 points
            assert (np.abs(ranks - 0.5) <= level / 2).mean() == pytest.approx(could, abs=0.15)
    assert tables(lines).startswith("20 truths")


def test_what_so_many_draws_can_hold_is_what_they_hold_of_one_of_their_kind() -> None:
    case, luck = breakrank.load_case("venezuela-2019", "point"), np.random.default_rng(0)
    asked = next(target for target in case.targets if target.id == "registered-april")

    def ranks(number: int, spread: float) -> tuple[Any, Any]:
        """Return ranks of truths among draws with so much of their spread, and what was said to be held."""
        made = []
        for _ in range(number):
            x, prior = np.exp(spread * luck.normal(size=(30, 1, 1))), np.exp(luck.normal(size=(50, 1)))
            truth = np.exp(luck.normal(size=1))
            one = ForecastOfTruth(case, DATES[0], np.zeros(30), x, (asked,), truth, (), prior)
            made.append(one.judged(luck))
        found = np.array([one["figures"][0]["rank"] for one in made])
        return np.abs(found - 0.5), np.mean([one["could"] for one in made], axis=0)

    away, could = ranks(400, 1.0)
    for k, level in enumerate(LEVELS):
        assert (away <= level / 2).mean() == pytest.approx(could[k], abs=0.06)
        assert could[k] < level
    away, could = ranks(100, 0.3)
    assert (away <= 0.45).mean() < could[1] - 0.3


def test_figures_of_one_truth_are_one_answer() -> None:
    apart = held([[True] * 4, [False] * 4] * 10)
    assert apart == held([[True], [False]] * 10) == "50% (30% to 70%)"
