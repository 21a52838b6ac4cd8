"""Events that a user adds to a case and that cannot act as they say: outside the run, or beyond a range."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from breakrank.case.daily import resolve_field

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.models_events import Event
    from breakrank.spec import Field


def added(before: Case, after: Case) -> list[Event]:
    """Return the events of a case that another lacks or has otherwise."""
    known = {e.id: e for e in before.events}
    return [e for e in after.events if known.get(e.id) != e]


def warnings(before: Case, after: Case, new: Sequence[Event]) -> Iterator[str]:
    """Return what is strange about new events, each with what to do about it."""
    start, end = after.calendar.start, after.calendar.end
    for event in new:
        over = event.date < start and all(e.until is not None and e.until < start for e in event.effects)
        if event.date > end or over:
            yield (
                f"the event {event.id!r} of {event.date} has no effect: the run lasts from {start} to {end}\n"
                f"  Correct its date{', or choose a later --until' if event.date > end else ''}."
            )
    acting = [e for e in new if e.date <= end]
    for name in dict.fromkeys(effect.field for event in acting for effect in event.effects):
        field = after.catalogue.fields[name]
        found = _cut(before, after, field)
        if found:
            which = ", ".join(repr(e.id) for e in acting if any(x.field == name for x in e.effects))
            yield (
                f"{which}: the field {name!r} would reach {found}; it is cut to its range, "
                f"{field.low:g} to {field.high:g} {field.unit}\n"
                "  Choose values that keep it within its range, if the whole effect is meant."
            )


def _cut(before: Case, after: Case, field: Field) -> str:
    """Return the value furthest beyond a field's range that the new events bring about, and its day."""
    free = replace(field, low=-np.inf, high=np.inf)
    was, now = (resolve_field(case.content, free) for case in (before, after))
    excess = np.maximum(now - field.high, field.low - now)
    # to rounding: a product may miss the end of a range by its last bits
    beyond = (excess > 1e-9 * max(1.0, abs(field.high))) & (now != was)
    if not beyond.any():
        return ""
    at = np.unravel_index(int(np.argmax(np.where(beyond, excess, -np.inf))), now.shape)
    return f"{now[at]:g} on {after.calendar.date(int(at[0]))}"
