"""rates.yaml: what one unit of the case's currency cost in other money, by date."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated

from pydantic import Field, model_validator

from breakrank.case.dates import FarDay
from breakrank.case.models_base import CaseModel, Evidenced, Line, Number
from breakrank.case.values import SlipError


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
