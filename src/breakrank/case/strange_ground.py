"""What is strange in who holds the ground: a regime that holds without its capital, or without any state."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from breakrank.case.content import Content, Loaded
from breakrank.case.daily import series_by_cell
from breakrank.case.strange import Strange

HELD = "held"
NEAR = 0.9
"""Share of a state from which hardly any of it is left to the regime."""


def strange_ground(loaded: Loaded) -> Iterator[Strange]:
    """Yield a capital, or a whole country, that the opposition holds while the regime is said to hold."""
    content = loaded.content
    said = [t for t in content.targets if t.measure == "regime_holds" and not t.by and t.value is not None]
    fell = min((t.date for t in said if t.value == 0), default=dt.date.max)
    lost = {k: day for k in range(len(content.force.states)) if (day := _first(content, k)) is not None}
    if not lost:
        return
    states, capital = content.force.states, content.case.capital
    at = next(k for k, s in enumerate(states) if s.id == capital)
    whole = max(lost.values()) if len(lost) == len(states) else None
    day = whole if whole is not None else lost.get(at)
    if day is None or fell <= day:
        return
    what = "all states" if whole is not None else f"{capital}, the state of the capital,"
    holds = [t.date for t in said if t.value == 1 and t.date >= day]
    record = f", and the record says that the regime holds on {max(holds)}" if holds else ""
    yield (
        "fields.yaml",
        (HELD,),
        f"the opposition holds at least {NEAR:.0%} of {what} from {day}{record}",
        "held moves posts, and topples nobody: in the model the regime goes on without its seat. Write what "
        "of that state it held (suburbs, perhaps), or end the calendar where the regime fell.",
    )


def _first(content: Content, state: int) -> dt.date | None:
    """Return the first day of the calendar from which the opposition holds nearly all of a state, if any."""
    calendar, entry = content.case.calendar, content.fields.get(HELD)
    days: list[dt.date] = []
    name = content.force.states[state].id
    if entry is not None and entry.file is not None:
        own = {"state": tuple(s.id for s in content.force.states)}
        labels = tuple(own.get(dim, ()) for dim in entry.dims)
        cells = series_by_cell(content.series[entry.file], labels)
        at = tuple(state if dim == "state" else 0 for dim in entry.dims)
        points = sorted(cells[at].items())
        ends = [day for day, _ in points[1:]] + [dt.date.max.toordinal()]
        for (day, value), end in zip(points, ends, strict=True):
            if value >= NEAR and end > calendar.start.toordinal():
                days.append(max(dt.date.fromordinal(day), calendar.start))
    elif entry is not None and (entry.value or 0) >= NEAR:
        days.append(calendar.start)
    for event in content.events:
        for effect in event.effects:
            here = effect.states is None or name in effect.states
            if effect.field == HELD and effect.op == "set" and effect.value >= NEAR and here:
                days.append(max(event.date, calendar.start))
    return min((day for day in days if day <= calendar.end), default=None)
