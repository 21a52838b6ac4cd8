"""The question which mechanisms account for a result, as it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from breakrank.answer.question import KeptRunsQuestion, front_door, option

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.case.dates import DateLike
    from breakrank.runs.making import Making


@dataclass(frozen=True)
class Explain(KeptRunsQuestion):
    """Show which mechanisms account for the results.

    Switches off every mechanism alone, with common random numbers and draws from the posterior, where there
    is one; then each dated event, and all of them. Shows in a table and in sentences what each changes.
    """

    name = "explain"
    folder = "breakrank-explain-CASE-SEED"

    _: KW_ONLY
    outcomes: Sequence[str] = option(
        (),
        "A measure to explain; may be given several times. A part of the force is asked for as in "
        "left:rank=general or left_post:state=SY-ID, with the names that targets use. By default who left, "
        "registered and deserted, uprisings, whether the regime holds, and who still serves. In a war or "
        "beside an opposition at home, also who went over and who surrendered in the field.",
        flag="--outcome",
        typed=tuple[str, ...],
    )
    date: DateLike | None = option(
        None,
        "The day on which outcomes are read, e.g. 2019-06-30; by default the last day for which the case has "
        "a target of the measure, else the last day.",
        typed=str,
    )
    runs: int = option(
        40, "Number of runs of the case and of each case without a mechanism.", unit="runs", low=2
    )

    def answer(self, case: Case, making: Making) -> Answer:
        """Return what each mechanism does; see :class:`~breakrank.answer.question.Question`."""
        from breakrank.questions.explain.explain import explained

        return explained(self, case, making)


explain = front_door(Explain)
