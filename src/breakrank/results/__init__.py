"""The labelled result of a study: variables, outcomes beside the record, the folder it is kept in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breakrank.results.outcome import Outcome, Record
    from breakrank.results.outcomes import measure, outcomes
    from breakrank.results.result import Result, load_result, save_result

__all__ = [
    "Outcome",
    "Record",
    "Result",
    "load_result",
    "measure",
    "outcomes",
    "save_result",
]

_HOME = {
    "Result": "result",
    "Outcome": "outcome",
    "Record": "outcome",
    "measure": "outcomes",
    "outcomes": "outcomes",
    "load_result": "result",
    "save_result": "result",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
