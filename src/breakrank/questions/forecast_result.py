"""What a forecast found: counts and chances ahead, beds by week, and how its parts scored."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import Answer, Column, Figure, Provenance, Table, brief
from breakrank.case.ensemble import PosteriorEnsemble
from breakrank.inference.result import assimilated
from breakrank.questions.forecasters import MODEL
from breakrank.questions.scoring import figures, summarise, summary, verdict
from breakrank.results.files import json_ready
from breakrank.runs.identity import versions
from breakrank.show.words import between, day, interval, number, percent

if TYPE_CHECKING:
    from pathlib import Path

    from breakrank.case import Case

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
