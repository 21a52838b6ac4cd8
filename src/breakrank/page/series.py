"""One variable of an answer day by day: quantiles over runs, in all or by one of its dimensions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.errors import UsageError, nearest
from breakrank.page.numbers import bands, finite
from breakrank.results.variables import VARIABLES

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.results import Result

SHARES = ("share", "fraction", "probability")


def series(result: Result, variable: str, by: str | None, cumulative: bool) -> dict[str, Any]:
    """Return days and, for each label of `by` (or in all), the median and the ends of both bands.

    Raises
    ------
    UsageError
        for a variable or dimension that there is not, or a running total of what does not add up.
    """
    known = [str(name) for name, one in result.data.items() if {"run", "day"} <= set(one.dims)]
    if variable not in known:
        raise UsageError(f"no variable {variable!r:.60}{nearest(variable[:60], known)} by day in this answer")
    array = result.data[variable]
    dims = [str(d) for d in array.dims if d not in ("run", "day")]
    if by is not None and by not in dims:
        raise UsageError(
            f"{variable} is not counted by {by!r:.60} (but by {', '.join(dims) or 'nothing else'})"
        )
    attrs = array.attrs
    if cumulative and attrs.get("aggregation") != "sum":
        raise UsageError(f"{variable} is no daily count, so it has no running total")
    rest = [d for d in dims if d != by]
    array = array.sum(rest) if rest else array
    unit = str(attrs.get("unit", ""))
    share = unit in SHARES
    groups = []
    if by is None:
        groups.append(
            {"id": variable, "label": str(attrs.get("label", variable)), **_told(array, cumulative, share)}
        )
    else:
        names = names_of(result.case, by)
        for one in (str(label) for label in array[by].values):
            there = array.sel({by: one})
            groups.append({"id": one, "label": names.get(one, one), **_told(there, cumulative, share)})
    return {
        "days": days_of(result),
        "label": str(attrs.get("label", variable)),
        "unit": unit.removesuffix(" per day") if cumulative else unit,
        "runs": result.runs,
        "groups": groups,
        "record": _record(result, variable, by, "total" if cumulative else "level"),
    }


def board(result: Result, wanted: Sequence[tuple[str, str | None, bool]]) -> dict[str, Any]:
    """Return several series over the same days, each as :func:`series` does; ``None`` if not counted.

    Parameters
    ----------
    wanted : variable, dimension and whether the running total is wanted, of each.

    Raises
    ------
    UsageError
        as :func:`series`; a variable that exists and that these runs did not count is no error.
    """
    told = []
    for variable, by, cumulative in wanted:
        there = variable not in VARIABLES or variable in result.data
        told.append(series(result, variable, by, cumulative) if there else None)
    for one in told:
        if one is not None:
            del one["days"], one["runs"]
    return {"days": days_of(result), "runs": result.runs, "series": told}


def days_of(result: Result) -> list[str]:
    """Return the days of an answer, ISO."""
    return [str(day)[:10] for day in result.data["day"].values]


def names_of(case: Case, by: str) -> dict[str, str]:
    """Return the names that readers see, by id, along a dimension."""
    from breakrank.results import labels
    from breakrank.results.outcomes_words import KINDS, WHERE

    fixed = {
        "outcome": KINDS,
        "fate": WHERE,
        "aim": labels.AIMS,
        "plot_end": labels.PLOT_ENDS,
        "plot_size": labels.PLOT_SIZES,
        "stance": labels.STANCES,
        "stay": labels.STAYS,
    }
    if by in fixed:
        return dict(fixed[by])
    lists: dict[str, Any] = {
        "rank": case.force.ranks,
        "branch": case.force.branches,
        "state": case.force.states,
        "region": case.force.regions,
        "route": case.crossings,
        "site": case.sites,
        "payer": case.payers,
    }
    return {one.id: one.label for one in lists.get(by, ())}


def _told(array: Any, cumulative: bool, share: bool) -> dict[str, Any]:  # noqa: ANN401 (xarray is heavy)
    values = array.transpose("run", "day").values
    return bands(np.cumsum(values, axis=1) if cumulative else values, share)


def _record(result: Result, variable: str, by: str | None, kind: str) -> list[dict[str, Any]]:
    """Return the figures of the record that count this variable by the same labels.

    Of kind ``"total"``, those that count from the first day on; of kind ``"level"``, those of one day.
    """
    from breakrank.results.measures import MEASURES
    from breakrank.results.outcomes import record

    case, found = result.case, []
    end = dt.date.fromisoformat(days_of(result)[-1])
    for target in case.targets:
        about = MEASURES.get(target.measure)
        if about is None or about.kind != kind or target.against or target.date > end:
            continue
        dim = next(iter(target.by or {}), None)
        source = about.sources.get(dim or "")
        if dim != by or target.start is not None or source is None or source.variables != (variable,):
            continue
        if source.at and by is None:  # only a part of the variable, which is drawn as a whole
            continue
        groups = (target.by or {}).get(dim or "", (None,))
        if len(groups) > 1 or source.at:
            continue
        said = record(target, case)
        low, high = finite(said.low), finite(said.high)
        found.append(
            {
                "group": groups[0],
                "date": str(target.date),
                "low": low,
                "high": high,
                "label": target.label,
                "target": target.id,
            }
        )
    return found
