"""From a result to the small tables that charts draw: quantiles over runs, never the runs themselves.

Every band is the spread over runs: the median, the middle half (50%) and the middle nine tenths (90%);
where runs are fewer than :data:`~breakrank.results.uncertainty.FEW`, the outer ends are the least and the
most.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from breakrank.labels import KINDS, WHERE
from breakrank.results.measures import in_steps
from breakrank.results.uncertainty import FEW, LEVELS

if TYPE_CHECKING:
    import datetime as dt

    import pandas as pd

    from breakrank.results.result import Result

Kind = Literal["cumulative", "stock", "share"]
Group = Literal["total", "outcome", "rank", "branch", "route"]
OVER = "went_over_route"
"""Who went over to an opposition at home, by way; where a case has one."""
Values = npt.NDArray[Any]

COLUMNS = ("q05", "q25", "median", "q75", "q95")
"""Columns of quantiles, in order of rising value."""
RANGE = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The levels of these columns where runs are few."""
POINTS = 400
"""Most points a drawn series may have; longer calendars are thinned."""
ROUTES = 9
"""Most routes drawn one by one; the rest are drawn as one."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The spread of one number over the runs that have one; nan where none has."""

    runs: int
    q05: float
    q25: float
    median: float
    q75: float
    q95: float

    @property
    def row(self) -> dict[str, float]:
        """The quantiles as columns of a table."""
        return {name: getattr(self, name) for name in COLUMNS}


@dataclass(frozen=True, eq=False, slots=True)
class SpreadSeries:
    """One dated series with its spread.

    Attributes
    ----------
    id, label, unit : what it is; the unit is that of the values as drawn.
    kind : ``"cumulative"`` counts, a ``"stock"`` or a ``"share"`` (0 to 1).
    runs : how many runs the quantiles are over; with one there is no spread.
    frame : columns ``date`` and :data:`COLUMNS`; of a whole calendar also ``mean``. The line is the median.
    """

    id: str
    label: str
    unit: str
    kind: Kind
    runs: int
    frame: pd.DataFrame

    @property
    def end(self) -> float:
        """Where the line ends."""
        return float(self.frame["median"].iloc[-1])

    @property
    def last(self) -> Spread:
        """The quantiles of the last row."""
        return Spread(self.runs, *(float(self.frame[c].iloc[-1]) for c in COLUMNS))

    @property
    def top(self) -> float:
        """The largest value drawn."""
        return float(self.frame["q95"].max())


def spread(values: npt.ArrayLike, stands_for: float = 1.0) -> Spread:
    """Return the spread of one number per run, those that are none left out.

    Counts of the whole force are told in steps of a simulated soldier, who `stands_for` so many.

    >>> few = spread([1.0, 2.0, float("nan"), 3.0])
    >>> few.q05, few.median, few.q95, few.runs
    (1.0, 2.0, 3.0, 3)
    """
    array = np.asarray(values, np.float64)
    finite = array[np.isfinite(array)]
    if not finite.size:
        return Spread(0, *(math.nan,) * len(COLUMNS))
    found = in_steps(np.quantile(finite, _levels(finite.size)), stands_for)
    return Spread(int(finite.size), *(float(q) for q in found))


def quantiles(values: Values, dates: Values) -> pd.DataFrame:
    """Return the quantiles and the mean over runs of values of shape (run, day), one row per day.

    A level that is nan in some runs has those of the others, and on a day without any it is nan.
    """
    import pandas as pd

    levels = _levels(len(values))
    known = ~np.isnan(values).all(axis=0)
    if np.isnan(values[:, known]).any():
        rows = np.full((len(levels) + 1, values.shape[1]), np.nan)
        rows[:-1, known] = np.nanquantile(values[:, known], levels, axis=0)
        rows[-1, known] = np.nanmean(values[:, known], axis=0)
    else:
        rows = np.vstack([np.quantile(values, levels, axis=0), values.mean(axis=0)])
    return pd.DataFrame({"date": dates, **dict(zip((*COLUMNS, "mean"), rows, strict=True))})


def _levels(runs: int) -> tuple[float, ...]:
    return LEVELS if runs >= FEW else RANGE


def step_for(days: int) -> int:
    """Return how many days one drawn row covers: 1 up to :data:`POINTS` days, then weeks or more."""
    return next((s for s in (1, 7, 14, 28, 91) if days <= POINTS * s), 182)


def thinned(dates: Values, step: int, marked: Sequence[dt.date] = ()) -> Values:
    """Return which of these days are drawn, int64: one in `step` down from the last, and the marked ones."""
    drawn = np.isin(dates, np.array(marked, "datetime64[D]"))
    drawn[::-1][::step] = True
    return np.flatnonzero(drawn)


def series(
    values: Values,
    dates: Values,
    id: str,  # noqa: A002
    label: str,
    kind: Kind,
    unit: str = "soldiers",
    marked: Sequence[dt.date] = (),
    stands_for: float = 1.0,
) -> SpreadSeries:
    """Return the drawn form of values of shape (run, day) over these dates.

    Parameters
    ----------
    values : daily counts where `kind` is cumulative; stocks or shares as they are.
    marked : days that are never thinned out.
    stands_for : for how many a simulated soldier stands, in whose steps people are told.
    """
    if kind == "cumulative":
        values = np.cumsum(values, axis=1)
    rows = thinned(dates, step_for(len(dates)), marked)
    frame = stepped(quantiles(values[:, rows], dates[rows]), stands_for, unit)
    return SpreadSeries(id, label, unit, kind, len(values), frame)


def stepped(frame: pd.DataFrame, stands_for: float, unit: str) -> pd.DataFrame:
    """Return quantiles of counts of the whole force in steps of a simulated soldier."""
    if stands_for == 1:
        return frame
    return frame.assign(**{name: in_steps(frame[name].to_numpy(), stands_for, unit) for name in COLUMNS})


def leaving(result: Result, by: Group = "total") -> list[SpreadSeries]:
    """Return who left: in all, or one series for each kind of leaving, rank, branch or route.

    Ways to an opposition at home count those who reached it. Ways are sorted by how many took them; beyond
    :data:`ROUTES` the least used are drawn as one.
    """
    array = result.data[f"exits_{by}" if by in ("branch", "route") else "exits_rank"]
    each = result.case.stands_for
    if by == "route" and OVER in result.data:
        array = array + result.data[OVER]
    if by == "total":
        values = array.sum([d for d in array.dims if d not in ("run", "day")]).values
        days = result.data["day"].values
        return [series(values, days, "left", "All who left", "cumulative", stands_for=each)]
    array = array.sum([d for d in array.dims if d not in ("run", "day", by)]).transpose("run", "day", by)
    ids, stack = [str(i) for i in array[by].values], array.values
    names = labels(result, by)
    found = [(i, names.get(i, plain(i)), stack[:, :, n]) for n, i in enumerate(ids)]
    if by == "route":
        found.sort(key=lambda f: -float(f[2].sum()))
        if len(found) > ROUTES:
            rest = found[ROUTES - 1 :]
            others = np.sum([values for _, _, values in rest], axis=0)
            found = [*found[: ROUTES - 1], ("others", f"{len(rest)} other ways", others)]
    days = result.data["day"].values
    return [series(values, days, i, label, "cumulative", stands_for=each) for i, label, values in found]


def share(result: Result, variable: str, label: str) -> SpreadSeries:
    """Return a share of 0 to 1 over days, e.g. ``opposed`` or ``belief``."""
    values = result.data[variable].transpose("run", "day").values
    return series(values, result.data["day"].values, variable, label, "share", "share")


def labels(result: Result, by: str) -> dict[str, str]:
    """Return the names that readers see, by id, of ranks, branches, states, ways, sites or outcomes."""
    if by == "outcome":
        return dict(KINDS)
    if by == "fate":
        return dict(WHERE)
    case = result.case
    if by == "route":
        return {c.id: c.label for c in case.crossings}
    if by == "site":
        return {s.id: s.label for s in case.sites}
    if by == "state":
        return {s.id: s.label for s in case.force.states}
    return {t.id: t.label for t in (case.force.ranks if by == "rank" else case.force.branches)}


def plain(id: str) -> str:  # noqa: A002
    """Return an id as words.

    >>> plain("simon-bolivar-bridge")
    'Simon bolivar bridge'
    """
    return id.replace("_", " ").replace("-", " ").capitalize()
