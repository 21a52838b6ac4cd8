"""A dated field as an array by day: the series of the case, then its events, then the limits."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.case.content import Content, Series
from breakrank.case.force_spec import force_spec
from breakrank.case.models_base import Calendar
from breakrank.case.models_events import Effect, Event
from breakrank.errors import CaseError, Location
from breakrank.spec import Field

Cells = NDArray[np.float64]


def resolve_field(
    content: Content,
    field: Field,
    place: Callable[[Event, int], Location] = lambda event, _: Location(key=event.id),
) -> Cells:
    r"""Return a field on every day of the calendar, float64 (days, \\*dims), finite.

    Events act in the order of their dates, on one date in the order of the file; the result is clipped
    to the field's range once, at the end. An effect lasts from the event's date on: for good, up to
    its `until` (included), or halving every `half_life` days. What began before the calendar is
    carried into it. `place` says where an effect of an event stands, for the message.

    Raises
    ------
    CaseError
        for the effect that takes the field beyond all numbers.

    Where a field is told apart by state or branch, this is its mean over the force as it is stationed.
    """
    if told_apart(content, field):
        return _mean(content, resolve_field(content, field.whole, place))
    ids = dimension_ids(content)
    labels = tuple(ids[d] for d in field.dims)
    values = _base(content, field, labels)
    watched = may_overflow(content, field)
    for event in sorted(content.events, key=lambda e: e.date):  # stable: file order within a date
        for k, effect in enumerate(event.effects):
            if effect.field == field.name:
                with np.errstate(over="ignore", invalid="ignore"):
                    _act(values, field, labels, content.case.calendar, event, effect)
                if watched and not np.isfinite(values).all():
                    day = content.case.calendar.date(int(np.argwhere(~np.isfinite(values))[0, 0]))
                    problem = (
                        f"the event {event.id!r} takes the field {field.name!r} beyond all numbers on {day}"
                    )
                    raise CaseError(
                        problem, place(event, k), "Write smaller factors, or op: set once in between."
                    )
    np.clip(values, field.low, field.high, out=values)
    return values


def may_overflow(content: Content, field: Field) -> bool:
    """Return whether the effects on a field, taken together, could lead beyond all numbers."""
    size, factor = max(abs(field.low), abs(field.high)), 1.0
    for event in content.events:
        for effect in event.effects:
            if effect.field == field.name and effect.op == "multiply":
                factor *= max(1.0, abs(effect.value))
            elif effect.field == field.name:
                size += abs(effect.value)
    return not math.isfinite(size * factor)


def series_of(content: Content, field: Field) -> Cells:
    r"""Return a field by day before any event, float64 (days, \\*dims)."""
    if told_apart(content, field):
        return _mean(content, series_of(content, field.whole))
    ids = dimension_ids(content)
    return _base(content, field, tuple(ids[d] for d in field.dims))


def told_apart(content: Content, field: Field) -> bool:
    """Return whether a case tells a field apart by dimensions that it need not have."""
    entry = content.fields.get(field.name)
    if not field.local or (entry is not None and set(entry.dims) & set(field.local)):
        return bool(field.local)
    return any(
        effect.field == field.name and (effect.states or effect.branches)
        for event in content.events
        for effect in event.effects
    )


def _mean(content: Content, values: Cells) -> Cells:
    """Return the mean of a field over the force as it is stationed, of (days, state, branch, ...)."""
    force = force_spec(content)
    posted = force.stations * np.array([b.strength for b in force.branches], np.float64)
    return np.asarray(np.einsum("dsb...,sb->d...", values, posted / posted.sum()))


def dimension_ids(content: Content) -> dict[str, tuple[str, ...]]:
    """Return the ids along each dimension that fields can have."""
    force = content.force
    return {
        "state": tuple(s.id for s in force.states),
        "branch": tuple(b.id for b in force.branches),
        "rank": tuple(r.id for r in force.ranks),
        "route": tuple(c.id for c in content.routes.crossings),
    }


def _base(content: Content, field: Field, labels: tuple[tuple[str, ...], ...]) -> Cells:
    """Return the series before any event."""
    calendar = content.case.calendar
    shape = (calendar.days, *(len(x) for x in labels))
    entry = content.fields.get(field.name)
    if entry is None:
        assert field.base is not None  # the checks demand every field without a base
        return np.full(shape, field.base, np.float64)
    if entry.value is not None:
        return np.full(shape, entry.value, np.float64)
    assert entry.file is not None
    out = np.empty(shape)
    own = tuple(labels[field.dims.index(d)] for d in entry.dims)
    columns = series_by_cell(content.series[entry.file], own)
    days = np.arange(calendar.start.toordinal(), calendar.end.toordinal() + 1)
    inner = np.empty((calendar.days, *(len(x) for x in own)))
    for cell, points in columns.items():
        every: tuple[Any, ...] = (slice(None), *cell)
        if not points:  # nobody serves there, so that the checks ask for no row
            inner[every] = field.low if field.base is None else field.base
            continue
        at = np.array(sorted(points))
        level = np.array([points[d] for d in sorted(points)])
        if entry.interpolate == "linear":
            inner[every] = np.interp(days, at, level)
        else:
            inner[every] = level[np.maximum(np.searchsorted(at, days, side="right") - 1, 0)]
    # The table's dimensions come in its own order and may be fewer: bring them to the field's.
    order = sorted(range(len(entry.dims)), key=lambda k: field.dims.index(entry.dims[k]))
    inner = inner.transpose(0, *(k + 1 for k in order))
    for k, dim in enumerate(field.dims):
        if dim not in entry.dims:
            inner = np.expand_dims(inner, k + 1)
    out[...] = inner
    return out


def series_by_cell(
    series: Series, labels: tuple[tuple[str, ...], ...]
) -> dict[tuple[int, ...], dict[int, float]]:
    """Return the points (ordinal day to value) of each cell; a row that names an id beats one with ``*``.

    Every cell is there, without points where no row covers it.
    """
    where = [{name: (k,) for k, name in enumerate(x)} | {"*": tuple(range(len(x)))} for x in labels]
    cells: dict[tuple[int, ...], dict[int, float]] = {c: {} for c in np.ndindex(*(len(x) for x in labels))}
    for k in sorted(range(len(series.dates)), key=lambda k: -series.ids[k].count("*")):
        day, value = series.dates[k].toordinal(), series.values[k]
        for cell in product(*(index[name] for index, name in zip(where, series.ids[k], strict=True))):
            cells[cell][day] = value
    return cells


def _act(
    values: Cells,
    field: Field,
    labels: tuple[tuple[str, ...], ...],
    calendar: Calendar,
    event: Event,
    effect: Effect,
) -> None:
    """Let one effect change the days and cells it reaches."""
    start = (event.date - calendar.start).days
    end = (
        calendar.days
        if effect.until is None
        else min(calendar.days, (effect.until - calendar.start).days + 1)
    )
    first = max(start, 0)
    if first >= end:
        return
    named = {"state": effect.states, "branch": effect.branches, "rank": effect.ranks}
    picks = [
        [x.index(i) for i in chosen] if (chosen := named[d]) is not None else list(range(len(x)))
        for d, x in zip(field.dims, labels, strict=True)
    ]
    where = np.ix_(range(first, end), *picks)
    if effect.op == "set":
        values[where] = effect.value
    elif effect.op == "multiply":
        values[where] *= effect.value
    else:
        age = np.arange(first - start, end - start, dtype=np.float64)
        fading = effect.value * 0.5 ** (age / (effect.half_life or np.inf))
        missing = 1 - values[where] if field.diminishing else 1.0
        values[where] += fading.reshape(-1, *(1 for _ in picks)) * missing
