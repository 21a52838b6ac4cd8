"""The question which national numbers of a case matter most, as it is asked."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from breakrank.answer.question import KeptRunsQuestion, front_door, option

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.runs.making import Making


@dataclass(frozen=True)
class Guide(KeptRunsQuestion):
    """Show which national numbers matter most in a case.

    Moves each national parameter and field alone, in small runs with the same random draws. Shows the ten
    that move the leading figure most, with the effect of a step, their sizes in the built-in cases, and
    whether evidence stands behind them. Finished runs are kept in a store: after an interruption the same
    call continues from there.
    """

    name = "case guide"
    usual_draws = "point"

    _: KW_ONLY
    of: str | None = option(
        None,
        "The measure that counts, e.g. left_abroad. The default is what the record counts most often, of "
        "that which happens to more than a few.",
        typed=str,
    )
    runs: int = option(
        8, "Runs of each number at each end, of those that are tried last.", unit="runs", low=8, high=10_000
    )

    def answer(self, case: Case, making: Making) -> Answer:
        """Return the numbers that matter; see :class:`~breakrank.answer.question.Question`."""
        from breakrank.questions.guide.guide import guided

        return guided(self, case, making)


guide = front_door(Guide)
