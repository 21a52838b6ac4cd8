"""Which runs share their parameters."""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace
from typing import Any

import numpy as np

from breakrank.case import Draws
from breakrank.case.luck import Luck, LuckPath
from breakrank.results.uncertainty import copies_after, originals, rows_of


def test_rows_of_runs() -> None:
    draws = Draws(("a",), np.zeros((3, 1)), 2)
    case: Any = SimpleNamespace(draws=draws)
    assert rows_of(case, 3, np.array([0, 1, 4, 7])).tolist() == [0, 0, 2, 0]  # type: ignore[union-attr]
    assert rows_of(SimpleNamespace(draws=None), 3, np.arange(3)) is None  # type: ignore[arg-type]


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
