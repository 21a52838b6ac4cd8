"""What is said of one soldier's history, and of the kinds of lives in many runs: tables and a paragraph."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from breakrank.answer.answer import Answer, Basis, Column, Provenance, Table, brief
from breakrank.engine import codes
from breakrank.lives.trace import odds, on, sentence
from breakrank.results.uncertainty import FEW, FIXED, chance_only
from breakrank.runs.identity import versions
from breakrank.show.evidence import Evidence
from breakrank.show.provenance import one_stands_for
from breakrank.show.words import people, within
from breakrank.wording import counted, listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.lives.happening import Happening
    from breakrank.lives.stories import Stories, Story
    from breakrank.lives.trace import LivedMoment, Trace

SYNTHETIC = "No real person is described: soldiers are synthetic."
SCALE = (
    "Reasons are log-odds against staying: what adds 0.7 doubles the odds of an option, what takes away 0.7 "
    "halves them."
)
CHOICES = 3
"""Choices that the paragraph of a life tells one by one."""
LEAST = 0.05
"""Size of a reason below which it is not shown, log-odds."""


def _text(name: str, label: str, **more: Any) -> Column:  # noqa: ANN401 (fields)
    return Column(name=name, label=label, kind="text", **more)


def _provenance(case: Case, seed: int, runs: int, **more: Any) -> Provenance:  # noqa: ANN401 (fields)
    return Provenance(
        case=case.id,
        title=case.title,
        ensemble=FIXED if chance_only(case) else str(case.draws),
        runs=runs,
        seed=seed,
        digest=case.digest,
        versions=versions(case),
        **more,
    )


def history(life: Trace, case: Case) -> Answer:
    """Return what happened to one soldier, and what weighed at each of their decisions."""
    soldier, number = life.soldier, len(life.moments)
    who = f"soldier {soldier.identity} ({soldier.rank}, {soldier.branch})"
    end = re.sub(r"^they (were\b)?", lambda begun: "was" if begun[1] else "", life.end()).partition(",")[0]
    after = counted(number, "decision opportunity", "decision opportunities")
    return Answer(
        question="trace",
        title=f"{case.title}: a soldier's history",
        finding=brief(f"On {on(life.last)} {who} {end}, after {after}."),
        doubt=f"One soldier of run {life.run}: in another run the same soldier may end otherwise.",
        tables=(_dated(life), _options(life), _reasons(life), _terms(life)),
        notes=(" ".join(_paragraph(life)), SCALE, SYNTHETIC),
        provenance=_provenance(case, life.seed, 1, finished=1),
    )


def _paragraph(life: Trace) -> Iterator[str]:
    """Yield the sentences that tell a life in short."""
    yield str(life.soldier)
    if not life.moments:
        yield "No decision opportunity came their way."
    else:
        first, last = on(life.moments[0].date), on(life.moments[-1].date)
        stayed = sum(one.choice == codes.STAY for one in life.moments)
        times = _times(len(life.moments))
        when = f"on {first}" if first == last else f"between {first} and {last}"
        kept = f"stayed {_times(stayed)}" if stayed else "never stayed"
        yield f"They could decide {times}, {when}, and {kept}."
    others = [one for one in life.moments if one.choice != codes.STAY]
    for one in others[:CHOICES]:
        yield f"On {on(one.date)}, {one.when()}, {one.outcome()}; {one.strongest()}."
    if len(others) > CHOICES:
        yield f"They decided against staying {counted(len(others) - CHOICES, 'more time', 'more times')}."
    if not (life.over and life.moments):
        yield f"On {on(life.last)} {life.end()}."


def _times(number: int) -> str:
    """Return how often in words.

    >>> _times(1), _times(3)
    ('once', '3 times')
    """
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def told_days(life: Trace) -> Iterator[dict[str, Any]]:
    """Yield a row for each event and decision of a life, in order, and for its last day."""
    for date, moments, before, after in life.days():
        yield from map(_event, before)
        for one in moments:
            yield _plain(date, f"{sentence(f'{one.when()}, {one.outcome()}')}{one.news()}", "decision")
        yield from map(_event, after)
    yield _plain(life.last, "The run ends." if life.over else sentence(life.end()), "last day")


def _dated(life: Trace) -> Table:
    columns = (
        Column(name="date", label="Day", kind="date"),
        _text("what", "What happened"),
        _text("event", "Event (name)", shown=False),
        _text("place", "Place (id)", shown=False),
        _text("other", "Other soldier", shown=False),
        Column(name="value", label="Value in the log", shown=False),
        Column(name="own", label="Own doing or fate", kind="flag", shown=False),
    )
    return Table.of("events", "What happened, by day", columns, told_days(life))


def _plain(date: dt.date, what: str, event: str) -> dict[str, Any]:
    more = {"place": "", "other": "", "value": math.nan, "own": True}
    return {"date": date.isoformat(), "what": what, "event": event, **more}


def _event(one: Happening) -> dict[str, Any]:
    other = "" if one.other is None else str(one.other)
    more = {"place": one.place, "other": other, "value": one.value, "own": one.own}
    return _plain(one.date, sentence(one.text), one.event) | more


def _decided(life: Trace) -> Iterator[tuple[dict[str, Any], LivedMoment]]:
    """Yield the label of each decision in a table, and the decision."""
    for k, one in enumerate(life.moments, 1):
        yield {"decision": str(k), "date": one.date.isoformat()}, one


_NAMED = (_text("decision", "Decision"), Column(name="date", label="Day", kind="date"))


def _options(life: Trace) -> Table:
    columns = (
        *_NAMED,
        _text("occasion", "Occasion"),
        _text("doing", "Option"),
        _text("option", "Option (name)", shown=False),
        _text("odds", "Odds"),
        _text("chosen", "Chosen"),
        Column(name="opposed", label="Privately opposed", kind="flag", shown=False),
        *(
            Column(name=name, label=label, shown=False)
            for name, label in (("chance", "Chance"), ("utility", "Utility"), ("base", "Base rate, log-odds"))
        ),
        _text("leader", "Asked by", shown=False),
        Column(name="gone", label="Trusted comrades who had left", kind="count", shown=False),
        Column(name="punished", label="Trusted comrades punished", kind="count", shown=False),
    )
    rows = [
        {
            **named,
            "occasion": one.occasion,
            "doing": o.doing,
            "option": o.name,
            "odds": odds(o.chance),
            "chosen": "chosen" if o is one.chosen else "",
            "opposed": one.opposed,
            "chance": o.chance,
            "utility": float(o.utility),
            "base": float(sum(w.value for w in o.weights if w.base)),
            "leader": "" if one.leader is None else str(one.leader),
            "gone": one.gone,
            "punished": one.punished,
        }
        for named, one in _decided(life)
        for o in one.options
    ]
    return Table.of("options", "What was open at each decision", columns, rows)


def _reasons(life: Trace) -> Table:
    """Return the reasons for and against the option that each decision turned on."""
    columns = (
        _text("of", "Decision"),
        _text("reason", "Reason"),
        Column(name="value", label="Log-odds for or against it", unit="log-odds", signed=True),
    )
    rows = [
        {
            "of": f"{on(one.date)}, {weighed.doing} ({odds(weighed.chance)})",
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
        _text("option", "Option (name)"),
        _text("term", "Term"),
        Column(name="value", label="Utility"),
    )
    rows = [
        {**named, "option": o.name, "term": w.term, "value": w.value}
        for named, one in _decided(life)
        for o in one.options
        for w in o.weights
    ]
    return Table.of("terms", "All terms of all options", columns, rows, detail=True)


def kinds_of_lives(found: Stories, asked: int) -> Answer:
    """Return how many lives of each kind runs hold, the most frequent first, and a typical soldier of each.

    Parameters
    ----------
    asked : runs that were asked for.
    """
    runs, case = len(found.runs), found.case
    held = [one for one in found.stories if one.runs_with]
    every = sorted(found.stories, key=lambda one: -one.quantile(0.5))
    lead = f"None of {len(found.stories)} kinds of lives occurs in {counted(runs, 'run')}."
    if held:
        many = people(every[0].quantile(0.5))
        lead = f"“{every[0].title}” is the most frequent life: {many} in the median run; "
        lead += f"{len(held)} of {len(found.stories)} kinds occur."
    sized, refs = one_stands_for(case.stands_for), Evidence(case).refs
    size = f" {sized} Lives are counted as simulated." if sized else ""
    return Answer(
        question="stories",
        title=f"{case.title}: kinds of lives in reports",
        finding=brief(lead),
        doubt=f"Intervals are the spread of the model over its runs.{size}",
        tables=(_stories(every, runs), _counted(every), _counts(found)),
        notes=("`breakrank trace` tells a soldier's history: --soldier and --run choose it.", SYNTHETIC),
        evidence=tuple(
            Basis(of=one.title, says=f"{report.what}: {ref.said}")
            for one in found.stories
            for report in one.reports[:1]
            for ref in refs([report.id])
        ),
        provenance=_provenance(
            case,
            found.seed,
            asked,
            finished=runs,
            failed=tuple(map(str, found.failed)),
            interrupted=found.interrupted,
        ),
    )


def _stories(every: Iterable[Story], runs: int) -> Table:
    low, high = (0.05, 0.95) if runs >= FEW else (0.0, 1.0)
    unit: dict[str, Any] = {"unit": "soldiers"}
    columns = (
        _text("id", "Name", shown=False),
        _text("title", "Kind of life"),
        _text("soldier", "A typical soldier"),
        Column(
            name="median", label="In a run", whole=True, low="low", high="high", interval=within(runs), **unit
        ),
        *(Column(name=name, label=name, shown=False, **unit) for name in ("low", "high", "q05", "q95")),
        Column(name="runs_with", label=f"Runs of {runs:,} with any", kind="count"),
        _text("source", "Source", shown=False),
    )
    rows = [
        {
            "id": one.id,
            "title": one.title,
            "soldier": "" if one.soldier is None else f"{one.soldier} of run {one.run}",
            "median": one.quantile(0.5),
            "low": one.quantile(low),
            "high": one.quantile(high),
            "q05": one.quantile(0.05),
            "q95": one.quantile(0.95),
            "runs_with": one.runs_with,
            "source": listed(list(dict.fromkeys(r.source for r in one.reports))) if one.reports else "",
        }
        for one in every
    ]
    return Table.of("stories", "Lives in a run", columns, rows, key="id")


def _counted(every: Iterable[Story]) -> Table:
    columns = (_text("title", "Kind of life"), _text("about", "What is counted"))
    rows = [{"title": one.title, "about": one.about} for one in every]
    return Table.of("counted", "What is counted", columns, rows)


def _counts(found: Stories) -> Table:
    columns = (
        _text("id", "Name", shown=False),
        Column(name="run", label="Run", kind="count", shown=False),
        Column(name="count", label="Lives", unit="soldiers", kind="count", shown=False),
    )
    rows = [
        {"id": one.id, "run": run, "count": count}
        for one in found.stories
        for run, count in zip(found.runs, one.counts, strict=True)
    ]
    return Table.of("counts", "Lives of each run", columns, rows)
