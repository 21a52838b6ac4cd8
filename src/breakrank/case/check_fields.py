"""Whether parameters, dated fields and the events fit what the model reads, and counterfactuals.

An edit mirrors a file: keys lead into mappings, ids (or ``"*"`` for all) into lists; ``{times: 2}``
multiplies the number that stands there (``{times: 2, most: 1}`` up to 1), and anything else takes its place.
What comes out is checked as the file itself is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from breakrank.case.checks import check_command, check_routes, check_sites
from breakrank.case.content import FILES, Content, Loaded
from breakrank.case.daily import dimension_ids, may_overflow, resolve_field, series_by_cell
from breakrank.case.models_events import Changes, Counterfactual, Effect, Event, FieldEntry, events_under
from breakrank.case.models_parameters import OF_EVENTS, STRENGTH, PriorEntry
from breakrank.case.prior import MOST_FACTOR, Prior, declared_parameters, uncertain_parts
from breakrank.case.values import Document, Step, known_id, known_ids, out_of_range, validated
from breakrank.errors import CaseError, Location, gathered, nearest
from breakrank.plugins import hint
from breakrank.spec import Catalogue, Field, Parameter

LEAST_MASS = 1e-6
"""Probability that a prior must have within its range."""
LOCAL = "local"
"""The mechanism that lets fields differ by state and branch."""
_SELECTORS: tuple[tuple[str, str], ...] = (("states", "state"), ("branches", "branch"), ("ranks", "rank"))


def check_fields(loaded: Loaded, catalogue: Catalogue) -> None:
    """Check every field against the catalogue: names, units, dimensions, ranges, complete tables.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    document = loaded.documents["fields.yaml"]
    with gathered() as found:
        for name, entry in loaded.content.fields.items():
            with found.kept():
                declared = catalogue.fields.get(name)
                if declared is None:
                    raise document.error(
                        (name,),
                        f"unknown field {name!r}{nearest(name, catalogue.fields)}",
                        f"The model reads: {', '.join(sorted(catalogue.fields))}.",
                    )
                if entry.unit != declared.unit:
                    raise document.error(
                        (name, "unit"),
                        f"the unit is {entry.unit!r}, and {declared.unit!r} is expected",
                        f"{name}: {declared.about}. Convert the values, or correct the unit.",
                    )
                for k, dim in enumerate(entry.dims):
                    if dim not in dims_of(declared, catalogue):
                        problem = f"the field has no dimension {dim!r}"
                        raise document.error((name, "dims", k), problem, _has(declared, dim, catalogue))
                problem = "" if entry.value is None else out_of_range(entry.value, declared)
                if problem:
                    raise document.error((name, "value"), problem)
                if entry.file is not None:
                    check_series(loaded, declared, entry, entry.file)
        for declared in catalogue.fields.values():
            if declared.base is None and declared.name not in loaded.content.fields:
                missing = f"the field {declared.name!r} is missing"
                found.append(document.error((), missing, field_to_write(declared)))


def dims_of(field: Field, catalogue: Catalogue) -> tuple[str, ...]:
    """Return the dimensions that a field may have in a case."""
    return (*field.dims, *field.local) if LOCAL in catalogue.mechanisms else field.dims


def _has(field: Field, dim: str, catalogue: Catalogue) -> str:
    """Say which dimensions a field has, or how it gets one that it lacks."""
    if dim in field.local:
        return f"Name the mechanism in case.yaml, mechanisms: [{LOCAL}]; then it may differ by {dim}."
    return f"Its dimensions: {', '.join(dims_of(field, catalogue)) or 'none'}."


def field_to_write(field: Field) -> str:
    """Return the lines a case has to hold for a field."""
    dims = f" (columns date,{','.join(field.dims)},value)" if field.dims else " (columns date,value)"
    return (
        f"{field.about}. Write\n    {field.name}:\n      unit: {field.unit}\n"
        f"      value: ...    # {field.low:g} to {field.high:g}; or file: {field.name}.csv{dims}\n"
        f'      assumed: "the reason"    # or evidence: [observation-id]'
    )


def check_series(loaded: Loaded, declared: Field, entry: FieldEntry, file: str) -> None:
    """Check the table of a field: known ids, the range, no row twice, a row for every cell.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    ids = dimension_ids(loaded.content)
    rows = loaded.series_rows[file]
    seen: dict[tuple[str, ...], int] = {}
    with gathered() as found:
        for row in rows:
            with found.kept():
                for dim in entry.dims:
                    row.check_id(dim, (*ids[dim], "*"))  # a star stands for all
                problem = out_of_range(row.number("value"), declared)
                if problem:
                    raise CaseError(problem, row.place("value"))
                key = (row.cells["date"], *(row.cells[d] for d in entry.dims))
                if key in seen:
                    raise CaseError(
                        f"{', '.join(key)} is there twice (first on line {seen[key]})",
                        row.place("date"),
                        "Keep one of the two.",
                    )
                seen[key] = row.line
        if entry.dims and not found:
            labels = tuple(ids[d] for d in entry.dims)
            empty = _without_soldiers(loaded.content, entry.dims)
            for cell, points in series_by_cell(loaded.content.series[file], labels).items():
                if not points and cell not in empty:
                    missing = ", ".join(x[i] for x, i in zip(labels, cell, strict=True))
                    remedy = "Add rows for it, or a row with * for all."
                    found.append(
                        CaseError(f"there is no row for {missing}", Location(rows[0].file, 1), remedy)
                    )


def _without_soldiers(content: Content, dims: Sequence[str]) -> set[tuple[int, ...]]:
    """Return the cells of ranks and branches in which nobody serves: no table need tell of them."""
    if not {"rank", "branch"} <= {*dims}:
        return set()
    sizes = [len(dimension_ids(content)[dim]) for dim in dims]
    branches, ranks = content.force.branches, content.force.ranks
    found = set()
    for cell in product(*map(range, sizes)):
        branch, rank = branches[cell[dims.index("branch")]], ranks[cell[dims.index("rank")]]
        share = rank.share[branch.id] if isinstance(rank.share, dict) else rank.share
        if branch.strength == 0 or share == 0:
            found.add(cell)
    return found


def check_events(events: Sequence[Event], document: Document, content: Content, catalogue: Catalogue) -> None:
    """Check what events do against the fields, and whom they name; they stand in the document in this order.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    ids = dimension_ids(content)
    with gathered() as found:
        for k, event in enumerate(events):
            for j, effect in enumerate(event.effects):
                with found.kept():
                    _check_effect(effect, document, (k, "effects", j), ids, catalogue)


def check_finite(events: Sequence[Event], document: Document, content: Content, catalogue: Catalogue) -> None:
    """Check that every field of a content stays finite under its events; all else has been checked.

    `events` are those of them that stand in the document, from its first item on.

    Raises
    ------
    FaultyCaseError
        with event, field and day, for each field that does not.
    """
    at = {event.id: k for k, event in enumerate(events)}

    def place(event: Event, effect: int) -> Location:
        known = event.id in at
        return document.place(at[event.id], "effects", effect) if known else Location(key=event.id)

    with gathered() as found:
        for name in dict.fromkeys(effect.field for event in content.events for effect in event.effects):
            if may_overflow(content, catalogue.fields[name]):
                with found.kept():
                    resolve_field(content, catalogue.fields[name], place)


def _check_effect(
    effect: Effect,
    document: Document,
    path: tuple[Step, ...],
    ids: Mapping[str, tuple[str, ...]],
    catalogue: Catalogue,
) -> None:
    known_id(effect.field, catalogue.fields, "field", document, (*path, "field"))
    declared = catalogue.fields[effect.field]
    for key, dim in _SELECTORS:
        chosen: tuple[str, ...] | None = getattr(effect, key)
        if chosen is None:
            continue
        if dim not in dims_of(declared, catalogue):
            remedy = _has(declared, dim, catalogue) + ("" if dim in declared.local else f" Remove {key}.")
            raise document.error(
                (*path, key),
                f"the field {effect.field!r} does not differ by {dim}, so {key} would have no effect",
                remedy,
            )
        known_ids(chosen, ids[dim], dim, document, (*path, key))
    problem = out_of_range(effect.value, declared) if effect.op == "set" else ""
    if problem:
        raise document.error((*path, "value"), problem)
    if effect.op == "multiply" and not 0 <= effect.value <= MOST_FACTOR:
        problem = f"the factor {effect.value:g} is out of range, expected 0 to {MOST_FACTOR:,}"
        raise document.error((*path, "value"), problem, "To give the field another level, use op: set.")
    span = declared.high - declared.low
    if effect.op == "add" and abs(effect.value) > span:
        problem = f"{effect.value:g} is added, more than the whole range of {effect.field!r} ({span:g})"
        raise document.error((*path, "value"), problem, "To reach an end of the range, use op: set.")
    for part in uncertain_parts(effect, declared):
        if part.declared.unit == "switch":
            problem = f"{effect.field!r} is a switch, 1 or 0, and a prior draws what lies between"
            raise document.error((*path, part.prior_key), problem, "Remove the prior.")
        problem = out_of_range(part.value, part.declared)
        if problem:
            raise document.error((*path, part.key), problem)
        check_prior(part.entry, part.declared.low, part.declared.high, document, (*path, part.prior_key))


def check_parameters(loaded: Loaded, catalogue: Catalogue) -> None:
    """Check names, units, ranges and priors, and that none is missing.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    document = loaded.documents["parameters.yaml"]
    names = [n for n in catalogue.parameters if n != STRENGTH]
    with gathered() as found:
        for name, entry in loaded.content.parameters.items():
            with found.kept():
                if name == STRENGTH:
                    raise document.error((name,), "the strength is written in force.yaml", "Remove it here.")
                declared = catalogue.parameters.get(name)
                if declared is None:
                    raise document.error(
                        (name,),
                        f"unknown parameter {name!r}{nearest(name, names)}",
                        hint(name) or "No mechanism of the model reads it; correct the name or remove it.",
                    )
                if entry.unit != declared.unit:
                    raise document.error(
                        (name, "unit"),
                        f"the unit is {entry.unit!r}, and {declared.unit!r} is expected",
                        f"{name}: {declared.about}. Convert the value, or correct the unit.",
                    )
                low, high = entry.range
                for end in (low, high) if entry.value is None else (low, high, entry.value):
                    problem = out_of_range(end, declared)
                    if problem:
                        raise document.error((name, "range" if end in (low, high) else "value"), problem)
                if entry.prior is not None:
                    check_prior(entry.prior, low, high, document, (name, "prior"))
        with found.kept():
            by_hand = loaded.content.case.set_by_hand  # events may have been taken out since
            known = (*catalogue.parameters, *(name for name in by_hand if name.startswith(OF_EVENTS)))
            known_ids(by_hand, known, "parameter", loaded.documents["case.yaml"], ("set_by_hand",))
        strength = loaded.content.force.strength
        if strength.prior is not None:
            with found.kept():
                force = loaded.documents["force.yaml"]
                check_prior(strength.prior, *strength.range, force, ("strength", "prior"))
        for name in names:
            declared = catalogue.parameters[name]
            if name not in loaded.content.parameters and not declared.assumed:
                missing = f"the parameter {name!r} is missing"
                found.append(document.error((), missing, parameter_to_write(declared)))


def check_prior(
    entry: PriorEntry, low: float, high: float, document: Document, path: tuple[Step, ...]
) -> None:
    """Raise a CaseError when a prior lies (nearly) outside the range it is truncated to."""
    prior = Prior.of(entry, low, high)
    if low < high and not prior.mass >= LEAST_MASS:
        raise document.error(
            path,
            f"the prior has almost no probability within the range [{low:g}, {high:g}]",
            "Widen the range, or move the prior into it.",
        )


def parameter_to_write(parameter: Parameter) -> str:
    """Return the lines a case has to hold for a parameter."""
    return (
        f"{parameter.about}. Write\n    {parameter.name}:\n      value: {parameter.typical:g}\n"
        f"      unit: {parameter.unit}\n      range: [{parameter.low:g}, {parameter.high:g}]\n"
        f'      assumed: "the reason"    # or evidence: [observation-id]'
    )


EDITABLE = ("force", "command", "routes", "fields", "payers", "sites")
"""Files that may be written over, without their ending. Events and parameters have ways of their own."""
ALL = "*"
Path = tuple[Step, ...]


def edited(content: Content, edit: Mapping[str, Any], document: Document, at: Path = ()) -> Content:
    """Return a content with parts of its files written over.

    Parameters
    ----------
    edit : by word of :data:`EDITABLE`, what is written over that file.
    document, at : where the edit stands, for messages.

    Raises
    ------
    CaseError
        for a part that there is not, or a value that the file may not have.
    """
    for word, change in edit.items():
        path = (*at, word)
        known_id(word, EDITABLE, "file to edit", document, path)
        name = f"{word}.yaml"
        adapter, part = FILES[name], getattr(content, word)
        plain = adapter.dump_python(part, mode="json", by_alias=True, exclude_defaults=True)
        plain = _over(list(plain) if isinstance(plain, tuple) else plain, change, document, path)
        try:
            content = replace(
                content, **{word: validated(adapter, Document(None, plain), content.case.calendar)}
            )
            loaded = Loaded(
                content, {file: Document(None, {}) for file in FILES} | {name: Document(None, plain)}
            )
            check_command(loaded)
            check_routes(loaded)
            check_sites(loaded)
        except CaseError as error:
            problem = f"what comes out cannot be used: {error.place.key}: {error.problem}"
            raise document.error(path, problem, error.remedy) from None
    return content


PARENTS = {"evidence", "assumed"}
"""Keys of what an entry of a case rests on."""


def _over(here: Any, change: Any, document: Document, path: Path) -> Any:  # noqa: ANN401 (any plain content)
    """Return `here` with `change` written over it: what it rests on is then the change."""
    if not isinstance(change, Mapping):
        return change
    if "times" in change:
        return _times(here, change, document, path)
    if isinstance(here, list | tuple):
        names = [str(item["id"]) if isinstance(item, dict) and "id" in item else "" for item in here]
        for key in change:
            known_id(key, (*names, ALL), "item", document, (*path, key))
        keys = [name if name in change else ALL for name in names]
        return [
            _over(item, change[key], document, (*path, key)) if key in change else item
            for item, key in zip(here, keys, strict=True)
        ]
    out = dict(here) if isinstance(here, dict) else {}
    for key, value in change.items():
        for name in list(out) if key == ALL else [key]:
            if name in out or not (isinstance(value, Mapping) and {"times", ALL} & set(value)):
                out[name] = _over(out.get(name), value, document, (*path, key))  # what is left out stays so
    if isinstance(here, dict) and out != here and PARENTS & here.keys() and not PARENTS & change.keys():
        out.pop("evidence", None)
        named = ", ".join(key.replace("_", " ") for key in change)
        out["assumed"] = f"{named} set by the change; all else as in the case"
    return out


def _times(here: Any, change: Mapping[str, Any], document: Document, path: Path) -> float:  # noqa: ANN401
    """Return a number multiplied as ``{times: 2}`` or ``{times: 2, most: 1}`` says."""
    numbers = [here, *change.values()]
    if set(change) - {"times", "most"} or not all(type(n) in (int, float) for n in numbers):
        raise document.error(
            path, "only a number can be multiplied", "Write {times: 2} or {times: 2, most: 1}."
        )
    value = min(here * change["times"], change.get("most", float("inf")))
    return int(value) if isinstance(here, int) and value == int(value) else value


FORCE = "force."
"""Parameters that a counterfactual leaves alone: with other soldiers nothing can be compared run by run."""


def check_counterfactuals(
    items: Sequence[Counterfactual], document: Document, content: Content, catalogue: Catalogue
) -> None:
    """Check the parameters, events, fields, observations and measures that counterfactuals name.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    with gathered() as found:
        for k, item in enumerate(items):
            with found.kept():
                for name in item.values:
                    if name.startswith(FORCE):
                        raise document.error(
                            (k, "set", name),
                            f"{name} makes another force, and runs of other soldiers cannot be compared one "
                            "by one",
                            "Change something else; to see another force, run the case with --set.",
                        )
                check_changes(k, item, document, content, catalogue)
                for name in item.expected:
                    path = (k, "expected", name)
                    known_id(name, catalogue.measures, "measure", document, path)
                    if catalogue.measures[name].unit == "ratio":
                        raise document.error(
                            path, f"{name} is asked for a date, and what is compared is the last day"
                        )


def check_finite_fields(
    items: Sequence[Changes], document: Document, content: Content, catalogue: Catalogue
) -> None:
    """Check that fields stay finite under what counterfactuals do to the events; all else has been checked.

    Raises
    ------
    FaultyCaseError
        for all that do not.
    """
    with gathered() as found:
        for k, item in enumerate(items):
            with found.kept():
                inner = Document(document.file, document.data[k].get("events", []))
                changed = edited(content, item.edit, document, (k, "edit"))
                changed = replace(changed, events=events_under(content.events, item))
                check_finite(item.events, inner, changed, catalogue)


def check_changes(k: int, item: Changes, document: Document, content: Content, catalogue: Catalogue) -> None:
    """Check the parameters, events, fields, observations and files that item number `k` changes.

    Raises
    ------
    CaseError
        for the first thing that does not fit.
    """
    _check_values(k, item, document, content, catalogue)
    _check_dropped(k, item, document, content)
    if item.events:
        inner = Document(document.file, document.data[k]["events"])
        check_events(item.events, inner, content, catalogue)
        observations = [o.id for o in content.observations]
        for j, event in enumerate(item.events):
            known_ids(event.evidence or (), observations, "observation", inner, (j, "evidence"))
    if item.edit:
        edited(content, item.edit, document, (k, "edit"))


def _check_values(k: int, item: Changes, document: Document, content: Content, catalogue: Catalogue) -> None:
    known = declared_parameters(events_under(content.events, item), catalogue)
    for name, value in item.values.items():
        path = (k, "set", name)
        known_id(name, known, "parameter", document, path)
        declared = known[name]
        problem = out_of_range(value, declared)
        if not problem and declared.unit == "switch" and value not in (0, 1):
            problem = f"{name} is a switch, 1 (works) or 0 (does not exist), not {value:g}"
        if problem:
            raise document.error(path, problem)


def _check_dropped(k: int, item: Changes, document: Document, content: Content) -> None:
    fields = {e.id: tuple(dict.fromkeys(x.field for x in e.effects)) for e in content.events}
    known_ids(item.without, fields, "event", document, (k, "without"))
    for j, dropped in enumerate(item.without_effects):
        path = (k, "without_effects", j)
        known_id(dropped.event, fields, "event", document, (*path, "event"))
        what = f"effect of {dropped.event!r} on the field"
        known_id(dropped.field, fields[dropped.event], what, document, (*path, "field"))
