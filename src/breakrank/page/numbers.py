"""Numbers on their way to the browser: no more digits than can be seen, and nothing that JSON cannot hold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from breakrank.results.quantiles import FEW, LEVELS
from breakrank.results.whole_force import in_steps

FEWER = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The levels of a band where runs are few: its ends are the least and the most, as in all charts."""
NAMES = ("q05", "q25", "median", "q75", "q95")
Values = npt.NDArray[Any]


def rounded(values: Values, share: bool = False) -> list[float | int | None]:
    """Return numbers with one place (shares with five), whole ones as such; what is none is ``None``."""
    places = 5 if share else 1
    return [short(v, places) for v in np.asarray(values, np.float64).tolist()]


def short(value: float, places: int = 6) -> float | int | None:
    """Return one number rounded; ``None`` for what is no finite number."""
    if not math.isfinite(value):
        return None
    value = round(value, places)
    return int(value) if value == int(value) else value


def bands(
    values: Values, share: bool = False, stands_for: float = 1.0
) -> dict[str, list[float | int | None]]:
    """Return quantiles and the mean over runs of values of shape (run, day), each a list over days.

    Counts of the whole force are told in steps of a simulated soldier, who `stands_for` so many.
    """
    levels = LEVELS if len(values) >= FEW else FEWER
    known = ~np.isnan(values).all(axis=0) if values.dtype.kind == "f" else np.ones(values.shape[1], np.bool_)
    out = np.full((len(levels), values.shape[1]), np.nan)
    out[:, known] = np.nanquantile(values[:, known], levels, axis=0)
    mean = np.full(values.shape[1], np.nan)
    mean[known] = np.nanmean(values[:, known], axis=0)
    rows = {**dict(zip(NAMES, in_steps(out, stands_for), strict=True)), "mean": mean}
    return {name: rounded(row, share) for name, row in rows.items()}


def median(values: Values, stands_for: float) -> list[float | int | None]:
    """Return the median over runs of counts of shape (run, day), by day, in steps of a simulated soldier."""
    return rounded(in_steps(np.median(values, axis=0), stands_for))
