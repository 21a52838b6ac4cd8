"""What leads an answer, up to the day that the page shows: the finding, and beside it the unchanged case."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.case.dates import as_date
from breakrank.errors import UsageError
from breakrank.page.record_points import read_of
from breakrank.questions.compare.compare import LEFT, LEFT_LABEL, sentence
from breakrank.questions.paired import by_day, check_pair
from breakrank.questions.run.headline import finding, more
from breakrank.results.paired import difference, pairs_of
from breakrank.results.uncertainty import rows_of
from breakrank.show.words import day as spoken

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.results import Result

READ = ("exits_rank", "fates", "fate_rank", "opposed", "belief")
"""Variables that it is read from where the case chooses no headline."""


def read(case: Case) -> tuple[str, ...]:
    """Return the variables that the headline of a case is read from."""
    chosen = [t.measure for t in case.targets if t.id == case.headline]
    return (*READ, *(name for measure in chosen for name in read_of(measure)))


def headline(result: Result, base: Result | None, day: str | None) -> dict[str, Any]:
    """Return the finding up to a day (by default the last), the totals, and what the unchanged case has.

    Where the case chooses its headline, that leads the finding.

    Raises
    ------
    UsageError
        for a day outside the calendar, or answers that cannot be paired.
    """
    until = _until(result, day)
    seen = _cut(result, until)
    return {
        "day": str(until),
        "runs": result.runs,
        "finding": [(finding(seen), True)],
        "beside": "" if base is None else _beside(_cut(base, until), seen),
        "totals": " ".join(more(seen)),
    }


def _until(result: Result, day: str | None) -> dt.date:
    first, last = (dt.date.fromisoformat(str(result.data["day"].values[k])[:10]) for k in (0, -1))
    if day is None:
        return last
    asked = as_date(day, "day")
    if not first <= asked <= last:
        raise UsageError(f"{asked} is not a day of these runs, which last from {first} to {last}")
    return asked


def _cut(result: Result, until: dt.date) -> Result:
    return replace(result, data=result.data.sel(day=slice(None, np.datetime64(until))))


def _beside(base: Result, changed: Result) -> str:
    """Say what the change does to how many leave, pair by pair."""
    check_pair(base.case, changed.case)
    runs, i, j = pairs_of(base, changed)
    if base.seed != changed.seed or runs.size < 2:
        return ""
    days = [by_day(one, LEFT) for one in (base, changed)]
    if days[0] is None or days[1] is None:
        return ""
    a, b = days[0][i, -1], days[1][j, -1]
    if not a.any() and not b.any():
        return ""
    one = difference(LEFT, LEFT_LABEL, "soldiers", a, b, rows_of(base.case, base.seed, runs))
    return sentence(one, spoken(changed.data["day"].values[-1]))
