"""Luck and parameters, told apart."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from breakrank.case import Draws
from breakrank.results.uncertainty import FEWEST, UNKNOWN, parts, rows_of


def made(share: float, rows: int, each: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return values of which the parameters cause a share of the variance, and their rows."""
    rng = np.random.default_rng(seed)
    row = np.repeat(np.arange(rows), each)
    common, own = rng.normal(size=rows)[row], rng.normal(size=rows * each)
    return math.sqrt(share) * common + math.sqrt(1 - share) * own, row


@pytest.mark.parametrize("share", [0.0, 0.3, 0.8, 1.0])
@pytest.mark.parametrize("each", [2, 3])
def test_the_share_of_the_parameters_is_found(share: float, each: int) -> None:
    found = parts(*made(share, 4000, each))
    assert found.parameters == pytest.approx(share, abs=0.04)
    assert found.rows == 4000


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_what_luck_alone_leaves_is_as_wide_as_luck(share: float) -> None:
    found = parts(*made(share, 20_000, 2))
    assert found.high - found.low == pytest.approx(2 * 1.645 * math.sqrt(1 - share), rel=0.03)


def test_luck_of_counts_multiplies_and_never_falls_below_zero() -> None:
    rng = np.random.default_rng(3)
    row = np.repeat(np.arange(5000), 2)
    values = np.round(np.exp(rng.normal(5, 1, 5000)[row] + rng.normal(0, 0.5, 10_000)))
    found = parts(values, row)
    assert found.parameters == pytest.approx(0.8, abs=0.03)
    assert found.high / np.median(values) == pytest.approx(math.exp(1.645 * 0.5), rel=0.05)
    rare = (rng.random(10_000) < 0.02) * rng.integers(1, 9, 10_000).astype(float)
    assert parts(rare, row).low == 0


def test_runs_alone_in_their_row_do_not_count_as_luck() -> None:
    values, row = made(0.5, 3000, 2)
    lone = np.r_[values, 100.0]
    assert parts(lone, np.r_[row, 3000]).rows == 3000
    assert parts(np.r_[values, np.nan], np.r_[row, 0]) == parts(values, row)


@pytest.mark.parametrize(
    ("values", "rows"),
    [
        (np.arange(20.0), None),
        (np.arange(2.0 * FEWEST - 2), np.repeat(np.arange(FEWEST - 1), 2)),
        (np.ones(40), np.repeat(np.arange(20), 2)),
        (np.arange(40.0), np.arange(40)),
    ],
)
def test_where_nothing_can_be_told_nothing_is(values: Any, rows: Any) -> None:
    assert parts(values, rows) is UNKNOWN


def test_rows_of_runs() -> None:
    draws = Draws(("a",), np.zeros((3, 1)), 2)
    case: Any = SimpleNamespace(draws=draws)
    assert rows_of(case, np.array([0, 1, 4, 7])).tolist() == [0, 0, 2, 0]  # type: ignore[union-attr]
    assert rows_of(SimpleNamespace(draws=None), np.arange(3)) is None  # type: ignore[arg-type]
