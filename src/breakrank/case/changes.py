"""Cases made from a case: other values, other events, an earlier end. The original stays as it is."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
from pydantic import TypeAdapter

from breakrank.case.case_data import CaseData
from breakrank.case.check_fields import (
    check_counterfactuals,
    check_events,
    check_finite,
    check_finite_fields,
    edited,
    field_to_write,
    parameter_to_write,
)
from breakrank.case.content import FILES, Content, Events
from breakrank.case.dates import DateLike
from breakrank.case.documents import read_yaml
from breakrank.case.draws import Draws, Luck, checked
from breakrank.case.force_spec import apportion
from breakrank.case.models_base import Calendar
from breakrank.case.models_events import Changes, Counterfactual, Event, events_under, merged
from breakrank.case.models_force import ForceFile
from breakrank.case.models_parameters import STRENGTH
from breakrank.case.prior import of_these_events, overridden, resized, silent
from breakrank.case.source import read_file
from breakrank.case.values import Document, known_id, validated
from breakrank.errors import CaseError, Location, UsageError, nearest
from breakrank.plugins import hint
from breakrank.spec import Catalogue

C = TypeVar("C", bound=CaseData)
EventsLike: TypeAlias = "Sequence[Mapping[str, Any] | Event] | Mapping[str, Any] | Event | str | Path"
"""A YAML file, or one or more events as mappings or as :class:`Event`."""

_EVENTS: TypeAdapter[tuple[Event, ...]] = TypeAdapter(Events)


def with_values(case: C, values: Mapping[str, float]) -> C:
    """See :meth:`Case.set`."""
    content = case.content
    parameters = dict(content.parameters)
    force, sizes = content.force, dict[str, float]()
    by_hand, before = set(content.case.set_by_hand), dict[str, float | None]()
    drawn_names = () if case.draws is None else case.draws.names
    for name, given in values.items():
        value = _checked(case, name, given)
        if name == STRENGTH:
            if case.draws is not None and case.draws.luck is not None:
                raise UsageError(
                    "the members of an ensemble are runs of one force\n"
                    "  Set its strength in a case that is under with_ensemble('posterior') or 'point'."
                )
            before[name] = force.strength.value
            force = _rescaled(force, int(value))
        elif name in case.forcing:
            before[name] = case.forcing[name].parameter.value
            sizes[name] = value
        else:
            entry = parameters.get(name) or silent(case.catalogue.parameters[name])
            before[name] = entry.value
            parameters[name] = entry.model_copy(update=overridden(entry, value))
        if before[name] != value or name in drawn_names:
            by_hand.add(name)
    named = content.case.model_copy(update={"set_by_hand": tuple(sorted(by_hand))})
    content = replace(content, case=named, parameters=parameters, force=force)
    if sizes:
        content = replace(content, events=resized(content.events, case.forcing, sizes))
    touched = {case.forcing[name].field for name in sizes}
    draws = None if case.draws is None else case.draws.without(values.keys())
    new = _remade(case, content, draws, keep_fields=not touched)
    if touched:
        new.__dict__["_resolved"] = {f: case.daily(f) for f in case.catalogue.fields if f not in touched}
    return _valid(case, new)


def with_catalogue(case: C, catalogue: Catalogue) -> C:
    """Return the case for a model that has other mechanisms beside the built-in ones.

    Raises
    ------
    UsageError
        for a parameter or field that the case has to state, and does not.
    """
    for one in catalogue.parameters.values():
        if one.name != STRENGTH and one.name not in case.content.parameters and not one.assumed:
            raise UsageError(f"{case.id} gives no {one.name}\n  {parameter_to_write(one)}")
    for dated in catalogue.fields.values():
        if dated.base is None and dated.name not in case.content.fields:
            raise UsageError(f"{case.id} gives no {dated.name}\n  {field_to_write(dated)}")
    return replace(case, content=naming(case.content, catalogue), catalogue=catalogue)


def naming(content: Content, catalogue: Catalogue) -> Content:
    """Return the content with the mechanisms of a catalogue in case.yaml."""
    if content.case.mechanisms == catalogue.mechanisms:
        return content
    named = content.case.model_copy(update={"mechanisms": catalogue.mechanisms})
    return replace(content, case=named)


def with_draws(case: C, draws: Draws | None) -> C:
    """See :meth:`Case.with_draws`."""
    known = None if draws is None else of_these_events(draws, case.declared)
    return _drawing(case, None if known is None else checked(known, case.declared))


def drawn(case: C, seed: int, run: int) -> C:
    """See :meth:`Case.drawn`."""
    return case if case.draws is None else with_values(_drawing(case, None), case.draws.of(seed, run))


def lived(case: C, seed: int, run: int) -> list[tuple[int, int, int]]:
    """See :meth:`Case.lived`."""
    if case.draws is None or case.draws.luck is None:
        return [(0, seed, run)]
    row, start = int(case.draws.rows(seed, run)), case.calendar.start
    turns = case.draws.luck.lived(row, seed, run)
    return [(max(0, (date - start).days), under, number) for date, under, number in turns]


def _drawing(case: C, draws: Draws | None) -> C:
    return _remade(case, case.content, draws, keep_fields=True)


def _remedy(case: C, name: str) -> str:
    if name in case.catalogue.fields:
        return f"{name} is a dated field: change it by an event, with --events FILE."
    return hint(name)


def _checked(case: C, name: str, given: object) -> float:
    """Return a value for a parameter as a finite number within the range of the model."""
    declared = case.declared.get(name)
    if declared is None:
        near = nearest(name, case.declared)
        raise UsageError(
            "\n  ".join(filter(None, (f"there is no parameter {name!r}{near}", _remedy(case, name))))
        )
    number = isinstance(given, int | float | np.integer | np.floating) and not isinstance(given, bool)
    number = number or (declared.unit == "switch" and isinstance(given, bool | np.bool_))
    value = float(given) if number else math.nan  # type: ignore[arg-type]
    allowed = f"a number from {declared.low:g} to {declared.high:g} {declared.unit} is expected"
    if not math.isfinite(value):
        raise UsageError(f"{name} cannot be {given!r:.60}; {allowed}")
    if not declared.low <= value <= declared.high:
        raise UsageError(f"{name} = {value:g} is out of range; {allowed}")
    if declared.unit == "switch" and value not in (0, 1):
        raise UsageError(f"{name} = {value:g}: a switch is 1 (works) or 0 (does not exist)")
    if name == STRENGTH and (value != int(value) or value < 1):
        raise UsageError(f"{name} = {value:g}: a whole number of at least 1 soldier is expected")
    return value


def _rescaled(force: ForceFile, strength: int) -> ForceFile:
    """Return the force with another strength, its branches in the same proportions."""
    sizes = apportion(strength, [b.strength for b in force.branches]).tolist()
    branches = tuple(b.model_copy(update={"strength": n}) for b, n in zip(force.branches, sizes, strict=True))
    changes = {**overridden(force.strength, strength), "stands_for": force.strength.stated}
    entry = force.strength.model_copy(update=changes)
    return force.model_copy(update={"strength": entry, "branches": branches})


def with_events(case: C, events: EventsLike) -> C:
    """See :meth:`Case.with_events`."""
    document = _document(events)
    if isinstance(document.data, dict):
        document = Document(document.file, [document.data])
    added = validated(_EVENTS, document, case.calendar)
    check_events(added, document, case.content, case.catalogue)
    for k, event in enumerate(added):
        for j, name in enumerate(event.evidence or ()):
            known_id(name, case.ledger.observations, "observation", document, (k, "evidence", j))
    content = _eventful(case.content, merged(case.content.events, added))
    check_finite(added, document, content, case.catalogue)
    return _changed(case, content)


def _eventful(content: Content, events: tuple[Event, ...]) -> Content:
    """Return a content with other events; counterfactuals stay where what they take away is still there."""
    effects = {e.id: {x.field for x in e.effects} for e in events}
    kept = tuple(
        c
        for c in content.counterfactuals
        if effects.keys() >= set(c.without)
        and all(d.field in effects.get(d.event, ()) for d in c.without_effects)
    )
    return replace(content, events=events, counterfactuals=kept)


def _document(events: EventsLike) -> Document:
    if isinstance(events, str | Path):
        path = Path(events)
        if not path.exists():
            raise CaseError(
                "this file does not exist", Location(path), "Name a YAML file in the format of events.yaml."
            )
        return read_yaml(read_file(path), path)
    if isinstance(events, Event | Mapping):
        return Document(None, [_plain(events)])
    if isinstance(events, Sequence):
        return Document(None, [_plain(e) for e in events])
    raise UsageError(f"events are a YAML file or a list of mappings, not {type(events).__name__}")


def _plain(event: object) -> Any:  # noqa: ANN401 (whatever is given is validated next)
    """Return an event as the plain mapping that a file would give."""
    if isinstance(event, Event):
        return event.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return dict(event) if isinstance(event, Mapping) else event


def without_event(case: C, name: str) -> C:
    """See :meth:`Case.without_event`."""
    ids = case.events.ids
    if name not in ids:
        raise UsageError(f"there is no event {name!r}{nearest(name, ids)}")
    content = _eventful(case.content, tuple(e for e in case.content.events if e.id != name))
    check_finite((), Document(None, []), content, case.catalogue)
    return _changed(case, content)


def counterfactual(case: C, asked: Changes) -> C:
    """Return a case as a counterfactual has it; `asked` has passed the checks against it."""
    case = _changed(case, edited(case.content, asked.edit, Document(None, {}))) if asked.edit else case
    content = _eventful(case.content, events_under(case.content.events, asked))
    check_finite((), Document(None, []), content, case.catalogue)
    return with_values(_changed(case, content), asked.values)


def counterfactuals(case: C, path: str | Path) -> tuple[Counterfactual, ...]:
    """Read a file of counterfactuals that is no part of the case, and check it against the case.

    Raises
    ------
    CaseError
        for the first thing in it that cannot be used.
    """
    path = Path(path)
    if not path.exists():
        raise CaseError(
            "this file does not exist",
            Location(path),
            "Name a counterfactual of the case, or a YAML file in the format of counterfactuals.yaml. "
            "A parameter is changed by --set NAME=VALUE.",
        )
    return counterfactuals_in(case, read_file(path), path)


def counterfactuals_in(case: C, text: str, name: Path) -> tuple[Counterfactual, ...]:
    """Read the text of a file of counterfactuals as :func:`counterfactuals` does; errors call it `name`."""
    document = read_yaml(text, name)
    items: tuple[Counterfactual, ...] = validated(FILES["counterfactuals.yaml"], document, case.calendar)
    check_counterfactuals(items, document, case.content, case.catalogue)
    check_finite_fields(items, document, case.content, case.catalogue)
    return items


def until(case: C, date: DateLike) -> C:
    """See :meth:`Case.until`."""
    calendar = Calendar(start=case.calendar.start, end=case.calendar.within(date, "until"))
    named = case.content.case.model_copy(update={"calendar": calendar})
    return _remade(case, replace(case.content, case=named), case.draws, keep_fields=False)


def undoes_selection(case: CaseData, other: CaseData) -> bool:
    """Return whether what differs between two cases acts within the days that the runs were selected for."""
    luck = selection(case)
    return luck is not None and case.digest != other.digest and acts_from(case, other) <= luck.until


def unselected(case: C) -> C:
    """Return a case under its posterior, or at its values without one, where its runs were selected.

    Parameters that were set stay set.
    """
    draws = case.draws if selection(case) is not None else None
    if draws is None:
        return case
    if case.posterior is None:
        return with_draws(case, None)
    kept = case.posterior.draws
    return with_draws(case, kept.without(set(kept.names).difference(draws.names)))


def acts_from(case: CaseData, other: CaseData) -> dt.date:
    """Return the first day on which two cases can differ: that of an event, if only events differ."""
    start = case.calendar.start
    one, two = case.content, other.content
    alike = type(case)(replace(two, events=one.events), case.catalogue)
    if alike.digest != _drawing(case, None).digest:
        return start
    changed = [e for e in one.events if e not in two.events] + [e for e in two.events if e not in one.events]
    return max(start, min((e.date for e in changed), default=start))


def selection(case: CaseData) -> Luck | None:
    """Return the seed paths of a case whose runs were selected to match the record; ``None`` of any other."""
    return getattr(getattr(case, "draws", None), "luck", None)


def _valid(case: C, new: C) -> C:
    """Return a case made from another, its runs unselected where what changed undoes their selection."""
    return unselected(new) if undoes_selection(case, new) else new


def _changed(case: C, content: Content) -> C:
    """Return the case with another content, under draws that are valid for it."""
    return _valid(case, _remade(case, content, case.draws, keep_fields=False))


def _remade(case: C, content: Content, draws: Draws | None, keep_fields: bool) -> C:
    new = replace(case, content=content, draws=draws)
    if content.events is case.content.events:
        new.__dict__.update({k: case.__dict__[k] for k in ("forcing", "declared") if k in case.__dict__})
    elif draws is not None:
        new = replace(new, draws=of_these_events(draws, new.declared))
    if content.force is case.content.force and "force" in case.__dict__:
        new.__dict__["force"] = case.force
    if keep_fields:
        new.__dict__["_resolved"] = case._resolved
    if "ledger" in case.__dict__:
        new.__dict__["ledger"] = case.ledger
    return new
