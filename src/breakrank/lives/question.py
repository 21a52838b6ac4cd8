"""The questions about soldiers' lives, as they are asked: one history, and kinds of lives counted."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from breakrank.answer.question import Question, RunsQuestion, front_door, option
from breakrank.errors import UsageError

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.runs.carry_out import Making


@dataclass(frozen=True)
class TraceQuestion(Question):
    """Tell the history of one soldier, with the reasons at each decision.

    Soldiers are synthetic. The same case, seed and run give the same life as in the ensemble.
    """

    name = "trace"
    usual_draws = "members"

    soldier: int | None = option(None, "Any soldier, by number from 0.", typed=int, low=0, high=2**32 - 1)
    _: KW_ONLY
    fate: str | None = option(
        None,
        "Instead of a number: a typical one of those who ended this way, e.g. registered or dead.",
        typed=str,
    )
    rank: str | None = option(None, "With --fate: of this rank, by its id in force.yaml.", typed=str)
    branch: str | None = option(None, "With --fate: of this branch, by its id in force.yaml.", typed=str)
    run: int = option(0, "Which run, from 0.", low=0, high=2**31 - 2)

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.soldier is None) == (self.fate is None):
            raise UsageError(
                "name either a soldier (--soldier 1234) or how their year ended (--fate registered)"
            )
        if self.fate is None and (self.rank or self.branch):
            raise UsageError("--rank and --branch go with --fate: a soldier by number has one of each")

    def answer(self, case: Case, making: Making) -> Answer:  # noqa: ARG002 (no run is kept)
        """Return the history; see :class:`~breakrank.answer.question.Question`."""
        from breakrank.lives.answer import history
        from breakrank.lives.trace import find_soldier, trace
        from breakrank.runs.compiling import compilation_told

        with compilation_told():
            soldier = self.soldier
            if soldier is None:
                assert self.fate is not None
                of = {"rank": self.rank, "branch": self.branch}
                soldier = find_soldier(case, self.fate, self.seed, self.run, **of)
            return history(trace(case, soldier, self.seed, self.run), case)


@dataclass(frozen=True)
class StoriesQuestion(RunsQuestion):
    """Count the kinds of lives that reports describe, and name one of each.

    They are those that come with the package. A case adds, replaces or leaves out some in patterns.yaml.

    For each story: the number of such lives in a run (median and 90% interval over runs), what exactly is
    counted, what the report says, and a synthetic soldier who lived one.
    """

    name = "stories"
    kept = False
    usual_draws = "members"

    _: KW_ONLY
    runs: int = option(20, "Number of runs, each with its own random draws.", unit="runs", low=1)

    def answer(self, case: Case, making: Making) -> Answer:
        """Return the lives; see :class:`~breakrank.answer.question.Question`."""
        from breakrank.lives.answer import kinds_of_lives
        from breakrank.lives.stories import counted_lives

        return kinds_of_lives(counted_lives(self, case, making), making.accounts[-1].asked)


trace = front_door(TraceQuestion)
stories = front_door(StoriesQuestion)
