"""Labelled arrays as they are written to files: what Parquet needs of a dataset, without loading xarray.

A worker writes its runs every few seconds and reads none. Loading xarray and all that it loads would take it
half a second of processor time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Labelled(NamedTuple):
    """Values with the names of their dimensions, as those of ``xarray.Variable``."""

    dims: tuple[str, ...]
    values: NDArray[Any]
    attrs: Mapping[str, Any]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the values."""
        return self.values.dtype


@dataclass(frozen=True)
class LabelledSet:
    """Labelled arrays that share dimensions; what :class:`xarray.Dataset` has under the same names.

    Attributes
    ----------
    variables : by name, those of the coordinates among them.
    coords : names of the coordinates.
    attrs : what is said of all of them.
    """

    variables: Mapping[str, Labelled]
    coords: tuple[str, ...]
    attrs: Mapping[str, Any]

    @cached_property
    def data_vars(self) -> tuple[str, ...]:
        """Names of the variables that are no coordinates."""
        return tuple(name for name in self.variables if name not in self.coords)

    @cached_property
    def sizes(self) -> dict[str, int]:
        """Length of each dimension, in the order in which they first occur."""
        return {d: n for v in self.variables.values() for d, n in zip(v.dims, v.values.shape, strict=True)}

    @property
    def nbytes(self) -> int:
        """Bytes of all values."""
        return sum(v.dtype.itemsize * math.prod(v.values.shape) for v in self.variables.values())

    def __getitem__(self, names: Iterable[str]) -> LabelledSet:
        """Return some variables with all coordinates."""
        kept = {name: self.variables[name] for name in (*names, *self.coords)}
        return LabelledSet(kept, self.coords, self.attrs)

    def isel(self, run: slice) -> LabelledSet:
        """Return some of the runs, by position."""
        kept = {
            name: v._replace(values=v.values[run]) if v.dims[:1] == ("run",) else v
            for name, v in self.variables.items()
        }
        return LabelledSet(kept, self.coords, self.attrs)

    @classmethod
    def of_runs(
        cls,
        runs: Sequence[int],
        variables: Mapping[str, tuple[tuple[str, ...], Any, Mapping[str, Any]]],
        coords: Mapping[str, Any],
        attrs: Mapping[str, Any],
    ) -> LabelledSet:
        """Return variables of some runs with their coordinates, without those that all runs share."""
        found = {n: Labelled(d, np.asarray(v), a) for n, (d, v, a) in variables.items() if "run" in d}
        labels = {name: np.asarray(values) for name, values in coords.items() if name != "run"}
        labels["run"] = np.asarray(runs, np.int32)
        found |= {name: Labelled((name,), values, {}) for name, values in labels.items()}
        return cls(found, tuple(labels), attrs)
