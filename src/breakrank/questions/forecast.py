"""A forecast as of a day: an ensemble that agrees with what was known, pooled with simple forecasters.

What came later is taken out of the case first, as in a hindcast. Where the record knows what came later, the
forecast is scored on it. The scores that its parts had so far are told beside it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import Answer, Column, Figure, Provenance, Table, brief, hidden, provenance, text
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
from breakrank.questions.hindcast import figures, score_rows, scores_so_far, summary, verdict
from breakrank.questions.plan.course import READ, course
from breakrank.questions.plan.scope import check_reception, find_period, find_where, weeks
from breakrank.questions.plan.sums import sufficient
from breakrank.results.files import json_ready
from breakrank.results.measures import check_question, find, in_steps
from breakrank.results.outcomes import called, headline_measure, leading_measure
from breakrank.results.uncertainty import MEDIAN_AND_ENDS, stands_still
from breakrank.runs.as_of import as_known
from breakrank.runs.counterfactuals import null_model
from breakrank.runs.store import MemoryStore
from breakrank.runs.study import Scenario, Study
from breakrank.show.words import between, day, interval, number
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.dates import DateLike
    from breakrank.results.result import Result
    from breakrank.runs.carry_out import Making


ASSURANCE = {"p50": 0.5, "p80": 0.8, "p95": 0.95}
"""Shares of members in which beds suffice, by their columns."""
BEDS = "Beds count all who crossed and need shelter; persons in sites are only those whom a site took in."
"""How beds and the persons in sites go together."""


Rows = Sequence[Mapping[str, Any]]
"""Rows of a table of the answer, by column."""


@dataclass(frozen=True)
class Forecast:
    """A forecast as of a day.

    Attributes
    ----------
    answer : what it comes to. ensemble : that the model goes on from.
    rows : scored forecasts of later figures.
    """

    answer: Answer
    ensemble: PosteriorEnsemble
    rows: tuple[dict[str, Any], ...]

    def as_json(self) -> dict[str, Any]:
        """Return what stands beside the answer: all forecasts of later figures, and what the ensemble is."""
        beside: dict[str, Any] = json_ready({"scores": self.rows, "ensemble": self.ensemble.about})
        return beside

    def save(self, folder: Path) -> None:
        """Keep the ensemble in a new or an empty folder, for a later forecast to go on from."""
        self.ensemble.save(folder)


def trusted(so_far: Rows) -> list[str]:
    """Return in sentences how the parts of the pool scored so far; who carries it comes first."""
    if not so_far:
        return ["No figure that is known by now could have been forecast earlier, so no score tells yet "
                "which part of the pool to trust."]  # fmt: skip
    return list(verdict(so_far))


def answer_of(
    ensemble: PosteriorEnsemble,
    ahead: tuple[Rows, Rows],
    beds: Rows,
    scores: tuple[Rows, Rows],
    case: Case,
    told: Sequence[str],
    made: Provenance,
) -> Answer:
    """Return what follows from what was known of a case on a day.

    Parameters
    ----------
    ensemble : that the model goes on from. ahead : counts and chances of the days ahead. beds : by week.
    scores : of later figures, and of figures known by now. told : what was taken out of the case.
    """
    as_of, (counts, chances), (later, so_far) = str(ensemble.about["as_of"]), ahead, scores
    carried, *beside = trusted(so_far)
    tables = [_counts(counts), _chances(chances)]
    tables += [_beds(beds)] if beds else []
    tables += [assimilated(ensemble)] if ensemble.figures else []
    title = "Scores so far, of figures known by now as of earlier days"
    tables += [summary("so_far", title, so_far)] if so_far else []
    tables += [figures(later)] if later else []
    return Answer(
        question="forecast",
        title=f"{case.title}: {'forecast' if ensemble.figures else 'prior forecast'} as of {as_of}",
        finding=_finding(counts, as_of),
        doubt=carried,
        tables=tuple(tables),
        figures=(_ahead(counts, as_of),) if counts else (),
        notes=tuple(filter(None, (ensemble.doubt, *beside, *told))),
        provenance=made,
    )


def _finding(counts: Rows, as_of: str) -> str:
    """Return the pool's forecast of the last day but one, as the last is often too far.

    Whether the regime stays is in a table alone: one baseline that knows no fall so far decides the pool.
    """
    if not counts:
        return f"As of {as_of} no count is forecast."
    late = [one for one in counts if one["label"] == counts[0]["label"]][-2:][0]
    low, high = late["low"], late["high"]
    said = f"{late['label']} {late['head']}: {between(late['median'], low, high)}"
    ends = f"(90% {interval(low, high)})."
    return brief(f"{said} in the pooled median {ends}", f"{said} {ends}")


def _ahead(counts: Rows, as_of: str) -> Figure:
    """Return the chart of the first count, the days ahead below each other."""
    label = counts[0]["label"]
    return Figure(
        name="ahead",
        title=f"{label}, ahead of {day(as_of)}",
        kind="dots",
        table="counts",
        x="head",
        y=("median",),
        low="low",
        high="high",
        where=(("label", label),),
        note=f"{counts[0]['unit']}; median and 90% interval of the pooled forecast",
    )


SAID_BY_PARTS = text("parts", "The parts of the pool", "the median of each part, or its chance")


def _counts(rows: Rows) -> Table:
    columns = (
        text("label", "Count"),
        Column("date", "By", kind="date"),
        text("head", "Day in words", shown=False),
        SAID_BY_PARTS,
        Column("median", "Median of the pool", low="low", high="high", interval="90%"),
        *hidden("low", "high"),
        *(Column(name, f"Median of the {name}", shown=False) for name in PARTS),
    )
    return Table.of("counts", "Counts ahead", columns, rows)


def _chances(rows: Rows) -> Table:
    columns = (
        text("label", "Event"),
        text("date", "By"),
        SAID_BY_PARTS,
        Column("chance", "Chance of the pool", kind="share"),
    )
    in_order = [{**one, "date": one["head"]} for one in sorted(rows, key=lambda one: str(one["date"]))]
    return Table.of("chances", "Chances of events", columns, in_order)


def _beds(weeks: Rows) -> Table:
    columns = (
        text("week", "Week"),
        *(Column(name, f"enough in {name[1:]}% of runs", unit="persons", whole=True) for name in ASSURANCE),
    )
    return Table.of("beds", "Beds that suffice on every day", columns, weeks, note=BEDS)


AHEAD = (7, 30, 90)
"""Days ahead of which the headlines speak."""
UPRISING, REGIME = "An uprising", "Regime in place"
"""Labels of the events whose chances are told."""
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
    asked += [(UPRISING, "uprisings", date) for date in dates] + [(REGIME, "regime_holds", end)]
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


def headlines(
    said: Collection[tuple[Target, Mapping[str, Prediction]]], case: Case
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return rows of counts and of chances that forecasters of a case say; the pool leads."""
    counts, chances = [], []
    for asked, one in said:
        row = {"label": asked.label, "date": str(asked.date), "head": f"by {day(asked.date)}"}
        pool, parts = one[POOL], {name: _middle(x) for name, x in one.items() if name in PARTS}
        kind = "people" if isinstance(pool, np.ndarray) else "share"
        row["parts"] = ", ".join(f"{name} {number(x, kind)}" for name, x in parts.items())
        if not isinstance(pool, np.ndarray):
            chances.append({**row, "chance": pool})
            continue
        ends = in_steps(np.quantile(pool, MEDIAN_AND_ENDS), case.stands_for, asked.unit).tolist()
        counts.append(
            {
                **row,
                "unit": asked.unit,
                **parts,
                **dict(zip(("low", "median", "high"), ends, strict=True)),
            }
        )
    return counts, chances


def _middle(said: Prediction) -> float:
    return float(np.median(said)) if isinstance(said, np.ndarray) else float(said)


def beds_by_week(found: Result, day: dt.date) -> tuple[dict[str, Any], ...]:
    """Return the beds that the host needs in each of the weeks after a day, a row a week.

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
        out.append({"week": week.label, **{name: sufficient(most, a) for name, a in ASSURANCE.items()}})
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
    pooled = f"{runs:,} members, pooled with simple forecasters"
    made = provenance(case, runs, seed, ensemble=pooled, command=making.command, finished=runs)
    ahead = headlines([(one, predictions(one, knowing, ensembles)) for one in heads], case)
    beds = beds_by_week(result.whole, day)
    told = [stands_still(result.data), *then.told()]
    answer = answer_of(found, ahead, beds, (rows, so_far), case, told, made)
    return Forecast(answer, found, tuple(rows))


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
