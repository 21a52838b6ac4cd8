"""How well the model tells which regimes fall: Brier scores of P(fall) beside those of a base rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from breakrank.errors import UsageError
from breakrank.results.measures import measure
from breakrank.results.scores import brier
from breakrank.runs.cases import as_case, list_cases, load_case
from breakrank.runs.ensemble import simulate

if TYPE_CHECKING:
    from breakrank.case import Case, Target

HOLDS = "regime_holds"
"""The measure whose last target says whether a case's regime fell."""


@dataclass(frozen=True)
class FallScore:
    """One case: what was forecast, what happened, and both scores (0 at best, 1 at worst).

    ``chance`` share of runs in which the regime has fallen by the end of ``date``; ``others`` share of falls
    among the other cases, the baseline; ``brier``, ``brier_others`` their Brier scores.
    """

    case: str
    date: str
    fell: bool
    chance: float
    others: float
    brier: float
    brier_others: float


def score_falls(cases: Sequence[Case | str] | None = None, runs: int = 100, seed: int = 0) -> list[FallScore]:
    """Return the Brier score of P(fall) for each case, beside that of the share of falls in the other cases.

    Parameters
    ----------
    cases : two or more, by name or loaded; by default all built-in ones. One by name runs at its values, not
        at draws that were fitted to its own record.
    runs : of each case, at least 1.
    seed : random seed, the same for all.

    Raises
    ------
    UsageError
        for fewer than two cases, or one whose record does not say whether its regime fell.
    """
    asked = list_cases() if cases is None else cases
    opened = [load_case(one, "values") if isinstance(one, str) else as_case(one) for one in asked]
    if len(opened) < 2:
        raise UsageError("one case has no others to compare with; name two or more")
    outcomes = [_last(case) for case in opened]
    fell = np.array([target.value == 0 for target in outcomes])
    found = []
    for k, (case, target) in enumerate(zip(opened, outcomes, strict=True)):
        data = simulate(case.until(target.date), runs=runs, seed=seed).data
        chance = 1.0 - float(measure(data, HOLDS, str(target.date)).mean())
        others = float(np.delete(fell, k).mean())
        happened = bool(fell[k])
        scores = brier(chance, happened), brier(others, happened)
        found.append(FallScore(case.id, str(target.date), happened, chance, others, *scores))
    return found


def _last(case: Case) -> Target:
    """Return the last figure of a case's record that says whether the regime held."""
    said = [t for t in case.targets if t.measure == HOLDS and t.value is not None]
    if not said:
        raise UsageError(f"the record of {case.id} does not say whether its regime held")
    return max(said, key=lambda target: target.date)
