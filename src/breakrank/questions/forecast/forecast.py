"""A forecast as of a day: worlds that agree with what was known, gone on with luck of their own.

What came later is taken out of the case first, as in a hold-out. Where the record knows what came later, the
forecast is scored beside naive ones that were told the same figures.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.case.counts import Count, read_counts, short_id
from breakrank.case.dates import DateLike
from breakrank.case.models_evidence import Observation, Source, Target
from breakrank.case.tables import Remark
from breakrank.case.worlds import Worlds
from breakrank.errors import CaseError, UsageError, gathered
from breakrank.outputs import asked_part
from breakrank.questions.calibrate.reported import SPREAD
from breakrank.questions.condition.condition import condition, day_of, go_on, silently
from breakrank.questions.condition.terminal import show_figures
from breakrank.questions.plan.course import READ, course
from breakrank.questions.plan.scope import check_reception, find_period, find_where, weeks
from breakrank.questions.plan.spread import sufficient
from breakrank.questions.validate.figures import naive, split
from breakrank.questions.validate.fit import variables
from breakrank.questions.validate.known_then import as_known
from breakrank.questions.validate.terminal import SCORES, show_trial
from breakrank.questions.validate.trial import Trial
from breakrank.questions.validate.trials import forecast_figure
from breakrank.results.measure_table import find
from breakrank.results.measures import Values, check_question, measure, measure_of, read_by
from breakrank.results.outcome_names import called, headline_measure
from breakrank.results.quantiles import MEDIAN_AND_ENDS
from breakrank.results.whole_force import in_steps
from breakrank.runs.backends import choose_backend
from breakrank.runs.cases import as_case
from breakrank.runs.memory_store import MemoryStore
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study
from breakrank.show.provenance import drawn_in_part
from breakrank.show.terminal import LABEL, NUMBER, WHOLE, say, say_table, title, wrapped
from breakrank.show.words import between, interval, number, percent

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case
    from breakrank.questions.condition.lives import Carry
    from breakrank.results import Result
    from breakrank.runs.store import Store


def show(found: ForecastFromWorlds, stands_for: float = 1.0) -> None:
    """Print a forecast, what its worlds were told, and how it scores.

    A simulated soldier `stands_for` so many of the country.
    """
    trial, about = found.trial, found.worlds.about
    kind = "forecast" if found.worlds.figures else "prior forecast"
    say(title(f"{trial.title}: {kind} as of {trial.until}, {about['worlds']:,} worlds"))
    if found.worlds.doubt:
        say(wrapped(found.worlds.doubt))
        say()
    if sized := drawn_in_part(stands_for):
        say(wrapped(sized))
        say()
    counts = [one for one in found.headlines if math.isnan(one.chance)]
    rows = [
        [f"{one.label} by {one.date}", between(one.middle, one.low, one.high), interval(one.low, one.high)]
        for one in counts
    ]
    say_table([("Ahead", LABEL), ("median", NUMBER | WHOLE), ("90%", NUMBER | WHOLE)], rows)
    say()
    _chances([one for one in found.headlines if not math.isnan(one.chance)])
    if found.beds:
        assured = [(f"{share:.0%} of worlds", NUMBER) for share in ASSURANCE]
        weeks = [[week.label, *(number(n, "people") for n in week.beds)] for week in found.beds]
        say_table([("Beds that suffice on every day", LABEL), *assured], weeks)
        say()
    if found.worlds.figures:
        show_figures(found.worlds, "Told to the worlds")
        say()
    if trial.figures:
        show_trial(trial)
        say(wrapped(SCORES))
    else:
        for line in trial.notes:
            say(wrapped(line))


def _chances(headlines: list[Headline]) -> None:
    """Print a row for each event, a column for each day by which it may have come."""
    days = sorted({one.date for one in headlines})
    by = {(one.label, one.date): percent(one.chance) for one in headlines}
    rows = [
        [label, *(by.get((label, day), "") for day in days)]
        for label in dict.fromkeys(one.label for one in headlines)
    ]
    say_table([("Chance", LABEL), *((f"by {day}", NUMBER | WHOLE) for day in days)], rows)
    say()


AHEAD = (7, 30, 90)
"""Days ahead of which the headlines speak."""
COUNTED = {"Registered": "registered", "Persons in sites": "persons_in_sites"}
"""Counts of which the headlines speak, by label; the second is the beds that are taken."""
PASSED = "registered"
"""The count whose round numbers are asked for."""
STEPS = (1, 2, 5)
"""First digits of the round numbers."""
OPEN = (0.05, 0.95)
"""A round number is told if its chance by the last day is within these."""
WEEKS = 12
"""Weeks ahead for which beds are told."""
ASSURANCE = (0.5, 0.8, 0.95)
"""Shares of worlds in which they suffice."""


@dataclass(frozen=True)
class Headline:
    """What is asked first of a day ahead: median and 90% interval of a count, or the chance of an event."""

    label: str
    date: dt.date
    chance: float = np.nan
    low: float = np.nan
    middle: float = np.nan
    high: float = np.nan

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        told: dict[str, Any] = {"label": self.label, "date": str(self.date)}
        if np.isnan(self.chance):
            return told | {"interval90": [self.low, self.high], "median": self.middle}
        return told | {"chance": self.chance}


@dataclass(frozen=True)
class WeekOfBeds:
    """Beds that suffice on every day of a week, in each of :data:`ASSURANCE` of the worlds."""

    label: str
    start: dt.date
    end: dt.date
    beds: tuple[float, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        beds = {f"{share:.0%}": n for share, n in zip(ASSURANCE, self.beds, strict=True)}
        return {"from": str(self.start), "to": str(self.end), "beds": beds}


def counted(case: Case) -> dict[str, str]:
    """Return the counts of which the headlines of a case speak, by label; that which it chooses comes first.

    Runs count a part of the force by several dimensions only while its target is known, so it is left out.
    """
    own = headline_measure(case)
    if own is None or own in COUNTED.values() or len(asked_part(own)[1]) > 1:
        return COUNTED
    return {called(own): own, **COUNTED}


def reads(case: Case) -> frozenset[str]:
    """Return the variables of a result that headlines of a case are made of."""
    of_counts = (v for name in counted(case).values() for v in read_by(name))
    return frozenset({"uprisings", "regime_holds", *READ, *of_counts})


def headlines(data: xr.Dataset, day: dt.date, case: Case) -> tuple[Headline, ...]:
    """Return the headlines of runs of a case, as of a day."""
    end, following = case.calendar.end, day + dt.timedelta(days=1)
    dates = sorted({min(end, day + dt.timedelta(days=k)) for k in AHEAD} | {end})
    out = []
    for label, name in counted(case).items():
        counts = {date: measure(data, name, date) for date in dates}
        for date, count in counts.items():
            ends = np.quantile(count, MEDIAN_AND_ENDS)
            low, middle, high = in_steps(ends, case.stands_for, find(name).unit).tolist()
            out.append(Headline(label, date, low=low, middle=middle, high=high))
        if name == PASSED:
            for figure in round_numbers(counts[end]):
                passed = f"At least {figure:,} registered"
                out += [Headline(passed, date, float((n >= figure).mean())) for date, n in counts.items()]
    for date in dates:
        rose = measure(data, "uprisings", date, following) > 0
        out.append(Headline("An uprising", date, float(rose.mean())))
    out.append(Headline("Regime in place", end, float(measure(data, "regime_holds", end).mean())))
    return tuple(out)


def round_numbers(counts: Values) -> tuple[int, ...]:
    """Return the round numbers of which it is open whether they are reached.

    >>> round_numbers(np.array([90.0, 400.0, 800.0, 1500.0]))
    (100, 200, 500, 1000)
    """
    most = int(counts.max())
    candidates = [step * 10**power for power in range(1, len(str(most)) + 1) for step in STEPS]
    return tuple(n for n in candidates if OPEN[0] <= (counts >= n).mean() <= OPEN[1])


def beds_by_week(found: Result, day: dt.date) -> tuple[WeekOfBeds, ...]:
    """Return the beds that the host needs in each of the weeks after a day.

    None where nobody is received, and where sites stand in several countries.
    """
    case = found.case
    try:
        check_reception(case, "case")
        host = course(found, find_where(case))
    except UsageError:
        return ()
    begin = day + dt.timedelta(days=1)
    end = min(case.calendar.end, day + dt.timedelta(weeks=WEEKS))
    out = []
    for week in weeks(find_period(case.calendar, begin, end)):
        most = host.persons["need"][:, week.first : week.last + 1].max(axis=1)
        start, last = (case.calendar.start + dt.timedelta(days=k) for k in (week.first, week.last))
        out.append(WeekOfBeds(week.label, start, last, tuple(sufficient(most, a) for a in ASSURANCE)))
    return tuple(out)


ERROR = SPREAD["medium"]
"""How far a new figure may be off, as a share of it: as one of medium confidence."""


def with_observations(case: Case, file: Path) -> tuple[Case, list[Remark]]:
    """Return a case whose record also holds the figures of a table, and what is doubtful about these.

    The table is as :func:`breakrank.case.counts.read_counts` reads it. A source is whoever says so. Each
    figure is known from the day on which the table says that it was published; otherwise from its own date,
    since whoever adds it has it.

    Raises
    ------
    CaseError
        with file and line of each, for what cannot be used and what was expected.
    """
    counts, remarks = read_counts(case, file)
    found: dict[str, tuple[Target, Observation, Source]] = {}
    with gathered() as wrong:
        for one in counts:
            made = _evidenced(one)
            if made[0].id in found:
                wrong.append(
                    CaseError(
                        f"{one.question} on {one.day} has a figure already",
                        one.place,
                        "Keep one of the two, or write a range that holds both.",
                    )
                )
            found[made[0].id] = made
    old = case.content
    targets, observations, sources = zip(*found.values(), strict=True)
    content = replace(
        old,
        targets=(*old.targets, *targets),
        observations=(*old.observations, *observations),
        sources=(*old.sources, *sources),
    )
    whole = type(case)(content, case.catalogue, case.draws)
    with gathered() as wrong:
        for one in counts:
            try:  # the parts that it names are counted where the case with it asks for them
                check_question(one.question, None, whole, last=one.day == case.calendar.end)
            except UsageError as error:
                problem, _, remedy = str(error).partition("\n")
                remedy = remedy.strip() or "`breakrank case keys targets` lists measures and their parts."
                wrong.append(CaseError(problem, one.place, remedy))
    return whole, remarks


def _evidenced(one: Count) -> tuple[Target, Observation, Source]:
    """Return a row as a figure of the record, with the observation and the source that it rests on."""
    since = "" if one.since is None else f"-from-{one.since}"
    counted = re.sub(r"[^\w.]+", "-", one.question, flags=re.ASCII)
    name, row = short_id(f"observed-{one.day}-{counted}{since}"), f"line {one.place.line}"
    label = f"{called(one.question)} on {one.day}{since.replace('-from-', ', from ')}, observed"[:300]
    source = Source.model_validate(
        {
            "id": name,
            "publisher": one.source[:300],
            "title": f"{one.place.file.name if one.place.file else 'table'}, {row}",
            "date": one.published or str(one.day),
            "kind": "report",
            "reliability": "low",
        }
    )
    observation = Observation.model_validate(
        {
            "id": name,
            "source": name,
            "says": one.source[:300],
            "what": label,
            **one.stated,
            "unit": one.measure.unit,
            "date": one.when,
            "paragraph": row,
            "confidence": "low",
        }
    )
    target = {**one.target, "id": name, "label": label, "spread": ERROR, "evidence": [name]}
    return Target.model_validate(target), observation, source


@dataclass(frozen=True)
class ForecastFromWorlds:
    """A forecast as of a day.

    Attributes
    ----------
    worlds : that it goes on from. headlines : what is asked first. beds : what the host needs by week.
    trial : later figures, scored.
    """

    worlds: Worlds
    headlines: tuple[Headline, ...]
    beds: tuple[WeekOfBeds, ...]
    trial: Trial

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "case": self.trial.case,
            "as_of": self.trial.until,
            "headlines": [one.as_json() for one in self.headlines],
            "beds": [week.as_json() for week in self.beds],
            "scores": [
                {
                    "target": figure.target,
                    "date": figure.date,
                    "forecaster": each.by,
                    "score_kind": "CRPS" if figure.kind == "figure" else "Brier",
                    "score": each.score,
                    "in50": each.in50,
                    "in90": each.in90,
                    "best": each.by in figure.best,
                }
                for figure in self.trial.figures
                for each in figure.forecasts
            ],
            "verdict": list(self.trial.verdict()),
            "notes": list(self.trial.notes),
            "worlds": dict(self.worlds.about),
        }


def forecast(
    case: Case,
    as_of: DateLike,
    worlds: int | Worlds = 100,
    seed: int = 0,
    *,
    announced: Collection[str] = (),
    store: Store | None = None,
    workers: int | None = None,
    carry: Carry | None = None,
) -> ForecastFromWorlds:
    """Forecast from what was published of a case by a day; from the prior, where nothing was.

    Parameters
    ----------
    case : with priors and targets.
    as_of : last day that is known.
    announced : ids of later events that were known to come.
    worlds : how many; or worlds kept of an earlier day, which are told only of what came since.
    seed, store, workers, carry : as in :func:`breakrank.condition`.

    Raises
    ------
    UsageError
        for a day after which nothing is left.
    """
    plain = as_case(case).with_draws(None)
    day = day_of(plain, as_of)
    then = as_known(plain, day, announced)
    where = choose_backend(None, workers)
    made = carry or silently(where)
    if isinstance(worlds, int):
        found = condition(plain, day, worlds, seed, store=store, carry=made)
    else:
        found = go_on(plain, worlds, day, seed, store=store, carry=made)
    number = len(found.draws)
    known, later = split(plain, day)
    lived = found.of(then.case)
    wanted = {*(variables(later, plain) if later else ()), *reads(plain)}
    study = Study((Scenario(lived, f"forecast as of {day}"),), number, seed)
    kept = MemoryStore(wanted)
    if made(study, kept, f"forecast as of {day}").interrupted:
        raise KeyboardInterrupt
    made_of = kept.result(lived, seed, number).whole
    data = made_of.data
    figures = tuple(
        forecast_figure(
            t, {"worlds": np.asarray(measure_of(data, t), np.float64)}, naive(plain, t, known, day)
        )
        for t in later
    )
    trial = Trial("forecast", plain.id, plain.title, figures, str(day), (), tuple(then.told()))
    return ForecastFromWorlds(found, headlines(data, day, plain), beds_by_week(made_of, day), trial)
