"""The one table of places that the log of a run counts through."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breakrank.case.case import Case


def places(case: Case) -> tuple[str, ...]:
    """Return the ids that an event's place counts through: states, crossings, then sites (each id once)."""
    return tuple(
        dict.fromkeys(
            (
                *(s.id for s in case.force.states),
                *(c.id for c in case.crossings),
                *(s.id for s in case.sites),
            )
        )
    )
