"""A parameter of a case: its value, its prior, and what stands behind it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from breakrank.case.models_force import Strength
from breakrank.case.models_parameters import SHAPES, ParameterEntry, PriorEntry
from breakrank.case.prior import Prior
from breakrank.spec import Parameter


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
        )


def set_to(value: float) -> str:
    """Return what is said of a parameter whose value was set by hand."""
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
        range=(declared.low, declared.high),
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
