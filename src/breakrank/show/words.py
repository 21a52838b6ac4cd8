"""Numbers, dates and sentences as readers see them: thousands separated, dates written out."""

from __future__ import annotations

import datetime as dt
import math
from typing import TYPE_CHECKING

from breakrank.outputs import YES_OR_NO

if TYPE_CHECKING:
    from breakrank.show.tables import SpreadSeries

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def number(value: float, unit: str = "") -> str:
    """Return a number for reading, thousands separated.

    Shares (unit ``"share"``) are written as per cent, counts of people (``"people"``) as whole numbers.

    Halves, as medians over an even number of runs have them, are rounded up.

    >>> number(1285), number(0.0161, "share"), number(-2.25), number(0.004), number(144.5, "days")
    ('1,285', '1.6%', '−2.2', '0.004', '145')
    """
    if unit == "share":
        return percent(value)
    if not math.isfinite(value):
        return "none"
    if unit == "people":
        return f"{math.floor(value + 0.5):,}".replace("-", "\u2212")
    size = abs(value)
    whole = size >= 10 or size == round(size)
    text = _rounded(size) if whole else f"{size:.1f}" if size >= 1 else f"{size:.3g}"
    return f"\u2212{text}" if value < 0 and text != "0" else text


def _rounded(size: float) -> str:
    return f"{math.floor(size + 0.5):,}"


def mean(value: float, unit: str = "", sign: bool = False) -> str:
    """Return a mean over runs, or with `sign` a difference of two, in three digits or all whole ones.

    Whole ones are rounded as :func:`number` does.

    >>> mean(1206.5), mean(12.52), mean(-0.254, sign=True), mean(0.974, "share"), mean(1, "1 or 0")
    ('1,207', '12.5', '−0.25', '97.4%', '100%')
    """
    if not math.isfinite(value):
        return "none"
    value, mark = (100 * value, "%") if unit in PER_CENT else (value, "")
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    text = f"{abs(value):,.{digits}f}" if digits else _rounded(abs(value))
    before = "" if not text.strip("0.") else "\u2212" if value < 0 else "+" if sign else ""
    return f"{before}{text}{mark}"


PER_CENT = frozenset({"share", "fraction", YES_OR_NO})
"""Units whose means are written as per cent."""
WHOLE = frozenset(
    {
        *("soldiers", "relatives", "children", "persons", "families", "meals", "messages", "currency"),
        *("requests", "decisions", "permits", "files"),
        *("plots", "uprisings", "pledges", "units", "positions"),
    }
)
"""Units of outcomes that are counted, and so written as whole numbers."""


def way(unit: str) -> str:
    """Return how :func:`number` writes values of an outcome's unit.

    >>> way("soldiers"), way("share"), way("ratio")
    ('people', 'share', 'ratio')
    """
    return "people" if unit in WHOLE else unit


def exact(value: float, unit: str = "") -> str:
    """Return a number as a case gives it: not rounded to what can be seen, as what a model gives is.

    >>> exact(12.5), exact(160000), exact(0.00625), exact(2 / 3), exact(0.01, "share")
    ('12.5', '160,000', '0.00625', '0.666667', '1%')
    """
    if not math.isfinite(value):
        return "none"
    if unit == "share":
        return f"{100 * value:.6g}%"
    return (f"{value:,.0f}" if value == round(value) else f"{value:,.6g}").replace("-", "\u2212")


def span(low: float, high: float, unit: str = "") -> str:
    """Return a range as a case gives it; an infinite end is open.

    >>> span(950, 1000), span(1, 1), span(-math.inf, 0.01, "share"), span(3, math.inf)
    ('950 to 1,000', '1', 'at most 1%', 'at least 3')
    """
    if low == high:
        return exact(low, unit)
    if math.isinf(low):
        return f"at most {exact(high, unit)}"
    return (
        f"at least {exact(low, unit)}" if math.isinf(high) else f"{exact(low, unit)} to {exact(high, unit)}"
    )


def signed(value: float, unit: str = "") -> str:
    """Return a difference with its sign, as :func:`number` writes it; of shares in percentage points.

    >>> signed(5), signed(-0.02, "share"), signed(0.07, "share"), signed(0), signed(-0.2, "people")
    ('+5', '−2 points', '+7 points', '0', '0')
    """
    share = unit in PER_CENT
    text = number(round(100 * abs(value), 9) if share else abs(value), "" if share else unit)
    mark = "" if not text.strip("0.") else "+" if value > 0 else "\u2212"
    return f"{mark}{text}{' points' if share else ''}"


def people(value: float) -> str:
    """Return a count of people, whole and with thousands separated."""
    return number(value, "people")


def average(value: float) -> str:
    """Return an average count of people, for reading.

    >>> average(1509.9), average(0.2), average(0)
    ('1,510', 'under 1', '0')
    """
    return "under 1" if 0 < value < 0.5 else people(value)


def percent(value: float) -> str:
    """Return a share of 0 to 1 as per cent, with as many places as it needs to tell it from 0 and from 100.

    >>> percent(0.984), percent(0.97), percent(0.99), percent(0), percent(0.0004), percent(0.9996)
    ('98.4%', '97%', '99%', '0%', '0.04%', '99.96%')
    """
    if not math.isfinite(value):
        return "none"
    edge = round(100 * min(abs(value), abs(1 - value)), 9)
    places = 0 if edge >= 2 or edge == round(edge) else min(4, max(1, math.ceil(-math.log10(edge))))
    return f"{100 * value:,.{places}f}%".replace("-", "\u2212")


def answer(share: float, runs: int) -> str:
    """Return the answer of yes-or-no runs: the share that say yes, or the answer of the one run.

    >>> answer(0.97, 200), answer(1.0, 1), answer(0.0, 1)
    ('97% of runs', 'yes', 'no')
    """
    return f"{percent(share)} of runs" if runs > 1 else "yes" if share else "no"


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


def interval(low: float, high: float, unit: str = "", *, sign: bool = False) -> str:
    """Return two ends as ``low to high``, with as many places as two digits of its width need.

    Both ends have the same places, and enough that none reads as 0, or as 100%, that is not. It is one number
    where both read alike. With `sign`, as differences, those of shares in percentage points.

    >>> interval(0.855, 1.7), interval(113, 660.4), interval(0, 0), interval(0.0003, 0.05)
    ('0.85 to 1.70', '113 to 660', '0', '0.0003 to 0.0500')
    >>> interval(0.789, 0.792, "share"), interval(0.021, 0.3, "share"), interval(-3.2, 14.1, sign=True)
    ('78.9% to 79.2%', '2% to 30%', '−3 to +14')
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        return f"{number(low, unit)} to {number(high, unit)}"
    ends = [between(end, low, high, unit, sign=sign) for end in (low, high)]
    return ends[0] if ends[0] == ends[1] else f"{ends[0].removesuffix(' points')} to {ends[1]}"


def between(value: float, low: float, high: float, unit: str = "", *, sign: bool = False) -> str:
    """Return a number for reading beside its interval, with as many places as :func:`interval` writes.

    >>> between(0.0101, 0.0098, 0.0102, "share"), between(0.5, 0.1, 0.9, "share"), between(1, 0.855, 1.7)
    ('1.01%', '50%', '1.00')
    """
    share = unit == "share" or (sign and unit in PER_CENT)
    if unit == "people" or low == high or not math.isfinite(value + low + high):
        return signed(value, unit) if sign else number(value, unit)
    scale, top = (100.0, 100.0 if not sign else math.inf) if share else (1.0, math.inf)
    places = _places(scale * low, scale * high, top)
    size = round(abs(scale * value), 9)
    text = f"{size:,.{places}f}" if places else _rounded(size)
    before = "" if not text.strip("0.,") else "\u2212" if value < 0 else "+" if sign else ""
    return f"{before}{text}{'' if not share else ' points' if sign else '%'}"


def _places(low: float, high: float, top: float) -> int:
    """Return the places of an interval's ends; 0 and `top` stand only where they are meant."""
    off = (10 * abs(end - edge) for end in (low, high) for edge in (0.0, top) if end not in (0.0, top))
    most = min(9, max(0, 1 - math.floor(math.log10(min(high - low, *off, 1e9)) + 1e-9)))
    return next(
        k for k in range(most + 1) if k == most or all(abs(round(x, k) - x) < 1e-9 for x in (low, high))
    )


def ends_of(runs: int) -> str:
    """Return the meaning of a band's outer ends: an interval, or all runs if they are few.

    >>> ends_of(100), ends_of(4), ends_of(1)
    ('90% interval', 'range of all 4 runs', 'range of the one run')
    """
    from breakrank.results.uncertainty import FEW

    return "90% interval" if runs >= FEW else f"range of {_all(runs)}"


def within(runs: int) -> str:
    """Return whose values lie between the outer ends of a band, as the head of a column.

    >>> within(100), within(4), within(1)
    ('90% of runs', 'all 4 runs', 'the one run')
    """
    from breakrank.results.uncertainty import FEW

    return "90% of runs" if runs >= FEW else _all(runs)


def _all(runs: int) -> str:
    return f"all {runs} runs" if runs > 1 else "the one run"


def unit_of(one: SpreadSeries) -> str:
    """Return the unit by which :func:`number` writes a series' values."""
    if one.kind != "share":
        return "people"
    return "share" if one.unit == "share" else ""
