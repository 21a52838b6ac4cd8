"""evidence/: sources and observations, the ledger behind every number."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from breakrank.case.dates import When
from breakrank.case.models_base import CaseModel, Id, Ids, Line, Number, Prose, Range, Whole
from breakrank.case.values import SlipError

Grade = Literal["high", "medium", "low"]


class Source(CaseModel):
    """A report, survey, data set or document."""

    id: Id = Field(description="short name")
    publisher: Line = Field(description="who published it")
    title: Line = Field(description="its title")
    date: When = Field(description="when it was published")
    kind: Literal["report", "official", "survey", "dataset", "leak", "compilation"] = Field(
        description="what it is"
    )
    copy_of: Id | None = Field(default=None, description="id of the source whose copy it carries")
    reliability: Grade = Field(description="high, medium or low")
    notes: Prose | None = Field(default=None, description="what one should know about it")


def _paragraph(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


class Observation(CaseModel):
    """What a source says was counted or seen, in other words than its own."""

    id: Id = Field(description="short name")
    source: Id = Field(description="id of its source")
    says: Line = Field(description="who says so")
    what: Prose = Field(description="what is said, paraphrased")
    value: Number | None = Field(default=None, description="the figure")
    range: Range | None = Field(default=None, description="lowest and highest figure")
    bound: Literal["at_least", "at_most", "about"] | None = Field(
        default=None, description="whether the value is a lower or upper bound, or a round figure"
    )
    text: Prose | None = Field(default=None, description="what is said, where it is no figure")
    unit: Line | None = Field(default=None, description="unit of the figure")
    date: When = Field(description="when it was so; may be a range joined by '/'")
    place: Line | None = Field(default=None, description="where it was so")
    paragraph: Annotated[Line, BeforeValidator(_paragraph)] = Field(description="paragraph of the source")
    confidence: Grade = Field(description="high, medium or low")
    bears_on: tuple[Annotated[Whole, Field(ge=1, le=14)], ...] = Field(
        default=(), description="numbers (1 to 14) of the subsystems it bears on"
    )
    conflicts: Ids = Field(
        default=(), description="ids of observations that say otherwise; they name this one too"
    )
    aside: Prose | None = Field(
        default=None, description="why nothing rests on it on purpose, e.g. kept to compare a forecast with"
    )

    @model_validator(mode="after")
    def _one_figure(self) -> Observation:
        given = [k for k in ("value", "range", "text") if getattr(self, k) is not None]
        if len(given) != 1:
            found = (
                "nothing observed is given" if not given else f"more than one of {', '.join(given)} is given"
            )
            raise SlipError(
                found, "Write exactly one of value, range and text.", () if not given else (given[1],)
            )
        if given[0] != "text" and self.unit is None:
            raise SlipError(
                "the figure has no unit", "Write unit: persons, or whatever is counted.", (given[0],)
            )
        if self.bound is not None and self.value is None:
            raise SlipError(
                "only a single figure has a bound", "Write value, or leave bound out.", ("bound",)
            )
        if self.id in self.conflicts:
            raise SlipError(
                "the observation conflicts with itself", "Name other observations.", ("conflicts",)
            )
        return self
