"""The record beside the model: every target of the case on the fan of the measure it counts."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from breakrank.errors import UsageError
from breakrank.model import known_measures
from breakrank.outputs import YES_OR_NO, Measure
from breakrank.results.measures import find, read, source_of, strength_of
from breakrank.results.outcome_names import called
from breakrank.results.outcomes import record, used
from breakrank.show.evidence import Evidence, Voice
from breakrank.show.marks import RecordMark
from breakrank.show.tables import Kind, SpreadSeries, labels, plain, series
from breakrank.show.words import between, day, interval, unit_of

if TYPE_CHECKING:
    from breakrank.case import Target
    from breakrank.results import Result


@dataclass(frozen=True, eq=False, slots=True)
class Against:
    """One measure with the figures of the record that count the same.

    Attributes
    ----------
    series : the model's, counted from the same day on as the record.
    counted : the record's figures.
    targets : ids of their targets, in the same order.
    """

    series: SpreadSeries
    counted: tuple[RecordMark, ...]
    targets: tuple[str, ...]


def against(result: Result) -> list[Against]:
    """Return the record beside the model, one entry for each thing counted, in order of the case's targets.

    Ratios have no value by day and stand in the table of outcomes only, as do targets past the calendar.
    """
    evidence = Evidence(result.case)
    groups: dict[tuple[Any, ...], list[Target]] = {}
    end = result.case.calendar.end
    for target in result.case.targets:
        if target.date <= end and not target.against and _by_day(target.measure):
            by = tuple(sorted((k, _ids(v)) for k, v in (target.by or {}).items()))
            groups.setdefault((target.measure, target.start, by), []).append(target)
    found = []
    for (name, since, by), targets in groups.items():
        one = daily(result, find(name), since, dict(by), [t.date for t in targets])
        if one is not None:
            counted = tuple(_counted(t, result, evidence) for t in targets)
            found.append(Against(one, counted, tuple(t.id for t in targets)))
    return found


def _by_day(name: str) -> bool:
    """Return whether a measure has a value by day that a fan can show: no ratio, and no yes or no."""
    measure = known_measures().get(name)
    return (
        measure is not None
        and measure.kind not in ("ratio", "quotient", "caught")
        and measure.unit != YES_OR_NO
    )


def beside(one: Against) -> list[str]:
    """Return, for each figure of the record, what the model says of that day and what the record says."""
    frame, unit, lines = one.series.frame, unit_of(one.series), []
    several = frame["date"].iloc[0].year != frame["date"].iloc[-1].year
    for counted in one.counted:
        at = frame[frame["date"] == pd.Timestamp(counted.date)].iloc[0]
        ends = interval(float(at["q05"]), float(at["q95"]), unit)
        middle = between(float(at["median"]), float(at["q05"]), float(at["q95"]), unit)
        spread = f" ({ends})" if one.series.runs > 1 and ends != middle else ""
        lines.append(f"{day(counted.date, year=several)}: {middle}{spread}, record {counted.marked}")
    return lines


def daily(
    result: Result,
    measure: Measure,
    since: dt.date | None,
    by: dict[str, tuple[str, ...]],
    marked: Sequence[dt.date],
) -> SpreadSeries | None:
    """Return a measure day by day; ``None`` where the result holds no variable that answers it by day.

    The marked days, those of the record, are among its days however long the calendar is.
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


def _counted(target: Target, result: Result, evidence: Evidence) -> RecordMark:
    said = record(target, result.case)
    return RecordMark(
        date=target.date,
        low=said.low if math.isfinite(said.low) else None,
        high=said.high if math.isfinite(said.high) else None,
        label=target.label,
        source=_source(evidence.voices(target.evidence)) or f"assumed: {target.assumed or 'no reason given'}",
        link=f"#target-{target.id}",
        unit="share" if target.unit == "share" else "",
        used=used(target, result.case),
    )


def _source(voices: Sequence[Voice]) -> str:
    """Return the first two who say so, and how many more do."""
    told = "; ".join(v.said for v in voices[:2])
    return f"{told}; and {len(voices) - 2} more" if len(voices) > 2 else told
