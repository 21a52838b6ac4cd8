"""Whether the parameters, the dated fields and the events fit what the model reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from breakrank.case.content import Content, Loaded
from breakrank.case.daily import dimension_ids, may_overflow, resolve_field, series_by_cell
from breakrank.case.models_events import Effect, Event, FieldEntry
from breakrank.case.models_parameters import OF_EVENTS, STRENGTH, PriorEntry
from breakrank.case.parameter_value import MOST_FACTOR, uncertain_parts
from breakrank.case.prior import Prior
from breakrank.case.values import Document, Step, known_id, known_ids, out_of_range
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
                    name = row.cells[dim]
                    if name != "*" and name not in ids[dim]:
                        raise CaseError(
                            f"unknown {dim} {name!r}{nearest(name, ids[dim])}",
                            row.place(dim),
                            f"Known: {', '.join(ids[dim])}, or * for all.",
                        )
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
        for k, name in enumerate(loaded.content.case.set_by_hand):
            with found.kept():
                _known(name, catalogue, loaded.documents["case.yaml"], ("set_by_hand", k))
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


def _known(name: str, catalogue: Catalogue, document: Document, path: tuple[Step, ...]) -> None:
    """Raise a CaseError for a name of no parameter; events may have been taken out since."""
    if name not in catalogue.parameters and not name.startswith(OF_EVENTS):
        near = nearest(name, catalogue.parameters)
        raise document.error(path, f"unknown parameter {name!r}{near}", "Correct the name or remove it.")


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
