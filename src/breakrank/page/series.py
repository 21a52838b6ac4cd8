"""One variable of an answer day by day: quantiles over runs, in all or by one of its dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank import labels
from breakrank.labels import KINDS, WHERE
from breakrank.outputs import in_proportion
from breakrank.page.numbers import bands, rounded
from breakrank.page.record_points import counted, days_of, points_of, read_of
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.results import Result

SHARES = ("share", "fraction", "probability")
HOST = "host"
"""Id of the sites of the host taken together: all but embassies, who is in which has not left the country."""


def series(
    result: Result, variable: str, by: str | None, cumulative: bool, single: int = 0
) -> dict[str, Any]:
    """Return days and, for each label of `by` (or in all), the median and the ends of both bands.

    With them the points of the record that count the same (``record``), and in ``sums`` those labels taken
    together that a figure of the record counts as one.

    Parameters
    ----------
    variable : a variable by day; or a measure that is a sum of such variables, or a part of one.
    single : how many of the first runs are told one by one too.

    Raises
    ------
    UsageError
        for a variable or dimension that there is not, or a running total of what does not add up.
    """
    asked = counted(result, variable, by, cumulative)
    array = asked.array
    share, each = asked.unit in SHARES, result.case.stands_for if in_proportion(asked.unit) else 1.0
    groups, sums, days = [], [], days_of(result)

    def told(there: Any) -> dict[str, Any]:  # noqa: ANN401 (xarray is heavy)
        values = there.transpose("run", "day").values
        values = np.cumsum(values, axis=1) if cumulative else values
        found: dict[str, Any] = dict(bands(values, share, each))
        if single:
            found["single"] = [rounded(v, share) for v in values[:single]]
        if asked.kind == "level" and not share:
            found["peak"] = peak(values, days, each)
        return found

    points = points_of(result, asked)
    if by is None:
        groups.append({"id": variable, "label": asked.label, **told(array)})
    else:
        names = names_of(result.case, by)
        for one in (str(label) for label in array[by].values):
            there = array.sel({by: one})
            groups.append({"id": one, "label": names.get(one, one), **told(there)})
        if by == "site":
            host = [site.id for site in result.case.sites if site.kind != "embassy"]
            if len(host) > 1:
                there = array.sel({by: host}).sum(by)
                sums.append({"id": HOST, "label": "All sites of the host", **told(there)})
        for several in dict.fromkeys(one.labels for one in points if len(one.labels) > 1):
            there = array.sel({by: list(several)}).sum(by)
            label = listed([names.get(one, one) for one in several])
            sums.append({"id": "+".join(several), "label": label, **told(there)})
    return {
        "days": days,
        "label": asked.label,
        "unit": asked.unit.removesuffix(" per day") if cumulative else asked.unit,
        "runs": result.runs,
        "groups": groups,
        "sums": sums,
        "record": [one.told for one in points],
    }


def peak(values: Any, days: Sequence[str], stands_for: float = 1.0) -> dict[str, Any] | None:  # noqa: ANN401 (a table of numbers)
    """Return quantiles over runs of the most on any day of a run, and the median run's day of it.

    Parameters
    ----------
    values : shape (run, day); what is not known is no number.
    """
    known = np.nan_to_num(np.asarray(values, np.float64), nan=-np.inf)
    most = known.max(axis=1)
    there = np.isfinite(most) & (most > 0)
    if not there.any():
        return None
    day = int(np.median(known.argmax(axis=1)[there]))
    found = bands(np.where(np.isfinite(most), most, 0.0)[:, None], stands_for=stands_for)
    return {name: one[0] for name, one in found.items()} | {"day": days[day]}


def board(result: Result, wanted: Sequence[tuple[str, str | None, bool, int]]) -> dict[str, Any]:
    """Return several series over the same days, each as :func:`series` does; ``None`` if not counted.

    Parameters
    ----------
    wanted : variable, dimension, whether the running total is wanted, and how many single runs, of each.

    Raises
    ------
    UsageError
        as :func:`series`; a variable that exists and that these runs did not count is no error.
    """
    told = []
    for variable, by, cumulative, single in wanted:
        there = all(name in result.data for name in read_of(variable))
        told.append(series(result, variable, by, cumulative, single) if there else None)
    for one in told:
        if one is not None:
            del one["days"], one["runs"]
    return {"days": days_of(result), "runs": result.runs, "series": told}


def names_of(case: Case, by: str) -> dict[str, str]:
    """Return the names that readers see, by id, along a dimension."""
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
