"""A forecast as of a day: an ensemble that agrees with what was known, pooled with simple forecasters.

What came later is taken out of the case first, as in a hindcast. Where the record knows what came later, the
forecast is scored on it. The scores that its parts had so far are told beside it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from breakrank.case.counts import Count, read_counts, short_id
from breakrank.case.ensemble import PosteriorEnsemble, load_ensemble
from breakrank.case.models_evidence import Observation, Source, Target
from breakrank.case.tables import Remark
from breakrank.errors import CaseError, UsageError, gathered
from breakrank.inference.calibration import day_of, ensemble_of, update
from breakrank.inference.observed import SPREAD, read_targets
from breakrank.outputs import asked_part
from breakrank.questions.forecast_result import ASSURANCE, HOLDS, Forecast, Headline, WeekOfBeds
from breakrank.questions.forecasters import (
    MODEL,
    NULL,
    PARTS,
    POOL,
    KnownOnDay,
    Prediction,
    Workshop,
    predictions,
    read_ensemble,
    simulate_ensemble,
    split,
)
from breakrank.questions.hindcast import scores_so_far
from breakrank.questions.plan.course import READ, course
from breakrank.questions.plan.scope import check_reception, find_period, find_where, weeks
from breakrank.questions.plan.sums import sufficient
from breakrank.questions.scoring import score_rows
from breakrank.results.measures import check_question, find, in_steps
from breakrank.results.outcomes import called, headline_measure, leading_measure
from breakrank.results.uncertainty import MEDIAN_AND_ENDS, Array
from breakrank.runs.as_of import as_known
from breakrank.runs.counterfactuals import null_model
from breakrank.runs.memory_store import MemoryStore
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.declared import ForecastQuestion
    from breakrank.results.result import Result
    from breakrank.runs.making import Making


AHEAD = (7, 30, 90)
"""Days ahead of which the headlines speak."""
UPRISING = "An uprising"
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


def counted(case: Case) -> dict[str, str]:
    """Return the counts of which the headlines of a case speak, by label; what its record counts comes first.

    Runs count a part of the force by several dimensions only while its target is known, so it is left out. So
    are registers and sites where nobody can come to any.
    """
    own = headline_measure(case) or leading_measure(case)
    if len(asked_part(own)[1]) > 1:
        own = leading_measure(case)
    usual = {"Registered": "registered"} if case.crossings else {}
    if case.sites:
        usual["Persons in sites"] = "persons_in_sites"  # the beds that are taken
    return usual if own in usual.values() else {called(own): own, **usual}


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


def forecast_as_of(asked: ForecastQuestion, case: Case, making: Making) -> Forecast:
    """Return the forecast of a case as it is with all that is known by now; see the question's declaration.

    Raises
    ------
    UsageError
        for a day after which nothing is left.
    KeyboardInterrupt
        where it was stopped.
    """
    case = case.with_draws(None)
    if asked.observations is not None:
        case, remarks = with_observations(case, Path(asked.observations))
        making.remark(*map(str, remarks))
    day = day_of(case, asked.as_of)
    then = as_known(case, day, asked.announced)
    found = _ensemble(asked, case, day, making)
    runs = len(found.draws)
    known, later = split(case, day)
    heads = questions(case, day)
    every = (*known, *later, *heads)
    lived = found.of(then.case)
    study = Study((Scenario(lived, f"forecast as of {day}"),), runs, asked.seed)
    kept = MemoryStore({*read_targets(case, every).variables, *READ})
    if making.carry(study, kept, f"forecast as of {day}").interrupted:
        raise KeyboardInterrupt
    result = kept.result(lived, asked.seed, runs)
    shop = Workshop(None, making.carry, runs, asked.seed)
    ensembles = {
        MODEL: read_ensemble(result.data, case, every),
        NULL: simulate_ensemble(
            null_model(then.case), known, (*later, *heads), shop, f"null model as of {day}"
        ),
    }
    knowing = KnownOnDay(case, day, known, asked.seed)
    rows = [
        row
        for target in later
        for row in score_rows(target, case, day, predictions(target, knowing, ensembles))
    ]
    so_far = scores_so_far(case, known, day, replace(shop, draws=min(runs, SO_FAR)))
    first = headlines([(one, predictions(one, knowing, ensembles)) for one in heads], case)
    beds = beds_by_week(result.whole, day)
    told = tuple(then.told())
    return Forecast(found, first, beds, tuple(rows), tuple(so_far), told, case, making.command, asked.seed)


def _ensemble(asked: ForecastQuestion, case: Case, day: dt.date, making: Making) -> PosteriorEnsemble:
    """Return the ensemble that a forecast goes on from: made as of the day, or one of an earlier day."""
    before = asked.ensemble
    if before is None:
        return ensemble_of(case, day, asked.members, asked.seed, store=making.store, carry=making.carry)
    if not isinstance(before, PosteriorEnsemble):
        before = load_ensemble(before, case)
    given = {*case.by_hand, *making.changes.values} & {*before.draws.names}
    if given:
        raise UsageError(
            f"the members of this ensemble have values of their own of {listed(sorted(given))}\n"
            "  Leave the ensemble out: then one is made with what is set."
        )
    return update(case, before, day, asked.seed, store=making.store, carry=making.carry)
