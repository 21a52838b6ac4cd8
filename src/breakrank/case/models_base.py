"""The words that all models of case files share: texts, ids, numbers, and evidence."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    model_validator,
)

from breakrank.case.values import SlipError, hidden_character


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
