"""Numbers on their way to the browser: no more digits than can be seen, and nothing that JSON cannot hold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from breakrank.results.measures import in_steps

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


def median(values: Values, stands_for: float) -> list[float | int | None]:
    """Return the median over runs of counts of shape (run, day), by day, in steps of a simulated soldier."""
    return rounded(in_steps(np.median(values, axis=0), stands_for))
