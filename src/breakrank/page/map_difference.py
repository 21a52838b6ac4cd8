"""Where two answers differ: who left by state and who went out by crossing, paired by run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.page.maps import posted, towns
from breakrank.results.json_files import finite
from breakrank.results.paired import difference, pairs_of
from breakrank.results.uncertainty import rows_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from breakrank.results import Result
    from breakrank.results.paired import Difference


def differs(before: Result, after: Result) -> dict[str, Any]:
    """Return the paired mean difference of each state and each crossing, from the first day to the last.

    A state's is of the share of those posted there who left; a state where nobody is posted is left out. A
    crossing's is of soldiers. Only a crossing that both answers have is there.
    """
    runs, i, j = pairs_of(before, after)
    draw = rows_of(before.case, before.seed, runs)

    def each(name: str, dim: str, ids: list[str], whole: NDArray[np.float64]) -> list[dict[str, Any]]:
        one, two = (
            r.data[name].sum("day").transpose("run", dim).values.astype(np.float64)[rows]
            for r, rows in ((before, i), (after, j))
        )
        return [
            _told(difference(id_, id_, "", one[:, k] / whole[k], two[:, k] / whole[k], draw))
            for k, id_ in enumerate(ids)
            if whole[k] > 0
        ]

    states = [s.id for s in before.case.force.states]
    ways = list(before.case.crossings.ids)
    same = ways == list(after.case.crossings.ids)
    return {
        "states": each("exits_state", "state", states, posted(before)),
        "crossings": each("exits_route", "route", ways, np.ones(len(ways))) if same else [],
        "towns": towns(before.case),
    }


def _told(one: Difference) -> dict[str, Any]:
    numbers = ("before", "after", "mean", "low", "high")
    return {"id": one.id, "told": one.told, **{name: finite(getattr(one, name)) for name in numbers}}
