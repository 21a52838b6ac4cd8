"""A made-up result with plots and risings in its series and its log."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from breakrank.engine.codes import EVENTS
from tests.results.voices import plots_log
from tests.show.world import made


def events_of(logs: dict[int, dict[str, Any]]) -> Any:
    """Return logs by run as the event table of a result."""
    import pyarrow as pa

    columns: dict[str, Any] = {
        "run": pa.array(np.repeat(list(logs), [len(log["day"]) for log in logs.values()]).astype(np.int32))
    }
    for name in ("day", "soldier", "event", "place", "other", "value"):
        values = np.concatenate([log[name] for log in logs.values()])
        if name == "event":
            index = pa.array(values.astype(np.int16))
            columns[name] = pa.DictionaryArray.from_arrays(index, pa.array(list(EVENTS)))
        else:
            columns[name] = pa.array(values)
    return pa.table(columns)


def voiced(runs: int = 8, logs: dict[int, dict[str, Any]] | None = None, **world: Any) -> Any:
    """Return a made-up result whose run 1 has some forty plots and a rising, or has the given logs."""
    result = made(runs=runs, **world)
    return dataclasses.replace(result, events=events_of({1: plots_log()} if logs is None else logs))
