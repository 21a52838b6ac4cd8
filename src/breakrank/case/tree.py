"""How a case prints itself: a small tree."""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breakrank.case.case_data import CaseData


def tree(case: CaseData) -> str:
    """Return a case as a tree of a few lines."""
    c = case.content
    calendar, force = case.calendar, case.force
    branches = ", ".join(f"{b.label} {b.strength:,}" for b in force.branches)
    backed = sum(bool(p.evidence) for p in case.parameters.values())
    closed = sum(any(not s.open for s in x.schedule) for x in case.crossings)
    regions = _many(force.regions, "region")
    crossings = _many(case.crossings, "crossing")
    command = f", {_many(case.command, 'position')} of command" if case.command else ""
    asked = f", {_many(case.counterfactuals, 'counterfactual')}" if case.counterfactuals else ""
    beds = sum(s.capacity for s in case.sites)
    paid = f", {_many(case.payers, 'payer')}" if case.payers else ""
    lodged = f"{_many(case.sites, 'site')} for {_persons(beds)}{paid}"
    drawn = [f"draws       {case.draws!r}"] if case.draws is not None else []
    if case.draws is None and case.posterior is not None:
        drawn = [f"posterior   {case.posterior.draws!r}, not used here"]
    lines = [
        f"calendar    {calendar.start} to {calendar.end} ({_many(range(calendar.days), 'day')})",
        f"force       {force.strength:,}: {branches}",
        f"            {_many(force.ranks, 'rank')}, {_many(force.states, 'state')} in {regions}{command}",
        f"ways out    {crossings} ({closed} closed at times), {_many(case.roads, 'road')}",
        f"fields      {len(c.fields)} given, {_many(case.events, 'event')}",
        f"parameters  {len(case.parameters)}, {backed} with evidence, the others assumed",
        *drawn,
        f"reception   {lodged if case.sites else 'no site'}",
        f"record      {_many(case.targets, 'target')}{asked}",
        f"evidence    {_many(c.observations, 'observation')} from {_many(c.sources, 'source')}",
    ]
    marks = ["   " if line.startswith(" ") else "├─ " for line in lines]
    marks[-1] = "└─ "
    marks = ["│  " if m == "   " else m for m in marks]
    body = "\n".join(mark + line for mark, line in zip(marks, lines, strict=True))
    return f"Case {case.id}: {case.title}\n{body}"


def _persons(count: int) -> str:
    return f"{count:,} person{'' if count == 1 else 's'}"


def _many(things: Sized, noun: str) -> str:
    return f"{len(things):,} {noun}{'' if len(things) == 1 else 's'}"
