"""Many runs in little room: mean, spread and quantiles over runs in place of the runs.

They are exact, because all runs of a variable are at hand when it is reduced; what is bounded is how many
variables are, and how much of one is calculated at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank.errors import BreakrankError

if TYPE_CHECKING:
    import xarray as xr

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
CHUNK = 32e6
"""Bytes of numbers that quantiles are calculated of at a time."""


def reduced(pieces: Iterable[xr.Dataset], levels: tuple[float, ...] = LEVELS) -> xr.Dataset:
    """Return statistics over runs, float64, with a dimension ``statistic`` in place of ``run``.

    Runs in which there is no number (nan: no open file has no age) are left out, day by day.

    The statistics are ``mean``, ``sd`` (with n - 1; nan of one run), and quantiles such as ``q05``. Variables
    that have no runs, such as the case's dated fields, stay as they are. The number of runs is an attribute.

    Parameters
    ----------
    pieces : datasets of the same runs that together hold all variables.
    levels : of the quantiles.
    """
    import xarray as xr

    out: dict[str, Any] = {}
    coords: dict[str, Any] = {}
    attrs: dict[str, Any] = {}
    names = ("mean", "sd", *(f"q{100 * level:02.0f}" for level in levels))
    for piece in pieces:
        attrs = dict(piece.attrs) | {"runs": int(piece.sizes["run"])}
        coords |= {str(c): piece[c] for c in piece.coords if c != "run"}
        for name in piece.data_vars:
            variable = piece[name]
            if "run" not in variable.dims:
                out[str(name)] = variable
                continue
            dims = ("statistic", *(d for d in variable.dims if d != "run"))
            values = _statistics(variable.values, levels)
            out[str(name)] = (dims, values, dict(variable.attrs))
    if not out:
        raise BreakrankError("there are no variables to reduce")
    return xr.Dataset(out, coords=coords | {"statistic": np.array(names)}, attrs=attrs)


def _statistics(values: NDArray[Any], levels: tuple[float, ...]) -> NDArray[np.float64]:
    """Return mean, standard deviation and quantiles over the first axis (statistics, ...)."""
    runs = len(values)
    flat = values.reshape(runs, -1)
    out = np.empty((2 + len(levels), flat.shape[1]))
    step = max(1, int(CHUNK / (8 * runs)))
    for first in range(0, flat.shape[1], step):
        some = flat[:, first : first + step].astype(np.float64)
        here = out[:, first : first + step]
        if np.isnan(some).any():
            _where_there_is(some, levels, here)
            continue
        here[0] = some.mean(0)
        here[1] = some.std(0, ddof=1) if runs > 1 else np.nan
        here[2:] = np.quantile(some, levels, axis=0)
    return out.reshape(2 + len(levels), *values.shape[1:])


def _where_there_is(some: NDArray[np.float64], levels: tuple[float, ...], out: NDArray[np.float64]) -> None:
    """Write statistics over the runs that have a number; nan where none has."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of columns in which nothing is
        out[0] = np.nanmean(some, axis=0)
        out[1] = np.nanstd(some, axis=0, ddof=1)
        out[2:] = np.nanquantile(some, levels, axis=0)
