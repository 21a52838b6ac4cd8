"""Counterfactuals asked for by name, or by the name of a file of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.case.changes import counterfactuals
from breakrank.errors import UsageError, nearest
from breakrank.runs.null_model import NULL_MODEL, null_changes

if TYPE_CHECKING:
    from breakrank.case import Case, Counterfactual


def counterfactuals_named(case: Case, names: Iterable[str]) -> list[Counterfactual]:
    """Return counterfactuals of a case by name, and all those of files in the format of counterfactuals.yaml.

    ``null-model`` is that of :mod:`breakrank.runs.null_model`, for every case without one of its own.

    Raises
    ------
    UsageError
        for a name that is neither (it tells the nearest).
    CaseError
        for a file that cannot be used.
    """
    found: list[Counterfactual] = []
    for name in dict.fromkeys(names):
        if name in case.counterfactuals.ids:
            found.append(case.counterfactuals.named(name))
        elif name == NULL_MODEL:
            found.append(null_changes(case))
        elif Path(name).suffix or Path(name).exists():
            found += counterfactuals(case, name)
        else:
            known = (*case.counterfactuals.ids, NULL_MODEL)
            raise UsageError(
                f"{case.id} has no counterfactual {name!r}{nearest(name, known)}, and there is no such file\n"
                f"  It has: {', '.join(known)}."
            )
    return found


def changes(one: Counterfactual, case: Case) -> tuple[str, ...]:
    """Return the changes of a counterfactual, in words, one phrase for each thing that differs."""
    known = {event.id for event in case.events}
    found = [f"{name} is {value:g} instead of {case.value(name):g}" for name, value in one.values.items()]
    found += [f"the event {name} does not happen" for name in one.without]
    found += [f"the event {x.event} leaves {x.field} as it is" for x in one.without_effects]
    found += [
        f"{'another' if event.id in known else 'an added'} event on {event.date}: {event.title}"
        for event in one.events
    ]
    found += [said for word, change in one.edit.items() for said in _written(word, change)]
    return tuple(found)


def _written(word: str, change: object) -> list[str]:
    """Return the edits of a file, one phrase for each single number or word."""
    found = list(_leaves(change, ()))
    if not found or any(isinstance(value, dict | list | tuple) for _, value in found):
        return [f"parts of {word}.yaml are otherwise"]
    return [f"{word}.yaml: {' '.join(path)} is {value}" for path, value in found]


def _leaves(change: object, path: tuple[str, ...]) -> Iterable[tuple[tuple[str, ...], object]]:
    if isinstance(change, dict) and "times" not in change:
        for key, value in change.items():
            yield from _leaves(value, (*path, str(key)))
    else:
        yield path, change
