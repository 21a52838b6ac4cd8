"""What happened: who left and who stayed though opposed, and how far to trust it."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from breakrank.answer.answer import Answer, Basis, Column, Figure, Table, brief
from breakrank.page.case_view import leading_chart
from breakrank.page.series import series
from breakrank.questions.paired import provenance
from breakrank.questions.run.headline import rows, verdict
from breakrank.questions.run.last_day import becoming
from breakrank.results.uncertainty import chance_only, fixed, holds
from breakrank.show.evidence import Evidence
from breakrank.show.tables import leaving, share
from breakrank.show.words import ends_of, interval, people, percent

if TYPE_CHECKING:
    from breakrank.results import Result
    from breakrank.results.outcome import Outcome

ALL: dict[str, Any] = {"variable": "exits_rank", "by": None, "cumulative": True, "group": "exits_rank"}
"""The series of all who left, in place of what a case chooses to lead."""
KNOWN_AS = {"left_abroad": "crossed abroad", "registered": "registered abroad"}
"""What the sentence calls those whom the chart shows, beside all who left."""
SPREAD = ("q05", "q25", "median", "q75", "q95")
CROSSED: dict[str, Any] = {"variable": "left_abroad", "by": None, "cumulative": True, "group": "left_abroad"}
REGISTERED: dict[str, Any] = {"variable": "registered", "by": None, "cumulative": True, "group": "registered"}


def answer(result: Result) -> tuple[Answer, dict[str, Any]]:
    """Return the answer, and beside it what the page draws itself: the fan, and the strip of outcomes."""
    case = result.case
    outcomes = result.outcomes()
    strip = rows(result, outcomes, Evidence(case))
    fan, group = chart(result)
    tables = (_course(fan, group), _outcomes(strip), _events(result))
    made = provenance(
        case, result.runs, result.seed, failed=result.failed, command=getattr(result, "command", "")
    )
    told = Answer(
        question="run",
        title=case.title,
        finding=finding(result, fan, group),
        doubt=doubt(result, outcomes),
        tables=tables,
        figures=(
            Figure(
                name="course",
                title=f"{fan['label']}, with the observed figures",
                kind="fan",
                table="course",
                x="date",
                y=("median",),
                low="q05",
                high="q95",
                inner=("q25", "q75"),
                marks="events",
                note=f"median of {result.runs} runs, with 50% and 90% of runs",
            ),
        ),
        notes=tuple(note for note in (verdict(outcomes) if result.runs > 1 else "",) if note),
        evidence=tuple(
            Basis(of=f"{one.label}, {one.date}: {one.record}", says="; ".join(v.said for v in one.sources))
            for one in strip
            if one.record and one.sources
        ),
        provenance=made,
    )
    return told, {"fan": fan, "group": group, "outcomes": [asdict(one) for one in strip]}


def finding(result: Result, fan: dict[str, Any], group: str) -> str:
    """Return who left, and who stayed though opposed, as a simulation has it."""
    one, runs = becoming(result.whole), result.runs
    left = leaving(result.whole)[0].last.median
    how = "In this simulation" if runs > 1 else "In this one run"
    many = people(left) if left > 0 else "none"
    said = f"{how} {many} of {people(one.strength)} left"
    if words := KNOWN_AS.get(group):
        (shown,) = (g for g in fan["groups"] if g["id"] == group)
        said += f", {people(shown['median'][-1] or 0.0)} {words}"
    if one.opposed is None:
        return brief(f"{said}, by {one.date}.")
    said += f"; of those who stayed {percent(one.opposed)} were opposed"
    if "belief" not in result.data:
        return brief(f"{said}.")
    return brief(f"{said}, and thought {percent(share(result, 'belief', '').last.median)} of comrades were.")


def doubt(result: Result, outcomes: tuple[Outcome, ...]) -> str:
    """Return in a line that it is a simulation of what was reported, and what its spread holds."""
    case, runs = result.case, result.runs
    last = leaving(result.whole)[0].last
    ends = interval(last.q05, last.q95, "people")
    spread = f"who left by the end: {ends_of(runs)} {ends}" if runs > 1 else "one run has no spread"
    if chance_only(case):
        return f"A simulation of what was reported; {fixed(case)}; so what is not known is left out; {spread}."
    known = [o for o in outcomes if o.record is not None]
    taken = sum(bool(o.used) for o in known)
    used = f"; the ensemble has assimilated {taken} of {len(known)} observed figures" if taken else ""
    return f"A simulation of what was reported; {spread}, from {holds(case)}{used}."


def chart(result: Result) -> tuple[dict[str, Any], str]:
    """Return the series that the view shows, by day, and which of its groups.

    All who left, unless no observed figure counts them: then what the case chooses to lead, or who crossed.
    """
    chosen = leading_chart(result.case)
    wanted = [chosen["series"]] if chosen and chosen["series"] else []
    wanted += [ALL, CROSSED, REGISTERED]
    found = None
    for one in wanted:
        if one["variable"] not in result.data and one is not wanted[0]:
            continue
        made = series(result, one["variable"], one["by"], one["cumulative"])
        if found is None or (made["record"] and not found[0]["record"]):
            found = (made, str(one["group"]))
        if made["record"]:
            break
    assert found is not None, "all who left are always counted"
    made, group = found
    if group == "exits_rank":
        made = made | {"label": "Soldiers who left", "unit": "soldiers"}
    made["record"] = [one for one in made["record"] if one["group"] in (None, group)]
    return made, group


def _course(fan: dict[str, Any], group: str) -> Table:
    (one,) = (g for g in (*fan["groups"], *fan["sums"]) if g["id"] == group)
    label, unit = fan["label"], fan["unit"]
    columns = [Column(name="date", label="Day", kind="date")]
    columns += [Column(name=q, label=f"{label}, {q}", unit=unit) for q in SPREAD]
    found = [
        {"date": date, **{q: math.nan if one[q][k] is None else one[q][k] for q in SPREAD}}
        for k, date in enumerate(fan["days"])
    ]
    return Table.of("course", label, tuple(columns), found, detail=True)


def _outcomes(strip: Any) -> Table:  # noqa: ANN401
    columns = (
        Column(name="id", label="Name", kind="text", shown=False),
        Column(name="label", label="outcome", kind="text"),
        Column(name="date", label="day", kind="text"),
        Column(name="median", label="simulated, median", kind="text"),
        Column(name="most", label="90% of runs", kind="text"),
        Column(name="record", label="observed", kind="text"),
        Column(name="meets", label="within", kind="text"),
        Column(name="used", label="assimilated", kind="text"),
    )
    words = {True: "yes", False: "no", None: ""}
    found = [{c.name: getattr(one, c.name) for c in columns} | {"meets": words[one.meets]} for one in strip]
    return Table.of("outcomes", "Beside what was observed", columns, found, key="id")


def _events(result: Result) -> Table:
    columns = (
        Column(name="date", label="Day", kind="date"),
        Column(name="title", label="Event", kind="text"),
    )
    days = result.case.calendar
    inside = [e for e in result.case.events if days.start <= e.date <= days.end and e.effects]
    found = [{"date": str(e.date), "title": e.title} for e in sorted(inside, key=lambda e: e.date)]
    return Table.of("events", "Dated events", columns, found, detail=True)
