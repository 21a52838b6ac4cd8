"""Which runs share their parameters."""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace
from typing import Any

import numpy as np

from breakrank.case import Draws
from breakrank.case.draws import Luck, LuckPath
from breakrank.results.uncertainty import copies_after, fixed, holds, median_known, originals, rows_of, worth
from breakrank.runs.cases import list_cases, load_case


def test_rows_of_runs() -> None:
    draws = Draws(("a",), np.zeros((3, 1)), 2)
    case: Any = SimpleNamespace(draws=draws)
    assert rows_of(case, 3, np.array([0, 1, 4, 7])).tolist() == [0, 0, 2, 0]
    assert rows_of(SimpleNamespace(draws=None), 3, np.arange(3)) is None


def test_worlds_that_come_again_are_no_runs_of_their_own() -> None:
    """Of 4 worlds that leave nothing to luck, 10 runs tell what 4 tell; else each run is its own."""
    calendar = SimpleNamespace(end=dt.date(2019, 12, 31))
    paths = tuple(LuckPath(k) for k in range(4))
    for until, most in ((calendar.end, 4), (dt.date(2019, 6, 30), None)):
        worlds: Any = SimpleNamespace(
            calendar=calendar, draws=Draws((), np.zeros((4, 0)), luck=Luck(1, paths, until))
        )
        assert copies_after(worlds) == most
        found = originals(worlds, 3, np.arange(10))
        assert found.size == (most or 10)
        rows = worlds.draws.rows(3, found)
        assert most is None or sorted(rows.tolist()) == [0, 1, 2, 3]
    plain: Any = SimpleNamespace(calendar=calendar, draws=None)
    assert originals(plain, 3, np.arange(5)).tolist() == [0, 1, 2, 3, 4]


def test_runs_that_share_draws_count_for_fewer() -> None:
    """40 runs of 20 draws that agree in full: the interval of their median is that of 20 values."""
    values = np.repeat(np.arange(20.0), 2)[:, None]
    case: Any = SimpleNamespace(draws=Draws(("a",), values))
    runs = np.arange(40)
    assert worth(case, 0, runs) == 20
    assert worth(case, 0, runs[::2]) == 20
    assert worth(SimpleNamespace(draws=None), 0, runs) == 40
    uneven: Any = SimpleNamespace(draws=Draws(("a",), np.array([[1.0]] * 5 + [[k] for k in range(5)])))
    assert worth(uneven, 0, np.arange(10)) == 100 // (36 + 4)
    luck = np.random.default_rng(0).normal(size=(2000, 20))
    told = [(median_known(np.repeat(one, 2), 20), median_known(np.repeat(one, 2))) for one in luck]
    apart = [
        np.mean([known is not None and known[0] <= 0 <= known[1] for known in side])
        for side in zip(*told, strict=True)
    ]
    assert apart[0] >= 0.9, "the interval holds the median in nine of ten samples"
    assert apart[1] < 0.85, "which it does not where copies count as runs of their own"


def test_a_case_without_an_ensemble_says_why_and_one_with_an_ensemble_does_not() -> None:
    content = SimpleNamespace(case=SimpleNamespace(no_ensemble="its record is closed"))
    without: Any = SimpleNamespace(posterior=None, draws=None, content=content)
    assert (
        holds(without)
        == "chance (fixed assumptions, chance only; no posterior ensemble, since its record is closed)"
    )
    for name in list_cases():
        assert "no posterior ensemble" not in holds(load_case(name)), "every built-in case has one"
    assert fixed(load_case("venezuela-2019", "point")) == "fixed assumptions, chance only"
