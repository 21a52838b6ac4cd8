"""A labelled dataset and an event log as Parquet, and back, bit for bit.

Variables with the same leading dimensions (run and day, run, or day) share one file: a row per run
and day, a column per variable and combination of labels, e.g. ``exits_rank|quiet_desertion|enlisted``.
The schema's metadata carries dimensions, coordinates, types and attributes.
"""

from __future__ import annotations

import itertools
import json
import math
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.errors import BreakrankError
from breakrank.results.files import intact

if TYPE_CHECKING:
    import pyarrow as pa
    import xarray as xr

    from breakrank.results.collect import LabelledSet

FILES: dict[tuple[str, ...], str] = {
    ("run", "day"): "daily.parquet",
    ("run",): "runs.parquet",
    ("day",): "fields.parquet",
}
"""File by the dimensions that its rows run through, slowest first."""

BLOCK = 128e6
"""Bytes of runs that are written at a time."""
FEW = 100
"""Runs up to which columns are compressed by LZ4, which is quickest to read, and those without days not at
all. Columns of more runs are compressed by Zstandard, a fifth smaller: to start it for each of so many short
ones would take longer than everything else."""
_KEY = b"breakrank"


def write_dataset(data: xr.Dataset | LabelledSet, folder: Path) -> None:
    """Write a dataset into a folder, as the files of :data:`FILES`.

    Raises
    ------
    OSError
        if a file cannot be written.
    """
    import pyarrow.parquet as pq

    plain: Mapping[Any, Any] = (
        data.variables
    )  # a labelled array for each of them would take longer than the writing
    about = {
        "dims": {str(d): int(n) for d, n in data.sizes.items()},
        "coords": {str(c): _coordinate(plain[c].values) for c in data.coords},
        "attrs": dict(data.attrs),
        "order": [str(v) for v in data.data_vars],
    }
    for rows, file in FILES.items():
        names = [str(v) for v in data.data_vars if _rows(plain[v].dims) == rows]
        if not names:
            continue
        variables = {
            n: {"dims": list(plain[n].dims), "dtype": plain[n].dtype.str, "attrs": dict(plain[n].attrs)}
            for n in names
        }
        content = json.dumps(about | {"rows": rows, "variables": variables}, ensure_ascii=False)
        # Arrow's own description of the schema, and the least and most of every column, would take more room
        # than the values of a few runs
        lean: dict[str, Any] = {"compression": "zstd", "store_schema": False, "write_statistics": False}
        if data.sizes.get("run", math.inf) <= FEW:
            lean |= (
                {"compression": "lz4"} if "day" in rows else {"compression": "none", "use_dictionary": False}
            )
        with ExitStack() as stack:
            out = stack.enter_context(native_file(folder / file, "wb"))
            writer: Any = None
            for some in in_blocks(data[names]):
                table = as_table(some, rows, names)
                writer = writer or stack.enter_context(pq.ParquetWriter(out, table.schema, **lean))
                writer.write_table(table)
            writer.add_key_value_metadata({_KEY.decode(): content})


def read_dataset(folder: Path, only: Collection[str] | None = None) -> xr.Dataset:
    """Return the dataset that :func:`write_dataset` wrote: same values, types, coordinates and attributes.

    Parameters
    ----------
    folder : where it was written.
    only : names of the variables to read; by default all. The columns of the others are not touched.

    Raises
    ------
    BreakrankError
        if a file is missing, damaged, or not Breakrank's.
    """
    import xarray as xr

    variables, about = read_variables(folder, only)
    with intact(folder, "a Breakrank result"):
        coords = {c: np.array(v["values"], dtype=v["dtype"]) for c, v in about["coords"].items()}
        return xr.Dataset(variables, coords=coords, attrs=about["attrs"])


def read_variables(
    folder: Path, only: Collection[str] | None = None
) -> tuple[dict[str, tuple[tuple[str, ...], Any, dict[str, Any]]], dict[str, Any]]:
    """Return dimensions, values and attributes of each variable, and what is said of all of them.

    Parameters
    ----------
    folder, only : as of :func:`read_dataset`.

    Raises
    ------
    BreakrankError
        as :func:`read_dataset`.
    """
    import pyarrow.parquet as pq

    variables: dict[str, tuple[tuple[str, ...], Any, dict[str, Any]]] = {}
    about: dict[str, Any] = {}
    for file in FILES.values():
        path = folder / file
        if not path.exists():
            continue
        whole = intact(path, "part of a Breakrank result")
        with whole, native_file(path) as held, pq.ParquetFile(held) as opened:
            about = json.loads((opened.metadata.metadata or {})[_KEY])
            wanted = {n: m for n, m in about["variables"].items() if only is None or n in only}
            columns: dict[str, list[str]] = {name: [] for name in wanted}
            for column in opened.schema_arrow.names:
                if (name := column.partition("|")[0]) in wanted:
                    columns[name].append(column)
            table = opened.read([c for some in columns.values() for c in some], use_threads=False)
            for name, meta in wanted.items():
                values = _values(table, columns[name], meta, about["dims"])
                variables[name] = (tuple(meta["dims"]), values, meta["attrs"])
    order = [n for n in about.get("order", ()) if only is None or n in only]
    missing = [n for n in order if n not in variables]
    if not variables or missing:
        raise BreakrankError(
            f"{folder}: the result is incomplete, {', '.join(missing) or 'all data'} missing"
        )
    return {n: variables[n] for n in order}, about


def read_schema(path: Path) -> pa.Schema:
    """Return the schema of a file without its values."""
    import pyarrow.parquet as pq

    with native_file(path) as held:
        return pq.read_schema(held)


def native_file(path: Path, mode: str = "rb") -> pa.NativeFile:
    """Open a file without Python: Arrow's threads may close it when Python is gone already, and crash."""
    import pyarrow as pa

    return pa.OSFile(os.fsencode(path), mode)  # in bytes, since a path need be no UTF-8


def write_events(events: pa.Table, path: Path) -> None:
    """Write an event log; OSError if that cannot be done."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Parquet keeps the names that occur, in order of appearance: the full lists go into the metadata
    names = {
        field.name: events[field.name].combine_chunks().dictionary.to_pylist()
        for field in events.schema
        if pa.types.is_dictionary(field.type)
    }
    about = json.dumps(names, ensure_ascii=False).encode()
    with native_file(path, "wb") as out:
        pq.write_table(events.replace_schema_metadata({_KEY: about}), out, compression="zstd")


def read_events(path: Path) -> pa.Table:
    """Return the event log that :func:`write_events` wrote, codes and names as they were.

    Raises
    ------
    BreakrankError
        if the file is missing, damaged, or not Breakrank's.
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    with intact(path, "the event log of a result"):
        with native_file(path) as held:
            table = pq.read_table(held).combine_chunks()
        for name, known in json.loads((table.schema.metadata or {})[_KEY]).items():
            names = pa.array(known, pa.string())
            found = table[name].combine_chunks()
            code = (
                pc.index_in(found.dictionary, value_set=names).take(found.indices).cast(found.type.index_type)
            )
            column = pa.DictionaryArray.from_arrays(code, names)
            table = table.set_column(table.schema.get_field_index(name), name, column)
    return table.replace_schema_metadata(None)


def in_blocks(data: xr.Dataset | LabelledSet) -> Iterator[Any]:
    """Yield a dataset some runs at a time, as many as take some :data:`BLOCK` bytes."""
    runs = data.sizes.get("run", 1)
    step = max(1, int(BLOCK * runs / max(data.nbytes, 1)))
    if step >= runs:
        yield data
        return
    for first in range(0, runs, step):
        yield data.isel(run=slice(first, first + step))


def _rows(dims: tuple[Any, ...]) -> tuple[str, ...]:
    """Return which leading dimensions of a variable its rows run through."""
    rows = tuple(itertools.takewhile(lambda d: d in ("run", "day"), dims))
    if rows not in FILES:
        raise ValueError(f"dimensions {dims} do not begin with run or day")
    return rows


def _coordinate(values: npt.NDArray[Any]) -> dict[str, Any]:
    as_text = values.dtype.kind == "M"
    return {"dtype": values.dtype.str, "values": (values.astype(str) if as_text else values).tolist()}


def columns_of(data: xr.Dataset | LabelledSet, name: str, rows: Sequence[str]) -> list[str]:
    """Return the columns of a variable, e.g. ``exits_rank|quiet_desertion|enlisted``."""
    plain: Mapping[Any, Any] = data.variables
    labels = [[str(v) for v in plain[d].values] for d in plain[name].dims[len(rows) :]]
    return ["|".join((name, *combination)) for combination in itertools.product(*labels)]


def as_table(data: xr.Dataset | LabelledSet, rows: Sequence[str], names: Sequence[str]) -> pa.Table:
    """Return variables as a table, a row for each combination of `rows`, a column for each of other labels.

    Parameters
    ----------
    rows : the leading dimensions of all of them.
    names : of the variables.
    """
    import pyarrow as pa

    index = np.indices([data.sizes[d] for d in rows]).reshape(len(rows), -1)
    columns: dict[str, pa.Array] = {}
    for dim, position in zip(rows, index, strict=True):
        values = data.variables[dim].values[position]
        columns["date" if dim == "day" else dim] = _column(
            values.astype("datetime64[D]") if dim == "day" else values
        )
    for name in names:
        # Parquet wants each column by itself; transposing once is far quicker than slicing column by column
        flat = np.ascontiguousarray(data.variables[name].values.reshape(index.shape[1], -1).T)
        for column, values in zip(columns_of(data, name, rows), flat, strict=True):
            columns[column] = _column(values)
    return pa.table(columns)


def _column(values: npt.NDArray[Any]) -> pa.Array:
    """Return numbers or days as Arrow's; plain numbers are not copied, nor is pandas loaded for them."""
    import pyarrow as pa

    kind, plain = values.dtype, values
    if kind == np.dtype("datetime64[D]"):
        arrow, plain = pa.date32(), values.astype(np.int64).astype(np.int32)
    elif kind.kind in "iuf":
        arrow = pa.from_numpy_dtype(kind)
    else:
        return pa.array(values)
    return pa.Array.from_buffers(arrow, len(plain), [None, pa.py_buffer(np.ascontiguousarray(plain))])


def _values(
    table: pa.Table, columns: Sequence[str], meta: dict[str, Any], dims: dict[str, int]
) -> npt.NDArray[Any]:
    shape = [dims[d] for d in meta["dims"]]
    values = np.empty((table.num_rows, len(columns)), dtype=meta["dtype"])
    for k, column in enumerate(columns):
        values[:, k] = table.column(column).to_numpy()
    return values.reshape(shape)
