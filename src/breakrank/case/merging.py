"""Events put together: those of a case, and those that are added to it or that a question takes away."""

from __future__ import annotations

from collections.abc import Sequence

from breakrank.case.models_counterfactual import Changes
from breakrank.case.models_events import Event


def merged(events: Sequence[Event], added: Sequence[Event]) -> tuple[Event, ...]:
    """Return events with more; one with the id of an event there takes its place in the order."""
    known = {e.id: e for e in events}
    known.update((e.id, e) for e in added)
    return tuple(known.values())


def events_under(events: Sequence[Event], asked: Changes) -> tuple[Event, ...]:
    """Return the events as a counterfactual has them; it has passed the checks against them."""
    dropped = {(d.event, d.field) for d in asked.without_effects}
    left = [
        e.model_copy(update={"effects": tuple(x for x in e.effects if (e.id, x.field) not in dropped)})
        for e in events
        if e.id not in asked.without
    ]
    return merged(left, asked.events)
