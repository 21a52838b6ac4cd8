"""A force drawn in part: what its runs count, told for the whole force.

Runs draw so many soldiers, and each stands for so many of the country. What runs hand back counts those
drawn. :attr:`Result.whole <breakrank.results.Result.whole>` counts those for whom they stand, those who come
along, and what all of them do, ask for and cost. Whatever is told a reader or set beside the record is read
there. Plots, uprisings, units and posts stay as simulated: how their number grows with a force is not known.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, overload

import numpy as np
import numpy.typing as npt

from breakrank.outputs import in_proportion

if TYPE_CHECKING:
    import xarray as xr


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
