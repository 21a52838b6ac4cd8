"""case.yaml: what the case is about, and its calendar."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import Field, model_validator

from breakrank.case.dates import DateLike, Day, as_date
from breakrank.case.models_base import CaseModel, Id, Line, Prose
from breakrank.case.values import SlipError
from breakrank.errors import UsageError

FORMAT = 2
"""Number of the present format. Folders of format 1 are read too where nothing in them has changed since."""
LONGEST = 3660
"""Days a calendar may have."""


class Calendar(CaseModel):
    """The days of a run: `start` to `end`, both included, 1 to 3660 days."""

    start: Day = Field(description="first day of the run")
    end: Day = Field(description="last day of the run, included")

    @model_validator(mode="after")
    def _length(self) -> Calendar:
        if self.end < self.start:
            raise SlipError(
                f"the calendar ends ({self.end}) before it starts ({self.start})",
                "Write a later end.",
                ("end",),
            )
        if self.days > LONGEST:
            raise SlipError(
                f"the calendar has {self.days:,} days; at most {LONGEST:,} can be run",
                "Write an earlier end.",
                ("end",),
            )
        return self

    @property
    def days(self) -> int:
        """Number of days."""
        return (self.end - self.start).days + 1

    def within(self, date: DateLike, what: str = "the date") -> dt.date:
        """Return a day of the calendar as a call gives it; UsageError that names `what` for any other."""
        exact = as_date(date, what)
        if not self.start <= exact <= self.end:
            raise UsageError(f"{what}: {exact} lies outside the calendar ({self.start} to {self.end})")
        return exact

    def day(self, date: DateLike) -> int:
        """Return the number of a date, 0 for the first day; UsageError as :meth:`within`."""
        return (self.within(date) - self.start).days

    def date(self, day: int) -> dt.date:
        """Return the date of a day counted from 0; UsageError when there is no such day."""
        if not 0 <= day < self.days:
            raise UsageError(f"day {day} lies outside the calendar (0 to {self.days - 1})")
        return self.start + dt.timedelta(days=int(day))


Mechanism = Annotated[
    str, Field(strict=True, pattern=r"^[A-Za-z_][A-Za-z0-9_.-]*(:[A-Za-z_][A-Za-z0-9_.]*)?$")
]
"""A name under which a package offers a mechanism, or ``module:Class``."""


class CaseFile(CaseModel):
    """case.yaml."""

    breakrank: Literal[1, 2] = Field(description="number of the case format: 2; 1 is that of version 0.1")
    id: Annotated[str, Field(strict=True, pattern=r"^[a-z0-9][a-z0-9-]{0,79}$")] = Field(
        description="short name of the case, the same as its folder: small letters, digits and '-'"
    )
    title: Line = Field(description="title of the case")
    summary: Prose = Field(description="what the case is about, in one paragraph")
    calendar: Calendar = Field(description="first and last day of the run")
    country: Line = Field(description="name of the country")
    capital: Id = Field(description="id of the state that holds the capital")
    currency: Line = Field(description="money in which amounts are given")
    authors: Annotated[tuple[Line, ...], Field(min_length=1)] = Field(description="who made the case")
    licence: Line = Field(description="licence of the case's data, e.g. CC-BY-4.0")
    set_by_hand: tuple[Line, ...] = Field(
        default=(),
        description="parameters whose values someone changed: they are used as they are, and not drawn",
    )
    no_ensemble: Line | None = Field(
        default=None,
        description="why the case has no posterior ensemble, as the end of a sentence that begins "
        "'no posterior ensemble, since'; every headline says it",
    )
    headline: Id | None = Field(
        default=None,
        description="id of the target that leads reports; left out, the latest of what the record "
        "counts most often",
    )
    mechanisms: tuple[Mechanism, ...] = Field(
        default=(),
        description="mechanisms that are added to the model's own, by the names under which installed "
        "packages offer them",
    )
