"""Rows and texts made ready to stand inside a page: small, and unable to end the element they stand in."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

_ESCAPED = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def embedded(value: object) -> str:
    """Return a value as JSON that can stand in a script element whatever its texts hold.

    >>> "<" in embedded({"title": "</script><script>"})
    False
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for mark, escaped in _ESCAPED.items():
        text = text.replace(mark, escaped)
    return text


def packed(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return rows by column; dates that follow each other evenly as the first and the step in days.

    >>> packed([{"date": "2019-01-01", "n": 1}, {"date": "2019-01-08", "n": 2}])
    {'n': 2, 'columns': {'date': {'from': '2019-01-01', 'step': 7}, 'n': [1, 2]}}
    """
    keys = dict.fromkeys(k for row in rows for k in row)
    columns: dict[str, Any] = {key: [row.get(key) for row in rows] for key in keys}
    if "date" in columns:
        columns["date"] = _even(columns["date"])
    return {"n": len(rows), "columns": columns}


def _even(dates: list[str]) -> list[str] | dict[str, Any]:
    days = [dt.date.fromisoformat(d).toordinal() for d in dates]
    steps = {b - a for a, b in pairwise(days)}
    return {"from": dates[0], "step": steps.pop()} if len(steps) == 1 else dates
