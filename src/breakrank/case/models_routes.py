"""places.geojson, routes.yaml, sites.yaml, payers.yaml and rates.yaml: ways out and reception."""

from __future__ import annotations

import datetime as dt
import math
import re
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, model_validator

from breakrank.case.dates import Day, FarDay
from breakrank.case.models_base import (
    CaseModel,
    Evidenced,
    Flag,
    Id,
    Line,
    Number,
    Probability,
    Prose,
    Whole,
    unique,
)
from breakrank.case.values import SlipError
from breakrank.errors import CaseError, Location


class GeoModel(CaseModel):
    """A part of GeoJSON: what else geographic programs write into it is passed over."""

    model_config = ConfigDict(extra="ignore")


class PlaceProperties(GeoModel):
    """Name and kind of a point."""

    id: Id = Field(description="short name; for a state or a crossing its id")
    kind: Literal["state", "crossing", "embassy", "site", "destination"] = Field(
        description="what stands there"
    )
    label: Line = Field(description="name shown on the map")


def _position(value: object) -> object:
    """Allow a height as third number, as GeoJSON does, and drop it."""
    if isinstance(value, list | tuple) and len(value) == 3:
        return list(value[:2])
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise SlipError("a position of two numbers is expected", "Write [longitude, latitude].")
    return value


Longitude = Annotated[Number, Field(ge=-180, le=180)]
Latitude = Annotated[Number, Field(ge=-90, le=90)]


class Point(GeoModel):
    """A point of GeoJSON."""

    type: Literal["Point"] = Field(description="Point")
    coordinates: Annotated[tuple[Longitude, Latitude], BeforeValidator(_position)] = Field(
        description="[longitude, latitude]"
    )


class PlaceFeature(GeoModel):
    """A place on the map."""

    type: Literal["Feature"] = Field(description="Feature")
    properties: PlaceProperties = Field(description="id, kind and label")
    geometry: Point = Field(description="a point")

    @property
    def id(self) -> str:
        """Short name."""
        return self.properties.id

    @property
    def kind(self) -> str:
        """One of state, crossing, embassy, site, destination."""
        return self.properties.kind

    @property
    def label(self) -> str:
        """Name shown on the map."""
        return self.properties.label

    @property
    def longitude(self) -> float:
        """Degrees east, -180 to 180."""
        return self.geometry.coordinates[0]

    @property
    def latitude(self) -> float:
        """Degrees north, -90 to 90."""
        return self.geometry.coordinates[1]


def _in_degrees(crs: object) -> object:
    """Refuse any reference system but that of GeoJSON: degrees of WGS 84 (RFC 7946)."""
    told = crs.get("properties") if isinstance(crs, dict) else None
    name = str(next(iter(told.values()), "")) if isinstance(told, dict) else str(crs)
    if crs is not None and not re.search(
        r"(CRS:?84h?|(EPSG\W.*|^)(4326|4979)|WGS ?84)$", name, re.IGNORECASE
    ):
        raise SlipError(
            f"the coordinates are in {name[:60]!r}, and degrees of WGS 84 are expected",
            "Save the layer again as GeoJSON with the reference system EPSG:4326.",
        )
    return crs


class PlacesFile(GeoModel):
    """places.geojson."""

    type: Literal["FeatureCollection"] = Field(description="FeatureCollection")
    features: Annotated[tuple[PlaceFeature, ...], unique("place")] = Field(
        description="the places, each a point"
    )
    crs: Annotated[object, AfterValidator(_in_degrees)] = Field(
        default=None, exclude=True, description="coordinate reference system; only degrees of WGS 84 are read"
    )


Days = Annotated[Number, Field(ge=0, le=3660)]


class Stretch(Evidenced):
    """Some days of which something holds; both dates are included."""

    start: Day = Field(alias="from", description="first day")
    to: Day = Field(description="last day, included")

    @model_validator(mode="after")
    def _order(self) -> Stretch:
        if self.to < self.start:
            raise SlipError(
                f"this ends ({self.to}) before it starts ({self.start})", "Write a later date.", ("to",)
            )
        return self


class Road(CaseModel):
    """A road between two states, open in both directions."""

    start: Id = Field(alias="from", description="state at one end")
    to: Id = Field(description="state at the other end")
    days: Annotated[Number, Field(gt=0, le=60)] = Field(description="days of travel, above 0")
    checkpoints: Annotated[Whole, Field(ge=0, le=1000)] = Field(description="checkpoints on the way")
    cut: tuple[Cut, ...] = Field(default=(), description="times during which it cannot be used")


class Cut(Stretch):
    """A time during which a road cannot be used; both dates are included."""

    about: Prose | None = Field(default=None, description="what cut it")


class RoadsBasis(Evidenced):
    """What stands behind the roads."""


class Stay(CaseModel):
    """Time spent at the crossing itself, such as inside an embassy."""

    days: Days = Field(description="mean days inside before getting out; 0 where one passes straight through")


class Spell(Stretch):
    """A time during which a crossing is closed or its risks differ; both dates are included."""

    open: Flag = Field(default=True, description="false: only those posted there can force it")
    capture: Probability | None = Field(default=None, description="probability of capture for each attempt")
    violence: Probability | None = Field(
        default=None, description="probability of being shot for each attempt"
    )
    about: Prose | None = Field(default=None, description="what happened")

    def covers(self, date: dt.date) -> bool:
        """Return whether the date falls into this time."""
        return self.start <= date <= self.to


AT_HOME = ("area", "group", "register")
"""Kinds of ways that end inside the country, with an opposition there."""


class Crossing(Evidenced):
    """A route out of the country, or over to an opposition inside it."""

    id: Id = Field(description="short name, also of its point in places.geojson")
    label: Line = Field(description="name shown in charts")
    kind: Literal[
        "bridge", "road", "trail", "river", "sea", "air", "embassy", "region", "area", "group", "register"
    ] = Field(
        description="what it is; inside the country: a region under another authority, where nobody has to "
        "ask for asylum, an area that the opposition holds, an armed group, or its register, which is "
        "reached by telephone from anywhere"
    )
    state: Id = Field(description="state from which it leaves, or in which it lies")
    country: Line = Field(
        description="where it leads; the country of the case for a region, area, group or register"
    )
    capacity: Annotated[Whole, Field(ge=0, le=100_000_000)] | None = Field(
        default=None,
        description="soldiers whom an area or group can hold at a time; left out where there is no limit",
    )
    later: Flag = Field(
        default=False,
        description="true: nobody leaves for this register; those who have left put themselves on it",
    )
    host: Flag = Field(
        default=False, description="true: the reception scheme that registers arrivals is there"
    )
    days: Days = Field(description="days the crossing takes")
    capture: Probability = Field(description="probability of capture for each attempt")
    violence: Probability = Field(description="probability of being shot for each attempt")
    hardship: Probability = Field(description="hardship of the way, 0 to 1")
    family: Flag = Field(description="true: can be done with family")
    posted: Flag = Field(description="true: units are posted at it")
    stay: Stay = Field(default=Stay(days=0), description="time spent at the crossing itself")
    ranks: tuple[Id, ...] = Field(
        default=(), description="ranks that can take it, such as those of one service; left out for all"
    )
    about: Prose | None = Field(default=None, description="what it is like")
    schedule: tuple[Spell, ...] = Field(default=(), description="when it is closed or its risks differ")

    @property
    def at_home(self) -> bool:
        """Whether it ends inside the country, with an opposition there."""
        return self.kind in AT_HOME

    @property
    def inside(self) -> bool:
        """Whether it ends inside the country, with an opposition or another authority."""
        return self.at_home or self.kind == "region"

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Crossing:
        if self.at_home and (self.host or self.posted):
            key = "host" if self.host else "posted"
            raise SlipError(
                f"{key} is true, and {self.kind!r} is a way to an opposition inside the country",
                f"Write {key}: false.",
                (key,),
            )
        if self.capacity is not None and self.kind not in ("area", "group"):
            raise SlipError(
                f"capacity belongs to an area or a group, and this is of kind {self.kind!r}",
                "Leave it out. The capacity of sites abroad is in sites.yaml.",
                ("capacity",),
            )
        if self.later and self.kind != "register":
            raise SlipError(
                f"later belongs to a register, and this is of kind {self.kind!r}", "Leave it out.", ("later",)
            )
        return self


class RoutesFile(CaseModel):
    """routes.yaml."""

    roads: tuple[Road, ...] = Field(description="roads between states")
    roads_basis: RoadsBasis = Field(description="what stands behind the roads")
    crossings: Annotated[tuple[Crossing, ...], Field(max_length=250), unique("crossing")] = Field(
        description="routes"
    )


SHARES_TOLERANCE = 1e-6
"""By how much the shares of the payers of a site may miss 1."""


class Rules(CaseModel):
    """House rules of a site."""

    hours_out: Annotated[Number, Field(ge=0, le=24)] = Field(
        description="hours a day one may be out, 0 to 24"
    )
    work: Flag = Field(description="true: one may work")
    guard: Flag = Field(description="true: the site is guarded")


class Cost(CaseModel):
    """An amount of money."""

    value: Annotated[Number, Field(ge=0)] = Field(description="amount, 0 or more")
    unit: Line = Field(description="currency of the case and per what, e.g. US dollars per person and day")


class Site(Evidenced):
    """A hotel, church, camp, embassy, or rooms let privately, that takes people in.

    Sites are filled in the order of the file.
    """

    id: Id = Field(description="short name")
    label: Line = Field(description="name shown in charts")
    kind: Literal["hotel", "church", "tents", "embassy", "private"] = Field(description="what it is")
    place: Id = Field(description="id of its point in places.geojson")
    country: Line = Field(description="country it stands in")
    town: Line | None = Field(
        default=None, description="town it stands in, by which a plan can ask for it; leave out if not known"
    )
    capacity: Annotated[Whole, Field(ge=0, le=10_000_000)] = Field(description="persons it can take")
    opens: FarDay = Field(description="first day")
    closes: FarDay | None = Field(default=None, description="last day, included; leave out if it stays open")
    admits: Literal["anyone", "registered", "permit"] = Field(
        default="registered",
        description="who may stay: anyone who crossed, who is registered and keeps no arms, or who holds a "
        "permit; an embassy takes in whom its crossing does",
    )
    stay_limit: Annotated[Whole, Field(ge=1, le=3660)] | None = Field(
        default=None, description="days after which a household has to go; leave out if there is no limit"
    )
    crossing: Id | None = Field(
        default=None, description="id of the embassy crossing whose people live here (kind embassy only)"
    )
    rules: Rules = Field(description="house rules")
    rations_per_day: Annotated[Number, Field(ge=0, le=10)] = Field(
        description="meals for each person and day"
    )
    cost_per_person_day: Cost = Field(description="what one person costs a day")
    payers: dict[Id, Annotated[Number, Field(gt=0, le=1)]] = Field(
        default={},
        description="who pays what share, as {payer: share}; the shares add up to 1; leave out if it costs 0",
    )
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

    @model_validator(mode="after")
    def _paid(self) -> Site:
        total = math.fsum(self.payers.values())
        if not self.payers and self.cost_per_person_day.value > 0:
            raise SlipError(
                f"a person costs {self.cost_per_person_day.value:g} a day here, and nobody pays",
                "Write payers: {payer-id: 1}, an id of payers.yaml, or a cost of 0.",
            )
        if self.payers and abs(total - 1) > SHARES_TOLERANCE:
            raise SlipError(
                f"the shares of the payers add up to {total:.6g}, and 1 is expected",
                f"Change them by {1 - total:+.6g}.",
                ("payers",),
            )
        return self

    @model_validator(mode="after")
    def _embassy(self) -> Site:
        if self.crossing is not None and self.kind != "embassy":
            raise SlipError(
                f"people of a crossing live in an embassy only, and this is of kind {self.kind!r}",
                "Remove crossing, or write kind: embassy.",
                ("crossing",),
            )
        return self


Amount = Annotated[Number, Field(ge=0, le=1e15)]


class Fund(CaseModel):
    """Money that a payer has from a day on."""

    date: FarDay = Field(description="first day on which it can be spent")
    amount: Amount = Field(description="amount in the currency of the case, 0 or more")
    currency: Line | None = Field(
        default=None, description="other money of rates.yaml in which the amount is given"
    )


class Payer(Evidenced):
    """Who pays for sites: a government, an agency, a church, well-wishers.

    Funds add up, and are spent in the order in which bills come in. Once they are spent the bills stay
    unpaid, until the next fund's day.
    """

    id: Id = Field(description="short name")
    label: Line = Field(description="name shown in charts")
    funds: tuple[Fund, ...] | None = Field(
        default=None,
        description="the money there is, as {date, amount} each; leave out if it pays whatever it costs",
    )
    about: Prose | None = Field(default=None, description="who it is, and what its help depends on")

    @model_validator(mode="after")
    def _has_money_or_pays_all(self) -> Payer:
        if self.funds is not None and not self.funds:
            raise SlipError(
                "the list of funds is empty, which could mean no money or no limit",
                "Leave funds out if it pays whatever it costs; write amount: 0 if it has nothing.",
                ("funds",),
            )
        return self


class Rate(Evidenced):
    """An exchange rate of a day."""

    date: FarDay = Field(description="day of the rate")
    per_unit: Annotated[Number, Field(gt=0, le=1e15)] = Field(
        description="units of this money for one of the case's currency, above 0"
    )


class Rates(CaseModel):
    """Money in which pay, prices, costs or funds are written, with its rates."""

    id: Line = Field(description="name of the money, as units begin with it, e.g. bolivars")
    rates: Annotated[tuple[Rate, ...], Field(min_length=1)] = Field(
        description="dated rates, the earliest first"
    )

    def at(self, day: dt.date, place: Location) -> float:
        """Return the units of it for one of the case's currency on a day; each rate holds until the next.

        Raises
        ------
        CaseError
            for a day before the first rate, or one after the last.
        """
        first, last = self.rates[0].date, self.rates[-1].date
        if not first <= day <= last:
            raise CaseError(
                f"there is no rate of {self.id} for {day}: rates.yaml has {first} to {last}",
                place,
                f"Add a rate for {day} or {'before' if day < first else 'after'} to rates.yaml.",
            )
        return [rate.per_unit for rate in self.rates if rate.date <= day][-1]

    @model_validator(mode="after")
    def _in_order(self) -> Rates:
        for k, (one, other) in enumerate(pairwise(self.rates), 1):
            if other.date <= one.date:
                raise SlipError(
                    f"the rate of {other.date} does not come after that of {one.date}",
                    "List the rates by date, each day once.",
                    ("rates", k, "date"),
                )
        return self
