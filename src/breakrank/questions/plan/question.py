"""The question what a host has to provide, as it is asked."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from breakrank.answer.question import KeptRunsQuestion, front_door, option

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.case.dates import DateLike
    from breakrank.runs.making import Making

LEVEL = 80.0
"""Service level unless another is asked for, per cent of runs."""
STAFF = "5,10,20,40"
"""Numbers of caseworkers tried unless others are asked for."""


@dataclass(frozen=True)
class Plan(KeptRunsQuestion):
    """Estimate what a host must provide for arrivals: beds, meals, asylum files, money.

    Runs the case many times, for a place and a period. Shows how many beds suffice at a service level, week
    by week what that takes by humanitarian standards, and who is in which site. Shows how long asylum takes
    with how many caseworkers, the full cost of assistance, what is paid for, and when funds run out.
    """

    name = "plan"
    folder = "breakrank-plan-CASE-SEED"
    kept = False
    changes = "values"
    usual_draws = "members"

    _: KW_ONLY
    at: str | Sequence[str] = option(
        (),
        '"host" for all who are received, in all towns (the default), or a country, a town, the id of a '
        "site, or a kind of site, e.g. hotel. Where sites stand in several countries, name one. May be given "
        "several times. `breakrank evidence CASE` lists sites. A country or a town consists of its sites. "
        "People in private homes or without a roof, and asylum files, are known for the host only. A place "
        "is counted with its share of those in no site, in proportion to its places.",
        flag="--place",
        typed=tuple[str, ...],
    )
    since: DateLike | None = option(
        None, "First day, e.g. 2019-02-23; by default the case's own.", flag="--from", typed=str
    )
    until: DateLike | None = option(
        None, "Last day, e.g. 2019-06-30; by default the case's own.", flag="--to", typed=str
    )
    level: float = option(
        LEVEL,
        "Service level: the share of runs in which beds, goods and money must suffice. Use at least 60 runs "
        "for 95 and 300 for 99; with fewer, the result is close to the worst run.",
        unit="% of runs",
        low=1,
        high=100,
    )
    staff: str | Sequence[int] = option(
        STAFF,
        "Numbers of caseworkers to try on the asylum requests of the runs, separated by commas. 0 means "
        "nobody from the first day of the period on.",
        typed=str,
    )
    scenarios: Sequence[str] | Mapping[str, Case] = option(
        (),
        "A scenario to compare: name of one of the case's counterfactuals, or a file in the format of "
        "counterfactuals.yaml. It uses the same random draws. May be given several times. In Python also "
        "changed cases by name.",
        flag="--with",
        typed=tuple[str, ...],
    )
    arrivals: float = option(
        1.0,
        "How many times as many people come, e.g. 2: in each scenario, or beside the case in one that "
        "changes nothing else. The host keeps its places, funds and caseworkers.",
        low=0.25,
        high=10,
    )
    as_of: str | None = option(
        None,
        "Plan from what was known on this day, e.g. 2019-03-10: what came later is taken out, and the "
        "ensemble agrees with the figures published by then. The plan begins on the day after.",
        typed=str,
    )
    ensemble: str | os.PathLike[str] | None = option(
        None,
        "With --as-of: the folder that `breakrank forecast --out` kept of that day. By default an ensemble "
        "is made.",
        typed=str,
    )
    runs: int = option(100, "Number of runs of the case and of each scenario.", unit="runs", low=1)

    def answer(self, case: Case, making: Making) -> Answer:
        """Return the plan; see :class:`~breakrank.answer.question.Question`."""
        from breakrank.questions.plan.plan import planned

        return planned(self, case, making)


plan = front_door(Plan)
