"""The words that all models of case files share, and case.yaml: what the case is about, its calendar."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    model_validator,
)

from breakrank.case.dates import DateLike, Day, as_date
from breakrank.case.values import SlipError, hidden_character
from breakrank.errors import UsageError


class CaseModel(BaseModel):
    """A part of a case file: unknown keys are errors, and nothing changes after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, hide_input_in_errors=True)


Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
"""A finite number; whole numbers count, texts and true/false do not."""
Whole = Annotated[int, Field(strict=True)]
Flag = Annotated[bool, Field(strict=True)]
Probability = Annotated[Number, Field(ge=0, le=1)]


def _visible(text: str) -> str:
    hidden = hidden_character(text)
    if hidden:
        raise SlipError(f"the text holds the hidden character {hidden}", "Remove it.")
    return text


Line = Annotated[str, Field(strict=True, min_length=1, max_length=300), AfterValidator(_visible)]
"""A short text, such as a title."""
Prose = Annotated[str, Field(strict=True, min_length=1, max_length=5000), AfterValidator(_visible)]
"""A paragraph."""
Id = Annotated[str, Field(strict=True, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$")]
"""A name by which other places refer to this: letters, digits, '-', '_' and '.'."""
FileName = Annotated[str, Field(strict=True, min_length=1, max_length=200)]
"""A file inside the case folder, relative to it."""


def ordered(pair: tuple[float, float]) -> tuple[float, float]:
    """Return a pair; SlipError where its ends are the wrong way round."""
    if pair[0] > pair[1]:
        raise SlipError(
            f"the range [{pair[0]:g}, {pair[1]:g}] is the wrong way round", "Write the lower end first."
        )
    return pair


Range = Annotated[tuple[Number, Number], AfterValidator(ordered)]
"""Lower and upper end, both included."""


def unique(kind: str) -> AfterValidator:
    """Return a validator that refuses a list in which two items have one id."""

    def check(items: tuple[Any, ...]) -> tuple[Any, ...]:
        seen: dict[str, int] = {}
        for k, item in enumerate(items):
            name = item if isinstance(item, str) else item.id
            if name in seen:
                raise SlipError(
                    f"the {kind} {name!r} is there twice", "Keep one, or give it another id.", (k,)
                )
            seen[name] = k
        return items

    return AfterValidator(check)


Ids = Annotated[tuple[Id, ...], unique("id")]


class Evidenced(CaseModel):
    """Something that names its parent: observations, or a stated assumption, or both."""

    evidence: Annotated[Ids, Field(min_length=1)] | None = Field(
        default=None, description="ids of observations in evidence/observations.yaml"
    )
    assumed: Prose | None = Field(default=None, description="what is assumed beyond the evidence, and why")

    @model_validator(mode="after")
    def _has_a_parent(self) -> Evidenced:
        if self.evidence is None and self.assumed is None:
            raise SlipError(
                "neither evidence nor an assumption stands behind this",
                'Write evidence: [observation-id] or assumed: "the reason".',
            )
        return self


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
