"""force.yaml: strength, branches, ranks, regions, states, stations and formations."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, PlainValidator, WithJsonSchema, model_validator

from breakrank.case.dates import FarDay
from breakrank.case.models_base import (
    CaseModel,
    Evidenced,
    FileName,
    Flag,
    Id,
    Ids,
    Line,
    Number,
    Probability,
    Prose,
    Range,
    Whole,
    ordered,
    unique,
)
from breakrank.case.models_parameters import PriorEntry
from breakrank.case.values import SlipError


class Strength(Evidenced):
    """How many soldiers there are; becomes the parameter ``force.strength``."""

    value: Annotated[Whole, Field(ge=1, le=100_000_000)] = Field(description="number of soldiers, at least 1")
    unit: Line = Field(description="persons")
    range: Range = Field(description="lowest and highest credible strength")
    prior: PriorEntry | None = Field(
        default=None, description="distribution of the strength within the range"
    )
    about: Prose | None = Field(default=None, description="what is counted")
    stands_for: Annotated[Whole, Field(ge=1)] | None = Field(
        default=None,
        description="soldiers of the country that this force stands for, where it is not drawn in full: what "
        "the case counts in heads or money is then in proportion",
    )

    @property
    def stated(self) -> int:
        """Soldiers whom the numbers of a case are for, whatever the strength of the force drawn."""
        return self.stands_for or self.value

    @model_validator(mode="after")
    def _within(self) -> Strength:
        low, high = self.range
        if not low <= self.value <= high:
            raise SlipError(
                f"the strength {self.value} lies outside its range [{low:g}, {high:g}]",
                "Widen the range or correct the value.",
                ("value",),
            )
        return self


class Branch(Evidenced):
    """A service, such as a national guard."""

    id: Id = Field(description="short name")
    label: Line = Field(description="name shown in charts")
    strength: Annotated[Whole, Field(ge=0)] = Field(
        description="soldiers of the branch; all branches add up to the strength"
    )
    repression: Probability = Field(
        description="relative share of orders to repress that it carries out, 0 to 1"
    )
    opportunity: Annotated[Number, Field(ge=0, le=5)] = Field(
        description="relative rate of decision opportunities, 0 to 5"
    )
    intelligence: bool = Field(
        default=False, description="an intelligence service, whose people know how to talk unheard"
    )
    resigns: Ids = Field(
        default=(), description="ranks whose soldiers can resign, in the open and at home; left out: none"
    )
    refuses: Ids = Field(
        default=(),
        description="ranks whose soldiers can refuse an order to repress, in the open; left out: none",
    )


def _share(value: object) -> float | dict[str, float]:
    """Return a share, or shares by branch; each a number between 0 and 1."""
    if isinstance(value, dict):
        if not value:
            raise SlipError(
                "no branch is named", "Write a share for every branch, e.g. {army: 0.5, guard: 0.6}."
            )
        return {str(k): _one_share(v, (str(k),)) for k, v in value.items()}
    return _one_share(value, ())


def _one_share(value: object, at: tuple[str, ...]) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        shown = f"{value!r:.60}" if isinstance(value, str | int | float) else "a list or mapping"
        raise SlipError(
            f"{shown} is not a share", "Write a number between 0 and 1, or one for each branch.", at
        )
    return float(value)


Share = Annotated[
    float | dict[str, float],
    PlainValidator(_share),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": 0, "maximum": 1},
                {"type": "object", "additionalProperties": {"type": "number", "minimum": 0, "maximum": 1}},
            ]
        }
    ),
]


Year = Annotated[Whole, Field(ge=0, le=60)]


class Rank(Evidenced):
    """A rank or group of ranks; the file lists them lowest first."""

    id: Id = Field(description="short name")
    label: Line = Field(description="name shown in charts")
    tier: Annotated[Whole, Field(ge=0, le=9)] = Field(
        description="height in the hierarchy, 0 lowest; never falls down the list"
    )
    share: Share = Field(
        description="share of the force, or {branch: share} for every branch; all ranks add up to 1"
    )
    leads: Annotated[Whole, Field(ge=0, le=100_000)] = Field(
        description="most soldiers they can lead out, 0 for nobody"
    )
    years: Annotated[tuple[Year, Year], AfterValidator(ordered)] = Field(
        description="fewest and most years of service, 0 to 60"
    )
    school: Literal["", "officer", "nco"] = Field(
        default="", description="academy whose classmates they keep: officer, nco or ''"
    )


class Region(CaseModel):
    """A military region: the states under one command."""

    id: Id = Field(description="short name")
    label: Line = Field(description="name of the region")
    states: Annotated[Ids, Field(min_length=1)] = Field(description="ids of its states")


class State(CaseModel):
    """A first-level division of the country, by ISO 3166-2 code."""

    id: Id = Field(description="ISO 3166-2 code, e.g. VE-S")
    label: Line = Field(description="name of the state")


class RegionsBasis(Evidenced):
    """What stands behind the regions."""


class Stations(Evidenced):
    """Where the soldiers are stationed: a table with the columns state,branch,share."""

    file: FileName = Field(description="table with the columns state,branch,share")


class Formations(Evidenced):
    """Sizes of formations and units."""

    size: Annotated[Whole, Field(ge=1, le=1_000_000)] = Field(description="soldiers in a formation")
    unit: Annotated[Whole, Field(ge=1, le=100_000)] = Field(description="soldiers in a unit")

    @model_validator(mode="after")
    def _units_fit(self) -> Formations:
        if self.unit > self.size:
            raise SlipError(
                f"a unit ({self.unit}) is larger than a formation ({self.size})",
                "Write a smaller unit.",
                ("unit",),
            )
        return self


class ForceFile(CaseModel):
    """force.yaml."""

    strength: Strength = Field(description="number of soldiers with its range and evidence")
    branches: Annotated[tuple[Branch, ...], Field(min_length=1, max_length=50), unique("branch")] = Field(
        description="services"
    )
    ranks: Annotated[tuple[Rank, ...], Field(min_length=1, max_length=50), unique("rank")] = Field(
        description="ranks, lowest first"
    )
    regions: Annotated[tuple[Region, ...], Field(min_length=1), unique("region")] = Field(
        description="military regions"
    )
    regions_basis: RegionsBasis = Field(description="what stands behind the regions")
    states: Annotated[tuple[State, ...], Field(min_length=1, max_length=250), unique("state")] = Field(
        description="states"
    )
    stations: Stations = Field(description="where the soldiers are stationed")
    formations: Formations = Field(description="sizes of formations and units")


class Position(Evidenced):
    """An office at the top of the forces or beside them; whoever holds it in a run is synthetic."""

    id: Id = Field(description="short name of the office, never of a person")
    label: Line = Field(description="name of the office shown in charts")
    weight: Probability = Field(
        description="share of the forces' obedience that the office controls, 0 to 1; together at most 1"
    )
    branch: Id | None = Field(default=None, description="id of the branch it commands, if it commands one")
    region: Id | None = Field(default=None, description="id of the region it sits in, if it matters")
    capital: Flag = Field(description="true: it sits in the capital")
    rents: Probability = Field(description="perks of the office, as a share of the highest there are, 0 to 1")
    sanctioned: FarDay | None = Field(
        default=None, description="day from which the holder is named in foreign sanctions; left out, never"
    )
    contact: Flag = Field(default=False, description="true: it has dealings with the challenger's side")
    about: Prose | None = Field(default=None, description="more of it")
