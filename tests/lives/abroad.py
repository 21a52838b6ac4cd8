"""Made-up lives abroad: logs by hand, with routes and sites named by their ids."""

from __future__ import annotations

from typing import Any

import numpy as np

from breakrank.case import Case
from breakrank.engine.codes import EVENTS
from breakrank.force import Force
from breakrank.lives.query import Lives
from tests.lives.asked import NOBODY, with_log

Row = tuple[int, str, int, str, float]
"""Day, name of the event, who, id of a route or site ("" for none), value."""


def log(case: Case, *rows: Row, others: dict[int, int] | None = None) -> dict[str, Any]:
    """Return a log of these rows, in order of their days; `others` gives row: the other soldier."""
    order = sorted(range(len(rows)), key=lambda k: rows[k][0])
    told = [rows[k] for k in order]
    beside = [(others or {}).get(k, NOBODY) for k in order]
    return {
        "day": np.array([r[0] for r in told], np.int16),
        "soldier": np.array([r[2] for r in told], np.uint32),
        "event": np.array([EVENTS.index(r[1]) for r in told], np.uint8),
        "place": np.array([place(case, r[3]) for r in told], np.int16),
        "other": np.array(beside, np.uint32),
        "value": np.array([r[4] for r in told], np.float32),
    }


def place(case: Case, name: str) -> int:
    """Return the log's code of a place; a site of the id of a crossing is not meant."""
    states, crossings = len(case.force.states), [c.id for c in case.crossings]
    if not name:
        return -1
    if name in crossings:
        return states + crossings.index(name)
    return states + len(crossings) + case.sites.position(name)


def lived(case: Case, force: Force, *rows: Row) -> Lives:
    """Return a run with this log, in which all are opposed and serve at the end."""
    return with_log(case, force, log(case, *rows))
