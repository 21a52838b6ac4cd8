"""From replicates to one labelled dataset: arrays laid out once, filled row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.case.place_codes import places
from breakrank.engine.replicate import EVENT_COLUMNS, Replicate
from breakrank.errors import nearest
from breakrank.results.variables import VARIABLES, Variable, coordinates, days, field_variable

if TYPE_CHECKING:
    import pyarrow as pa
    import xarray as xr

    from breakrank.case import Case


class Collector:
    """Takes replicates in any order and hands back the dataset and the event table in order of run.

    Memory is one array per variable for all runs, laid out when the first replicate arrives.

    Parameters
    ----------
    case : the case that ran.
    runs : how many runs there may be; replicates are numbered 0 to ``runs - 1``.
    events : event code names, in order of code.
    """

    def __init__(self, case: Case, runs: int, events: Sequence[str]) -> None:
        self.case = case
        self.done = np.zeros(runs, bool)
        self._coords = coordinates(case)
        self._sizes = {"day": case.calendar.days, **{d: len(ids) for d, ids in self._coords.items()}}
        self._arrays: dict[str, npt.NDArray[Any]] = {}
        self._logs: dict[int, dict[str, npt.NDArray[Any]]] = {}
        self._event_names = tuple(events)

    def add(self, replicate: Replicate) -> None:
        """Take in one replicate.

        Raises
        ------
        ValueError
            if its series are not those of the table of variables, or differ from the other runs'.
        """
        if not self._arrays:
            self._lay_out(replicate)
        if replicate.series.keys() != self._arrays.keys():
            odd = sorted(replicate.series.keys() ^ self._arrays.keys())
            raise ValueError(f"run {replicate.run} has other series than the runs before: {', '.join(odd)}")
        for name, values in replicate.series.items():
            target = self._arrays[name]
            if np.shape(values) != target.shape[1:]:
                wrong = f"shape {np.shape(values)}, not {target.shape[1:]}"
                raise ValueError(f"series {name} of run {replicate.run} has {wrong}")
            target[replicate.run] = np.asarray(values).astype(target.dtype, casting="same_kind", copy=False)
        if replicate.events is not None:
            self._logs[replicate.run] = self._checked_log(replicate)
        self.done[replicate.run] = True

    def _lay_out(self, replicate: Replicate) -> None:
        for name in replicate.series:
            if name not in VARIABLES:
                raise ValueError(f"no variable {name!r} in the table of variables{nearest(name, VARIABLES)}")
        for name, variable in VARIABLES.items():
            if name in replicate.series:
                shape = [self._sizes[d] for d in variable.dims[1:]]
                self._arrays[name] = np.zeros([len(self.done), *shape], variable.dtype)

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

        finished = np.flatnonzero(self.done)
        variables: dict[str, tuple[tuple[str, ...], npt.NDArray[Any], dict[str, str]]] = {}
        for name, array in self._arrays.items():
            values = array if len(finished) == len(array) else array[finished]
            variables[name] = (VARIABLES[name].dims, values, VARIABLES[name].attrs)
        used: list[Variable] = [VARIABLES[name] for name in variables]
        for declared in self.case.catalogue.fields.values():
            variable = field_variable(declared)
            values = self.case.daily(declared.name).astype(variable.dtype)
            variables[variable.name] = (variable.dims, values, variable.attrs)
            used.append(variable)
        dims = {d for v in used for d in v.dims}
        coords: dict[str, Any] = {"run": finished.astype(np.int32), "day": days(self.case)}
        coords |= {d: np.array(ids, dtype=str) for d, ids in self._coords.items() if d in dims}
        return xr.Dataset(variables, coords=coords, attrs={"case": self.case.id, "title": self.case.title})

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
