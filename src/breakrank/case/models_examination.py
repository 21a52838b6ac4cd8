"""examination.yaml: interventions on a case, each with what is expected of it, by whom, and how large."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from breakrank.case.models_base import CaseModel, Day, Flag, Id, Ids, Line, Prose, Range
from breakrank.case.models_counterfactual import Changes
from breakrank.case.slip import SlipError

Sign = Literal["more", "less", "same", "no_more", "no_less", "identical"]


class Expectation(CaseModel):
    """What an intervention is expected to do to one measure."""

    of: Id = Field(description="the measure")
    sign: Sign = Field(
        description="more, less, same (within the band), no_more, no_less, or identical (in every run)"
    )
    times: Range | None = Field(
        default=None, description="band of its size, as [low, high] multiples of what it was"
    )
    reaches: Range | None = Field(default=None, description="band of what it becomes, as [low, high]")
    date: Day | None = Field(default=None, description="day at which it is read; by default the last")
    since: Day | None = Field(default=None, description="first day counted; by default the first")
    by: dict[Id, Id | tuple[Id, ...]] = Field(
        default_factory=dict, description="only some labels, as {rank: general} or {route: [trail, river]}"
    )
    limit: Prose | None = Field(
        default=None, description="known limit: why the model fails here; to be taken out once it does not"
    )

    short: Flag = Field(default=False, description="true: part of the short form")

    @model_validator(mode="after")
    def _has_a_band(self) -> Expectation:
        if self.sign == "same" and self.times is None and self.reaches is None:
            raise SlipError(
                "same is said without a band", "Write times: [0.8, 1.25], or identical.", ("sign",)
            )
        if self.times is not None and self.reaches is not None:
            raise SlipError("both times and reaches are given", "Keep one of the two.", ("reaches",))
        return self


class Intervention(Changes):
    """One change of a case, and what theory or a report expects of it, written before it is run."""

    part: Line = Field(description="the part of the model that is examined")
    because: Prose = Field(description="why this is expected, in a sentence")
    expected: Annotated[tuple[Expectation, ...], Field(min_length=1)] = Field(
        description="what is expected, measure by measure"
    )
    literature: Line | None = Field(default=None, description="who expects it, as author and year")
    evidence: Annotated[Ids, Field(min_length=1)] | None = Field(
        default=None, description="ids of observations in evidence/observations.yaml"
    )
    construction: Flag = Field(
        default=False, description="true: it follows from what the words mean, whatever the world is like"
    )
    against: Id | None = Field(
        default=None, description="id of the intervention that it is compared with, instead of the case"
    )

    @model_validator(mode="after")
    def _says_who(self) -> Intervention:
        if not (self.literature or self.evidence or self.construction):
            raise SlipError(
                "something is expected, and not by whom",
                "Write literature: author year, evidence: [observation-id] or construction: true.",
            )
        return self
