"""Whether the counterfactuals of a case change things that exist, to values that the model allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from breakrank.case.check_fields import check_events, check_finite
from breakrank.case.check_words import known_id, out_of_range
from breakrank.case.content import Content
from breakrank.case.edits import edited
from breakrank.case.forcing import declared_parameters
from breakrank.case.models_counterfactual import Changes, Counterfactual, events_under
from breakrank.case.values import Document
from breakrank.errors import gathered
from breakrank.spec import Catalogue

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
            for i, name in enumerate(event.evidence or ()):
                known_id(name, observations, "observation", inner, (j, "evidence", i))
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
    for j, name in enumerate(item.without):
        known_id(name, fields, "event", document, (k, "without", j))
    for j, dropped in enumerate(item.without_effects):
        path = (k, "without_effects", j)
        known_id(dropped.event, fields, "event", document, (*path, "event"))
        what = f"effect of {dropped.event!r} on the field"
        known_id(dropped.field, fields[dropped.event], what, document, (*path, "field"))
