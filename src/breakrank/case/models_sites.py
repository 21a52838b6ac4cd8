"""sites.yaml, payers.yaml and rates.yaml: where those who got out are received, who pays, in what money."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, model_validator

from breakrank.case.dates import FarDay
from breakrank.case.models_base import CaseModel, Evidenced, Flag, Id, Line, Number, Prose, Whole
from breakrank.case.values import SlipError

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
