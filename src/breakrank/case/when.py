"""The first and the last day of a time as the ledger writes it: a date, a month, a year or a range."""

from __future__ import annotations

import datetime as dt


def first_day(when: str) -> dt.date:
    """Return the first day of a date, month, year or range as the ledger writes it.

    Examples
    --------
    >>> str(first_day("2019-02")), str(last_day("2019-02")), str(last_day("2019-02-23/2019-03"))
    ('2019-02-01', '2019-02-28', '2019-03-31')
    """
    part = when.split("/", maxsplit=1)[0]
    return dt.date.fromisoformat(part + {4: "-01-01", 7: "-01", 10: ""}[len(part)])


def last_day(when: str) -> dt.date:
    """Return the last day of a date, month, year or range as the ledger writes it."""
    part = when.rsplit("/", maxsplit=1)[-1]
    if len(part) == 10:
        return dt.date.fromisoformat(part)
    first = first_day(part)
    months = 1 if len(part) == 7 else 12
    following = first.year * 12 + first.month - 1 + months
    return dt.date(following // 12, following % 12 + 1, 1) - dt.timedelta(1)
