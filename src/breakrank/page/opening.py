"""A scenario file that is brought to the page: checked like one for ``--with``, and told as questions."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any

from breakrank.errors import UsageError

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.models_counterfactual import Counterfactual
    from breakrank.case.models_events import Event

LONGEST = 100_000
"""Characters of a file, at most."""


def opened(case: Case, text: str, name: str) -> list[dict[str, Any]]:
    """Return the scenarios of a file, each with what a question of this case has to ask for the same.

    Parameters
    ----------
    case : the case that the file is for.
    text : the file, in the format of counterfactuals.yaml.
    name : what it is called where it was opened; no file of that name is looked for.

    Raises
    ------
    UsageError, CaseError
        for the first thing in it that cannot be used, by its line.
    """
    from breakrank.case.check_counterfactuals import check_counterfactuals
    from breakrank.case.content import FILES
    from breakrank.case.explain import validated
    from breakrank.case.yaml_reader import read_yaml
    from breakrank.study.asked import changes

    document = read_yaml(text, Path(_plain(name)))
    items: tuple[Counterfactual, ...] = validated(FILES["counterfactuals.yaml"], document)
    check_counterfactuals(items, document, case.content, case.catalogue)
    if not items:
        raise UsageError(f"{_plain(name)} holds no scenario: nothing of the case is changed in it")
    return [
        {
            "id": one.id,
            "title": one.title,
            "question": " ".join(one.question.split()),
            "changes": list(changes(one, case)),
            "asks": _asks(one, case),
        }
        for one in items
    ]


def _asks(one: Counterfactual, case: Case) -> dict[str, Any]:
    """Return a counterfactual's changes in the words of a question.

    An event that loses an effect is asked for as the event it becomes.
    """
    there = {event.id: event for event in case.events}
    dropped: dict[str, set[str]] = {}
    for each in one.without_effects:
        dropped.setdefault(each.event, set()).add(each.field)
    put: dict[str, Event] = {}
    for name, fields in dropped.items():
        if name not in one.without:
            event = there[name]
            kept = tuple(x for x in event.effects if x.field not in fields)
            put[name] = event.model_copy(update={"effects": kept})
    put |= {event.id: event for event in one.events}
    return {
        "set": dict(one.values),
        "events": [_event(event) for event in put.values()],
        "without_events": list(one.without),
    }


def _event(event: Event) -> dict[str, Any]:
    """Return an event as the page holds it: as JSON, with evidence as a list that may be empty."""
    found = event.model_dump(mode="json", by_alias=True)
    return found | {"evidence": found.get("evidence") or []}


def _plain(name: str) -> str:
    """Return the last part of a file's name, short and printable."""
    last = PurePosixPath(PureWindowsPath(name).name).name
    return "".join(c for c in last if c.isprintable())[:80] or "the file"
