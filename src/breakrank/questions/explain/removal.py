"""Mechanisms taken out: each alone, with the same luck.

Every mechanism of the catalogue has a switch, and all are treated alike. A world without decisions or without
ways out is no policy; it says how much of the result goes through them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.questions.explain.effects import PairedEffect, effect
from breakrank.questions.explain.outcomes import ExplainedOutcome
from breakrank.runs.scenario import Scenario

if TYPE_CHECKING:
    from breakrank.case import Case

CAP = 5.0
"""Standard deviations beyond which an effect counts no more when mechanisms are ranked: one outcome that
vanishes altogether should not decide alone."""

OFF = 0.5
"""A switch below this is off."""


@dataclass(frozen=True, slots=True)
class Switch:
    """One mechanism that is on in the case: its name, and what switching it off takes away."""

    mechanism: str
    about: str


@dataclass(frozen=True, eq=False)
class Removal:
    """What taking out each mechanism does.

    Attributes
    ----------
    asked : the outcomes.
    switches : the mechanisms taken out, those that weigh most first (see :func:`weight`).
    single : effects by mechanism, one for each outcome in their order.
    """

    asked: tuple[ExplainedOutcome, ...]
    switches: tuple[Switch, ...]
    single: Mapping[str, tuple[PairedEffect, ...]]

    def effects(self, outcome: str) -> tuple[PairedEffect, ...]:
        """Return the effects on one outcome, the largest difference first."""
        at = [a.measure for a in self.asked].index(outcome)
        found = [self.single[s.mechanism][at] for s in self.switches]
        return tuple(sorted(found, key=lambda e: -np.nan_to_num(abs(e.mean))))

    def about(self, mechanism: str) -> str:
        """Return what switching a mechanism off takes away."""
        return next(s.about for s in self.switches if s.mechanism == mechanism)


def switches(case: Case) -> tuple[Switch, ...]:
    """Return the mechanisms that are on in a case, in the order of the day."""
    return tuple(
        Switch(name.removesuffix(".on"), declared.about)
        for name, declared in case.catalogue.parameters.items()
        if declared.unit == "switch" and name.endswith(".on") and case.value(name) >= OFF
    )


def without(case: Case, mechanism: str) -> Scenario:
    """Return a case without one of its mechanisms, as a scenario."""
    return Scenario(case, f"without {mechanism}", values={f"{mechanism}.on": 0.0})


def weight(effects: Sequence[PairedEffect]) -> float:
    """Return how much a mechanism weighs: its mean effect over the outcomes, each capped at :data:`CAP`."""
    sizes = [0.0 if np.isnan(e.size) else min(abs(e.size), CAP) for e in effects]
    return float(np.mean(sizes)) if sizes else 0.0


def ranked(
    asked: Sequence[ExplainedOutcome],
    found: Sequence[Switch],
    plain: NDArray[np.float64],
    off: Mapping[str, NDArray[np.float64]],
    draw: NDArray[np.int64],
) -> Removal:
    """Return the effects of each mechanism, those that weigh most first.

    Parameters
    ----------
    plain : outcomes as the case has it, float64 (outcome, run). ``off`` the same without each mechanism.
    draw : which draw of parameters each run had, int64 (run,).
    """
    single = {
        s.mechanism: tuple(
            effect(a, (s.mechanism,), plain[k], off[s.mechanism][k], draw) for k, a in enumerate(asked)
        )
        for s in found
    }
    order = sorted(found, key=lambda s: -weight(single[s.mechanism]))
    return Removal(tuple(asked), tuple(order), single)
