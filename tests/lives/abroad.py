"""Made-up lives abroad: logs by hand, with routes and sites named by their ids."""

from typing import Any

from breakrank.case import Case
from breakrank.force import Force
from breakrank.lives.stories import Lives
from tests.lives.asked import with_log
from tests.results import voices

Row = tuple[int, str, int, str, float]
"""Day, name of the event, who, id of a route or site ("" for none), value."""


def log(case: Case, *rows: Row, others: dict[int, int] | None = None) -> dict[str, Any]:
    """Return a log of these rows, in order of their days; `others` gives row: the other soldier."""
    told = [
        (day, name, who, (others or {}).get(k), value) for k, (day, name, who, _, value) in enumerate(rows)
    ]
    return voices.log(*told, places=[place(case, row[3]) for row in rows])


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
