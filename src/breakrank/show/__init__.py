"""Charts and the report of a result. Nothing here computes the model.

``plot`` and ``write_report`` need the optional extra ``report`` (the first Altair, the second
Jinja) and load it when they are called.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breakrank.show.charts import chart as plot
    from breakrank.show.report import write_report

__all__ = ["plot", "write_report"]

_HOME = {"plot": ("charts", "chart"), "write_report": ("report", "write_report")}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _HOME[name]
    found: object = getattr(importlib.import_module(f"{__name__}.{module}"), attribute)
    return found
