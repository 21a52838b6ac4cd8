"""A forecast as of a day: an ensemble that agrees with what was known, pooled with simple forecasters.

What came later is taken out of the case first, as in a hindcast. Where the record knows what came later, the
forecast is scored on it. The scores that its parts had so far are told beside it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.case.counts import Count, read_counts, short_id
from breakrank.case.dates import DateLike
from breakrank.case.ensemble import PosteriorEnsemble
from breakrank.case.models_evidence import Observation, Source, Target
from breakrank.case.tables import Remark
from breakrank.errors import CaseError, UsageError, gathered
from breakrank.inference.calibration import day_of, ensemble_of, silently, update
from breakrank.inference.observed import read_targets
from breakrank.inference.reported import SPREAD
from breakrank.outputs import asked_part
from breakrank.questions.hindcast.ensemble import Workshop, read_ensemble, simulate_ensemble
from breakrank.questions.hindcast.figures import split
from breakrank.questions.hindcast.forecasters import (
    MODEL,
    NULL,
    PARTS,
    POOL,
    KnownOnDay,
    Prediction,
    predictions,
)
from breakrank.questions.hindcast.hindcast import scores_so_far
from breakrank.questions.hindcast.scoring import score_rows, summarise, verdict
from breakrank.questions.plan.course import READ, course
from breakrank.questions.plan.scope import check_reception, find_period, find_where, weeks
from breakrank.questions.plan.spread import sufficient
from breakrank.results.json_files import json_ready
from breakrank.results.measures import check_question, find
from breakrank.results.outcome import called, headline_measure
from breakrank.results.uncertainty import MEDIAN_AND_ENDS, Array
from breakrank.results.whole_force import in_steps
from breakrank.runs.as_of import as_known
from breakrank.runs.backends import choose_backend
from breakrank.runs.cases import as_case
from breakrank.runs.counterfactuals import null_model
from breakrank.runs.memory_store import MemoryStore
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.inference.simulations import Carry
    from breakrank.results import Result
    from breakrank.runs.store import Store


AHEAD = (7, 30, 90)
"""Days ahead of which the headlines speak."""
COUNTED = {"Registered": "registered", "Persons in sites": "persons_in_sites"}
"""Counts of which the headlines speak, by label; the second is the beds that are taken."""
UPRISING, HOLDS = "An uprising", "Regime in place"
PASSED = "registered"
"""The count whose round numbers are asked for."""
STEPS = (1, 2, 5)
"""First digits of the round numbers."""
OPEN = (0.05, 0.95)
"""A round number is told if its chance by the last day is within these."""
WEEKS = 12
"""Weeks ahead for which beds are told."""
SO_FAR = 50
"""Draws of the prior, at most, of each forecast that is scored so far."""
ASSURANCE = (0.5, 0.8, 0.95)
"""Shares of members in which they suffice."""


@dataclass(frozen=True)
class Headline:
    """What is asked first of a day ahead: median and 90% interval of a count, or the chance of an event.

    `parts` holds the medians or chances of the pool's parts, by name.
    """

    label: str
    date: dt.date
    parts: Mapping[str, float]
    chance: float | None = None
    low: float = np.nan
    middle: float = np.nan
    high: float = np.nan

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        told: dict[str, Any] = {"label": self.label, "date": str(self.date), "parts": dict(self.parts)}
        if self.chance is None:
            return told | {"interval90": [self.low, self.high], "median": self.middle}
        return told | {"chance": self.chance}


@dataclass(frozen=True)
class WeekOfBeds:
    """Beds that suffice on every day of a week, in each of :data:`ASSURANCE` of the members."""

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


def questions(case: Case, day: dt.date) -> tuple[Target, ...]:
    """Return the first questions on the days ahead, as targets whose figures nobody knows."""
    end = case.calendar.end
    dates = sorted({min(end, day + dt.timedelta(days=k)) for k in AHEAD} | {end})
    asked = [(label, name, date) for label, name in counted(case).items() for date in dates]
    asked += [(UPRISING, "uprisings", date) for date in dates] + [(HOLDS, "regime_holds", end)]
    out = []
    for k, (label, name, date) in enumerate(asked):
        plain, part = asked_part(name)
        out.append(
            Target.model_validate(
                {
                    "id": f"asked-{k}",
                    "label": label,
                    "measure": plain,
                    **({"by": {dim: list(ids) for dim, ids in part.items()}} if part else {}),
                    **({"from": day + dt.timedelta(days=1)} if label == UPRISING else {}),
                    "date": date,
                    "unit": find(plain).unit,
                    "value": 0,
                    "assumed": "Nobody knows it yet.",
                }
            )
        )
    return tuple(out)


def headlines(said: Collection[tuple[Target, Mapping[str, Prediction]]], case: Case) -> tuple[Headline, ...]:
    """Return the headlines of what forecasters of a case say of each question; the pool leads."""
    out = []
    for asked, one in said:
        parts = {n: _middle(x) for n, x in one.items() if n in PARTS}
        pool = one[POOL]
        if not isinstance(pool, np.ndarray):
            out.append(Headline(asked.label, asked.date, parts, pool))
            continue
        ends = in_steps(np.quantile(pool, MEDIAN_AND_ENDS), case.stands_for, asked.unit).tolist()
        out.append(Headline(asked.label, asked.date, parts, None, *ends))
    registers = {a.date: x[POOL] for a, x in said if a.measure == PASSED and not a.by}
    draws = {date: pool for date, pool in registers.items() if isinstance(pool, np.ndarray)}
    for figure in round_numbers(draws[max(draws)]) if draws else ():
        passed = f"At least {figure:,} registered"
        out += [Headline(passed, date, {}, float((pool >= figure).mean())) for date, pool in draws.items()]
    return tuple(out)


def _middle(said: Prediction) -> float:
    return float(np.median(said)) if isinstance(said, np.ndarray) else float(said)


def round_numbers(counts: Array) -> tuple[int, ...]:
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
class Forecast:
    """A forecast as of a day.

    Attributes
    ----------
    ensemble : that the model goes on from. headlines : what is asked first.
    beds : what the host needs by week.
    rows : scored forecasts of later figures. so_far : the same of figures known by now, as of earlier days.
    notes : what was taken out of the case, and what was left in.
    """

    ensemble: PosteriorEnsemble
    headlines: tuple[Headline, ...]
    beds: tuple[WeekOfBeds, ...]
    rows: tuple[dict[str, Any], ...]
    so_far: tuple[dict[str, Any], ...]
    notes: tuple[str, ...]

    def verdict(self) -> list[str]:
        """Return in sentences how the parts of the pool scored so far; who carries it comes first."""
        if not self.so_far:
            return ["No figure that is known by now could have been forecast earlier, so no score tells yet "
                    "which part of the pool to trust."]  # fmt: skip
        return list(verdict(self.so_far))

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        plain: dict[str, Any] = json_ready(
            {
                "case": self.ensemble.about["case"],
                "as_of": self.ensemble.about["as_of"],
                "verdict": self.verdict(),
                "headlines": [one.as_json() for one in self.headlines],
                "beds": [week.as_json() for week in self.beds],
                "scores_so_far": summarise(self.so_far),
                "scores": list(self.rows),
                "notes": list(self.notes),
                "ensemble": dict(self.ensemble.about),
            }
        )
        return plain


def forecast(
    case: Case,
    as_of: DateLike,
    members: int | PosteriorEnsemble = 40,
    seed: int = 0,
    *,
    announced: Collection[str] = (),
    store: Store | None = None,
    workers: int | None = None,
    carry: Carry | None = None,
) -> Forecast:
    """Forecast from what was published of a case by a day; from the prior, where nothing was.

    Parameters
    ----------
    case : with priors and targets.
    as_of : last day that is known.
    announced : ids of later events that were known to come.
    members : how many of the ensemble; or one kept of an earlier day, which takes in what came since.
    seed, store, workers, carry : as in :func:`breakrank.calibrate`.

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
    if isinstance(members, int):
        found = ensemble_of(plain, day, members, seed, store=store, carry=made)
    else:
        found = update(plain, members, day, seed, store=store, carry=made)
    runs = len(found.draws)
    known, later = split(plain, day)
    asked = questions(plain, day)
    every = (*known, *later, *asked)
    lived = found.of(then.case)
    study = Study((Scenario(lived, f"forecast as of {day}"),), runs, seed)
    kept = MemoryStore({*read_targets(plain, every).variables, *READ})
    if made(study, kept, f"forecast as of {day}").interrupted:
        raise KeyboardInterrupt
    result = kept.result(lived, seed, runs)
    shop = Workshop(None, made, runs, seed)
    ensembles = {
        MODEL: read_ensemble(result.data, plain, every),
        NULL: simulate_ensemble(
            null_model(then.case), known, (*later, *asked), shop, f"null model as of {day}"
        ),
    }
    knowing = KnownOnDay(plain, day, known, seed)
    rows = [
        row
        for target in later
        for row in score_rows(target, plain, day, predictions(target, knowing, ensembles))
    ]
    so_far = scores_so_far(plain, known, day, replace(shop, draws=min(runs, SO_FAR)))
    first = headlines([(one, predictions(one, knowing, ensembles)) for one in asked], plain)
    beds = beds_by_week(result.whole, day)
    return Forecast(found, first, beds, tuple(rows), tuple(so_far), tuple(then.told()))
