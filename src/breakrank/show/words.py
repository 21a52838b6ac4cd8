"""Numbers, dates and sentences as readers see them: thousands separated, dates written out."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breakrank.show.tables import Band, Series

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def number(value: float, unit: str = "") -> str:
    """Return a number for reading: shares as per cent, counts with thousands separated.

    >>> number(1285), number(0.0161, "share"), number(2.25), number(0.004)
    ('1,285', '1.6%', '2.2', '0.004')
    """
    if unit == "share":
        return percent(value)
    if value != value:
        return "none"
    size = abs(value)
    if size >= 10 or size == round(size):
        return f"{value:,.0f}".replace("-", "\u2212")
    return f"{value:,.1f}" if size >= 1 else f"{value:.3g}"


def percent(value: float) -> str:
    """Return a share of 0 to 1 as per cent, with as many places as it needs to tell it from 0 and from 100.

    >>> percent(0.984), percent(0.5), percent(0), percent(0.0004), percent(0.9996)
    ('98.4%', '50%', '0%', '0.04%', '99.96%')
    """
    if value != value:
        return "none"
    edge = 100 * min(abs(value), abs(1 - value))
    places = 0 if edge >= 10 or edge == 0 else min(4, max(1, math.ceil(-math.log10(edge))))
    return f"{100 * value:.{places}f}%"


def day(date: object, year: bool = True) -> str:
    """Return a date as words.

    >>> day(dt.date(2019, 2, 28)), day(dt.date(2019, 2, 28), year=False)
    ('28 Feb 2019', '28 Feb')
    """
    if not isinstance(date, dt.date):
        import pandas as pd

        date = pd.Timestamp(str(date)).date()
    text = f"{date.day} {_MONTHS[date.month - 1]}"
    return f"{text} {date.year}" if year else text


def when(text: str) -> str:
    """Return the date of an observation, which may be a month, a year or a range, as words.

    >>> when("2019-02-23/2019-03-23"), when("2019-03"), when("2019")
    ('23 Feb 2019 to 23 Mar 2019', 'Mar 2019', '2019')
    """
    return " to ".join(_when(part) for part in str(text).split("/"))


def _when(part: str) -> str:
    pieces = part.split("-")
    try:
        if len(pieces) == 3:
            return day(dt.date.fromisoformat(part))
        if len(pieces) == 2:
            return f"{_MONTHS[int(pieces[1]) - 1]} {pieces[0]}"
    except (ValueError, IndexError):
        return part
    return part


def interval(low: float, high: float, unit: str = "") -> str:
    """Return two ends as ``low to high``; one number where both read alike.

    >>> interval(113, 660), interval(0, 0)
    ('113 to 660', '0')
    """
    a, b = number(low, unit), number(high, unit)
    return a if a == b else f"{a} to {b}"


def spread(band: Band, unit: str = "", runs: int = 2) -> str:
    """Return a median with its 90% interval, e.g. ``5,001 (90% interval 1,916 to 10,403)``."""
    middle = number(band.median, unit)
    if runs < 2:
        return middle
    return f"{middle} (90% interval {interval(band.q05, band.q95, unit)})"


def unit_of(one: Series) -> str:
    """Return the unit by which :func:`number` writes a series' values."""
    return "share" if one.kind == "share" else ""


def sentence(one: Series) -> str:
    """Return one sentence that says what a fan shows, for those who do not see it."""
    frame, runs = one.frame, one.runs
    start, end = day(frame["date"].iloc[0]), day(frame["date"].iloc[-1])
    over = f"in {runs:,} runs" if runs > 1 else "in the one run"
    if one.empty:
        return f"{one.label}: none from {start} to {end} {over}."
    unit = unit_of(one)
    units = "" if one.kind == "share" else f" {one.unit}"
    if one.kind == "daily":
        at = int(frame["median"].to_numpy().argmax())
        peak = number(float(frame["median"].iloc[at]), unit)
        return (
            f"{one.label}: the median {over} is highest at {peak}{units} "
            f"on {day(frame['date'].iloc[at])} and ends at {number(one.last.median, unit)} on {end}."
        )
    if len(frame) == 1:
        return f"{one.label}: {spread(one.last, unit, runs)}{units} on {end}, {over}."
    first = float(frame["median"].iloc[0])
    move = "reaches" if one.kind == "cumulative" else "goes"
    path = f"{move} {spread(one.last, unit, runs)}"
    if one.kind != "cumulative":
        path = f"{move} from {number(first, unit)} on {start} to {spread(one.last, unit, runs)}"
    return f"{one.label}: the median {over} {path}{units} on {end}."


def listed(parts: Sequence[str]) -> str:
    """Return parts as an enumeration.

    >>> listed(["one"]), listed(["one", "two", "three"])
    ('one', 'one, two and three')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""
