"""A case with what ``--set``, ``--events``, ``--until`` and ``--ensemble`` make of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.cli.options import CaseOptions, DatedOptions, ModelOptions
from breakrank.errors import UsageError
from breakrank.show.terminal import note
from breakrank.wording import counted

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.models_events import Event
    from breakrank.runs.study import NamedChanges
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
    import numpy as np

    from breakrank.case.daily import resolve_field

    free = replace(field, low=-np.inf, high=np.inf)
    was, now = (resolve_field(case.content, free) for case in (before, after))
    excess = np.maximum(now - field.high, field.low - now)
    # to rounding: a product may miss the end of a range by its last bits
    beyond = (excess > 1e-9 * max(1.0, abs(field.high))) & (now != was)
    if not beyond.any():
        return ""
    at = np.unravel_index(int(np.argmax(np.where(beyond, excess, -np.inf))), now.shape)
    return f"{now[at]:g} on {after.calendar.date(int(at[0]))}"


@dataclass(frozen=True, slots=True)
class Changed:
    """A case as changed on the command line.

    Attributes
    ----------
    case : with all changes made.
    besides : events and the last day that were changed, in words.
    told : all that was changed, or nothing. `changes` : the same for names in a store.
    undone : whether a selection was undone.
    """

    case: Case
    besides: str
    told: str
    changes: NamedChanges
    undone: bool = False

    @property
    def name(self) -> str:
        """What the case with its changes is called in a store."""
        return self.changes.name()


def tell_apart(cases: Iterable[str], quiet: bool) -> None:
    """Say on standard error, unless `quiet`, which case a name is where a folder here has the same one."""
    from breakrank.runs.cases import list_cases

    for name in () if quiet else cases:
        if name in list_cases() and (Path(name) / "case.yaml").exists():
            note(f"breakrank: {name} is the built-in case; write ./{name} for the folder here")


def change(case: str, options: ModelOptions, quiet: bool = False) -> Changed:
    """Load a case and apply ``--ensemble``, ``--mechanisms``, ``--set``, ``--events`` and ``--until``.

    Warns on standard error, unless `quiet`, of events in the file that cannot act as they say.

    Raises
    ------
    UsageError
        for a change that is not ``name=value``, an unknown name, a value out of range, or no such day.
    CaseError
        for a case or events file that cannot be used.
    """
    from breakrank.case.changes import selection
    from breakrank.runs.cases import at_large
    from breakrank.runs.study import NamedChanges, under
    from breakrank.show.provenance import told

    asked = DatedOptions(**vars(options))
    plain = at_large(case, asked.ensemble, asked.mechanisms)
    more = plain.mechanisms
    given, whole, way = values_of(asked.changes), plain.calendar.end, under(plain)
    until, events, selected = asked.until, asked.events, selection(plain) is not None
    if given:
        plain = plain.set(given)
    if until is not None:
        plain = plain.until(until)
    end = plain.calendar.end if plain.calendar.end != whole else None
    changed: Case = plain
    new: list[Event] = []
    if events is not None:
        changed = plain.with_events(events)
        new = added(plain, changed)
        for warning in () if quiet else warnings(plain, changed, new):
            note(f"breakrank: {events}: {warning}")
    undone = selected and selection(changed) is None
    file = None if events is None else (events.name, len(new))
    said = [f"{counted(len(new), 'event')} from {events.name}"] if events is not None else []
    besides = "; ".join([*said, f"until {until}"] if until else said)
    named = NamedChanges(way, given, file, end, more)
    return Changed(changed, besides, told(changed, besides), named, undone)


def values_of(changes: Sequence[str]) -> dict[str, float]:
    """Return the values that ``--set`` gives, by name.

    Raises
    ------
    UsageError
        for a change that is not ``name=value`` with a number, or a name given twice.
    """
    from breakrank.case.values import NumberError, number

    values: dict[str, float] = {}
    for change in changes:
        name, sign, text = change.partition("=")
        name = name.strip()
        try:
            value = number(text.strip())
        except NumberError:
            value = None
        if not sign or not name or value is None:
            raise UsageError(f"--set {change!r} is not NAME=VALUE with a number, as in --set fear.on=0")
        if name in values:
            raise UsageError(f"--set {name} is given twice")
        values[name] = value
    return values


def ensemble_case(
    case: str,
    options: DatedOptions,
    quiet: bool,
    acts_from: Callable[[Case], dt.date] | None = None,
) -> Changed:
    """Return a case with its changes, whose runs are the members of an ensemble, where it has any.

    Members are those of the case as it is, and go on with the changes. A change that undoes the selection of
    members leaves them aside: then runs have parameters of the posterior, and random numbers of their own.

    Parameters
    ----------
    acts_from : of a comparison, gives the first day on which what is compared with a case differs from it.

    Raises
    ------
    UsageError
        for what is no ensemble of this case and force.
    """
    from breakrank.case.changes import selection, undoes_selection
    from breakrank.case.ensemble import with_members

    folder, point = _members(case, options), replace(options, ensemble="point", changes=())
    if folder is not None and acts_from is not None:
        plain = change(case, point, True).case
        luck = selection(with_members(plain, folder))
        folder = folder if luck is not None and acts_from(plain) > luck.until else None
    if folder is None:  # the case in the folder of a result keeps the members that it was run as
        made = change(case, options, quiet)
        if made.undone:
            _tell_undone(quiet)
        return made
    made, changed = change(case, point, quiet), values_of(options.changes)
    members = before = with_members(made.case, folder)
    if options.events is not None:
        before = with_members(change(case, replace(point, events=None), True).case, folder)
    if undoes_selection(before, members.set(changed)):
        _tell_undone(quiet)
        return change(case, options, quiet)
    under = f"ensemble {folder.name}"
    named = replace(made.changes, under=under, values=changed or made.changes.values)
    return replace(made, case=members.set(changed) if changed else members, changes=named)


def _members(case: str, options: CaseOptions) -> Path | None:
    """Return the folder of the members that runs are, if they are any.

    Those that come with a case are of its own mechanisms and force.
    """
    from breakrank.runs.cases import members_folder

    named = options.ensemble not in (None, "posterior")
    if not named and "force.strength" in values_of(options.changes):
        return None
    return members_folder(case, options.ensemble, options.mechanisms)


def _tell_undone(quiet: bool) -> None:
    if not quiet:
        note(
            "breakrank: the change acts before the last observed figure, so the members that it selected "
            "are left aside; `breakrank compare` shows what the change does"
        )
