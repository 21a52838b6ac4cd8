"""Which draws a comparison is asked of, and what it therefore says.

Runs that were selected because they agree with observed figures do so only as they are. A change that acts
within the days of those figures undoes part of the selection, and outcomes fall back towards what they are
without it (regression to the mean). A difference would hold that as well as the change. So selected runs
are compared only where the change acts later. All else is asked of draws from the posterior, or of the
values of a case without one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from breakrank.results.uncertainty import FIXED, chance_only

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.draws import Luck


def valid_draws(case: Case, others: Sequence[Case]) -> list[Case]:
    """Return a case and those it is compared with, all under draws that are valid for the comparison."""
    every = [case, *others]
    keeps = all(_selection(one) == _selection(case) for one in others)
    if keeps and not any(undoes_selection(case, other) for other in others):
        return every
    return [unselected(one) for one in every]


def undoes_selection(case: Case, other: Case) -> bool:
    """Return whether what differs between two cases acts within the days that the runs were selected for."""
    luck = _selection(case)
    return luck is not None and case.digest != other.digest and acts_from(case, other) <= luck.until


def unselected(case: Case) -> Case:
    """Return a case under its posterior, or at its values without one, where its runs were selected.

    Parameters that were set stay set.
    """
    draws = case.draws if _selection(case) is not None else None
    if draws is None:
        return case
    if case.posterior is None:
        return case.with_draws(None)
    kept = case.posterior.draws
    return case.with_draws(kept.without(set(kept.names).difference(draws.names)))


def query_of(case: Case, other: Case) -> dict[str, Any]:
    """Return what a comparison of two cases asks, ready for JSON: kind, days, and the same in words.

    ``"forecast"``: of runs selected up to a day, after which the change acts; ``"at large"``: of others.
    """
    luck = _selection(case)
    kind, given = ("at large", None) if luck is None else ("forecast", str(luck.until))
    return {"kind": kind, "given": given, "from": str(acts_from(case, other)), "told": asked_of(case)}


def asked_of(case: Case) -> str:
    """Return in a sentence which draws a comparison with a case is asked of."""
    if (luck := _selection(case)) is not None:
        return f"Runs agree with the record up to {luck.until}; the change acts later."
    if chance_only(case):
        return f"{FIXED.capitalize()}: intervals leave out what is not known of the parameters."
    return "Runs are draws from the posterior, since a change undoes a selection of runs by the record."


def acts_from(case: Case, other: Case) -> dt.date:
    """Return the first day on which two cases can differ: that of an event, if only events differ."""
    start = case.calendar.start
    one, two = case.content, other.content
    alike = type(case)(replace(two, events=one.events), case.catalogue)
    if alike.digest != case.with_draws(None).digest:
        return start
    changed = [e for e in one.events if e not in two.events] + [e for e in two.events if e not in one.events]
    return max(start, min((e.date for e in changed), default=start))


def _selection(case: Case) -> Luck | None:
    return getattr(getattr(case, "draws", None), "luck", None)
