"""The question how an outcome responds to parameters, as it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Literal

from breakrank.answer.question import KeptRunsQuestion, front_door, option

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.case.dates import DateLike
    from breakrank.runs.making import Making

Design = Literal["grid", "latin", "sobol"]


@dataclass(frozen=True)
class Sweep(KeptRunsQuestion):
    """Vary one or two parameters over a range, and show how an outcome responds and where it tips.

    Gives for each point the measure's median and 90% interval and the probability of the outcome, and where
    that probability passes 5, 50 and 95%. Points are added between neighbours that differ much. All points
    use the same random draws.
    """

    name = "sweep"
    folder = "breakrank-sweep-CASE"

    over: str | Sequence[str] = option(
        help="A parameter and its range, as NAME=LOW:HIGH or NAME=LOW:HIGH:STEPS. May be given twice.",
        typed=tuple[str, ...],
    )
    _: KW_ONLY
    measure: str = option("left_abroad", "The measure that is read from each run.")
    date: DateLike | None = option(
        None, "The day at whose end it is read, e.g. 2019-06-30; by default the last.", typed=str
    )
    outcome: str = option(
        "regime_holds<1",
        "The outcome whose probability is shown, as MEASURE, a sign and a number; regime_holds<1 means that "
        "the regime has fallen.",
    )
    design: str = option("grid", "The first points: grid, latin (Latin hypercube) or sobol.")
    points: int | None = option(None, "Number of points of the designs latin and sobol.", typed=int)
    refine: int = option(2, "How many times points are added where the response is steep.")
    runs: int = option(40, "Number of runs of each point.", unit="runs", low=1)

    def answer(self, case: Case, making: Making) -> Answer:
        """Return the response; see :class:`~breakrank.answer.question.Question`."""
        from breakrank.questions.sweep.sweep import swept

        return swept(self, case, making)


sweep = front_door(Sweep)
