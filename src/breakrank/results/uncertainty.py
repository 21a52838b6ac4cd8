"""Quantiles and scores of an ensemble, and the parts of its spread: chance, and parameters.

Where each row of a case's draws serves several runs, those runs differ by luck alone (that of the days, and
of who the soldiers are), and rows differ by luck and parameters: an analysis of variance with one random
factor (Searle, Casella and McCulloch 1992, chapter 3) tells the two apart without a single further run.

Proper scores of forecasts: CRPS of an ensemble, Brier score of a chance, coverage and width of intervals.

A proper score cannot be improved by saying anything but what one believes (Gneiting and Raftery 2007).
Lower is better for all of them; a wide interval covers everything and scores badly.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.case.ensemble import OF_MEMBERS
from breakrank.case.fitting import EARLIER, OTHER_FIGURES
from breakrank.wording import counted

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case, Posterior


LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
MEDIAN_AND_ENDS = LEVELS[::2]
"""The median between the ends of the 90% interval."""

FEW = 20
"""Below so many runs a spread is shown as the least and the most of them: a 90% interval of, say, four runs
would be drawn between the outer two."""


def median_known(values: NDArray[np.float64], worth: int | None = None) -> tuple[float, float] | None:
    """Return between which two of the values the median of all possible runs lies with 90% confidence.

    Ends are order statistics, whatever the distribution (David and Nagaraja 2003, section 7.1); ``None`` for
    too few values to tell.

    Parameters
    ----------
    worth : as how many independent values they count, at most as many as there are; by default all.

    >>> median_known(np.arange(1.0, 41.0)), median_known(np.arange(4.0))
    ((15.0, 26.0), None)
    >>> median_known(np.arange(1.0, 41.0), 20)
    (11.0, 30.0)
    """
    size = len(values)
    count = size if worth is None else worth
    below = np.cumsum(_chances(count))
    rank = int(np.searchsorted(below, 0.05, side="right"))  # values below the lower end, at most
    if rank < 1:
        return None
    ordered = np.sort(values)
    place = (rank - 1) * size // count
    return float(ordered[place]), float(ordered[size - 1 - place])


def _chances(count: int) -> NDArray[np.float64]:
    """Return the chances that 0, 1, ... of so many values lie below the median."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1.0, count + 1)))])
    chances: NDArray[np.float64] = np.exp(logs[count] - logs - logs[::-1] - count * np.log(2.0))
    return chances


Array = NDArray[np.float64]


def crps(draws: Array, at: float) -> float:
    """Return the continuous ranked probability score of equally likely draws (n,), in their unit.

    The fair estimator (Ferro 2014): its mean is that of the distribution the draws come from, whatever their
    number, so that ensembles of different size can be compared. One draw is scored by its distance. It is the
    absolute error where all draws are one.
    """
    x = np.sort(np.asarray(draws, np.float64))
    n = len(x)
    if not n or not np.isfinite(x).all() or not math.isfinite(at):
        return math.nan
    distance = float(np.abs(x - at).mean())
    if n == 1:
        return distance
    spread = float((x * (2.0 * np.arange(1, n + 1) - n - 1)).sum()) / (n * (n - 1))
    return distance - spread


def brier(chance: float, happened: bool) -> float:
    """Return the Brier score of a chance (0 to 1): 0 at best, 1 at worst, a quarter for even chances."""
    return (chance - float(happened)) ** 2


def interval(draws: Array, level: float) -> tuple[float, float]:
    """Return the central interval of draws that holds `level` of them."""
    low, high = np.quantile(draws, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return float(low), float(high)


def covered(draws: Array, low: float, high: float, level: float) -> bool:
    """Return whether the central interval of draws meets what the record allows (`low` to `high`)."""
    first, last = interval(draws, level)
    return bool(first <= high and last >= low)


FEWEST = 10
"""Rows with several runs that it takes; with fewer, the split is not told."""


FIXED = "fixed assumptions, chance only"
"""What is said of intervals where each parameter has one value."""


class Split(NamedTuple):
    """The variance of one number between runs, taken apart.

    Attributes
    ----------
    between : what rows of draws add, the parameters' part. Chance may take this estimate below 0.
    within : what is left between runs of one row: luck.
    """

    between: float
    within: float

    @property
    def parameters(self) -> float:
        """Share of the variance that the parameters cause, 0 to 1; nan where it is not known."""
        total = max(self.between, 0.0) + self.within
        return max(self.between, 0.0) / total if total > 0 else math.nan

    @property
    def known(self) -> bool:
        """Whether the two could be told apart."""
        return math.isfinite(self.between) and math.isfinite(self.within)


UNSPLIT = Split(math.nan, math.nan)


def holds(case: Case) -> str:
    """Return in words what the spread of an ensemble of a case holds."""
    return f"chance ({fixed(case)})" if chance_only(case) else "chance and parameter uncertainty"


def fixed(case: Case) -> str:
    """Return what is said of intervals of chance alone, and why the case has no ensemble if it says so."""
    why = case.content.case.no_ensemble if case.posterior is None else None
    return f"{FIXED}; no posterior ensemble, since {why}" if why else FIXED


def chance_only(case: Case) -> bool:
    """Return whether runs of a case differ by chance alone, since each parameter has one value."""
    return getattr(case, "draws", None) is None


_REMEDY = "calibrate again, or use --ensemble point"


def posterior_of(case: Case) -> Posterior | None:
    """Return the posterior whose parameters the runs of a case have, or that of their ensemble.

    ``None`` where they have fixed values, or other draws.
    """
    draws, posterior = getattr(case, "draws", None), getattr(case, "posterior", None)
    if draws is None or posterior is None:
        return None
    others = set(posterior.draws.names).difference(draws.names)  # that were set
    return posterior if draws.luck is not None or draws == posterior.draws.without(others) else None


def doubts(case: Case, misfit: str) -> tuple[str, ...]:
    """Return why the ensemble or posterior that runs of a case come from may not be what it seems.

    Sentences, each with what follows from it; none for runs that come from neither.

    Parameters
    ----------
    misfit : from :func:`~breakrank.runs.identity.ensemble_version`, when the runs were made.
    """
    posterior = posterior_of(case)
    if posterior is None:
        return ()
    about, selected = posterior.about, case.draws is not None and case.draws.luck is not None
    which, found = f"The {'ensemble' if selected else 'posterior'} of {case.id}", []
    if misfit == OTHER_FIGURES:
        found.append(f"{which} was fitted to other priors or other figures than the case has; {_REMEDY}.")
    elif misfit:
        why = "before the case was changed" if misfit == EARLIER else "with another version of the model"
        found.append(
            f"{which} was made {why}, so its runs may not agree with the observed figures; {_REMEDY}."
        )
    if selected:
        return (*found, *about.get(OF_MEMBERS, ()))
    if fails := about.get("fails"):
        found.append(
            f"{which} fails checks of its own ({'; '.join(fails)}), so its runs are no estimate of what the "
            "record implies; use them as a spread of assumptions."
        )
    if about.get("informed", True) == {}:
        found.append(
            f"{which} informs no parameter individually, so its runs say little beyond the priors; calibrate "
            "with more simulations."
        )
    return tuple(found)


def rows_of(case: Case, seed: int, runs: NDArray[np.integer]) -> NDArray[np.int64] | None:
    """Return which row of a case's draws each of some runs under a seed lived under, int64 (run,).

    ``None`` where the case has no draws.
    """
    draws = getattr(case, "draws", None)
    return None if draws is None else draws.rows(seed, runs)


def copies_after(case: Case) -> int | None:
    """Return the number of runs after which a case's runs repeat; ``None`` if each has its own seed.

    Members that were selected up to the last day, or beyond, leave nothing to chance: the run after the last
    member is the first once more.
    """
    draws = getattr(case, "draws", None)
    if draws is None or draws.luck is None or draws.luck.until < case.calendar.end:
        return None
    return len(draws)


def originals(case: Case, seed: int, runs: NDArray[np.integer]) -> NDArray[np.intp]:
    """Return the places of the runs that repeat no other, ascending, int (original,)."""
    rows = None if copies_after(case) is None else rows_of(case, seed, runs)
    if rows is None:
        return np.arange(runs.size)
    return np.sort(np.unique(rows, return_index=True)[1])


def stands_still(data: xr.Dataset) -> str:
    """Return in a sentence in how many runs the regime falls, and what these count from then on.

    Empty without any.
    """
    holds = data.get("regime_holds")
    fallen = 0 if holds is None else int((holds.isel(day=-1).values < 0.5).sum())
    if not fallen:
        return ""
    many = f"{fallen:,} of {counted(data.sizes['run'], 'run')}"
    return f"In {many} the regime falls. From the day after on a run stands still: nobody comes or goes."


def worth(case: Case, seed: int, runs: NDArray[np.integer]) -> int:
    """Return as how many independent runs some runs count: the effective number of draws they descend from.

    Runs of one draw of the parameters share these, and members of one draw most random numbers too. They are
    taken to agree in full, so this is a lower bound: the squared number of runs by the sum of squared numbers
    of each draw (Kish 1965, "Survey sampling", section 11.7). Without draws all runs count.
    """
    draws, rows = getattr(case, "draws", None), rows_of(case, seed, runs)
    if draws is None or rows is None or not runs.size or not draws.names:
        return int(runs.size)
    draw = np.unique(draws.values, axis=0, return_inverse=True)[1].reshape(-1)[rows]
    sizes = np.unique(draw, return_counts=True)[1]
    return int(runs.size**2 // (sizes**2).sum())


def split(values: NDArray[np.float64], rows: NDArray[np.int64] | None) -> Split:
    """Return the variance between runs in two parts, by the method of moments (mean squares of one factor).

    Of numbers whose mean is asked for, such as paired differences: the variance of the mean of `r` rows of
    `n` runs each is ``between / r + within / (r * n)``.

    Parameters
    ----------
    values : float64 (run,), all finite.
    rows : int64 (run,), which runs share their parameters; ``None`` for a case without draws.

    Returns
    -------
    Split
        both nan (:data:`UNSPLIT`) where fewer than :data:`FEWEST` rows have several runs.
    """
    if rows is None:
        return UNSPLIT
    _, group, size = np.unique(rows, return_inverse=True, return_counts=True)
    if int((size > 1).sum()) < FEWEST:
        return UNSPLIT
    runs, number = values.size, size.size
    mean = np.bincount(group, values) / size
    within = float(((values - mean[group]) ** 2).sum()) / (runs - number)
    square = float((size * (mean - values.mean()) ** 2).sum()) / (number - 1)
    to_a_row = (runs - float((size**2).sum()) / runs) / (number - 1)
    return Split((square - within) / to_a_row, within)
