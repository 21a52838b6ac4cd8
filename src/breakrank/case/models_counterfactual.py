"""counterfactuals.yaml: named questions of the form "what if", each with the changes that ask it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from breakrank.case.models_base import CaseModel, Id, Ids, Line, Number, Prose, unique
from breakrank.case.models_events import Event
from breakrank.case.values import SlipError

Direction = Literal["more", "less", "either"]


class DroppedEffect(CaseModel):
    """What one event does to one field, to be left out; the rest of the event stays."""

    event: Id = Field(description="id of an event of the case")
    field: Id = Field(description="name of a field that it has an effect on")


Edit = dict[Annotated[str, Field(strict=True, min_length=1, max_length=80)], Any]
"""What is written over a file of the case; see :mod:`breakrank.case.edits`."""


class Changes(CaseModel):
    """What is different in a case that might have been.

    ``edit`` writes over files, ``without`` and ``without_effects`` take away, then ``events`` are added (one
    with the id of an event that is there replaces it), then ``set`` sets parameters.
    """

    id: Id = Field(description="short name")
    title: Line = Field(description="what is different, in a few words")
    values: dict[Id, Number] = Field(
        default_factory=dict, alias="set", description="parameters to set, as name: value"
    )
    events: Annotated[tuple[Event, ...], unique("event")] = Field(
        default=(), description="events to add or replace, as in events.yaml"
    )
    without: Ids = Field(default=(), description="ids of events that do not happen")
    without_effects: tuple[DroppedEffect, ...] = Field(
        default=(), description="effects of events that are left out, as {event: id, field: name}"
    )
    edit: Edit = Field(
        default_factory=dict,
        description="what is written over a file, as {routes: {crossings: {'*': {violence: 0}}}}",
    )

    @model_validator(mode="after")
    def _changes_something(self) -> Changes:
        if not (self.values or self.events or self.without or self.without_effects or self.edit):
            raise SlipError(
                "nothing is changed, so there is nothing to compare",
                "Write at least one of set, events, without, without_effects, edit.",
            )
        return self


class Counterfactual(Changes):
    """A case that might have been: what an analyst would ask, and what has to change for it."""

    question: Prose = Field(description="what is asked, and why an analyst asks it")
    expected: dict[Id, Direction] = Field(
        default_factory=dict,
        description="whether the literature expects more or less of a measure, or either, as measure: more",
    )
    literature: Line | None = Field(default=None, description="who expects it, as author and year")

    @model_validator(mode="after")
    def _says_who(self) -> Counterfactual:
        if self.expected and self.literature is None:
            raise SlipError(
                "an effect is expected, but nothing says who expects it",
                "Write literature: author year.",
                ("expected",),
            )
        return self


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
