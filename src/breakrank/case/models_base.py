"""The words that all models of case files share: texts, ids, numbers, dates, and evidence."""

from __future__ import annotations

import datetime as dt
import re
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
    model_validator,
)

from breakrank.case.scalars import hidden_character
from breakrank.case.slip import SlipError
from breakrank.case.when import first_day


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


def read_date(value: object) -> dt.date:
    """Return a date written year-month-day; :class:`SlipError` for anything else."""
    if type(value) is dt.date:
        return value
    if isinstance(value, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        try:
            return dt.date.fromisoformat(value)
        except ValueError as error:
            raise SlipError(
                f"{value!r} is not a date: {error}", "Write year-month-day, e.g. 2019-02-23."
            ) from None
    shown = repr(value)[:60] if isinstance(value, str | int | float) else "a list or mapping"
    raise SlipError(f"{shown} is not a date", "Write year-month-day, e.g. 2019-02-23.")


Day = Annotated[
    dt.date,
    BeforeValidator(read_date),
    WithJsonSchema({"type": "string", "format": "date", "description": "year-month-day"}),
]


def read_when(value: object) -> str:
    """Return a date, month or year, or two of them joined by '/', as written; a period as its months.

    Raises
    ------
    SlipError
        for anything else.
    """
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if isinstance(text, str):
        text = _months(text)
        ends = text.split("/")
        if len(ends) <= 2 and all(_is_day(end) for end in ends):
            if ends[0] > ends[-1]:
                raise SlipError(f"{text!r} ends before it starts", "Write the earlier date first.")
            return text
    shown = repr(text)[:60] if isinstance(text, str | int | float) else "a list or mapping"
    raise SlipError(
        f"{shown} is not a date or range of dates",
        "Write 2019-02-23, 2019-02, 2019, 2019-Q1, early 2019, or a range such as 2019-02-23/2019-03-23.",
    )


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


def _is_day(text: str) -> bool:
    try:
        return bool(re.fullmatch(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?", text) and first_day(text))
    except ValueError:
        return False


When = Annotated[
    str,
    BeforeValidator(read_when),
    WithJsonSchema(
        {
            "type": ["string", "integer"],
            "description": "a date, month, year, quarter (2021-Q3) or third of a year (early 2022), or a "
            "range of dates, months or years joined by '/'",
        }
    ),
]


def _ordered(pair: tuple[float, float]) -> tuple[float, float]:
    if pair[0] > pair[1]:
        raise SlipError(
            f"the range [{pair[0]:g}, {pair[1]:g}] is the wrong way round", "Write the lower end first."
        )
    return pair


Range = Annotated[tuple[Number, Number], AfterValidator(_ordered)]
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

    model_config = ConfigDict(
        json_schema_extra={"anyOf": [{"required": ["evidence"]}, {"required": ["assumed"]}]}
    )

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
