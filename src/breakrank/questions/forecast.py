"""A forecast as of a day: an ensemble that agrees with what was known, pooled with simple forecasters.

What came later is taken out of the case first, as in a hindcast. Where the record knows what came later, the
forecast is scored on it. The scores that its parts had so far are told beside it.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import Answer, Column, Figure, Provenance, Table, brief
from breakrank.case.counts import Count, read_counts, short_id
from breakrank.case.ensemble import PosteriorEnsemble, load_ensemble
from breakrank.case.models_evidence import Observation, Source, Target
from breakrank.case.tables import Warning_
from breakrank.errors import CaseError, UsageError, gathered
from breakrank.inference.calibration import ensemble_of, update
from breakrank.inference.observed import SPREAD, read_targets
from breakrank.inference.result import assimilated
from breakrank.outputs import asked_part
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
from breakrank.questions.hindcast import figures, score_rows, scores_so_far, summarise, summary, verdict
from breakrank.questions.plan.course import READ, course
from breakrank.questions.plan.scope import check_reception, find_period, find_where, weeks
from breakrank.questions.plan.sums import sufficient
from breakrank.results.files import json_ready
from breakrank.results.measures import check_question, find, in_steps
from breakrank.results.outcomes import called, headline_measure, leading_measure
from breakrank.results.uncertainty import MEDIAN_AND_ENDS
from breakrank.runs.as_of import as_known
from breakrank.runs.counterfactuals import null_model
from breakrank.runs.identity import versions
from breakrank.runs.store import MemoryStore
from breakrank.runs.study import Scenario, Study
from breakrank.show.words import between, day, interval, number, percent
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.dates import DateLike
    from breakrank.results.result import Result
    from breakrank.runs.carry_out import Making


HOLDS = "Regime in place"
ASSURANCE = (0.5, 0.8, 0.95)
"""Shares of members in which beds suffice."""
BEDS = "Beds count all who crossed and need shelter; persons in sites are only those whom a site took in."
"""How beds and the persons in sites go together."""


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


@dataclass(frozen=True)
class Forecast:
    """A forecast as of a day.

    Attributes
    ----------
    ensemble : that the model goes on from. headlines : what is asked first.
    beds : what the host needs by week.
    rows : scored forecasts of later figures. so_far : the same of figures known by now, as of earlier days.
    notes : what was taken out of the case, and what was left in.
    case : with all that is known by now. command : the call that made it. seed : of what goes on.
    """

    ensemble: PosteriorEnsemble
    headlines: tuple[Headline, ...]
    beds: tuple[WeekOfBeds, ...]
    rows: tuple[dict[str, Any], ...]
    so_far: tuple[dict[str, Any], ...]
    notes: tuple[str, ...]
    case: Case
    command: str = ""
    seed: int = 0

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

    @cached_property
    def answer(self) -> Answer:
        """The answer that a forecast comes to."""
        return answer_of(self)

    def save(self, folder: Path) -> None:
        """Keep the ensemble in a new or an empty folder, for a later forecast to go on from."""
        self.ensemble.save(folder)


def answer_of(found: Forecast) -> Answer:
    """Return what follows from what was known of a case on a day."""
    about, case = found.ensemble.about, found.case
    kind = "forecast" if found.ensemble.figures else "prior forecast"
    carried, *beside = found.verdict()
    counts = [one for one in found.headlines if one.chance is None]
    tables = [_counts(counts), _chances([one for one in found.headlines if one.chance is not None])]
    tables += [_beds(found.beds)] if found.beds else []
    tables += [assimilated(found.ensemble)] if found.ensemble.figures else []
    title = "Scores so far, of figures known by now as of earlier days"
    tables += [summary("so_far", title, found.so_far)] if found.so_far else []
    tables += [figures(found.rows)] if found.rows else []
    return Answer(
        question="forecast",
        title=f"{case.title}: {kind} as of {about['as_of']}",
        finding=_finding(counts, found),
        doubt=carried,
        tables=tuple(tables),
        figures=(_ahead(counts, str(about["as_of"])),) if counts else (),
        notes=tuple(filter(None, (found.ensemble.doubt, *beside, *found.notes))),
        provenance=Provenance(
            case=case.id,
            title=case.title,
            ensemble=f"{about['members']:,} members, pooled with simple forecasters",
            runs=int(about["members"]),
            seed=found.seed,
            digest=case.digest,
            command=found.command,
            versions=versions(case),
            finished=int(about["members"]),
            stands_for=case.stands_for,
        ),
    )


def _finding(counts: Sequence[Headline], found: Forecast) -> str:
    """Return the pool's forecast of the last day but one (the last is often too far) and of the regime."""
    if not counts:
        return f"As of {found.ensemble.about['as_of']} no count is forecast."
    late = [one for one in counts if one.label == counts[0].label][-2:][0]
    middle, ends = between(late.middle, late.low, late.high), interval(late.low, late.high)
    said = f"{late.label} by {day(late.date)}: {middle}"
    holds = [one.chance for one in found.headlines if one.label == HOLDS and one.chance is not None]
    ends = f"(90% {ends}); regime in place: {percent(holds[-1])}." if holds else f"(90% {ends})."
    return brief(f"{said} in the pooled median {ends}", f"{said} {ends}")


def _ahead(counts: Sequence[Headline], as_of: str) -> Figure:
    """Return the chart of the first count, the days ahead below each other."""
    return Figure(
        name="ahead",
        title=f"{counts[0].label}, ahead of {day(as_of)}",
        kind="dots",
        table="counts",
        x="head",
        y=("median",),
        low="low",
        high="high",
        where=(("label", counts[0].label),),
        note="median and 90% interval of the pooled forecast",
    )


def _counts(headlines: Sequence[Headline]) -> Table:
    columns = (
        Column(name="label", label="Count", kind="text"),
        Column(name="date", label="By", kind="date"),
        Column(name="head", label="Day in words", kind="text", shown=False),
        Column(name="parts", label="Medians of the parts", kind="text"),
        Column(name="median", label="Median of the pool", low="low", high="high", interval="90%"),
        *(Column(name=name, label=name, shown=False) for name in ("low", "high")),
        Column(name="model", label="Median of the model", shown=False),
    )
    rows = [
        {
            "label": one.label,
            "date": str(one.date),
            "head": f"by {day(one.date)}",
            "model": one.parts.get(MODEL, math.nan),
            "parts": ", ".join(f"{name} {number(x, 'people')}" for name, x in one.parts.items()),
            "median": one.middle,
            "low": one.low,
            "high": one.high,
        }
        for one in headlines
    ]
    return Table.of("counts", "Counts ahead", columns, rows)


def _chances(headlines: Sequence[Headline]) -> Table:
    columns = (
        Column(name="label", label="Event", kind="text"),
        Column(name="date", label="By", kind="text"),
        Column(name="chance", label="Chance", kind="share"),
    )
    rows = [
        {
            "label": one.label,
            "date": f"by {day(one.date)}",
            "chance": math.nan if one.chance is None else one.chance,
        }
        for one in sorted(headlines, key=lambda one: one.date)
    ]
    return Table.of("chances", "Chances of events", columns, rows, across="date", cell="chance")


def _beds(weeks: Sequence[WeekOfBeds]) -> Table:
    names = [f"p{100 * share:.0f}" for share in ASSURANCE]
    columns = (
        Column(name="week", label="Week", kind="text"),
        *(
            Column(name=name, label=f"enough in {name[1:]}% of runs", unit="persons", whole=True)
            for name in names
        ),
    )
    rows: list[dict[str, Any]] = [
        {"week": week.label, **dict(zip(names, week.beds, strict=True))} for week in weeks
    ]
    return Table.of("beds", "Beds that suffice on every day", columns, rows, note=BEDS)


AHEAD = (7, 30, 90)
"""Days ahead of which the headlines speak."""
UPRISING = "An uprising"
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
    return tuple(out)


def _middle(said: Prediction) -> float:
    return float(np.median(said)) if isinstance(said, np.ndarray) else float(said)


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


def with_observations(case: Case, file: Path) -> tuple[Case, list[Warning_]]:
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


def forecast_as_of(
    case: Case,
    making: Making,
    *,
    as_of: DateLike,
    ensemble: str | PathLike[str] | PosteriorEnsemble | None,
    members: int,
    seed: int,
    observations: str | PathLike[str] | None,
    announced: Collection[str],
) -> Forecast:
    """Return the forecast of a case as it is with all that is known by now; see the question's declaration.

    It goes on from an `ensemble` of an earlier day, or from one that is made as of the day.

    Raises
    ------
    UsageError
        for a day after which nothing is left.
    KeyboardInterrupt
        where it was stopped.
    """
    case = case.with_draws(None)
    if observations is not None:
        case, remarks = with_observations(case, Path(observations))
        making.remark(*map(str, remarks))
    day = case.calendar.within(as_of, "--as-of")
    then = as_known(case, day, announced)
    found = (
        ensemble_of(case, day, members, seed, store=making.store, carry=making.carry)
        if ensemble is None
        else _updated(ensemble, case, day, seed, making)
    )
    runs = len(found.draws)
    known, later = split(case, day)
    heads = questions(case, day)
    every = (*known, *later, *heads)
    lived = found.of(then.case)
    study = Study((Scenario(lived, f"forecast as of {day}"),), runs, seed)
    kept = MemoryStore({*read_targets(case, every).variables, *READ})
    if making.carry(study, kept, f"forecast as of {day}").interrupted:
        raise KeyboardInterrupt
    result = kept.result(lived, seed, runs)
    shop = Workshop(None, making.carry, runs, seed)
    ensembles = {
        MODEL: read_ensemble(result.data, case, every),
        NULL: simulate_ensemble(
            null_model(then.case), known, (*later, *heads), shop, f"null model as of {day}"
        ),
    }
    knowing = KnownOnDay(case, day, known, seed)
    rows = [
        row
        for target in later
        for row in score_rows(target, case, day, predictions(target, knowing, ensembles))
    ]
    so_far = scores_so_far(case, known, day, replace(shop, draws=min(runs, SO_FAR)))
    first = headlines([(one, predictions(one, knowing, ensembles)) for one in heads], case)
    beds = beds_by_week(result.whole, day)
    told = tuple(then.told())
    return Forecast(found, first, beds, tuple(rows), tuple(so_far), told, case, making.command, seed)


def _updated(
    before: str | PathLike[str] | PosteriorEnsemble, case: Case, day: dt.date, seed: int, making: Making
) -> PosteriorEnsemble:
    """Return an ensemble of an earlier day, which takes in the figures since."""
    if not isinstance(before, PosteriorEnsemble):
        before = load_ensemble(before, case)
    given = {*case.by_hand, *making.changes.values} & {*before.draws.names}
    if given:
        raise UsageError(
            f"the members of this ensemble have values of their own of {listed(sorted(given))}\n"
            "  Leave the ensemble out: then one is made with what is set."
        )
    return update(case, before, day, seed, store=making.store, carry=making.carry)
