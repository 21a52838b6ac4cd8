"""Dates name their year where a calendar has several."""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from breakrank.questions.run import against_record


@pytest.mark.parametrize(("end", "told"), [(2025, "5 Mar: "), (2026, "5 Mar 2025: ")])
def test_a_figure_beside_the_record(end: int, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(against_record, "unit_of", lambda _: "")
    days = pd.to_datetime(["2025-01-01", "2025-03-05", f"{end}-12-31"])
    frame = pd.DataFrame({"date": days, "q05": 1.0, "median": 2.0, "q95": 3.0})
    counted = SimpleNamespace(date=dt.date(2025, 3, 5), text="4", marked="4")
    one: Any = SimpleNamespace(series=SimpleNamespace(frame=frame, runs=4), counted=[counted])
    (line,) = against_record.beside(one)
    assert line.startswith(told)
