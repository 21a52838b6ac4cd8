"""The versions that a result is made with."""

from __future__ import annotations

import importlib.metadata
import platform
from typing import TYPE_CHECKING

import numpy as np

import breakrank
from breakrank import plugins

if TYPE_CHECKING:
    from breakrank.case import Case


def versions(case: Case) -> dict[str, str]:
    """Return the versions and the platform that a result of a case is made with."""
    added = [f"{name} ({_offered_by(name)})" for name in case.mechanisms]
    source = f"; source {case.catalogue.code[:12]}" if case.catalogue.code else ""
    more = {"mechanisms": f"{', '.join(added)}{source}"} if added else {}
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
