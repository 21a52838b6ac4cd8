"""How much the ceiling that all acts share (``decision.ceiling``) holds back in one run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from breakrank.engine.codes import INVITED, JOIN, REPORT, STAY
from breakrank.engine.witness import Witness
from breakrank.model import Model, build

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.moments import Moments
    from breakrank.engine.run import Run

NEAR = 0.9
"""Share of the ceiling from which a chance counts as at the ceiling."""
BINDS = 0.5
"""Share of acts at the ceiling from which it is told."""
MOST = 8_000
"""Soldiers of the run at most: rates do not depend on the size of the force."""
REMEDY = (
    "Stronger reasons hardly raise the count then; more occasions do: opportunity.leave_passes, "
    "opportunity.errands, in a war war.moments."
)


class HeldBack(Witness):
    """Adds up, over all moments that know the ceiling, the chances of acts with and without it.

    Attributes
    ----------
    allowed, wanted : expected acts with the ceiling and without.
    at_it : expected acts of moments at which the chance is near the ceiling.
    """

    def __init__(self, ceiling: float) -> None:
        super().__init__(())
        self.ceiling = ceiling
        self.allowed = self.wanted = self.at_it = 0.0

    def see(self, run: Run, moments: Moments) -> None:  # noqa: ARG002
        """Add the moments of a day."""
        n = moments.n
        asked = moments.occasion[:n] < INVITED
        utility = np.where(moments.open[:, :n], moments.utility[:, :n], -np.inf)[:, asked]
        odds = np.exp(utility - utility.max(axis=0))
        acts = np.ones(len(odds), np.bool_)
        acts[[STAY, REPORT, JOIN]] = False
        chance = moments.chance[:, :n][:, asked][acts].sum(axis=0)
        self.wanted += float((odds[acts].sum(axis=0) / odds.sum(axis=0)).sum())
        self.allowed += float(chance.sum())
        self.at_it += float(chance[chance >= NEAR * self.ceiling].sum())

    @property
    def near(self) -> float:
        """The share of acts that are chosen near the ceiling, 0 to 1."""
        return self.at_it / self.allowed if self.allowed else 0.0

    @property
    def binds(self) -> bool:
        """Whether it holds for most acts."""
        return self.near >= BINDS and self.ceiling < 1

    @property
    def words(self) -> str:
        """What it does, in a clause."""
        return (
            f"{self.near:.0%} of acts against the regime are chosen at the ceiling that all share "
            f"(decision.ceiling, {self.ceiling:g} at a moment); without it soldiers would choose "
            f"{self.wanted / max(self.allowed, 1e-12):.1f} times as many"
        )


def held_back(case: Case, seed: int = 0) -> HeldBack:
    """Run a case once, small and at its values, and return what the ceiling holds back."""
    plain = case.with_draws(None)
    plain = plain.set({"force.strength": min(plain.force.strength, MOST)})
    found = HeldBack(plain.value("decision.ceiling"))
    Model(plain, build(plain, seed)).witnessed(seed, 0, found)
    return found
