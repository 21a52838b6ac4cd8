"""payers.yaml: who pays for the sites, with how much money and from when on."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from pydantic import Field, model_validator

from breakrank.case.models_base import CaseModel, Day, Evidenced, Id, Line, Number, Prose
from breakrank.case.slip import SlipError

Amount = Annotated[Number, Field(ge=0, le=1e15)]


class Fund(CaseModel):
    """Money that a payer has from a day on."""

    date: Day = Field(description="first day on which it can be spent")
    amount: Amount = Field(description="amount in the currency of the case, 0 or more")


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

    def available(self, date: dt.date) -> float:
        """Return all the money that it has had by a day (included), infinite where it has no limit."""
        if self.funds is None:
            return float("inf")
        return float(sum(fund.amount for fund in self.funds if fund.date <= date))
