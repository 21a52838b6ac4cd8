"""Dates, odds and weights as they stand in a sentence."""

from __future__ import annotations

import datetime as dt
from typing import Final

MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def on(date: dt.date) -> str:
    """Return a date in words, whatever the machine's language.

    Examples
    --------
    >>> on(dt.date(2019, 3, 12))
    '12 March 2019'
    """
    return f"{date.day} {MONTHS[date.month - 1]} {date.year}"


def odds(chance: float) -> str:
    """Return a probability as odds, no more digits than carry meaning.

    Examples
    --------
    >>> [odds(p) for p in (0.72, 0.0042, 0.00001834, 0.0, 0.9999)]
    ['72 in 100', '1 in 240', '1 in 55,000', 'no chance', 'almost certain']
    """
    if chance <= 0:
        return "no chance"
    if chance >= 0.995:
        return "almost certain"
    if chance >= 0.1:
        return f"{chance * 100:.0f} in 100"
    return f"1 in {int(float(f'{1 / chance:.2g}')):,}"


def signed(value: float) -> str:
    """Return a weight with its sign.

    Examples
    --------
    >>> signed(1.34), signed(-0.25), signed(-0.01)
    ('+1.3', '−0.2', '0.0')
    """
    text = f"{value:+.1f}"
    return "0.0" if float(text) == 0 else text.replace("-", "−")


def sentence(text: str) -> str:
    """Return a text with a capital first letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
