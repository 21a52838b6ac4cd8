"""The null model: a named baseline of independent soldiers, for comparison beside every score.

Soldiers have decision opportunities, hardship, fear and routes, and they hear of the dated events. There are
no ties, plots, beliefs about comrades, services or reception. What a case shows beyond that is interaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from breakrank.case.models_events import Counterfactual

if TYPE_CHECKING:
    from breakrank.case import Case

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
