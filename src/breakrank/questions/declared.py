"""The questions as they are asked, in the order of their commands: names, options and help, declared once."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from breakrank.answer.question import (
    KeptRunsQuestion,
    Question,
    RunsQuestion,
    front_door,
    front_door_to_several,
    option,
)
from breakrank.errors import UsageError
from breakrank.inference.question import Calibrate

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.case.dates import DateLike
    from breakrank.case.ensemble import PosteriorEnsemble
    from breakrank.questions.forecast import Forecast
    from breakrank.runs.carry_out import Making

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
    values: Mapping[str, float] | None = option(
        None, "Parameters that are set in the other case alone, by name.", flag="--set", typed=dict
    )
    events: str | Path | None = option(
        None, "A file in the format of events.yaml, whose events happen in the other case alone.", typed=Path
    )

    def acts_from(self, case: Case) -> dt.date:
        """Return the first day on which any of the changed cases can differ from the case."""
        from breakrank.case.changes import acts_from
        from breakrank.questions.compare import changed_cases
        from breakrank.runs.study import NamedChanges

        return min(acts_from(case, one.other) for one in changed_cases(self, case, NamedChanges()))

    def answer(self, case: Case, making: Making) -> Answer:
        """Return what differs; see :class:`~breakrank.answer.question.Question`."""
        from breakrank.questions.compare import compared

        return compared(self, case, making)


compare = front_door(Compare)


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
        "How many times as many people come, e.g. 2: in each scenario, with all that it changes, or in one "
        "that changes nothing else. The case itself stays as it is. The host keeps its places, funds and "
        "caseworkers.",
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
        "Where parameters come from: posterior, prior, point or a folder; by default as the case has them. "
        "With --as-of the folder that `breakrank forecast --out` kept of that day; by default an ensemble is "
        "made.",
        typed=str,
    )
    runs: int = option(
        100,
        "Number of runs of the case and of each scenario. Each member of an ensemble is run once at most.",
        unit="runs",
        low=1,
    )

    def acts_from(self, case: Case) -> dt.date:
        """Return the first day on which any of the scenarios can differ from the case."""
        from breakrank.case.changes import acts_from, counterfactual
        from breakrank.runs.counterfactuals import counterfactuals_named

        if self.arrivals != 1:
            return case.calendar.start
        asked = [self.scenarios] if isinstance(self.scenarios, str) else [*self.scenarios]
        others = [counterfactual(case, one) for one in counterfactuals_named(case, asked)]
        return min((acts_from(case, one) for one in others), default=dt.date.max)

    def read(self, case: Any) -> Any:  # noqa: ANN401 (as of the other questions)
        """Return the case that is named, under the ensemble that is asked for of the whole record."""
        from breakrank.runs.cases import as_case, load_case

        if self.ensemble is None or self.as_of is not None:
            return super().read(case)
        if isinstance(case, str | os.PathLike):
            return load_case(Path(case), self.ensemble)
        return as_case(case).with_ensemble(self.ensemble)

    def answer(self, case: Case, making: Making) -> Answer:
        """Return the plan; see :class:`~breakrank.answer.question.Question`."""
        from breakrank.questions.plan.answer import planned

        return planned(self, case, making)


plan = front_door(Plan)


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
    refine: int = option(2, "How many times points are added where the response is steep.")
    runs: int = option(40, "Number of runs of each point.", unit="runs", low=1)

    def answer(self, case: Case, making: Making) -> Answer:
        """Return the response; see :class:`~breakrank.answer.question.Question`."""
        from breakrank.questions.sweep import swept

        return swept(self, case, making)


sweep = front_door(Sweep)


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
        from breakrank.questions.explain import explained

        return explained(self, case, making)


explain = front_door(Explain)


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
        from breakrank.questions.examine import examined

        return examined(self, case, making)


examine = front_door(Examine)


@dataclass(frozen=True)
class Guide(KeptRunsQuestion):
    """Show which national numbers matter most in a case.

    Moves each national parameter and field alone, in small runs with the same random draws. Shows the ten
    that move the leading figure most, with the effect of a step, and
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
        from breakrank.questions.guide import guided

        return guided(self, case, making)


guide = front_door(Guide)


MEMBERS = 40
"""Members of an ensemble unless another number is asked for."""


@dataclass(frozen=True)
class ForecastQuestion(KeptRunsQuestion):
    """Forecast from what was known on a day, pooled with simple baselines.

    Later events, series and sites are taken out. An ensemble is made that agrees with the figures published
    by then, and goes on with fresh random draws from the last known count. If nothing was published, it is
    drawn from the prior. The forecast is the pool of the ensemble, a null model and simple baselines. Their
    scores so far are shown, and what they score on later figures, if the case knows any.
    """

    name = "forecast"
    holds = "the ensemble, for --ensemble of a later forecast, which takes in the figures since; new or empty"
    kept = False
    usual_draws = "point"
    travels = False

    as_of: DateLike = option(help="Last day that is known, e.g. 2019-02-28.", typed=str)
    members: int = option(MEMBERS, "Number of members of an ensemble that is made.", low=1, high=1_000_000)
    _: KW_ONLY
    observations: str | os.PathLike[str] | None = option(
        None,
        "A table (CSV or XLSX) of new figures beside the record, with the columns date, measure, figure and "
        "source, read as `breakrank case count` reads it. With a column published, a figure is known from "
        "that day, otherwise from its own. Later ones than --as-of are used for scores only.",
        typed=Path,
    )
    announced: Collection[str] = option(
        (),
        "An event after that day which was known to come. May be given several times.",
        typed=tuple[str, ...],
    )
    ensemble: str | os.PathLike[str] | PosteriorEnsemble | None = option(
        None,
        "The ensemble of an earlier forecast, or the folder that keeps it: takes in the figures since. By "
        "default one is made.",
        typed=str,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ensemble is not None and self.members != MEMBERS:
            raise UsageError(
                f"members {self.members}: those of the ensemble go on, as many as they are\n"
                "  Leave the ensemble out to make another with so many."
            )

    def answer(self, case: Case, making: Making) -> Forecast:
        """Return the forecast; see :class:`~breakrank.answer.question.Question`."""
        from breakrank.questions.forecast import forecast_as_of

        return forecast_as_of(
            case,
            making,
            as_of=self.as_of,
            ensemble=self.ensemble,
            members=self.members,
            seed=self.seed,
            observations=self.observations,
            announced=self.announced,
        )

    def replaces(self, _: Path) -> bool:
        """Say that no earlier ensemble is replaced: a later forecast may want to go on from it."""
        return False


forecast = front_door(ForecastQuestion)


@dataclass(frozen=True)
class HindcastQuestion(KeptRunsQuestion):
    """Score past forecasts against simple baselines: as of every day on which a figure was published.

    As of each day, what came later is taken out of the case. The model, a null model and simple baselines
    forecast every later figure, and so does the pool of them all. With several cases, or none named (all
    built-in ones), each is also forecast without its record, with psychological parameters from the others.
    Shows which forecaster is nearest. An interrupted call continues where it stopped. Never choose a seed for
    its outcome.
    """

    name = "hindcast"
    folder = "breakrank-hindcast"
    holds = "answer.json, a CSV file for each table and the chart; an earlier one is replaced"
    changes = "mechanisms"
    usual_draws = "point"
    several = True

    _: KW_ONLY
    as_of: DateLike | None = option(
        None,
        "One day, e.g. 2019-03-23; by default every day on which a figure was published before a later one.",
        typed=str,
    )
    draws: int = option(
        100,
        "Number of draws from the prior as of each day, for each a run of the model and of the null model.",
        unit="draws",
        low=20,
        high=1_000_000,
    )

    def answer(self, case: Sequence[Case], making: Making) -> Answer:
        """Return the scores of several cases; see :class:`~breakrank.answer.question.Question`."""
        from breakrank.questions.hindcast import scored

        return scored(case, making, self.as_of, self.draws, self.seed)


hindcast = front_door_to_several(HindcastQuestion)


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
        from breakrank.lives.trace import find_soldier
        from breakrank.lives.trace import trace as lived
        from breakrank.runs.compiling import compilation_told

        with compilation_told():
            soldier = self.soldier
            if soldier is None:
                assert self.fate is not None
                of = {"rank": self.rank, "branch": self.branch}
                soldier = find_soldier(case, self.fate, self.seed, self.run, **of)
            return history(lived(case, soldier, self.seed, self.run), case)


trace = front_door(TraceQuestion)


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

        return kinds_of_lives(counted_lives(case, making, self.runs, self.seed), making.accounts[-1].asked)


stories = front_door(StoriesQuestion)


QUESTIONS: tuple[type[Question], ...] = (
    *(Compare, Plan, Sweep, Explain, Examine, Guide),
    *(Calibrate, ForecastQuestion, HindcastQuestion, TraceQuestion, StoriesQuestion),
)
"""Each has a command, a function in Python and its place in the reference."""
