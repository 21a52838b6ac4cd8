"""events.yaml, fields.yaml and counterfactuals.yaml: what changes by date, and questions what if."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from breakrank.case.dates import Day
from breakrank.case.models_base import CaseModel, Evidenced, FileName, Id, Ids, Line, Number, Prose, unique
from breakrank.case.models_parameters import PriorEntry
from breakrank.case.values import SlipError


class FieldEntry(Evidenced):
    """A series: one `value` for all days, or a `file` with the columns date,<dims...>,value."""

    unit: Line = Field(description="unit of the values; `breakrank case keys fields` tells it")
    value: Number | None = Field(default=None, description="value on every day")
    file: FileName | None = Field(default=None, description="table with the columns date,<dims...>,value")
    dims: Annotated[tuple[Literal["state", "branch", "rank", "route"], ...], Field(max_length=3)] = Field(
        default=(), description="columns of the table between date and value"
    )
    interpolate: Literal["step", "linear"] = Field(
        default="step", description="step: the last value holds; linear: straight lines between dates"
    )
    about: Prose | None = Field(default=None, description="what the series says")

    @model_validator(mode="after")
    def _one_of_both(self) -> FieldEntry:
        if (self.value is None) == (self.file is None):
            found = (
                "neither a value nor a file is given"
                if self.value is None
                else "both a value and a file are given"
            )
            raise SlipError(
                found, "Write value: 0.5, or file: table.csv.", () if self.value is None else ("file",)
            )
        if self.file is None and self.dims:
            raise SlipError(
                "dims are given, and there is no file",
                "Remove dims; they name the columns of a table.",
                ("dims",),
            )
        if len(set(self.dims)) != len(self.dims):
            raise SlipError("a dimension is named twice", "Name each once.", ("dims",))
        return self


EffectId = Annotated[str, Field(strict=True, pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$")]
"""A name without a point, since it is part of one."""


class Effect(CaseModel):
    """What an event does to one field from its date on: for good, up to `until` (included), or fading."""

    id: EffectId | None = Field(
        default=None,
        description="short name among the effects of the event, for parameters; left out, that of the field",
    )
    field: Id = Field(description="name of the field")
    op: Literal["add", "multiply", "set"] = Field(description="add, multiply or set")
    value: Number = Field(description="what is added, multiplied by, or set")
    prior: PriorEntry | None = Field(
        default=None,
        description="distribution of the value, where it is not known: it is then a parameter of the case, "
        "events.EVENT.EFFECT.value",
    )
    until: Day | None = Field(default=None, description="last day of the effect, included")
    half_life: Annotated[Number, Field(gt=0, le=36600)] | None = Field(
        default=None, description="days after which half of what was added is left (op add only)"
    )
    half_life_prior: PriorEntry | None = Field(
        default=None, description="distribution of the half-life; the parameter events.EVENT.EFFECT.half_life"
    )
    states: Annotated[Ids, Field(min_length=1)] | None = Field(default=None, description="only these states")
    branches: Annotated[Ids, Field(min_length=1)] | None = Field(
        default=None, description="only these branches"
    )
    ranks: Annotated[Ids, Field(min_length=1)] | None = Field(default=None, description="only these ranks")

    @model_validator(mode="after")
    def _duration(self) -> Effect:
        if self.half_life is not None and self.op != "add":
            raise SlipError(
                f"half_life goes with op add, and the op is {self.op}",
                "Use until, or op: add.",
                ("half_life",),
            )
        if self.half_life is not None and self.until is not None:
            raise SlipError("both until and half_life are given", "Keep one of the two.", ("half_life",))
        if self.half_life_prior is not None and self.half_life is None:
            raise SlipError(
                "a prior is given for a half-life, and no half-life",
                "Write half_life: 30 as well, the value used where nothing is drawn.",
                ("half_life_prior",),
            )
        return self

    @property
    def name(self) -> str:
        """Its id; without one, the name of the field."""
        return self.id or self.field

    @property
    def uncertain(self) -> bool:
        """Whether its size or its half-life has a prior."""
        return self.prior is not None or self.half_life_prior is not None


class Event(Evidenced):
    """Something that happened (or might have) on a date."""

    id: Id = Field(description="short name")
    date: Day = Field(description="the day on which it happens")
    title: Line = Field(description="what happened, in a few words")
    about: Prose | None = Field(default=None, description="more of it")
    effects: tuple[Effect, ...] = Field(default=(), description="what it does to fields; may be empty")

    @model_validator(mode="after")
    def _order(self) -> Event:
        for k, effect in enumerate(self.effects):
            if effect.until is not None and effect.until < self.date:
                raise SlipError(
                    f"the effect ends ({effect.until}) before the event ({self.date})",
                    "Write a later date.",
                    ("effects", k, "until"),
                )
        names = [effect.name for effect in self.effects]
        for k, effect in enumerate(self.effects):
            if effect.uncertain and names.count(effect.name) > 1:
                raise SlipError(
                    f"two effects of the event are called {effect.name!r}, and one of them has a prior",
                    "Write id: with another short name into each, e.g. id: lasting.",
                    ("effects", k),
                )
        return self


Direction = Literal["more", "less", "either"]


class DroppedEffect(CaseModel):
    """What one event does to one field, to be left out; the rest of the event stays."""

    event: Id = Field(description="id of an event of the case")
    field: Id = Field(description="name of a field that it has an effect on")


Edit = dict[Annotated[str, Field(strict=True, min_length=1, max_length=80)], Any]
"""What is written over a file of the case; see :mod:`breakrank.case.check_fields`."""


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
