"""The content of a case, and the part that the model reads.

Beside the counts of every run stand those that a case adds: parts of the force that its targets name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from breakrank.case.content import Content, Ledger
from breakrank.case.daily import resolve_field, series_of, told_apart
from breakrank.case.draws import Draws
from breakrank.case.force_spec import ForceSpec, Listing, force_spec
from breakrank.case.models_base import Calendar
from breakrank.case.models_events import Counterfactual, Event
from breakrank.case.models_evidence import Target
from breakrank.case.models_force import Position
from breakrank.case.models_parameters import STRENGTH
from breakrank.case.models_patterns import Pattern, patterns_of
from breakrank.case.models_routes import Crossing, Payer, PlaceFeature, Road, Site
from breakrank.case.posterior import Posterior
from breakrank.case.prior import (
    Forcing,
    ParameterValue,
    declared_parameters,
    forcing,
    set_to,
    silent,
)
from breakrank.errors import UsageError, nearest
from breakrank.outputs import Measure, Output, strength_by
from breakrank.spec import Catalogue, Parameter


@dataclass(frozen=True, eq=False, repr=False)
class CaseData:
    """A country's force under strain as data, checked and frozen.

    Attributes
    ----------
    content : everything the files say.
    catalogue : the parameters and fields of the model it was checked against, and the mechanisms that this
        model has beside the built-in ones.
    draws : parameter values that its runs are run under, row by row; ``None`` for the case's own values.
    posterior : what calibration left of the priors, where that comes with the case; no part of the digest.
    """

    content: Content
    catalogue: Catalogue
    draws: Draws | None = None
    posterior: Posterior | None = None

    # What it is about.

    @property
    def id(self) -> str:
        """Short name."""
        return self.content.case.id

    @property
    def title(self) -> str:
        """Title."""
        return self.content.case.title

    @property
    def summary(self) -> str:
        """What the case is about, in one paragraph."""
        return self.content.case.summary

    @property
    def country(self) -> str:
        """Name of the country."""
        return self.content.case.country

    @property
    def capital(self) -> str:
        """Id of the state that holds the capital."""
        return self.content.case.capital

    @property
    def currency(self) -> str:
        """Money in which amounts are given."""
        return self.content.case.currency

    @property
    def headline(self) -> str | None:
        """Id of the target that leads reports, where the case chooses one."""
        return self.content.case.headline

    @property
    def calendar(self) -> Calendar:
        """The days of a run: ``start``, ``end``, ``days``, ``day(date)``, ``date(day)``."""
        return self.content.case.calendar

    # What it holds.

    @cached_property
    def force(self) -> ForceSpec:
        """The order of battle."""
        return force_spec(self.content)

    @property
    def command(self) -> Listing[Position]:
        """The positions of the high command, in the order of the file; empty where the case has none."""
        return Listing(self.content.command)

    @cached_property
    def parameters(self) -> Mapping[str, ParameterValue]:
        """Every parameter by name: those of the model, then sizes and half-lives of events with a prior.

        Where the case is silent on one of the model, it is as the mechanism assumes.
        """
        out: dict[str, ParameterValue] = {}
        for name, declared in self.catalogue.parameters.items():
            if name == STRENGTH:
                out[name] = ParameterValue.of(name, self.content.force.strength)
            elif name in self.content.parameters:
                out[name] = ParameterValue.of(name, self.content.parameters[name])
            elif declared.assumed:
                out[name] = ParameterValue.of(name, silent(declared))
        for name, one in self.forcing.items():
            known = one.parameter
            out[name] = replace(known, assumed=set_to(known.value)) if name in self.by_hand else known
        return out

    @cached_property
    def by_hand(self) -> frozenset[str]:
        """Names of parameters whose value someone set: they are not drawn."""
        return frozenset(self.content.case.set_by_hand)

    @cached_property
    def forcing(self) -> Mapping[str, Forcing]:
        """What events do that has a prior, by the name of its parameter, in the order of the file."""
        return forcing(self.content.events, self.catalogue)

    @cached_property
    def declared(self) -> Mapping[str, Parameter]:
        """What is declared of each parameter: those of the model, and those of :attr:`forcing`."""
        return declared_parameters(self.content.events, self.catalogue)

    @cached_property
    def outputs(self) -> Mapping[str, Output]:
        """The outputs of a run by name: those of every run, then those that targets ask for."""
        return dict(self.catalogue.outputs) | {
            one.name: one for one in counted_parts(self.content, self.catalogue)
        }

    @property
    def mechanisms(self) -> tuple[str, ...]:
        """Names of the mechanisms that are added to the model's own, in order."""
        return self.catalogue.mechanisms

    @property
    def events(self) -> Listing[Event]:
        """Dated events, in the order of the file; ``events.ids`` names them."""
        return Listing(self.content.events)

    @property
    def crossings(self) -> Listing[Crossing]:
        """Routes out of the country."""
        return Listing(self.content.routes.crossings)

    @property
    def roads(self) -> tuple[Road, ...]:
        """Roads between states, open both ways."""
        return self.content.routes.roads

    @property
    def places(self) -> Listing[PlaceFeature]:
        """Points on the map."""
        return Listing(self.content.places.features)

    @property
    def payers(self) -> Listing[Payer]:
        """Who pays for the sites; empty where nothing costs anything."""
        return Listing(self.content.payers)

    @property
    def sites(self) -> Listing[Site]:
        """Where those who got out are received, in the order of filling; ``sites.ids`` names them."""
        return Listing(self.content.sites)

    @property
    def targets(self) -> Listing[Target]:
        """What the record says."""
        return Listing(self.content.targets)

    @property
    def counterfactuals(self) -> Listing[Counterfactual]:
        """The questions "what if" that come with the case; ``counterfactuals.ids`` names them."""
        return Listing(self.content.counterfactuals)

    @cached_property
    def patterns(self) -> Listing[Pattern]:
        """The kinds of lives that stories count: those shipped, as the case changes them, and its own."""
        return Listing(patterns_of(self.content.patterns))

    @cached_property
    def ledger(self) -> Ledger:
        """The evidence: ``sources`` and ``observations`` by id."""
        return Ledger.of(self.content)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hexadecimal) of all that a run of the case depends on, whatever the layout of its files.

        The source of the mechanisms that are added to the model is part of it. Counterfactuals and patterns
        are not: they are questions, and move no run.
        """
        own = self.content.digest()
        drawn = "" if self.draws is None else self.draws.digest
        if not (drawn or self.catalogue.code):
            return own
        return hashlib.sha256(f"{own} {drawn} {self.catalogue.code}".encode()).hexdigest()

    # What mechanisms read.

    def value(self, name: str) -> float:
        """Return the value of a parameter; UsageError (with the nearest name) when there is none."""
        try:
            return self.parameters[name].value
        except KeyError:
            raise UsageError(f"there is no parameter {name!r}{nearest(name, self.parameters)}") from None

    def daily(self, field: str) -> NDArray[np.float64]:
        r"""Return a field by day after events have acted, float64 (days, \\*dims), within the field's range.

        The array is the caller's own. See :func:`breakrank.case.daily.resolve_field` for the rules.

        UsageError when the model reads no such field.
        """
        if field not in self.catalogue.fields:
            raise UsageError(f"there is no field {field!r}{nearest(field, self.catalogue.fields)}")
        if field not in self._resolved:
            self._resolved[field] = resolve_field(self.content, self.catalogue.fields[field])
        return self._resolved[field].copy()

    def local(self, field: str, stated: bool = False) -> NDArray[np.float64] | None:
        r"""Return a field by day, state and branch, float64 (days, state, branch, \\*dims).

        As events have it, or as the case states it before any; None where it is told apart by neither.
        """
        declared = self.catalogue.fields[field]
        if not told_apart(self.content, declared):
            return None
        return (series_of if stated else resolve_field)(self.content, declared.whole)

    def stated(self, field: str) -> NDArray[np.float64]:
        r"""Return a field by day as the case states it, before any event, float64 (days, \\*dims)."""
        return series_of(self.content, self.catalogue.fields[field])

    @property
    def scale(self) -> float:
        """How large the force is, relative to that which the case's numbers are for (1: drawn in full)."""
        strength = self.content.force.strength
        return strength.value / strength.stated

    @property
    def stands_for(self) -> float:
        """For how many soldiers of the country one of the force stands (1: drawn in full)."""
        strength = self.content.force.strength
        return strength.stated / strength.value

    @cached_property
    def _resolved(self) -> dict[str, NDArray[np.float64]]:
        return {}

    def route_daily(self, what: Literal["open", "capture", "violence"]) -> NDArray[np.float64]:
        """Return the opening of the crossings by day, from their schedules, float64 (days, crossing).

        ``open`` is 1 or 0; ``capture`` and ``violence`` are probabilities for each attempt.
        """
        if what not in ("open", "capture", "violence"):
            raise UsageError(f"{what!r} is none of open, capture, violence")
        out = np.empty((self.calendar.days, len(self.crossings)))
        for k, crossing in enumerate(self.crossings):
            out[:, k] = 1.0 if what == "open" else getattr(crossing, what)
            for spell in crossing.schedule:
                first = max(0, (spell.start - self.calendar.start).days)
                last = (spell.to - self.calendar.start).days + 1
                value = getattr(spell, what)
                if value is not None and last > first:
                    out[first:last, k] = float(value)
        return out

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CaseData) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


def counted_parts(content: Content, catalogue: Catalogue) -> Iterator[Output]:
    """Yield the counts that targets need and no variable of every run gives."""
    end = content.case.calendar.end
    for target in content.targets:
        measure = catalogue.measures.get(target.measure)
        if measure is None or target.date > end:
            continue
        for selector in (target.by, target.against):
            dims = tuple(selector or ())
            if not dims or answers(measure, dims, catalogue, last=target.date == end):
                continue
            output = measure.counted_by(dims)
            if output is not None:
                yield output
                if measure.kind == "share":
                    yield strength_by(output.dims)


def answers(measure: Measure, dims: Collection[str], catalogue: Catalogue, *, last: bool) -> bool:
    """Return whether a variable of every run answers a measure by these dimensions: any day, or the last."""
    source = measure.answered_by(dims)
    if source is None:
        return False
    known = [catalogue.outputs[name] for name in source.variables if name in catalogue.outputs]
    return last or all("day" in output.dims for output in known)
