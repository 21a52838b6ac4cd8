"""The question what a change does, as it is asked."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from breakrank.answer.question import KeptRunsQuestion, front_door, option

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.runs.making import Making

    Other = Case | str | os.PathLike[str]


@dataclass(frozen=True)
class Compare(KeptRunsQuestion):
    """Compare a case with counterfactuals, run by run with common random numbers.

    Shows for each counterfactual the mean difference of the main measures on the last day, and its 95%
    interval (paired t). Also shows the share of runs with that sign, and the factor by which pairing reduces
    the variance. If runs share parameter draws, it adds the share of the variance due to the parameters.
    Parameters are those of the posterior. Members of the ensemble, whose random seeds agree with the observed
    figures, are asked only of a change that acts after the last figure.
    """

    name = "compare"
    kept = False
    usual_draws = "members"

    others: Other | Sequence[Other] = option(
        (),
        "Name of a counterfactual of the case, or a file in the format of counterfactuals.yaml. May be given "
        "several times. In Python also a changed case.",
        flag="--with",
        typed=tuple[str, ...],
    )
    _: KW_ONLY
    runs: int = option(100, "Number of runs of each case.", unit="runs", low=1)
    outcomes: Sequence[str] = option(
        (),
        "A measure to compare besides the primary outcomes; may be given several times. A part of the force "
        "is asked for as in left:rank=general or left_post:state=SY-ID, with the names that targets use.",
        flag="--outcome",
        typed=tuple[str, ...],
    )
    precision: Sequence[str] = option(
        (),
        "Estimate how many runs bring the half-width of a difference's 95% interval down to this value. Give "
        "5% of the case's mean, or MEASURE=NUMBER in its unit, e.g. registered=20. The output says if the "
        "posterior has too few draws for that. May be given several times.",
        typed=tuple[str, ...],
    )
    values: Mapping[str, float] | None = option(
        None, "Parameters that are set in the other case alone, by name.", flag="--set", typed=dict
    )

    def acts_from(self, case: Case) -> dt.date:
        """Return the first day on which any of the changed cases can differ from the case."""
        from breakrank.questions.compare.compare import changed_cases
        from breakrank.questions.paired import acts_from
        from breakrank.runs.scenario import NamedChanges

        return min(acts_from(case, one.other) for one in changed_cases(self, case, NamedChanges()))

    def answer(self, case: Case, making: Making) -> Answer:
        """Return what differs; see :class:`~breakrank.answer.question.Question`."""
        from breakrank.questions.compare.compare import compared

        return compared(self, case, making)


compare = front_door(Compare)
