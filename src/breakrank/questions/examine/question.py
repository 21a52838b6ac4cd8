"""The question how the model answers interventions, as it is asked."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from breakrank.answer.question import KeptRunsQuestion, front_door, option

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.runs.making import Making


@dataclass(frozen=True)
class Examine(KeptRunsQuestion):
    """Test the model by intervention: compare the effects of changes with prior expectations.

    Makes each change of a table alone, with common random numbers, and compares the differences with the
    expectations written beforehand. Gives a verdict for each expectation, and what no intervention covers.
    """

    name = "examine"

    _: KW_ONLY
    table: str | os.PathLike[str] | None = option(
        None, "The interventions; by default examination.yaml in the folder of the case.", typed=Path
    )
    only: Sequence[str] = option(
        (),
        "Interventions to make, by id, or whole parts of the table. By default all.",
        typed=tuple[str, ...],
    )
    short: bool = option(False, "Only the short form: the most important signs.")
    runs: int = option(16, "Runs of the case and of each changed case.", unit="runs", low=1)

    def located(self, case: object) -> Self:
        """Return the question with the table that stands in the folder of a case."""
        from breakrank.case.examination import table_of

        if self.table is not None or not isinstance(case, str | os.PathLike):
            return self
        return replace(self, table=table_of(str(case)))

    def answer(self, case: Case, making: Making) -> Answer:
        """Return the verdicts; see :class:`~breakrank.answer.question.Question`."""
        from breakrank.questions.examine.examine import examined

        return examined(self, case, making)


examine = front_door(Examine)
