"""How dates are read, wherever one is given: files, tables, calls, the command line, the page.

A year outside :data:`FIRST_YEAR` to :data:`LAST_YEAR` is a slip of the pen. Where the calendar of the case is
known (it is the context of pydantic's validation), a date must also lie within some years of it.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema

from breakrank.case.values import Bounds, SlipError
from breakrank.errors import UsageError

if TYPE_CHECKING:
    import numpy as np

DateLike: TypeAlias = "dt.date | str | np.datetime64"
"""A date as calls take it: a text year-month-day, or a date of datetime, NumPy or pandas at midnight."""
FIRST_YEAR: Final = 1700
LAST_YEAR: Final = 2100
NEAR: Final = 20
"""Years before the calendar in which what acts may lie: events, rows of series, schedules, figures."""
FAR: Final = 80
"""Years before the calendar from which something may last: sites, sanctions, money, rates."""
EVIDENCE: Final = 150
"""Years between the calendar and evidence, such as a study of another war."""
_REMEDY = "Write year-month-day, e.g. 2019-02-23."
_MIDNIGHT = re.compile(r"[T ]00:00:00(\.0+)?([+-][0-9]{2}:[0-9]{2})?")


def read_date(value: object) -> dt.date:
    """Return a date written year-month-day, or one of datetime, NumPy or pandas at midnight.

    Raises
    ------
    SlipError
        for anything else, and for a year outside :data:`FIRST_YEAR` to :data:`LAST_YEAR`.
    """
    text = _text(value)
    if isinstance(text, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        try:
            date = dt.date.fromisoformat(text)
        except ValueError as error:
            raise SlipError(f"{text!r} is not a date: {error}", _REMEDY) from None
        return _plausible(date)
    raise SlipError(f"{_shown(text)} is not a date", _REMEDY)


def as_date(value: DateLike, what: str) -> dt.date:
    """Return the date that a call gives; UsageError that begins with `what` for anything else."""
    try:
        return read_date(value)
    except SlipError as slip:
        raise UsageError(f"{what}: {slip.problem}\n  {slip.remedy}") from None


def read_when(value: object) -> str:
    """Return a date, month or year, or two of them joined by '/', as written; a period as its months.

    Raises
    ------
    SlipError
        for anything else, and for a year outside :data:`FIRST_YEAR` to :data:`LAST_YEAR`.
    """
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if isinstance(text, str):
        text = _months(text)
        ends = text.split("/")
        if len(ends) <= 2 and all(_is_plausible_day(end) for end in ends):
            if ends[0] > ends[-1]:
                raise SlipError(f"{text!r} ends before it starts", "Write the earlier date first.")
            return text
    raise SlipError(
        f"{_shown(text)} is not a date or range of dates",
        "Write 2019-02-23, 2019-02, 2019, 2019-Q1, early 2019, or a range such as 2019-02-23/2019-03-23.",
    )


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


def check_near(date: dt.date, calendar: Bounds | None, years: int) -> dt.date:
    """Return a date, or raise :class:`SlipError` where it lies more than so many years before a calendar.

    What comes after it moves no run: :data:`FAR` is enough for that.
    """
    if calendar is not None:
        before, after = calendar.start.year - date.year, date.year - calendar.end.year
        span = f"the calendar ({calendar.start} to {calendar.end})"
        if before > years:
            raise SlipError(
                f"{date} lies {before} years before {span}; at most {years} are expected",
                "Correct the year. For what holds since long ago, write the first day of the calendar.",
            )
        if after > max(years, FAR):
            raise SlipError(f"{date} lies {after} years after {span}", "Correct the year.")
    return date


def _text(value: object) -> object:
    """Return a date of datetime, NumPy, pandas or xarray as text without its midnight; all else as it is."""
    numpy_date = getattr(getattr(value, "dtype", None), "kind", "") == "M" and getattr(value, "ndim", 1) == 0
    if not numpy_date and not isinstance(value, dt.date):
        return value
    return _MIDNIGHT.sub("", str(getattr(value, "values", value) if numpy_date else value))


def _shown(value: object) -> str:
    if isinstance(value, str | int | float):
        return repr(value)[:60]
    return "a list or mapping" if isinstance(value, list | dict) else f"a {type(value).__name__}"


def _plausible(date: dt.date) -> dt.date:
    if not FIRST_YEAR <= date.year <= LAST_YEAR:
        raise SlipError(
            f"{date} lies in the year {date.year}; one from {FIRST_YEAR} to {LAST_YEAR} is expected", _REMEDY
        )
    return date


_PARTS = {"early": (1, 4), "mid": (5, 8), "late": (9, 12)}
"""First and last month of a third of a year."""


def _months(text: str) -> str:
    """Return a quarter (``2021-Q3``) or a third of a year (``early 2022``) as a range of months."""
    if quarter := re.fullmatch(r"([0-9]{4})-?Q([1-4])", text):
        last = 3 * int(quarter[2])
        return f"{quarter[1]}-{last - 2:02d}/{quarter[1]}-{last:02d}"
    if third := re.fullmatch(r"(early|mid|late)[ -]([0-9]{4})", text):
        first, last = _PARTS[third[1]]
        return f"{third[2]}-{first:02d}/{third[2]}-{last:02d}"
    return text


def _is_plausible_day(text: str) -> bool:
    if not re.fullmatch(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?", text):
        return False
    try:
        day = first_day(text)
    except ValueError:
        return False
    return _plausible(day) == day


def _day(years: int) -> BeforeValidator:
    """Return a reader of dates within a number of years of the calendar."""

    def read(value: object, info: ValidationInfo) -> dt.date:
        return check_near(read_date(value), info.context, years)

    return BeforeValidator(read)


def _read_when(value: object, info: ValidationInfo) -> str:
    when = read_when(value)
    for part in when.split("/"):
        check_near(dt.date(int(part[:4]), 1, 1), info.context, EVIDENCE)
    return when


_DATE = WithJsonSchema({"type": "string", "format": "date", "description": "year-month-day"})
Day = Annotated[dt.date, _day(NEAR), _DATE]
"""A day on which something acts or is counted."""
FarDay = Annotated[dt.date, _day(FAR), _DATE]
"""A day from which something lasts, perhaps since long before the calendar."""
When = Annotated[
    str,
    BeforeValidator(_read_when),
    WithJsonSchema(
        {
            "type": ["string", "integer"],
            "description": "a date, month, year, quarter (2021-Q3) or third of a year (early 2022), or a "
            "range of dates, months or years joined by '/'",
        }
    ),
]
