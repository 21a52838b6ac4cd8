"""National levers of a case: parameters and dated fields that differ by country, with a step each way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from breakrank.case.content import Series

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.models_events import FieldEntry

TENTH = 0.1
"""Quantiles of a prior between which a parameter is moved: this and the one as far from the other end."""
FACTOR = 2.0
"""A field is divided and multiplied by this."""
STRENGTH = "force.strength"
ACTS_THROUGH = {
    "war.reserve": ("call_up",),
    "war.evasion": ("call_up",),
    "war.deaths": ("contact",),
    "war.moments": ("contact",),
    "war.lost_posts": ("contact", "held"),
    "dissolution.threat_weight": ("held",),
}
"""What parameters act through: where one of these fields is 0 on all days, they do nothing."""


@dataclass(frozen=True)
class Lever:
    """A national number that an analyst sets.

    Attributes
    ----------
    name : of the parameter or field. about, unit : as declared.
    now, low, high : its value in words, and both ends of the step.
    assumed : whether no observation of the ledger stands behind it.
    elsewhere : its value in each built-in case, by name; of a parameter only.
    down, up : the case with it at either end.
    """

    name: str
    about: str
    unit: str
    now: str
    low: str
    high: str
    assumed: bool
    elsewhere: Mapping[str, float]
    down: Case
    up: Case


def levers(case: Case, others: Mapping[str, Case]) -> tuple[Lever, ...]:
    """Return the levers of a case, without those that cannot be moved.

    Parameters
    ----------
    case : with values and no draws.
    others : built-in cases, by name, whose values are told beside.
    """
    return (*_parameters(case, others), *_fields(case))


def acts(case: Case, name: str) -> bool:
    """Return whether a parameter can act in a case, by what it acts through.

    Without a call-up a reserve stays at home: it would change who serves, and nothing else.
    """
    through = ACTS_THROUGH.get(name, ())
    if name == "war.evasion" and case.value("war.reserve") == 0:
        return False
    return all(bool(np.any(case.daily(field) > 0)) for field in through if field in case.catalogue.fields)


def _parameters(case: Case, others: Mapping[str, Case]) -> list[Lever]:
    out = []
    for name, declared in case.catalogue.parameters.items():
        if declared.scope != "national" or name == STRENGTH or name not in case.parameters:
            continue
        known = case.parameters[name]
        if not acts(case, name):
            continue
        if known.prior is None and known.value == known.low:
            continue  # it is not there, and nothing is said of how much there could be
        ends = (known.low, known.high)
        if known.prior is not None:
            ends = (known.prior.quantile(TENTH), known.prior.quantile(1 - TENTH))
        low, high = min(known.value, *ends), max(known.value, *ends)
        if low == high:
            continue
        elsewhere = {n: c.parameters[name].value for n, c in others.items() if name in c.parameters}
        down, up = (case.set({name: value}) for value in (low, high))
        now, less, more = (f"{value:.3g}" for value in (known.value, low, high))
        assumed = not known.evidence
        out.append(Lever(name, declared.about, declared.unit, now, less, more, assumed, elsewhere, down, up))
    return out


def _fields(case: Case) -> list[Lever]:
    out = []
    for name, entry in case.content.fields.items():
        down, up = (_scaled(case, name, entry, factor) for factor in (1 / FACTOR, FACTOR))
        if down.digest == case.digest and up.digest == case.digest:
            continue  # it is 0 throughout, or at its bound: events alone move it
        declared = case.catalogue.fields[name]
        now = f"{entry.value:.3g}" if entry.value is not None else f"table {entry.file}"
        out.append(
            Lever(name, declared.about, entry.unit, now, "half", "twice", not entry.evidence, {}, down, up)
        )
    return out


def _scaled(case: Case, name: str, entry: FieldEntry, factor: float) -> Case:
    """Return a case whose field is a multiple of what it was, within the bounds of the field."""
    declared, content = case.catalogue.fields[name], case.content

    def moved(value: float) -> float:
        return min(max(factor * value, declared.low), declared.high)

    if entry.file is None:
        assert entry.value is not None  # a field has a value or a table
        changed = entry.model_copy(update={"value": moved(entry.value)})
        content = replace(content, fields={**content.fields, name: changed})
    else:
        old = content.series[entry.file]
        series = Series(old.dates, old.ids, tuple(moved(value) for value in old.values))
        content = replace(content, series={**content.series, entry.file: series})
    return type(case)(content, case.catalogue, case.draws)
