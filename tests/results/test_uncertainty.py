"""Which runs share their parameters."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from breakrank.case import Draws
from breakrank.results.uncertainty import rows_of


def test_rows_of_runs() -> None:
    draws = Draws(("a",), np.zeros((3, 1)), 2)
    case: Any = SimpleNamespace(draws=draws)
    assert rows_of(case, 3, np.array([0, 1, 4, 7])).tolist() == [0, 0, 2, 0]  # type: ignore[union-attr]
    assert rows_of(SimpleNamespace(draws=None), 3, np.arange(3)) is None  # type: ignore[arg-type]
