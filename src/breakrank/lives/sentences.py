"""Dates, odds and weights as they stand in a sentence."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from itertools import groupby
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

_DATE: Final = re.compile(rf"(\b\d{{1,2}} (?:{'|'.join(MONTHS)})) (\d{{4}})\b")
_TWO_DEEDS: Final = re.compile(r"^[^,]* and (was|went|moved|found) [^,]*$")
_SPAN: Final = re.compile(rf"{_DATE.pattern} and (\d{{1,2}} (?:{'|'.join(MONTHS)}) \2)\b")


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
    >>> [odds(p) for p in (0.72, 0.0042, 0.00001834, 1e-9, 0.0, 0.9999)]
    ['72 in 100', '1 in 240', '1 in 55,000', 'less than 1 in a million', 'no chance', 'almost certain']
    """
    if chance <= 0:
        return "no chance"
    if chance < 1e-6:
        return "less than 1 in a million"
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


def joined(clauses: Sequence[str]) -> str:
    """Return clauses of one day as one; those about him in a row share their "he".

    Examples
    --------
    >>> joined(["he reached Peru", "he was registered", "his relatives suffered for it", "he hid"])
    'he reached Peru and was registered, and his relatives suffered for it, and he hid'
    >>> joined(["he reached Peru, ill", "he asked for asylum", "he was lodged in a hotel"])
    'he reached Peru, ill, asked for asylum, and was lodged in a hotel'
    >>> joined(["he reached Peru", "he presented himself and was registered"])
    'he reached Peru, presented himself and was registered'
    """
    parts = []
    for about_him, run in groupby(clauses, key=lambda clause: clause.startswith("he ")):
        said = list(run)
        if not about_him:
            parts += said
            continue
        last = [text.removeprefix("he ") for text in said[1:]]
        simple = len(said) == 2 and not any("," in text or " and " in text for text in said)
        if simple:
            parts.append(f"{said[0]} and {last[0]}")
        elif last:
            # What ends on "and was registered" or "and moved on" has its "and" already.
            final = ", " if _TWO_DEEDS.search(last[-1]) else ", and "
            parts.append(", ".join((said[0], *last[:-1])) + final + last[-1])
        else:
            parts += said
    return ", and ".join(parts)


def years_once(text: str) -> str:
    """Return a text whose dates name the year only where it is another than in the date before.

    Examples
    --------
    >>> years_once("On 30 March 2019 he left; on 2 April 2019 he was in Peru, and on 1 May 2020 he was back.")
    'On 30 March 2019 he left; on 2 April he was in Peru, and on 1 May 2020 he was back.'
    >>> years_once("Between 30 March 2019 and 2 April 2019 he hid.")
    'Between 30 March and 2 April 2019 he hid.'
    """
    before = ""

    def told(match: re.Match[str]) -> str:
        nonlocal before
        date, year = match.groups()
        same, before = year == before, year
        return date if same else f"{date} {year}"

    return _DATE.sub(told, _SPAN.sub(r"\1 and \3", text))


def sentence(text: str) -> str:
    """Return a text with a capital first letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
