"""What counterfactuals and interventions change: writing over files, and whether it can be.

An edit mirrors a file: keys lead into mappings, ids (or ``"*"`` for all) into lists; ``{times: 2}``
multiplies the number that stands there (``{times: 2, most: 1}`` up to 1), and anything else takes its place.
What comes out is checked as the file itself is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from breakrank.case.check_fields import check_events, check_finite
from breakrank.case.checks import check_command, check_routes, check_sites
from breakrank.case.content import FILES, Content, Loaded
from breakrank.case.explain import validated
from breakrank.case.models_events import Changes, Counterfactual, events_under
from breakrank.case.parameter_value import declared_parameters
from breakrank.case.values import Document, Step, known_id, known_ids, out_of_range
from breakrank.errors import CaseError, gathered
from breakrank.spec import Catalogue

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


def _over(here: Any, change: Any, document: Document, path: Path) -> Any:  # noqa: ANN401 (any plain content)
    """Return `here` with `change` written over it."""
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
