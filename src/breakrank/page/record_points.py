"""Where figures of the record stand on the fans: only on a fan that shows the very sum which they count."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from breakrank.errors import UsageError, nearest
from breakrank.outputs import MeasureSource
from breakrank.results.json_files import finite

if TYPE_CHECKING:
    from breakrank.case import Target
    from breakrank.results import Result

Kind = Literal["total", "daily", "level"]
"""What a fan shows of a variable: all up to a day, what a day adds, or how it stands on a day."""
Part = dict[str, frozenset[str]]
"""Labels by dimension; what is not named is summed over."""


@dataclass(frozen=True, slots=True)
class FanCount:
    """What a fan shows.

    Attributes
    ----------
    name, by, label, unit : what was asked for, by which dimension, and what it is called.
    kind : see :data:`Kind`.
    source : the variables that are added up, and the part of them that is read.
    array : the sum, (run, day) or (run, day, by).
    """

    name: str
    by: str | None
    label: str
    unit: str
    kind: Kind
    source: MeasureSource
    array: Any


@dataclass(frozen=True, slots=True)
class RecordPoint:
    """A figure of the record on a fan: the labels it counts (none where the fan has no dimension)."""

    labels: tuple[str, ...]
    told: dict[str, Any]


def read_of(name: str) -> tuple[str, ...]:
    """Return the variables that are read for a variable or measure; none for a name that is neither."""
    from breakrank.model import known_measures, known_outputs

    if name in known_outputs():
        return (name,)
    sources = measures[name].sources.values() if name in (measures := known_measures()) else ()
    return tuple(dict.fromkeys(v for source in sources for v in source.variables))


def counted(result: Result, name: str, by: str | None, cumulative: bool) -> FanCount:
    """Return what a fan of a variable, or of a measure that is a sum, shows.

    Raises
    ------
    UsageError
        for a name or dimension that there is not, or a running total of what does not add up.
    """
    from breakrank.model import known_measures

    data = result.data
    daily = {str(n) for n, one in data.items() if {"run", "day"} <= set(one.dims)}
    if name in daily or name not in (measures := known_measures()):
        source, label, unit = MeasureSource(name), "", ""
    else:
        about = measures[name]
        if by and by not in about.sources:
            others = ", ".join(one for one in about.sources if one) or "nothing else"
            raise UsageError(f"{name} is not counted by {by!r:.60} (but by {others})")
        source, label, unit = about.sources.get(by or "", MeasureSource(name)), about.label, about.unit
        if about.kind not in ("total", "level"):
            source = MeasureSource(name)
    if not daily.issuperset(source.variables):
        raise UsageError(f"no variable {name!r:.60}{nearest(name[:60], sorted(daily))} by day in this answer")
    first = data[source.variable]
    if by is not None and by not in first.dims:
        others = ", ".join(str(d) for d in first.dims if d not in ("run", "day")) or "nothing else"
        raise UsageError(f"{name} is not counted by {by!r:.60} (but by {others})")
    sums = first.attrs.get("aggregation") == "sum"
    if cumulative and not sums:
        raise UsageError(f"{name} is no daily count, so it has no running total")
    unit = unit or str(first.attrs.get("unit", ""))
    if label and sums:  # a measure is a total; the day's part of it is so much a day
        unit += " per day"
    return FanCount(
        name,
        by,
        label or str(first.attrs.get("label", name)),
        unit,
        "total" if cumulative else "daily" if sums else "level",
        source,
        _array(data, source, by),
    )


def _array(data: Any, source: MeasureSource, by: str | None) -> Any:  # noqa: ANN401 (xarray is heavy)
    """Return the variables of a source added up at its labels, over everything but run, day and `by`."""
    whole = None
    for name in source.variables:
        array = data[name]
        array = array.sel({d: [v] if isinstance(v, str) else list(v) for d, v in source.at.items()})
        rest = [d for d in array.dims if d not in ("run", "day", by)]
        array = array.sum(rest) if rest else array
        whole = array if whole is None else whole + array
    return whole


def days_of(result: Result) -> list[str]:
    """Return the days of an answer, ISO."""
    return [str(day)[:10] for day in result.data["day"].values]


def points_of(result: Result, fan: FanCount) -> list[RecordPoint]:
    """Return the figures of the record that count what a fan shows, or some of its labels taken together."""
    from breakrank.results.outcomes import record

    case = result.case
    days = days_of(result)
    first, last = dt.date.fromisoformat(days[0]), dt.date.fromisoformat(days[-1])
    found = []
    for target in case.targets:
        labels = _labels(target, fan, first) if first <= target.date <= last else None
        if labels is None:
            continue
        said = record(target, case)
        told = {
            "group": "+".join(labels) or None,
            "date": str(target.date),
            "low": finite(said.low),
            "high": finite(said.high),
            "label": target.label,
            "target": target.id,
        }
        found.append(RecordPoint(labels, told))
    return found


def _labels(target: Target, fan: FanCount, first: dt.date) -> tuple[str, ...] | None:
    """Return which labels of a fan a target counts; ``None`` if the fan does not show that sum."""
    from breakrank.model import known_measures

    about = known_measures().get(target.measure)
    if about is None or target.against or not _same_days(about.kind, target, fan.kind, first):
        return None
    if len(target.by or {}) > 1:
        return None  # no fan shows a part of two kinds
    dim = next(iter(target.by or {}), "")
    source = about.sources.get(dim)
    if source is None:
        return None
    named = about.id == fan.name and fan.by == (dim or None)
    if set(source.variables) != set(fan.source.variables) and not named:
        return None
    wanted = (target.by or {}).get(dim, ())
    part = _part(source.at) | ({dim: frozenset(wanted)} if dim else {})
    shown = _part(fan.source.at)
    if fan.by is None:
        return () if named or part == shown else None
    if fan.by not in part or {d: v for d, v in part.items() if d != fan.by} != shown:
        return None
    return tuple(wanted) if dim == fan.by else tuple(sorted(part[fan.by]))


def _same_days(kind: str, target: Target, shown: Kind, first: dt.date) -> bool:
    """Return whether a fan that shows `shown` shows the days which a target counts, on the target's date."""
    if shown == "level" or kind == "level":
        return shown == kind
    if kind != "total":
        return False
    since = first if target.start is None else max(target.start, first)
    return since == (first if shown == "total" else target.date)


def _part(at: Mapping[str, str | tuple[str, ...]]) -> Part:
    return {d: frozenset([v] if isinstance(v, str) else v) for d, v in at.items()}
