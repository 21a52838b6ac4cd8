"""sites.yaml: where those who got out are received."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from breakrank.case.models_base import Day, Evidenced, Flag, Id, Line, Model, Number, Prose, Whole
from breakrank.case.slip import SlipError


class Rules(Model):
    """House rules of a site."""

    hours_out: Annotated[Number, Field(ge=0, le=24)] = Field(
        description="hours a day one may be out, 0 to 24"
    )
    work: Flag = Field(description="true: one may work")
    guard: Flag = Field(description="true: the site is guarded")


class Cost(Model):
    """An amount of money."""

    value: Annotated[Number, Field(ge=0)] = Field(description="amount, 0 or more")
    unit: Line = Field(description="currency and per what, e.g. US dollars per person and day")


class Site(Evidenced):
    """A hotel, church, camp, embassy or private house that takes people in."""

    id: Id = Field(description="short name")
    label: Line = Field(description="name shown in charts")
    kind: Literal["hotel", "church", "tents", "embassy", "private"] = Field(description="what it is")
    place: Id = Field(description="id of its point in places.geojson")
    country: Line = Field(description="country it stands in")
    capacity: Annotated[Whole, Field(ge=0, le=10_000_000)] = Field(description="persons it can take")
    opens: Day = Field(description="first day")
    closes: Day | None = Field(default=None, description="last day, included; leave out if it stays open")
    rules: Rules = Field(description="house rules")
    rations_per_day: Annotated[Number, Field(ge=0, le=10)] = Field(
        description="meals for each person and day"
    )
    cost_per_person_day: Cost = Field(description="what one person costs a day")
    payer: Line = Field(description="who pays")
    about: Prose | None = Field(default=None, description="more of it")

    @model_validator(mode="after")
    def _order(self) -> Site:
        if self.closes is not None and self.closes < self.opens:
            raise SlipError(
                f"the site closes ({self.closes}) before it opens ({self.opens})",
                "Write a later date.",
                ("closes",),
            )
        return self
