"""What is said of one soldier's history, and of the kinds of lives in many runs: tables and a paragraph."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import Answer, Basis, Column, Table, brief, hidden, provenance, text
from breakrank.engine import codes
from breakrank.lives.trace import BEFORE, NOBODY, odds, of_anyone
from breakrank.results.uncertainty import FEW
from breakrank.show.evidence import Evidence
from breakrank.show.provenance import one_stands_for
from breakrank.show.words import day, people, within
from breakrank.wording import counted, listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.lives.trace import Happening, LivedMoment, Trace
    from breakrank.results.result import Result

SYNTHETIC = "No real person is described: soldiers are synthetic."
SCALE = (
    "Reasons are log-odds against staying: what adds 0.7 doubles the odds of an option, what takes away 0.7 "
    "halves them."
)
LEAST = 0.05
"""Size of a reason below which it is not shown, log-odds."""


def history(life: Trace, case: Case) -> Answer:
    """Return what happened to one soldier, and what weighed at each of their decisions."""
    soldier, number = life.soldier, len(life.moments)
    who = f"Soldier {soldier.identity} ({soldier.rank}, {soldier.branch})"
    after = counted(number, "decision opportunity", "decision opportunities")
    stayed = sum(one.choice == codes.STAY for one in life.moments)
    decided = f"They stayed at {stayed} of {after}." if number else "No decision opportunity came their way."
    return Answer(
        question="trace",
        title=f"{case.title}: a soldier's history",
        finding=brief(f"{who} ended as “{life.fate}” on {day(life.last)}, after {after}."),
        doubt=f"One soldier of run {life.run}: in another run the same soldier may end otherwise.",
        tables=(_dated(life), _options(life), _reasons(life), _terms(life)),
        notes=(f"{soldier} {decided}", SCALE, SYNTHETIC),
        provenance=provenance(case, 1, life.seed, finished=1, stands_for=1.0),
    )


def told_days(life: Trace) -> list[dict[str, Any]]:
    """Return a row for each event and decision of a life, in order, and for its last day."""
    deciding = {one.date for one in life.moments}
    told = [
        ((one.date, 0 if one.date in deciding and one.event in BEFORE else 2), _event(one))
        for one in life.events
    ]
    for one in life.moments:
        asked = "" if one.leader is None else f"asked by soldier {one.leader}"
        detail = f"{one.occasion}: {one.chosen.name}"
        told.append(((one.date, 1), _row(one.date, "decision", who=asked, detail=detail)))
    stance = ", opposed in private" if life.opposed else ""
    last = _row(life.last, "last day", detail=f"{life.fate}{stance}")
    return [row for _, row in sorted(told, key=itemgetter(0))] + [last]


def _dated(life: Trace) -> Table:
    columns = (
        Column("date", "Day", kind="date"),
        text("what", "Event"),
        text("where", "Place"),
        text("who", "Who else"),
        text("detail", "Detail"),
        text("event", "Event (name)", shown=False),
        text("place", "Place (id)", shown=False),
        text("other", "Other soldier", shown=False),
        Column("value", "Value in the log", shown=False),
        Column("own", "Own doing or fate", kind="flag", shown=False),
    )
    return Table.of("events", "What happened, by day", columns, told_days(life))


def _row(date: dt.date, event: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 (columns)
    nothing = {"where": "", "who": "", "detail": "", "place": "", "other": "", "value": math.nan, "own": True}
    return {"date": date.isoformat(), "what": of_anyone(event), "event": event, **nothing, **more}


def _event(one: Happening) -> dict[str, Any]:
    more = {name: getattr(one, name) for name in ("where", "who", "detail", "place", "value", "own")}
    return _row(one.date, one.event, other="" if one.other is None else str(one.other), **more)


def _decided(life: Trace) -> Iterator[tuple[dict[str, Any], LivedMoment]]:
    """Yield the label of each decision in a table, and the decision."""
    for k, one in enumerate(life.moments, 1):
        yield {"decision": str(k), "date": one.date.isoformat()}, one


_NAMED = (text("decision", "Decision"), Column("date", "Day", kind="date"))


def _options(life: Trace) -> Table:
    columns = (
        *_NAMED,
        text("occasion", "Occasion"),
        text("option", "Option"),
        text("odds", "Chance"),
        text("chosen", "Chosen"),
        Column("opposed", "Privately opposed", kind="flag", shown=False),
        *(
            Column(name, label, shown=False)
            for name, label in (
                ("chance", "Probability"),
                ("utility", "Utility"),
                ("base", "Base rate, log-odds"),
            )
        ),
        text("leader", "Asked by", shown=False),
    )
    rows = [
        {
            **named,
            "occasion": one.occasion,
            "option": o.name,
            "odds": odds(o.chance),
            "chosen": "chosen" if o is one.chosen else "",
            "opposed": one.opposed,
            "chance": o.chance,
            "utility": float(o.utility),
            "base": float(sum(w.value for w in o.weights if w.base)),
            "leader": "" if one.leader is None else str(one.leader),
        }
        for named, one in _decided(life)
        for o in one.options
    ]
    return Table.of("options", "What was open at each decision", columns, rows)


def _reasons(life: Trace) -> Table:
    """Return the reasons for and against the option that each decision turned on."""
    columns = (
        text("of", "Decision"),
        text("reason", "Reason"),
        Column("value", "Log-odds for or against it", unit="log-odds", signed=True),
    )
    rows = [
        {
            "of": f"{day(one.date)}, {weighed.name} ({odds(weighed.chance)})",
            "reason": w.about,
            "value": w.value,
        }
        for one in life.moments
        if (weighed := one.weighed) is not None
        for w in weighed.weights
        if abs(w.value) >= LEAST
    ]
    return Table.of("reasons", "What weighed for and against it", columns, rows, by="of")


def _terms(life: Trace) -> Table:
    columns = (
        *_NAMED,
        text("option", "Option (name)"),
        text("term", "Term"),
        Column("value", "Utility"),
    )
    rows = [
        {**named, "option": o.name, "term": w.term, "value": w.value}
        for named, one in _decided(life)
        for o in one.options
        for w in o.weights
    ]
    return Table.of("terms", "All terms of all options", columns, rows, detail=True)


def kinds_of_lives(found: Result, asked: int) -> Answer:
    """Return how many lives of each kind runs hold, the most frequent first, and a typical soldier of each.

    The soldier is one of the lives that show most of what the report tells beyond the pattern, in the first
    run that has any.

    Parameters
    ----------
    found : runs as :func:`breakrank.lives.stories.counted_lives` leaves them. asked : runs asked for.
    """
    case, finished = found.case, [int(run) for run in found.data["run"].values]
    runs, known, refs = len(finished), case.ledger.observations, Evidence(case).refs
    low, high = (0.05, 0.95) if runs >= FEW else (0.0, 1.0)
    levels = {"median": 0.5, "low": low, "high": high, "q05": 0.05, "q95": 0.95}
    assert found.events is not None
    columns = (
        found.events[name].to_numpy().reshape(runs, len(case.patterns)).T.astype(np.int64)
        for name in ("soldier", "value", "other")
    )
    rows: list[dict[str, Any]] = []
    counts: list[dict[str, Any]] = []
    evidence: list[Basis] = []
    for one, who, many, traits in zip(case.patterns, *columns, strict=True):
        there = np.flatnonzero(who != NOBODY)
        best = there[np.argmax(traits[there])] if there.size else None
        # another case's ledger may hold none
        reports = [known[name] for name in one.observations if name in known]
        row = {"id": one.id, "title": one.title or one.id, "about": one.about or ""}
        row["soldier"] = "" if best is None else f"{who[best]} of run {finished[best]}"
        row["source"] = listed(list(dict.fromkeys(r.source for r in reports))) if reports else ""
        row |= dict(zip(levels, np.quantile(many, [*levels.values()]).tolist(), strict=True))
        rows.append(row | {"runs_with": int((many > 0).sum())})
        counts += [{"id": one.id, "run": run, "count": n} for run, n in zip(finished, many, strict=True)]
        for report in reports[:1]:
            evidence += [Basis(of=row["title"], says=f"{report.what}: {r.said}") for r in refs([report.id])]
    rows.sort(key=lambda row: -row["median"])
    held = sum(row["runs_with"] > 0 for row in rows)
    lead = f"None of {len(rows)} kinds of lives occurs in {counted(runs, 'run')}."
    if held:
        lead = (
            f"“{rows[0]['title']}” is the most frequent life: {people(rows[0]['median'])} in the median run; "
        )
        lead += f"{held} of {len(rows)} kinds occur."
    sized = one_stands_for(case.stands_for)
    size = f" {sized} Lives are counted as simulated." if sized else ""
    about = (text("title", "Kind of life"), text("about", "What is counted"))
    return Answer(
        question="stories",
        title=f"{case.title}: kinds of lives in reports",
        finding=brief(lead),
        doubt=f"Intervals are the spread of the model over its runs.{size}",
        tables=(
            _stories(rows, runs),
            Table.of("counted", "What is counted", about, rows),
            _counts(counts),
        ),
        notes=("`breakrank trace` tells a soldier's history: --soldier and --run choose it.", SYNTHETIC),
        evidence=tuple(evidence),
        provenance=provenance(
            case,
            asked,
            found.seed,
            failed=found.failed,
            finished=runs,
            interrupted=found.interrupted,
            stands_for=1.0,  # lives are counted as simulated
        ),
    )


def _stories(rows: Iterable[dict[str, Any]], runs: int) -> Table:
    unit: dict[str, Any] = {"unit": "soldiers"}
    columns = (
        text("id", "Name", shown=False),
        text("title", "Kind of life"),
        text("soldier", "A typical soldier"),
        Column("median", "In a run", whole=True, low="low", high="high", interval=within(runs), **unit),
        *hidden("low", "high", "q05", "q95", **unit),
        Column("runs_with", f"Runs of {runs:,} with any", kind="count"),
        text("source", "Source", shown=False),
    )
    return Table.of("stories", "Lives in a run", columns, rows, key="id")


def _counts(rows: Iterable[dict[str, Any]]) -> Table:
    columns = (
        text("id", "Name", shown=False),
        Column("run", "Run", kind="count", shown=False),
        Column("count", "Lives", unit="soldiers", kind="count", shown=False),
    )
    return Table.of("counts", "Lives of each run", columns, rows)
