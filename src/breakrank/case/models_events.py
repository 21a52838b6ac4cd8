"""events.yaml: dated events and what they do to fields."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from breakrank.case.models_base import CaseModel, Day, Evidenced, Id, Ids, Line, Number, Prose
from breakrank.case.slip import SlipError


class Effect(CaseModel):
    """What an event does to one field from its date on: for good, up to `until` (included), or fading."""

    field: Id = Field(description="name of the field")
    op: Literal["add", "multiply", "set"] = Field(description="add, multiply or set")
    value: Number = Field(description="what is added, multiplied by, or set")
    until: Day | None = Field(default=None, description="last day of the effect, included")
    half_life: Annotated[Number, Field(gt=0, le=36600)] | None = Field(
        default=None, description="days after which half of what was added is left (op add only)"
    )
    states: Annotated[Ids, Field(min_length=1)] | None = Field(default=None, description="only these states")
    branches: Annotated[Ids, Field(min_length=1)] | None = Field(
        default=None, description="only these branches"
    )
    ranks: Annotated[Ids, Field(min_length=1)] | None = Field(default=None, description="only these ranks")

    @model_validator(mode="after")
    def _duration(self) -> Effect:
        if self.half_life is not None and self.op != "add":
            raise SlipError(
                f"half_life goes with op add, and the op is {self.op}",
                "Use until, or op: add.",
                ("half_life",),
            )
        if self.half_life is not None and self.until is not None:
            raise SlipError("both until and half_life are given", "Keep one of the two.", ("half_life",))
        return self


class Event(Evidenced):
    """Something that happened (or might have) on a date."""

    id: Id = Field(description="short name")
    date: Day = Field(description="the day on which it happens")
    title: Line = Field(description="what happened, in a few words")
    about: Prose | None = Field(default=None, description="more of it")
    effects: tuple[Effect, ...] = Field(default=(), description="what it does to fields; may be empty")

    @model_validator(mode="after")
    def _order(self) -> Event:
        for k, effect in enumerate(self.effects):
            if effect.until is not None and effect.until < self.date:
                raise SlipError(
                    f"the effect ends ({effect.until}) before the event ({self.date})",
                    "Write a later date.",
                    ("effects", k, "until"),
                )
        return self
