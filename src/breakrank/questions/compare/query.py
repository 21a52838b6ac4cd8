"""Which question a comparison asks: of the world that happened, of what is to come, or of the model at large.

Over worlds that agree with a record, a comparison takes three steps (Pearl 2009, chapter 7). Abduction:
worlds, parameters and luck, that agree with what was known. Action: the change. Prediction: the same worlds
with the change and without it, under the same luck.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from breakrank.case import Case


def query_of(case: Case, other: Case) -> dict[str, Any]:
    """Return what a comparison of two cases asks, ready for JSON: kind, days, and the same in words.

    ``"counterfactual"``: the change acts within the time that the worlds agree with; ``"forecast"``: later;
    ``"at large"``: runs agree with no figure in particular.
    """
    luck = getattr(getattr(case, "draws", None), "luck", None)
    day = acts_from(case, other)
    if luck is None:
        told = (
            "Asked: what the change does in the model at large. Runs have parameters and random draws of "
            "their own, the same in both; they need not agree with the record. The change acts from "
            f"{day} on."
        )
        return {"kind": "at large", "given": None, "from": str(day), "told": told}
    worlds = f"worlds that agree with the record up to {luck.until}"
    if day <= luck.until:
        told = (
            f"Asked: what would have been different in the world that happened. Runs are {worlds}. The "
            f"change acts from {day} on, with the same random draws."
        )
        return {"kind": "counterfactual", "given": str(luck.until), "from": str(day), "told": told}
    told = (
        f"Asked: what the change would do from {day} on. Runs are {worlds}, and go on with fresh random "
        "draws, the same in both."
    )
    return {"kind": "forecast", "given": str(luck.until), "from": str(day), "told": told}


def acts_from(case: Case, other: Case) -> dt.date:
    """Return the first day on which two cases can differ: that of an event, if only events differ."""
    start = case.calendar.start
    one, two = case.content, other.content
    alike = type(case)(replace(two, events=one.events), case.catalogue)
    if alike.digest != case.with_draws(None).digest:
        return start
    changed = [e for e in one.events if e not in two.events] + [e for e in two.events if e not in one.events]
    return max(start, min((e.date for e in changed), default=start))
