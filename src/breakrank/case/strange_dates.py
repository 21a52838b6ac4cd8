"""What is dated outside the calendar of a case, and so has no effect on a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from breakrank.case.content import Loaded
from breakrank.case.csv_reader import CsvRow
from breakrank.case.located import Step
from breakrank.case.models_case import Calendar
from breakrank.case.models_events import Event
from breakrank.case.models_fields import FieldEntry
from breakrank.case.strange_sites import Strange


def strange_dates(loaded: Loaded) -> Iterator[Strange]:
    """Yield events, targets, times of crossings and sanctions that lie outside the calendar."""
    content = loaded.content
    start, end = content.case.calendar.start, content.case.calendar.end
    span = f"the calendar ({start} to {end})"
    yield from _events("events.yaml", (), content.events, content.case.calendar)
    for k, asked in enumerate(content.counterfactuals):
        yield from _events("counterfactuals.yaml", (k, "events"), asked.events, content.case.calendar)
    for k, target in enumerate(content.targets):
        if not start <= target.date <= end or (target.start is not None and target.start < start):
            remedy = "It cannot be compared with a run; move the calendar, or remove it."
            yield "targets.yaml", (k, "date"), f"the target {target.id!r} lies outside {span}", remedy
    for k, crossing in enumerate(content.routes.crossings):
        for j, spell in enumerate(crossing.schedule):
            if spell.to < start or spell.start > end:
                path = ("crossings", k, "schedule", j)
                text = f"a time in the schedule of {crossing.id!r} lies outside {span}"
                yield "routes.yaml", path, text, "It has no effect on a run; remove it."
    for k, position in enumerate(content.command):
        if position.sanctioned is not None and position.sanctioned > end:
            text = f"the sanctions on {position.id!r} begin after {span}"
            yield "command.yaml", (k, "sanctioned"), text, "They have no effect on a run; remove them."


def _events(
    file: str, at: tuple[Step, ...], events: Sequence[Event], calendar: Calendar
) -> Iterator[Strange]:
    start, end = calendar.start, calendar.end
    for k, event in enumerate(events):
        ended = event.date < start and all(e.until is not None and e.until < start for e in event.effects)
        if event.date > end or ended:
            text = f"the event {event.id!r} lies outside the calendar ({start} to {end})"
            remedy = "It has no effect on a run; move the calendar, or remove it."
            yield file, (*at, k, "date"), text, remedy


def without_effect(rows: Sequence[CsvRow], entry: FieldEntry, calendar: Calendar) -> list[CsvRow]:
    """Return the rows of a table, in its order, that no day of the calendar depends on.

    Of the rows before it the last counts for each cell, and of those after it the first where lines are
    drawn between them.
    """
    cells: dict[tuple[str, ...], list[CsvRow]] = {}
    for row in rows:
        cells.setdefault(tuple(row.cells[d] for d in entry.dims), []).append(row)
    idle: list[CsvRow] = []
    for one in cells.values():
        ordered = sorted(one, key=lambda r: r.date("date"))
        before = [r for r in ordered if r.date("date") <= calendar.start][:-1]
        after = [r for r in ordered if r.date("date") > calendar.end]
        alone = len(after) == len(ordered)  # then the first value holds on all days
        idle += before + after[1 if alone or entry.interpolate == "linear" else 0 :]
    return sorted(idle, key=lambda r: r.line)
