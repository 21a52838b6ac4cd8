"""From replicates to one labelled dataset: arrays laid out once, filled row by row."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from breakrank.case.place_codes import places
from breakrank.engine.replicate import EVENT_COLUMNS, Replicate
from breakrank.errors import nearest
from breakrank.outputs import Output
from breakrank.results.measures import coordinates, days, field_variable

if TYPE_CHECKING:
    import pyarrow as pa
    import xarray as xr

    from breakrank.case import Case


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


_Variable = tuple[tuple[str, ...], Any, dict[str, str]]
"""Dimensions, values and attributes."""


class Collector:
    """Takes replicates in any order and hands back the dataset and the event table in order of run.

    Memory is one array per variable for all runs, laid out when the first replicate arrives: 340 kB a run.

    Parameters
    ----------
    case : the case that ran.
    runs : how many runs there may be; replicates are numbered 0 to ``runs - 1``.
    events : event code names, in order of code.
    """

    def __init__(self, case: Case, runs: int, events: Sequence[str]) -> None:
        self.case = case
        self.done = np.zeros(runs, bool)
        self._outputs = case.outputs
        self._coords = coordinates(case)
        self._sizes = {"day": case.calendar.days, **{d: len(ids) for d, ids in self._coords.items()}}
        self._arrays: dict[str, npt.NDArray[Any]] = {}
        self._shapes: dict[str, tuple[int, ...]] = {}
        self._logs: dict[int, dict[str, npt.NDArray[Any]]] = {}
        self._event_names = tuple(events)

    def add(self, replicate: Replicate) -> None:
        """Take in one replicate.

        Raises
        ------
        ValueError
            if its series are not those of the table of variables, or differ from the other runs'.
        """
        self.take([replicate.run], {name: np.asarray(v)[None] for name, v in replicate.series.items()})
        if replicate.events is not None:
            self._logs[replicate.run] = self._checked_log(replicate)

    def take(self, runs: Sequence[int], series: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take in several runs at once; of each series the values of all of them (run, ...).

        Raises
        ------
        ValueError
            as :meth:`add`.
        """
        shapes = self._lay_out(series)
        at = np.asarray(runs)
        if series.keys() != shapes.keys():
            odd = sorted(series.keys() ^ shapes.keys())
            raise ValueError(f"run {runs[0]} has other series than the runs before: {', '.join(odd)}")
        for name, values in series.items():
            if values.shape[1:] != shapes[name]:
                wrong = f"shape {values.shape[1:]}, not {shapes[name]}"
                raise ValueError(f"series {name} of run {runs[0]} has {wrong}")
            values = values.astype(self._outputs[name].dtype, casting="same_kind", copy=False)
            self._arrays[name][at] = values
        self.done[at] = True

    def _lay_out(self, names: Collection[str]) -> dict[str, tuple[int, ...]]:
        """Return the shape of one run of each series; the first time, make room for them."""
        if not self._shapes:
            for name in names:
                if name not in self._outputs:
                    near = nearest(name, self._outputs)
                    raise ValueError(f"no variable {name!r} in the table of variables{near}")
            found = {name: v for name, v in self._outputs.items() if name in names}
            self._shapes = {n: tuple(self._sizes[d] for d in v.dims[1:]) for n, v in found.items()}
            for name, v in found.items():
                self._arrays[name] = np.zeros((len(self.done), *self._shapes[name]), v.dtype)
        return self._shapes

    def _checked_log(self, replicate: Replicate) -> dict[str, npt.NDArray[Any]]:
        log = replicate.events or {}
        if log.keys() != EVENT_COLUMNS.keys():
            raise ValueError(f"the event log has columns {', '.join(log)}, not {', '.join(EVENT_COLUMNS)}")
        return {
            name: np.asarray(log[name]).astype(dtype, casting="same_kind", copy=False)
            for name, dtype in EVENT_COLUMNS.items()
        }

    def dataset(self) -> xr.Dataset:
        """Return the finished runs, labelled, with the case's dated fields."""
        import xarray as xr

        variables, coords, attrs = self._labels()
        return xr.Dataset(variables, coords=coords, attrs=attrs)

    def numbered(self, runs: Sequence[int]) -> LabelledSet:
        """Return the finished runs under their own numbers, as they are written, without the fields."""
        variables, coords, attrs = self._labels()
        found = {n: Labelled(d, np.asarray(v), a) for n, (d, v, a) in variables.items() if "run" in d}
        labels = {name: np.asarray(values) for name, values in coords.items() if name != "run"}
        labels["run"] = np.asarray(runs, np.int32)
        found |= {name: Labelled((name,), values, {}) for name, values in labels.items()}
        return LabelledSet(found, tuple(labels), attrs)

    def _labels(self) -> tuple[dict[str, _Variable], dict[str, Any], dict[str, str]]:
        finished = np.flatnonzero(self.done)
        variables: dict[str, _Variable] = {}
        for name in self._shapes:
            array = self._arrays[name]
            values = array if len(finished) == len(array) else array[finished]
            variables[name] = (self._outputs[name].dims, values, self._outputs[name].attrs)
        used: list[Output] = [self._outputs[name] for name in variables]
        for declared in self.case.catalogue.fields.values():
            variable = field_variable(declared)
            daily = self.case.daily(declared.name).astype(variable.dtype)
            variables[variable.name] = (variable.dims, daily, variable.attrs)
            used.append(variable)
        dims = {d for v in used for d in v.dims}
        coords: dict[str, Any] = {"run": finished.astype(np.int32), "day": days(self.case)}
        coords |= {d: np.array(ids, dtype=str) for d, ids in self._coords.items() if d in dims}
        return variables, coords, {"case": self.case.id, "title": self.case.title}

    def events(self) -> pa.Table | None:
        """Return the event logs of the runs that kept one, one table; ``None`` when no run did."""
        if not self._logs:
            return None
        import pyarrow as pa

        order = sorted(self._logs)
        columns: dict[str, pa.Array] = {
            "run": pa.array(np.repeat(np.array(order, np.int32), [len(self._logs[r]["day"]) for r in order]))
        }
        for name in EVENT_COLUMNS:
            values = np.concatenate([self._logs[r][name] for r in order])
            if name == "event":
                columns[name] = _dictionary(values.astype(np.int16), self._event_names)
            elif name == "place":
                columns[name] = _dictionary(values + np.int16(1), ("", *places(self.case)))
            else:
                columns[name] = pa.array(values)
        return pa.table(columns)


def _dictionary(codes: npt.NDArray[np.int16], names: Sequence[str]) -> pa.DictionaryArray:
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(list(names), pa.string()))
