"""Measures day by day that observed figures count, so that the figures can stand on their fans."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.errors import UsageError
from breakrank.model import known_measures
from breakrank.outputs import YES_OR_NO, Measure
from breakrank.results.measures import find, read, source_of, strength_of
from breakrank.results.outcome_names import called
from breakrank.show.tables import Kind, SpreadSeries, labels, plain, series
from breakrank.show.words import day

if TYPE_CHECKING:
    from breakrank.case import Target
    from breakrank.results import Result


def observed_series(result: Result) -> Iterator[tuple[SpreadSeries, tuple[str, ...]]]:
    """Yield each measure by day that observed figures count, with the ids of their targets, in their order.

    It is counted from the same day on as the figures. Ratios have no value by day, and targets past the
    calendar are left out.
    """
    groups: dict[tuple[Any, ...], list[Target]] = {}
    end = result.case.calendar.end
    for target in result.case.targets:
        if target.date <= end and not target.against and _by_day(target.measure):
            by = tuple(sorted((k, _ids(v)) for k, v in (target.by or {}).items()))
            groups.setdefault((target.measure, target.start, by), []).append(target)
    for (name, since, by), targets in groups.items():
        one = daily(result, find(name), since, dict(by), [t.date for t in targets])
        if one is not None:
            yield one, tuple(t.id for t in targets)


def _by_day(name: str) -> bool:
    """Return whether a measure has a value by day that a fan can show: no ratio, and no yes or no."""
    measure = known_measures().get(name)
    return (
        measure is not None
        and measure.kind not in ("ratio", "quotient", "caught")
        and measure.unit != YES_OR_NO
    )


def daily(
    result: Result,
    measure: Measure,
    since: dt.date | None,
    by: dict[str, tuple[str, ...]],
    marked: Sequence[dt.date],
) -> SpreadSeries | None:
    """Return a measure day by day; ``None`` where the result holds no variable that answers it by day.

    The marked days, those of observed figures, are among its days however long the calendar is.
    """
    try:
        source = source_of(result.data, measure, by)
    except UsageError:
        return None
    array = read(result.data, source, by)
    if "day" not in array.dims:
        return None
    values = array.transpose("run", "day").values
    kind: Kind = "cumulative"
    if measure.kind == "level":
        kind = "share" if measure.unit == "share" else "stock"
    label = called(measure.id)
    for dim, ids in by.items():
        names = labels(result, dim)
        label += f": {', '.join(names.get(i, plain(i)) for i in ids)}"
    dates, each = result.data["day"].values, result.case.stands_for
    if since is not None:
        kept = dates >= np.datetime64(since)
        dates, values = dates[kept], values[:, kept]
        days = result.case.calendar
        label += f", from {day(since, year=days.start.year != days.end.year)}"
    key = "-".join([measure.id, *(i for ids in by.values() for i in ids), str(since or "start")])
    if measure.kind == "share":
        strength = strength_of(result.data, by)
        values = np.cumsum(values, axis=1) / strength[:, None]
        return series(values, dates, key, label, "share", "share", marked)
    return series(values, dates, key, label, kind, measure.unit, marked, each)


def _ids(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
