"""One variable of an answer day by day: quantiles over runs, in all or by one of its dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank import labels
from breakrank.labels import KINDS, WHERE
from breakrank.outputs import in_proportion
from breakrank.page.numbers import bands
from breakrank.page.record_points import counted, days_of, points_of
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.results import Result

SHARES = ("share", "fraction", "probability")
HOST = "host"
"""Id of the sites of the host taken together: all but embassies, who is in which has not left the country."""


def series(result: Result, variable: str, by: str | None, cumulative: bool) -> dict[str, Any]:
    """Return days and, for each label of `by` (or in all), the median and the ends of both bands.

    With them the points of the record that count the same (``record``), and in ``sums`` those labels taken
    together that a figure of the record counts as one.

    Parameters
    ----------
    variable : a variable by day; or a measure that is a sum of such variables, or a part of one.

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
        return dict(bands(values, share, each))

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
