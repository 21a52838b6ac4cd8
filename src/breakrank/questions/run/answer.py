"""The answer to a run of a case: its outcomes beside what was observed, day by day, and what it rests on."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import Answer, Basis, Column, Figure, Table, hidden, provenance, text
from breakrank.case.borders import shapes
from breakrank.errors import UsageError
from breakrank.model import known_measures
from breakrank.outputs import CURRENCY, YES_OR_NO, Measure
from breakrank.questions.run.headline import (
    Becoming,
    becoming,
    doubt,
    finding,
    minds,
    more,
    observed,
    verdict,
)
from breakrank.questions.run.headline import frame as fates_frame
from breakrank.results.measures import find, read, source_of, strength_of
from breakrank.results.outcomes import APART, AT_HOME, assimilation, called, comparison_title
from breakrank.results.uncertainty import FEW, stands_still
from breakrank.show.axes import dated, earlier
from breakrank.show.evidence import Evidence, Voice, numbers
from breakrank.show.provenance import changes
from breakrank.show.tables import Group, Kind, SpreadSeries, labels, leaving, plain, series, share
from breakrank.show.words import between, day, interval, people, percent, unit_of, within

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case import Target
    from breakrank.results.outcomes import Outcome
from breakrank.results.result import Result

SPREAD = ("q05", "q25", "q75", "q95")
GROUPS: dict[Group, tuple[str, str]] = {
    "total": ("left", ""),
    "outcome": ("kinds", "The most frequent way to leave"),
    "rank": ("ranks", "The rank group of most who leave"),
    "branch": ("branches", "The branch of most who leave"),
    "route": ("ways", "The route that most take"),
}
"""Name of the figure of each group of those who leave, and what its largest is called."""
COUNTED = "+ assimilated: the runs were conditioned on this figure, so that to meet it is no success."
SURE = (
    "sure: it could not be missed, as all runs have one value, none comes near the bound, or it was put in."
)
MAPPED = ("units_fighting", "field_held", "exits_state")
"""The variables without which there is no map of a war."""
NAMED = 2
"""Sources named for each observed figure; the rest is counted, and linked to."""
DATES = 4
"""Dates that are mapped: the ends of as many equal parts of the calendar."""


def answer_of(result: Result) -> Answer:
    """Return the answer that finished runs of a case come to."""
    case, evidence = result.case, Evidence(result.case)
    outcomes = [
        replace(o, unit=o.unit.replace(CURRENCY, case.currency)) if CURRENCY in o.unit else o
        for o in result.outcomes()
    ]
    series = dict(_series(result.whole))
    one, counted = becoming(result.whole), {i: s.id for s, ids in observed_series(result.whole) for i in ids}
    beside = [o for o in outcomes if o.record is not None]
    beside.sort(key=lambda o: o.id != case.headline)
    last = [o for o in outcomes if o.record is None]
    title = comparison_title(o.used for o in beside)
    bases = dict(zip((o.id for o in beside), _bases(result, beside, evidence), strict=True))
    says = {ident: basis.says for ident, basis in bases.items()}
    tables = [_outcomes("outcomes", title, beside, result.runs, counted, says)] if beside else []
    tables += [_outcomes("primary", f"On {one.date}", last, result.runs, {}, {}), _fates(one, result.runs)]
    tables += [_standing(one), _events(result, evidence), _daily(series, result.runs), _beliefs(result)]
    tables += _ground(result.whole)
    return Answer(
        question="run",
        title=case.title,
        finding=finding(result),
        doubt=doubt(result),
        tables=(*tables, *_given(evidence)),
        figures=tuple(_figures(result, one, series, outcomes)),
        notes=tuple(_notes(result, outcomes)),
        evidence=tuple(bases.values()),
        provenance=provenance(
            case,
            result.asked or result.runs + len(result.failed),
            result.seed,
            failed=result.failed,
            command=result.command,
            versions=dict(result.versions),
            finished=result.runs,
            changed=changes(result),
            interrupted=result.interrupted,
        ),
    )


def _notes(result: Result, outcomes: Sequence[Outcome]) -> Iterator[str]:
    if result.runs > 1 and (met := verdict(outcomes)):
        yield met
    yield from more(result)
    if fallen := stands_still(result.data):
        yield fallen
    if any(o.measure == "registered" for o in outcomes):
        yield APART + (AT_HOME if "went_over" in result.data else "")
    if before := earlier(result):
        yield f"Before the first day, and so on no chart: {'; '.join(before)}."


def _bases(result: Result, beside: Iterable[Outcome], evidence: Evidence) -> Iterator[Basis]:
    """Yield who says what was observed: a phrase for each voice, with links to all that they say."""
    targets = {t.id: t for t in result.case.targets}
    for o in beside:
        voices = evidence.voices(targets[o.id].evidence)
        says = _says(voices) or f"assumed: {targets[o.id].assumed or 'no reason given'}"
        yield Basis(
            of=f"{o.label}, {observed(o)}", says=says, refs=tuple(r.number for v in voices for r in v.refs)
        )


def _says(voices: Sequence[Voice]) -> str:
    said = "; ".join(v.said for v in voices[:NAMED])
    return f"{said}; and {len(voices) - NAMED} more" if len(voices) > NAMED else said


# Tables


def _outcomes(
    name: str,
    title: str,
    rows: Sequence[Outcome],
    runs: int,
    counted: dict[str, str],
    sources: dict[str, str],
) -> Table:
    """Return outcomes with what was observed; `counted` has the daily series by the id of a figure."""
    seen = any(o.record is not None for o in rows)
    most = Column(
        "value",
        "Median" if runs > 1 else "Value",
        unit_in="unit",
        whole=True,
        low="low" if runs > 1 else "",
        high="high" if runs > 1 else "",
        interval=within(runs),
        meaning="median over runs; of yes or no, the share of runs that answer yes",
    )
    columns = (
        text("id", "Outcome (name)", shown=False),
        text("label", "Outcome"),
        Column("date", "Day", kind="date", shown=False),
        text("unit", "Unit", shown=False),
        text("observed", "Observed", shown=seen),
        text("compared", "Compared", shown=seen, meaning="whether the spread of the runs meets the figure"),
        most,
        *hidden("low", "high", "median", *SPREAD, "share_of_runs", "observed_low", "observed_high"),
        text("assimilated", "Assimilated", shown=False),
        text("series", "Daily series", shown=False),
        text("source", "Who says so", shown=False),
        text("note", "Note", shown=False),
    )
    note = ""
    if any(o.used for o in rows):
        note += f"{COUNTED} "
    if any(o.trivial or o.by_construction for o in rows):
        note += SURE
    found = [_row(o, counted.get(o.id, "")) | {"source": sources.get(o.id, "")} for o in rows]
    return Table.of(name, title, columns, found, key="id", note=note.strip())


def _row(o: Outcome, series: str) -> dict[str, Any]:
    low, high = (math.nan, math.nan) if o.yes_or_no else o.ends
    unit = "share" if o.yes_or_no else o.unit
    label = o.label if o.record else called(o.measure)
    plain = unit in ("soldiers", "plots", "uprisings") or (unit == "share" and not o.yes_or_no)
    plain = plain or unit in label.lower().split()
    told = ""
    if o.record is not None:
        met = {None: o.note, True: "met", False: "missed"}[o.meets_record]
        sure = (o.trivial or o.by_construction) and o.meets_record is not False
        told = f"{'sure' if sure else met}{' +' * bool(o.used)}"
    return {
        "id": o.id,
        "label": label + ("" if plain else " (share of runs)" if o.yes_or_no else f" ({o.unit})"),
        "date": o.date,
        "unit": unit,
        "observed": "" if o.record is None else observed(o),
        "compared": told,
        "value": o.share if o.yes_or_no else o.median,
        "low": low,
        "high": high,
        "median": o.median,
        **{name: getattr(o, name) for name in SPREAD},
        "share_of_runs": o.share,
        "observed_low": math.nan if o.record is None else o.record.low,
        "observed_high": math.nan if o.record is None else o.record.high,
        "assimilated": assimilation(o.used),
        "series": series,
        "note": o.note,
    }


def _fates(one: Becoming, runs: int) -> Table:
    columns = (
        text("fate", "Fate"),
        Column(
            "mean",
            "Average" if runs > 1 else "Soldiers",
            unit="soldiers",
            whole=True,
            low="q05" if runs > 1 else "",
            high="q95" if runs > 1 else "",
            interval=within(runs),
        ),
        *hidden("median", *SPREAD, unit="soldiers"),
        *(Column(r, label, unit="soldiers", shown=False) for r, label in one.ranks.items()),
    )
    rows = fates_frame(one).reindex(columns=[c.name for c in columns])
    title = f"Where all {people(one.strength)} soldiers stand on {one.date}, on average of the runs"
    return Table("fates", title, columns, rows, key="fate")


def _standing(one: Becoming) -> Table:
    """Return the parts of the force on the last day: those who serve by opinion, and the others by kind."""
    hues = {"serving": "loyal", "opposed": "opposed", "out": "out", "hidden": "hidden", "caught": "caught"}
    names = ("Serving, not opposed", "Serving, opposed", "Got out", "On the way, hiding or in reserve")
    labels = (*names, "Taken, dead or discharged")
    opposed = one.opposed or 0.0
    values = (
        one.serving * (1 - opposed),
        one.serving * opposed,
        one.sum_of("out"),
        one.sum_of("hidden"),
        one.sum_of("caught"),
    )
    columns = [
        Column(name, label, unit="soldiers", hue=hues[name]) for name, label in zip(hues, labels, strict=True)
    ]
    row = {"label": "Everyone", **dict(zip(hues, values, strict=True))}
    return Table.of("standing", "The parts of the force", [text("label", "Of"), *columns], [row], detail=True)


def _events(result: Result, evidence: Evidence) -> Table:
    by_id = {e.id: e for e in result.case.events}
    rows = [
        {
            "number": str(e.number),
            "date": e.date.isoformat(),
            "title": e.title,
            "refs": numbers(evidence.refs(getattr(by_id[e.id], "evidence", ()))),
        }
        for e in dated(result)
    ]
    columns = (
        text("number", "Number"),
        Column("date", "Day", kind="date"),
        text("title", "Event"),
        Column("refs", "Observations", kind="refs", shown=False),
    )
    return Table.of("events", "Dated events, by their numbers on charts", columns, rows)


def _series(result: Result) -> Iterator[tuple[str, list[SpreadSeries]]]:
    for by, (name, _) in GROUPS.items():
        yield name, leaving(result, by)
    yield "record", [one for one, _ in observed_series(result)]


def _daily(series: dict[str, list[SpreadSeries]], runs: int) -> Table:
    import pandas as pd

    parts = []
    for group, every in series.items():
        for one in every:
            dates = [str(date)[:10] for date in one.frame["date"].to_numpy()]
            about = {"group": group, "id": one.id, "label": one.label, "unit": one.unit, "date": dates}
            parts.append(one.frame.assign(**about))
    columns = (
        text("group", "Group"),
        text("id", "Name"),
        text("label", "Of"),
        Column("date", "Day", kind="date"),
        text("unit", "Unit"),
        Column("median", "Median", unit_in="unit", whole=True, low="q05", high="q95", interval=within(runs)),
        *(Column(q, f"{int(q[1:])}% of runs below", unit_in="unit", whole=True) for q in SPREAD),
        Column("mean", "Mean", unit_in="unit"),
    )
    rows = pd.concat(parts, ignore_index=True)[[one.name for one in columns]]
    return Table("daily", "Day by day", columns, rows, detail=True)


def _beliefs(result: Result) -> Table:
    """Return the share who are opposed and the share that their comrades believe to be, day by day."""
    import pandas as pd

    found = {"opposed": "Privately opposed", "belief": "Believed by their comrades"}
    every = {n: share(result, n, label) for n, label in found.items() if n in result.data}
    columns = [Column("date", "Day", kind="date")]
    rows = pd.DataFrame({"date": pd.Series(dtype=object)})
    for name, one in every.items():
        rows["date"] = [str(date)[:10] for date in one.frame["date"].to_numpy()]
        hue = {"opposed": "opposed", "belief": "believed"}[name]
        spread = [f"{name}_{q}" for q in SPREAD]
        columns.append(Column(name, one.label, unit="share", hue=hue, low=spread[0], high=spread[-1]))
        columns += [Column(q, f"{one.label}, {q}", unit="share") for q in spread]
        rows[name] = one.frame["median"].to_numpy()
        rows[spread] = one.frame[list(SPREAD)].to_numpy()
    return Table("beliefs", "Opinion and belief, day by day", tuple(columns), rows, detail=True)


def _ground(result: Result) -> list[Table]:
    """Return who holds what and who left their posts, by state, at :data:`DATES`; nothing without a war."""
    if any(name not in result.data for name in MAPPED) or not shapes(_codes(result)):
        return []
    data = result.data
    held = data["field_held"].transpose("day", "state").values.astype(np.float64)
    gone = data["exits_state"].mean("run").transpose("day", "state").values.astype(np.float64)
    ends = np.unique(np.linspace(0, len(held), DATES + 1).round().astype(int))
    rows = [
        {
            "state": state.id,
            "label": state.label,
            "date": str(data["day"].values[after - 1])[:10],
            "until": f"To {day(data['day'].values[after - 1])}",
            "held": float(held[after - 1, s]),
            "left": float(gone[before:after, s].sum()),
        }
        for before, after in pairwise(ends)
        for s, state in enumerate(result.case.force.states)
    ]
    columns = (
        text("state", "State (code)"),
        text("label", "State"),
        Column("date", "Day", kind="date"),
        text("until", "Part of the calendar"),
        Column("held", "Held by the opposition", kind="share"),
        Column("left", "Left their posts since the date before", unit="soldiers"),
    )
    return [Table.of("ground", "Who holds what, and who left", columns, rows, detail=True)]


def _codes(result: Result) -> tuple[str, ...]:
    return tuple(state.id for state in result.case.force.states)


def _given(evidence: Evidence) -> Iterator[Table]:
    """Yield the tables of all that the model was given, and of all observations that the case cites."""
    refs = Column("refs", "Observations", kind="refs")
    columns: tuple[Column, ...] = (
        text("group", "Of"),
        text("name", "Parameter"),
        text("about", "Meaning"),
        refs,
        text("assumed", "Assumed"),
        text("value", "Value"),
        text("unit", "Unit"),
        text("range", "Range"),
    )
    rows = evidence.parameter_rows()
    yield Table.of("parameters", "What the model was given", columns, rows, by="group", folded=True)
    said = ("what", "figure", "says", "paragraph", "date", "place", "confidence")
    heads = ("What", "Figure", "Who says so", "Where", "Date", "Place", "Confidence")
    columns = (
        text("source", "Source"),
        text("number", "Number"),
        *(text(name, label) for name, label in zip(said, heads, strict=True)),
        text("bears_on", "Bears on"),
        Column("conflicts", "In conflict with", kind="refs"),
    )
    yield Table.of(
        "observations",
        "Sources",
        columns,
        evidence.observation_rows(),
        by="source",
        folded=True,
        anchor="number",
        note="Paraphrased; numbers are those of links.",
    )


# Figures


def _figures(
    result: Result, one: Becoming, series: dict[str, list[SpreadSeries]], outcomes: Sequence[Outcome]
) -> Iterator[Figure]:
    runs = result.runs
    inner = ("q25", "q75") if runs >= FEW else ()
    how = "Median of the runs, with 50% and 90% of them." if inner else f"Median, and {within(runs)}."
    band: dict[str, Any] = {"inner": inner, "note": how if runs > 1 else ""}
    band |= {"low": "q05", "high": "q95"} if runs > 1 else {}
    if any(o.record is not None for o in outcomes):
        bands = "bands: 50% and 90% of runs" if inner else f"band: {within(runs)}"
        tick = f"Tick: median; {bands}" if runs > 1 else "Tick: the one run"
        used = " +: assimilated." if any(o.used for o in outcomes) else ""
        key = f"{tick}; ink: what was observed. Each row has its own scale.{used}"
        low, high = ("low", "high") if runs > 1 else ("value", "value")
        yield Figure(
            name="outcomes",
            title=verdict(outcomes) or "No observed figure can be compared.",
            kind="strips",
            table="outcomes",
            x="label",
            y=("value",),
            inner=inner,
            note=key,
            low=low,
            high=high,
        )
    fan: dict[str, Any] = {"kind": "fan", "table": "daily", "x": "date", "y": ("median",), "marks": "events"}
    (total,) = series["left"]
    title = f"{people(total.last.median)} of {people(one.strength)} soldiers leave by {one.date}"
    yield Figure(name="left", title=title, where=(("group", "left"),), **fan, **band)
    if "opposed" in result.data and "belief" in result.data:
        lines: dict[str, Any] = {
            "kind": "lines",
            "table": "beliefs",
            "x": "date",
            "y": ("opposed", "belief"),
            "marks": "events",
        }
        yield Figure(name="belief", title=minds(result, one), **(lines | band))
    for name, most in list(GROUPS.values())[1:]:
        if title := _largest(series[name], most):
            yield Figure(name=name, title=title, by="label", where=(("group", name),), **fan, **band)
    if series["record"]:
        yield Figure(
            name="record",
            title=_on_fans(result, outcomes),
            by="label",
            observed="outcomes",
            where=(("group", "record"),),
            **fan,
            **band,
        )
    serving = f"{people(one.serving)} of {people(one.strength)} soldiers still serve"
    yield Figure(
        name="fates",
        title=f"{serving} ({percent(one.serving / one.strength)})",
        kind="bars",
        table="standing",
        x="label",
        y=("serving", "opposed", "out", "hidden", "caught"),
        note="Average of the runs, so that parts add up.",
    )
    for table in _ground(result.whole):
        yield Figure(
            name="map",
            title=_where(table),
            kind="states",
            table="ground",
            x="state",
            y=("held", "left"),
            by="until",
            note="Fill: share of a state that the opposition holds. Circles: who left since the date before.",
        )


def _largest(group: Sequence[SpreadSeries], what: str) -> str:
    """Return which of a group most belong to; empty where it has one member, or nobody leaves."""
    one = max(group, key=lambda s: s.last.median)
    if len(group) < 2 or one.last.median <= 0:
        return ""
    last, unit = one.last, unit_of(one)
    ends = f" ({within(one.runs)}: {interval(last.q05, last.q95, unit)})" if one.runs > 1 else ""
    return f"{what}: {one.label}, {between(last.median, last.q05, last.q95, unit)}{ends}"


def _on_fans(result: Result, outcomes: Sequence[Outcome]) -> str:
    """Return how many of the figures that stand on fans the spreads meet."""
    drawn = {ident for _, ids in observed_series(result.whole) for ident in ids}
    judged = [bool(o.meets_record) for o in outcomes if o.id in drawn and o.meets_record is not None]
    return (
        f"{sum(judged)} of the {len(judged)} observed figures on this chart lie within the band on their day"
    )


def _where(table: Table) -> str:
    """Return in which state most left their posts in the last part of the calendar."""
    rows: pd.DataFrame = table.rows[table.rows["date"] == table.rows["date"].iloc[-1]]
    whole = float(rows["left"].sum())
    if not whole:
        return "At the end nobody leaves their post"
    most = rows.iloc[int(rows["left"].to_numpy().argmax())]
    return f"At the end most leave their posts in {most['label']}: {people(most['left'])} of {people(whole)}"


def observed_series(result: Result) -> Iterator[tuple[SpreadSeries, tuple[str, ...]]]:
    """Yield each measure by day that observed figures count, with the ids of their targets, in their order.

    It is counted from the same day on as the figures. Ratios have no value by day, and targets past the
    calendar are left out.
    """
    groups: dict[tuple[Any, ...], list[Target]] = {}
    end = result.case.calendar.end
    for target in result.case.targets:
        if target.date <= end and not target.against and _by_day(target.measure):
            by = tuple(sorted((k, _ids(v)) for k, v in (target.by or {}).items()))
            groups.setdefault((target.measure, target.start, by), []).append(target)
    for (name, since, by), targets in groups.items():
        one = daily(result, find(name), since, dict(by), [t.date for t in targets])
        if one is not None:
            yield one, tuple(t.id for t in targets)


def _by_day(name: str) -> bool:
    """Return whether a measure has a value by day that a fan can show: no ratio, and no yes or no."""
    measure = known_measures().get(name)
    return (
        measure is not None
        and measure.kind not in ("ratio", "quotient", "caught")
        and measure.unit != YES_OR_NO
    )


def daily(
    result: Result,
    measure: Measure,
    since: dt.date | None,
    by: dict[str, tuple[str, ...]],
    marked: Sequence[dt.date],
) -> SpreadSeries | None:
    """Return a measure day by day; ``None`` where the result holds no variable that answers it by day.

    The marked days, those of observed figures, are among its days however long the calendar is.
    """
    try:
        source = source_of(result.data, measure, by)
    except UsageError:
        return None
    array = read(result.data, source, by)
    if "day" not in array.dims:
        return None
    values = array.transpose("run", "day").values
    kind: Kind = "cumulative"
    if measure.kind == "level":
        kind = "share" if measure.unit == "share" else "stock"
    label = called(measure.id)
    for dim, ids in by.items():
        names = labels(result, dim)
        label += f": {', '.join(names.get(i, plain(i)) for i in ids)}"
    dates, each = result.data["day"].values, result.case.stands_for
    if since is not None:
        kept = dates >= np.datetime64(since)
        dates, values = dates[kept], values[:, kept]
        days = result.case.calendar
        label += f", from {day(since, year=days.start.year != days.end.year)}"
    key = "-".join([measure.id, *(i for ids in by.values() for i in ids), str(since or "start")])
    if measure.kind == "share":
        strength = strength_of(result.data, by)
        values = np.cumsum(values, axis=1) / strength[:, None]
        return series(values, dates, key, label, "share", "share", marked)
    return series(values, dates, key, label, kind, measure.unit, marked, each)


def _ids(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
