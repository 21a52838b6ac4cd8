"""Counterfactuals asked for by name, or by the name of a file of them.

The null model: a named baseline of independent soldiers, for comparison beside every score.

Soldiers have decision opportunities, hardship, fear and routes, and they hear of the dated events. There are
no ties, plots, beliefs about comrades, services or reception. What a case shows beyond that is interaction.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from breakrank.case.changes import counterfactuals
from breakrank.case.models_events import Changes, Counterfactual, Event
from breakrank.errors import UsageError, nearest

if TYPE_CHECKING:
    from breakrank.case import Case


def counterfactuals_named(case: Case, names: Iterable[str]) -> list[Counterfactual]:
    """Return counterfactuals of a case by name, and all those of files in the format of counterfactuals.yaml.

    ``null-model`` is that of :mod:`breakrank.runs.counterfactuals`, for every case without one of its own.

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
            known = names_in(case)
            raise UsageError(
                f"{case.id} has no counterfactual {name!r}{nearest(name, known)}, and there is no such file\n"
                f"  It has: {', '.join(known)}."
            )
    return found


def names_in(case: Case) -> tuple[str, ...]:
    """Return the names of all counterfactuals that a case can be asked."""
    return tuple(dict.fromkeys((*case.counterfactuals.ids, NULL_MODEL)))


def changes(one: Changes, case: Case) -> tuple[str, ...]:
    """Return what is changed in words, one phrase for each thing that differs."""
    known = {event.id for event in case.events}
    found = [_valued(name, value, case) for name, value in one.values.items()]
    found += [f"the event {name} does not happen" for name in one.without]
    found += [f"the event {x.event} leaves {x.field} as it is" for x in one.without_effects]
    found += [
        f"{'another' if e.id in known else 'an added'} event on {e.date}: {e.title} ({_effects(e)})"
        for e in one.events
    ]
    found += [said for word, change in one.edit.items() for said in _written(word, change)]
    return tuple(found)


def _valued(name: str, value: float, case: Case) -> str:
    """Return what a parameter is, and what it was: of a drawn one, each run had its own."""
    if case.draws is not None and name in case.draws.names:
        return f"{name} is {value:g} in every run, instead of the value that each run drew"
    before = case.value(name)
    return f"{name} is {value:g}{', as before' if value == before else f' instead of {before:g}'}"


LONGEST = 100
"""Letters of an edit that is told."""


def _effects(event: Event) -> str:
    """Return what an event does to fields, as ``pay × 2``."""
    signs = {"add": "+", "multiply": "×", "set": "="}
    return ", ".join(f"{x.field} {signs[x.op]} {x.value:g}" for x in event.effects) or "without effects"


def _written(word: str, change: object) -> list[str]:
    """Return the edits of a file, one phrase for each; only that there are some, where they are long."""
    found = [f"{word}.yaml: {' '.join(path)} = {_in_line(value)}" for path, value in _leaves(change, ())]
    short = found and all(len(one) <= LONGEST for one in found)
    return found if short else [f"parts of {word}.yaml are otherwise"]


def _in_line(value: object) -> str:
    """Return a value of a file in a line, as ``date 2019-02-20, amount 100000``."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {_in_line(one)}" for key, one in value.items())
    return "; ".join(map(_in_line, value)) if isinstance(value, list | tuple) else str(value)


def _leaves(change: object, path: tuple[str, ...]) -> Iterable[tuple[tuple[str, ...], object]]:
    if isinstance(change, dict) and "times" not in change:
        for key, value in change.items():
            yield from _leaves(value, (*path, str(key)))
    else:
        yield path, change


NULL_MODEL: Final = "null-model"
"""The name under which it is asked for."""
KEPT: Final = ("decision", "opportunity", "grievance", "fear", "routes", "challenger")
"""Mechanisms that stay on; all others are switched off."""


def null_changes(case: Case) -> Counterfactual:
    """Return the null model of a case as a counterfactual: every switch off but those of :data:`KEPT`."""
    switches = [n for n, p in case.catalogue.parameters.items() if p.unit == "switch" and n.endswith(".on")]
    return Counterfactual(
        id=NULL_MODEL,
        title="The null model: independent soldiers who hear of events",
        question="What would single soldiers do who know of no comrade, plot, service or shelter?",
        set={name: 0.0 for name in switches if name.removesuffix(".on") not in KEPT},
    )


def null_model(case: Case, **values: float) -> Case:
    """Return the null model of a case, to be run, scored and examined as any case.

    Parameters
    ----------
    case : any case, with or without draws.
    values : parameters to set besides, with ``__`` for the dot, e.g. ``decision__baseline_leave=8.4``. The
        baseline is fair once its one base rate is fitted to the same figures.

    Raises
    ------
    UsageError
        for a parameter that the case does not have, or a value out of its range.
    """
    return case.set({**null_changes(case).values, **{n.replace("__", "."): v for n, v in values.items()}})
