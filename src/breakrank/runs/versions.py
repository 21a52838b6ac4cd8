"""The versions that a result is made with."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

import breakrank
from breakrank import plugins
from breakrank.runs.identity import source_digest

if TYPE_CHECKING:
    from breakrank.case import Case


OTHERWISE = "of another version of the model"
"""What is said of an ensemble or a posterior that was made with other code than the model's present one."""


def ensemble_version(case: Case) -> str:
    """Return :data:`OTHERWISE` where that holds of the ensemble or posterior that a case is run under.

    Empty for other draws, or if nothing is known of what they were made with.
    """
    draws, posterior = getattr(case, "draws", None), getattr(case, "posterior", None)
    if draws is None:
        return ""
    model: object = None
    if draws.luck is not None:
        model = draws.luck.model
    elif posterior is not None and draws == posterior.draws.without(
        set(posterior.draws.names).difference(draws.names)
    ):
        made = posterior.about.get("made")
        model = made.get("model") if isinstance(made, Mapping) else None
    return OTHERWISE if model and model != source_digest(added=case.catalogue.code) else ""


def versions(case: Case) -> dict[str, str]:
    """Return the versions and the platform that a result of a case is made with.

    ``ensemble`` is among them where an ensemble or a posterior is of another version of the model.
    """
    added = [f"{name} ({_offered_by(name)})" for name in case.mechanisms]
    source = f"; source {case.catalogue.code[:12]}" if case.catalogue.code else ""
    more = {"mechanisms": f"{', '.join(added)}{source}"} if added else {}
    more |= {"ensemble": found} if (found := ensemble_version(case)) else {}
    return {
        "breakrank": breakrank.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": importlib.metadata.version("numba"),
        "platform": platform.platform(),
        **more,
    }


def _offered_by(mechanism: str) -> str:
    if mechanism in plugins.OPTIONAL:
        return "Breakrank's own"
    dist = plugins.distribution(mechanism)
    return "not installed" if dist is None else f"{dist.name} {dist.version}"
