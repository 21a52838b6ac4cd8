"""The parameters of a case: value, prior, and what stands behind them; those of events too.

An effect in events.yaml that has a prior is the parameter ``events.EVENT.EFFECT.value`` (or ``.half_life``).
It is drawn, set and calibrated as those of the model are. What is set is written into the event, so whatever
reads fields needs no second way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from breakrank.case.draws import Draws
from breakrank.case.models_events import Effect, Event
from breakrank.case.models_force import Strength
from breakrank.case.models_parameters import OF_EVENTS, SHAPES, ParameterEntry, PriorEntry
from breakrank.case.prior import Prior
from breakrank.spec import Catalogue, Field, Parameter


@dataclass(frozen=True, slots=True)
class ParameterValue:
    """One parameter as the case has it.

    Attributes
    ----------
    name, unit : as declared by the mechanism that reads it.
    value : the value used; the prior's median where the case gives no value.
    prior : distribution truncated to [low, high], or ``None``.
    low, high : credible range of the case.
    evidence : ids of observations, may be empty.
    assumed : what is assumed, and why; may be empty.
    about : why this value; may be empty.
    basis : what the value comes from, as in ``parameters.yaml``; empty where it is not said.
    """

    name: str
    value: float
    prior: Prior | None
    unit: str
    low: float
    high: float
    evidence: tuple[str, ...]
    assumed: str
    about: str
    basis: str = ""

    @classmethod
    def of(cls, name: str, entry: ParameterEntry | Strength) -> ParameterValue:
        """Return the parameter of an entry of parameters.yaml, or of the strength in force.yaml."""
        low, high = entry.range
        prior = None if entry.prior is None else Prior.of(entry.prior, low, high)
        if entry.value is not None:
            value = float(entry.value)
        else:
            assert prior is not None  # the model demands one of the two
            value = prior.median
        return cls(
            name,
            value,
            prior,
            entry.unit,
            low,
            high,
            entry.evidence or (),
            entry.assumed or "",
            entry.about or "",
            (entry.basis or "") if isinstance(entry, ParameterEntry) else "",
        )


def set_to(value: float) -> str:
    """Return the note on a parameter whose value was set by hand."""
    return f"Set to {value:g} by hand."


@cache
def silent(declared: Parameter) -> ParameterEntry:
    """Return the entry of a parameter that may be left out, where it is: as its mechanism assumes."""
    prior = None
    if declared.prior is not None:
        family, *numbers = declared.prior
        named = dict(zip(SHAPES[family], numbers, strict=True))
        prior = PriorEntry.model_validate({"distribution": family, **named})
    return ParameterEntry(
        value=declared.typical,
        prior=prior,
        unit=declared.unit,
        range=declared.range or (declared.low, declared.high),
        basis=declared.basis or None,
        assumed=declared.assumed,
    )


def overridden(entry: ParameterEntry | Strength, value: float) -> dict[str, Any]:
    """Return the changes to an entry whose value is set by hand: the range reaches to it, and it says so.

    The evidence stays with the entry as the ground of its prior; the value itself is an assumption.
    """
    low, high = entry.range
    changed: dict[str, Any] = {"value": value, "range": (min(low, value), max(high, value))}
    if entry.value is None or float(entry.value) != value:
        changed["assumed"] = set_to(value)
        if isinstance(entry, ParameterEntry):
            changed["basis"] = None
    return changed


SHORTEST, LONGEST = 0.01, 36600.0
"""Days that a half-life with a prior may have."""
MOST_FACTOR = 1000
"""Largest factor of an effect: it takes a thousandth of a range to its end."""
_DOES = {"add": "added to", "multiply": "what multiplies", "set": "level set of"}


@dataclass(frozen=True, slots=True)
class UncertainPart:
    """The size or the half-life of an effect that has a prior: its key, value, prior, and what is allowed."""

    key: Literal["value", "half_life"]
    value: float
    entry: PriorEntry
    declared: Parameter

    @property
    def prior_key(self) -> str:
        """Key of its prior."""
        return "prior" if self.key == "value" else "half_life_prior"


@dataclass(frozen=True, slots=True)
class Forcing:
    """A parameter that is a part of an effect.

    Attributes
    ----------
    event, effect : their numbers, in the order of the file.
    key : which part of the effect. field : that the effect acts on.
    declared : its name, unit and range. parameter : its value, prior and grounds.
    """

    event: int
    effect: int
    key: Literal["value", "half_life"]
    field: str
    declared: Parameter
    parameter: ParameterValue


def uncertain_parts(effect: Effect, field: Field, event: Event | None = None) -> Iterator[UncertainPart]:
    """Yield the parts of an effect on a field that have a prior; without its event they have no full name."""
    start = "" if event is None else f"{OF_EVENTS}{event.id}."
    when = "" if event is None else f" from {event.date} on: {event.title}"
    if effect.prior is not None:
        span = field.high - field.low
        low, high = {"add": (-span, span), "multiply": (0.0, MOST_FACTOR), "set": (field.low, field.high)}[
            effect.op
        ]
        unit = "ratio" if effect.op == "multiply" else field.unit
        about = f"{_DOES[effect.op]} {effect.field}{when}"
        name = f"{start}{effect.name}.value"
        declared = Parameter(name, unit, low, high, effect.value, about, scope="national")
        yield UncertainPart("value", effect.value, effect.prior, declared)
    if effect.half_life_prior is not None and effect.half_life is not None:
        about = f"days after which half is left of what is added to {effect.field}{when}"
        name = f"{start}{effect.name}.half_life"
        declared = Parameter(name, "days", SHORTEST, LONGEST, effect.half_life, about, scope="national")
        yield UncertainPart("half_life", effect.half_life, effect.half_life_prior, declared)


def forcing(events: Sequence[Event], catalogue: Catalogue) -> dict[str, Forcing]:
    """Return the parameters that effects of events are, by name."""
    out: dict[str, Forcing] = {}
    for k, event in enumerate(events):
        for j, effect in enumerate(event.effects):
            if not effect.uncertain:
                continue
            for part in uncertain_parts(effect, catalogue.fields[effect.field], event):
                one = part.declared
                known = ParameterValue(
                    one.name,
                    part.value,
                    Prior.of(part.entry, one.low, one.high),
                    one.unit,
                    one.low,
                    one.high,
                    event.evidence or (),
                    event.assumed or "",
                    one.about,
                )
                out[one.name] = Forcing(k, j, part.key, effect.field, one, known)
    return out


def declared_parameters(events: Sequence[Event], catalogue: Catalogue) -> Mapping[str, Parameter]:
    """Return what is declared of each parameter of the model, and of those that effects of events are."""
    found = forcing(events, catalogue)
    return (
        {**catalogue.parameters, **{n: f.declared for n, f in found.items()}}
        if found
        else catalogue.parameters
    )


def resized(
    events: Sequence[Event], known: Mapping[str, Forcing], sizes: Mapping[str, float]
) -> tuple[Event, ...]:
    """Return events with other values of these parameters."""
    out = list(events)
    for name, value in sizes.items():
        one = known[name]
        event = out[one.event]
        effects = list(event.effects)
        effects[one.effect] = effects[one.effect].model_copy(update={one.key: value})
        out[one.event] = event.model_copy(update={"effects": tuple(effects)})
    return tuple(out)


def of_these_events(draws: Draws, declared: Mapping[str, Parameter]) -> Draws | None:
    """Return draws without what events do that are not there; ``None`` if nothing is left."""
    return draws.without({n for n in draws.names if n.startswith(OF_EVENTS) and n not in declared})
