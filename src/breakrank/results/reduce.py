"""Many runs in little room: mean, spread and quantiles over runs in place of the runs.

They are exact: all runs of one column (a variable at one combination of labels, all days) are at hand when it
is reduced. Quantiles interpolate linearly between runs (Hyndman and Fan 1996, type 7).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank.errors import BreakrankError
from breakrank.results.quantiles import LEVELS

if TYPE_CHECKING:
    import xarray as xr


def reduced(data: xr.Dataset, levels: tuple[float, ...] = LEVELS) -> xr.Dataset:
    """Return statistics over runs, float64, with a dimension ``statistic`` in place of ``run``.

    Runs in which there is no number (nan: no open file has no age) are left out, day by day.

    The statistics are ``mean``, ``sd`` (with n - 1; nan of one run), and quantiles such as ``q05``. Variables
    that have no runs, such as the case's dated fields, stay as they are. The number of runs is an attribute.

    Parameters
    ----------
    data : all runs.
    levels : of the quantiles.
    """
    import xarray as xr

    if not data.data_vars:
        raise BreakrankError("there are no variables to reduce")
    out: dict[str, Any] = {}
    for name in data.data_vars:
        variable = data.variables[name]
        if "run" not in variable.dims:
            out[str(name)] = data[name]
            continue
        values = np.empty((2 + len(levels), *variable.shape[1:]))
        for at, column in _columns(variable):
            where: Any = (..., *at)
            values[where] = _statistics(column, levels)
        out[str(name)] = (("statistic", *variable.dims[1:]), values, dict(variable.attrs))
    names = ("mean", "sd", *(f"q{100 * level:02.0f}" for level in levels))
    coords = {str(c): data[c] for c in data.coords if c != "run"} | {"statistic": np.array(names)}
    return xr.Dataset(out, coords=coords, attrs=dict(data.attrs) | {"runs": int(data.sizes["run"])})


def _columns(variable: xr.Variable) -> Iterator[tuple[tuple[int, ...], NDArray[Any]]]:
    """Yield where each column stands among the labels, then the column (run, day); without days, all."""
    labels = variable.shape[2:] if "day" in variable.dims else ()
    if labels and variable._in_memory:  # side by side, the runs of a column are read several times faster
        columns = variable.values.reshape(*variable.shape[:2], -1).transpose(2, 0, 1)
        yield from zip(np.ndindex(labels), np.ascontiguousarray(columns), strict=True)
        return
    for at in np.ndindex(labels):  # so much is unpacked at a time
        yield at, variable[(..., *at)].values


def _statistics(values: NDArray[Any], levels: tuple[float, ...]) -> NDArray[np.float64]:
    """Return mean, standard deviation and quantiles over the first axis (statistics, ...)."""
    out = np.empty((2 + len(levels), *values.shape[1:]))
    if not values.any():
        out[:] = 0.0
        out[1] = 0.0 if len(values) > 1 else np.nan
        return out
    some = values.astype(np.float64)
    known = len(values) - np.isnan(some).sum(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of days on which no run has a number
        if (known == len(values)).all():
            out[0], out[1] = some.mean(0), some.std(0, ddof=1)
        else:
            out[0], out[1] = np.nanmean(some, axis=0), np.nanstd(some, axis=0, ddof=1)
    # sorted as they are stored, which is several times faster than as float64; nan comes last
    ordered = np.sort(np.moveaxis(values, 0, -1), axis=-1)
    for k, level in enumerate(levels):
        out[2 + k] = _quantile(ordered, known, level)
    return out


def _quantile(ordered: NDArray[Any], known: NDArray[np.intp], level: float) -> NDArray[np.float64]:
    """Return one quantile of each row, of which the first `known` count, to the bit as NumPy's quantile."""
    at = np.asarray((known - 1) * level)
    low = np.maximum(np.floor(at).astype(np.intp), 0)
    high = np.minimum(low + 1, np.maximum(known - 1, 0))
    a, b = (np.take_along_axis(ordered, k[..., None], -1)[..., 0].astype(np.float64) for k in (low, high))
    t = at - low
    return np.asarray(np.where(t < 0.5, a + (b - a) * t, b - (b - a) * (1 - t)))
