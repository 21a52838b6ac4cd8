"""From which day a figure of the record is known: it has happened, and a cited source has printed it."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from breakrank.results.measures import counted_until

if TYPE_CHECKING:
    from breakrank.case import Case, Target


def known_from(target: Target, case: Case) -> dt.date | None:
    """Return the day from which a figure is known, ``None`` if no source is cited that prints it.

    It is the publication of the earliest cited source that can print it, and no source can before the date
    up to which the figure counts, less its lag. Where every cited source is older, the figure follows from
    them, and is known on its date.
    """
    published = case.ledger.publications(target)
    if not published:
        return None
    since = target.date - dt.timedelta(days=target.lag)
    printed = next((day for day in published if day >= since), target.date)
    return max(printed, counted_until(target))


def is_known(target: Target, case: Case, day: dt.date) -> bool:
    """Return whether a figure is known on a day."""
    known = known_from(target, case)
    return known is not None and known <= day


def unpublished(case: Case, day: dt.date) -> dict[str, dt.date | None]:
    """Return by id the figures of days up to a day that are not known on it, and from when they are."""
    return {
        target.id: known_from(target, case)
        for target in case.targets
        if case.calendar.start <= target.date <= day and not is_known(target, case, day)
    }
