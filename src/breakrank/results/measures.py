"""Measures: one number per run, at a date, read off the labelled variables; and the whole force they count.

A measure says which variable answers it, and which variable answers it by rank, branch, route or site.
What counts soldiers can be asked by state, rank and branch at once in runs of a case whose targets do so.
Where no variable answers, asking is an error, never a guess.

A force drawn in part: runs draw so many soldiers, and each stands for so many of the country. What runs hand
back counts those drawn. :attr:`Result.whole <breakrank.results.result.Result.whole>` counts those for whom
they stand, those who come along, and what all of them do, ask for and cost. Whatever is told a reader or set
beside the record is read there. Plots, uprisings, units and posts stay as simulated: how their number grows
with a force is not known.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, overload

import numpy as np
import numpy.typing as npt

from breakrank.case.case_data import answers
from breakrank.case.dates import DateLike, as_date
from breakrank.errors import UsageError, nearest
from breakrank.labels import (
    AIMS,
    FATES,
    OUTCOMES,
    PLOT_ENDS,
    PLOT_SIZES,
    STANCES,
    STAYS,
)
from breakrank.outputs import (
    PARTS,
    Measure,
    MeasureSource,
    Output,
    asked_part,
    in_proportion,
    strength_by,
)
from breakrank.wording import listed

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case, Target
    from breakrank.spec import Field


def field_variable(field: Field) -> Output:
    """Return the output under which a dated field of the case stands in a result."""
    label = field.name.replace("_", " ").capitalize()
    return Output(f"field_{field.name}", ("day", *field.dims), "float32", label, field.unit, "mean")


def coordinates(case: Case) -> dict[str, tuple[str, ...]]:
    """Return the ids along every labelled dimension (not run and day), for this case."""
    return {
        "outcome": tuple(OUTCOMES),
        "fate": (*FATES, *case.catalogue.fates),
        "rank": tuple(r.id for r in case.force.ranks),
        "branch": tuple(b.id for b in case.force.branches),
        "state": tuple(s.id for s in case.force.states),
        "route": tuple(c.id for c in case.crossings),
        "region": tuple(r.id for r in case.force.regions),
        "aim": tuple(AIMS),
        "plot_end": tuple(PLOT_ENDS),
        "plot_size": tuple(PLOT_SIZES),
        "stance": tuple(STANCES),
        "stay": tuple(STAYS),
        "site": tuple(s.id for s in case.sites),
        "payer": tuple(p.id for p in getattr(case, "payers", ())),
    }


def days(case: Case) -> np.ndarray[tuple[int], np.dtype[np.datetime64]]:
    """Return the case's days, datetime64[ns], first to last inclusive."""
    start = np.datetime64(case.calendar.start, "D")
    return (start + np.arange(case.calendar.days)).astype("datetime64[ns]")


def find(text: str) -> Measure:
    """Return the measure of that id, of a part or not, or raise :class:`UsageError` naming the nearest."""
    from breakrank.model import known_measures

    known, (name, _) = known_measures(), asked_part(text)
    if name not in known:
        raise UsageError(f"no measure {name!r}{nearest(name, known)} (known: {', '.join(known)})")
    return known[name]


Selector = Mapping[str, str | Sequence[str]]
Values = npt.NDArray[np.float64]

MONTH = 30
"""Days after the date over which ``rate_ratio`` takes the later rate."""
BEFORE = 28
"""Days before the date over which it takes the earlier one, where no start is given."""
HALF = 0.5
"""What of an event of one simulated soldier is added to both counts of a ratio."""


def measure(
    data: xr.Dataset,
    name: str,
    date: DateLike | None = None,
    since: DateLike | None = None,
    by: Selector | None = None,
) -> Values:
    """Return one measure, one number per run, float64 (run,).

    Parameters
    ----------
    data : dataset of a result.
    name : id of a measure (they are in the model's catalogue), with a part or without.
    date : the day it is read at dusk, inclusive; the last day by default. For ``rate_ratio`` the day
        from which the later rate runs.
    since : first day counted, inclusive; the first day by default. For ``rate_ratio`` the first of
        the days before, by default 28 days earlier.
    by : labels of one dimension, e.g. ``{"rank": "general"}`` or ``{"route": ["trail", "river"]}``, or of
        several where the runs counted them together; several labels are added up.

    Raises
    ------
    UsageError
        for an unknown measure, a day outside the calendar, or a selector no variable answers.
    """
    found = find(name)
    last = day_index(data, date) if date is not None else data.sizes["day"] - 1
    first = day_index(data, since) if since is not None else 0
    by = {**asked_part(name)[1], **(by or {})}
    if found.kind == "ratio":
        return _rate_ratio(data, found, last, first if since is not None else max(0, last - BEFORE), by)
    if first > last:
        raise UsageError(f"{name} is asked from {since} to {date}, which is before it")
    if found.kind == "level":
        return _level(data, found, last, by)
    if found.kind == "caught":
        return _caught(data, found, first, last, by)
    total = _total(data, found, first, last, by)
    if found.kind == "quotient":
        below = _values(data.variables[found.over].isel(day=slice(first, last + 1)).sum("day"))
        return np.divide(total, below, out=np.full_like(total, np.nan), where=below > 0)
    return total / strength_of(data, by) if found.kind == "share" else total


def measure_of(data: xr.Dataset, target: Target, last: dt.date | None = None) -> Values:
    """Return the measure of a target, one number per run, float64 (run,).

    Where it is set against another part, it is the ratio of the two counts, half an event added to each so
    that it stays finite (Haldane 1956; Anscombe 1956).

    Parameters
    ----------
    last : the day at which it is read, if not at the target's date.

    Raises
    ------
    UsageError
        as :func:`measure`.
    """
    date = last or target.date
    counted = measure(data, target.measure, date, target.start, target.by)
    if not target.against:
        return counted
    against = measure(data, target.measure, date, target.start, target.against)
    half = HALF * stands_for(data)
    return np.asarray((counted + half) / (against + half), dtype=np.float64)


def counted_until(target: Target) -> dt.date:
    """Return the day on which all that a figure speaks of has happened."""
    return target.date + dt.timedelta(days=MONTH) if find(target.measure).kind == "ratio" else target.date


def read_by(name: str, by: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the variables that a measure, of the whole force or of a part, may read by some dimensions."""
    found, dims = find(name), (*asked_part(name)[1], *by)
    also = {"caught": ("taken", "arrested", "uprisings"), "share": ("fates",)}.get(found.kind, ())
    over = (found.over,) if found.over else ()
    sources = (found.answered_by(dims), found.counted_source(dims))
    strength = (
        [strength_by(dims).name, *(f"fate_{dim}" for dim in dims)] if found.kind == "share" and dims else []
    )
    return (*(v for s in sources if s is not None for v in s.variables), *also, *over, *strength)


def day_index(data: xr.Dataset, date: DateLike) -> int:
    """Return the position of a date in the calendar, or raise :class:`UsageError`."""
    days = data.variables["day"].values.astype("datetime64[D]")
    index = int((np.datetime64(as_date(date, "date"), "D") - days[0]).astype(int))
    if not 0 <= index < len(days):
        raise UsageError(f"{date} is outside the calendar, which runs from {days[0]} to {days[-1]}")
    return index


def check_question(name: str, by: Selector | None, case: Case, *, last: bool = True) -> None:
    """Check before any run that a measure exists and can be asked by these labels of the case.

    `last` says whether it is asked on the last day only.

    Raises
    ------
    UsageError
        naming what does not exist, and the nearest that does.
    """
    found, by = find(name), {**asked_part(name)[1], **(by or {})}
    dims = tuple(by)
    _possible(found, by)
    output = None if answers(found, dims, case.catalogue, last=last) else found.counted_by(dims)
    if output is not None and output.name not in case.outputs:
        known = [dim for dim in found.dims if answers(found, (dim,), case.catalogue, last=last)]
        which = f"by {listed(known, 'or')}" if known else "for the whole force"
        raise UsageError(
            f"runs of {case.id} do not count {found.id} by {' and '.join(dims)}"
            f"{'' if last else ' on days before the last'}\n"
            f"  They count it {which}; otherwise where a target of the case asks for it."
        )
    for dim, labels in by.items():
        _labels(labels, dim, coordinates(case)[dim])


def _possible(found: Measure, by: Selector) -> None:
    """Raise :class:`UsageError` where a measure cannot be asked by these dimensions."""
    for dim in by:
        if dim not in found.dims:
            remedy = f"by {' or '.join(found.dims)}" if found.dims else "for the whole force only"
            raise UsageError(
                f"{found.id} is not recorded by {dim}{nearest(dim, found.dims)}; it can be asked {remedy}"
            )
    if found.answered_by(tuple(by)) is None and found.counted_by(tuple(by)) is None:
        raise UsageError(f"{found.id} can be asked by one of {', '.join(by)} at a time, not by several")


def source_of(data: xr.Dataset, found: Measure, by: Selector) -> MeasureSource:
    """Return the variable that answers a measure asked by these dimensions.

    Raises
    ------
    UsageError
        where it cannot be asked so, or these runs did not count it.
    """
    _possible(found, by)
    for source in (found.counted_source(tuple(by)), found.answered_by(tuple(by))):
        if source is not None and all(name in data for name in source.variables):
            return source
    asked = f"{found.id} by {' and '.join(by)}" if by else found.id
    missing = found.answered_by(tuple(by))
    if missing is None:
        raise UsageError(
            f"{asked} was not counted in these runs\n  Runs count it where a target of the case asks for it."
        )
    raise UsageError(f"{asked} needs {missing.variable}, which these runs did not record")


def _labels(given: str | Sequence[str], dim: str, known: Sequence[str]) -> list[str]:
    labels = [given] if isinstance(given, str) else list(given)
    for label in labels:
        if label not in known:
            raise UsageError(f"no {dim} {label!r}{nearest(label, known)} (known: {', '.join(known)})")
    return labels


def _read(data: xr.Dataset, found: Measure, by: Selector) -> xr.Variable:
    """Return the variable behind a measure at the labels asked for, summed over every other label."""
    source = source_of(data, found, by)
    if found.over and found.over not in data:
        raise UsageError(f"{found.id} needs {found.over}, which these runs did not record")
    known = {dim: [str(v) for v in data.variables[dim].values] for dim in by}
    return read(data, source, {dim: _labels(by[dim], dim, known[dim]) for dim in by})


def read(data: xr.Dataset, source: MeasureSource, by: Selector | None = None) -> xr.Variable:
    """Return the bare variables of a source added up, (run, day) or (run,), at these labels, over others."""
    at = {dim: _positions(data, dim, labels) for dim, labels in (*source.at.items(), *(by or {}).items())}
    arrays = [data.variables[name].isel(at) for name in source.variables]
    whole = arrays[0]
    for array in arrays[1:]:
        whole = whole + array
    over = [d for d in whole.dims if d not in ("run", "day")]
    # a sum over no dimension would still turn what is no number into 0
    return whole.sum(over) if over else whole


def _positions(data: xr.Dataset, dim: str, labels: str | Sequence[str]) -> int | list[int]:
    known = data.variables[dim].values.tolist()
    return known.index(labels) if isinstance(labels, str) else [known.index(label) for label in labels]


def _values(array: xr.Variable) -> Values:
    return np.asarray(array.values, dtype=np.float64)


def _total(data: xr.Dataset, found: Measure, first: int, last: int, by: Selector) -> Values:
    array = _read(data, found, by)
    if "day" in array.dims:
        return _values(array.isel(day=slice(first, last + 1)).sum("day"))
    if (first, last) != (0, data.sizes["day"] - 1):
        raise UsageError(f"{found.id} is counted over the whole run only; leave out date and since")
    return _values(array)


def _caught(data: xr.Dataset, found: Measure, first: int, last: int, by: Selector) -> Values:
    """Return who was taken or surrendered after uprisings.

    Where the runs did not record who was taken on the spot, whoever was arrested on the day of an uprising
    is.
    """
    days = slice(first, last + 1)
    gave_up = _total(data, found, first, last, by)
    if "taken" in data:
        return gave_up + _values(data.variables["taken"].isel(day=days).sum("day"))
    rose, arrested = (data.variables[name].isel(day=days).values for name in ("uprisings", "arrested"))
    return np.asarray(gave_up + np.where(rose > 0, arrested, 0).sum(axis=1), dtype=np.float64)


def _level(data: xr.Dataset, found: Measure, day: int, by: Selector) -> Values:
    array = _read(data, found, by)
    if "day" in array.dims:
        return _values(array.isel(day=day))
    if day != data.sizes["day"] - 1:
        raise UsageError(f"{found.id} by {' and '.join(by)} is recorded on the last day only")
    return _values(array)


def strength_of(data: xr.Dataset, by: Selector) -> Values:
    """Return how many soldiers there were, whatever became of them."""
    parts = [dim for dim in PARTS if dim in by]
    if not parts:
        return _values(data.variables["fates"].isel(day=0).sum("fate"))
    asked = strength_by(parts).name
    source = MeasureSource(asked if asked in data else f"fate_{parts[0]}")
    return _values(read(data, source, {dim: by[dim] for dim in parts}))


def _rate_ratio(data: xr.Dataset, found: Measure, day: int, first: int, by: Selector) -> Values:
    """Return the daily rate in the month from `day` over the daily rate from `first` to the day before.

    Half an event is added to each count, so that the ratio stays finite where nobody left before
    (Haldane 1956; Anscombe 1956).
    """
    if first >= day:
        raise UsageError("rate_ratio needs at least one day before its date")
    end = min(day + MONTH, data.sizes["day"])
    half = HALF * stands_for(data)
    after = (_total(data, found, day, end - 1, by) + half) / (end - day)
    before = (_total(data, found, first, day - 1, by) + half) / (day - first)
    return np.asarray(after / before, dtype=np.float64)


Counts = npt.NDArray[np.float64]

STANDS_FOR = "stands_for"
"""What a dataset of the whole force has among its attributes: for how many one simulated soldier stands."""


def whole_force(data: xr.Dataset, stands_for: float) -> xr.Dataset:
    """Return counts of a force drawn in part, scaled to the whole force."""
    if stands_for == 1 or STANDS_FOR in data.attrs:
        return data
    return times(data, stands_for).assign_attrs({STANDS_FOR: stands_for})


def times(data: xr.Dataset, factor: float) -> xr.Dataset:
    """Return a dataset with all variables that are in proportion to the force multiplied."""
    there = [n for n, v in data.data_vars.items() if in_proportion(str(v.attrs.get("unit", "")))]
    return data.assign({name: data[name] * factor for name in there})


def stands_for(data: xr.Dataset) -> float:
    """Return for how many a soldier of a dataset stands; 1 where it counts those drawn."""
    return float(data.attrs.get(STANDS_FOR, 1.0))


def resolution(stands_for: float) -> int:
    """Return the step in which counts of the whole force are told: 1, 2 or 5 times a power of ten.

    It is the largest that is no more than the soldiers for whom one simulated soldier stands.

    >>> resolution(8.3), resolution(100), resolution(1), resolution(0.5)
    (5, 100, 1, 1)
    """
    most = max(1.0, stands_for) + 1e-9
    size: int = 10 ** int(math.log10(most))
    return max(k * size for k in (1, 2, 5) if k * size <= most)


@overload
def in_steps(counts: float, stands_for: float, unit: str = ...) -> float: ...
@overload
def in_steps(counts: Counts, stands_for: float, unit: str = ...) -> Counts: ...
def in_steps(counts: float | Counts, stands_for: float, unit: str = "soldiers") -> float | Counts:
    """Return counts of the whole force in steps that a simulated soldier who stands for several can tell.

    What is not in proportion to the force, by its unit, is as it is; so is what nothing counted.

    >>> in_steps(12_347, 10), in_steps(12_347.5, 1), in_steps(0.25, 10, "share"), in_steps(math.nan, 10)
    (12350.0, 12347.5, 0.25, nan)
    """
    if stands_for == 1 or not in_proportion(unit):
        return counts
    step = resolution(stands_for)
    told = step * np.round(np.asarray(counts, np.float64) / step)
    return told if isinstance(counts, np.ndarray) else float(told)
