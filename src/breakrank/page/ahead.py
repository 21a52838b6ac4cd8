"""What next: the answer to ``forecast`` as of a day, computed beforehand or while somebody waits for it."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from breakrank.page.background import shipped
from breakrank.questions.declared import ForecastQuestion
from breakrank.wording import call_again

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.page.background import BackgroundMaking, Found


def key(case: Case, as_of: str) -> str:
    """Return the name under which a forecast of a case is kept."""
    return f"next-{case.with_draws(None).digest[:24]}-{as_of}"


def kept(case: Case, as_of: str | None) -> Found | None:
    """Return the forecast that comes with Breakrank for a case, if one does as of this day, or of any."""
    found = shipped(case.id, "next")
    return found if found is not None and as_of in (None, day_of(found)) else None


def day_of(found: Found) -> str:
    """Return the day as of which a kept forecast was made, ISO: the last word of its title."""
    return str(found["title"]).split()[-1]


def usual_day(case: Case) -> str:
    """Return the day as of which one asks first: half-way from the first to the last observed figure."""
    days = sorted(t.date for t in case.targets if case.calendar.start <= t.date < case.calendar.end)
    start, end = (days[0], days[-1]) if days else (case.calendar.start, case.calendar.end)
    middle = start + (end - start) / 2
    return str(min(middle, case.calendar.end - dt.timedelta(days=1)))


def computed(case: Case, as_of: str, making: BackgroundMaking) -> Answer:
    """Return a forecast; what is finished is kept in the store of its making.

    Raises
    ------
    KeyboardInterrupt
        where it was stopped.
    UsageError
        for a day after which nothing is left.
    """
    question = ForecastQuestion(as_of)
    making.command = call_again(question.name, case.id, **question.flags())
    return question.answer(case, making).answer
