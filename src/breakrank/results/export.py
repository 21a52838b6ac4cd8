"""Results for other programs: CSV, Parquet, NetCDF, Zarr, with labels and units.

CSV and Parquet are tables with a row per run and day and a column per variable and labels, such as
``exits_rank|quiet_desertion|enlisted``; what has no days, and what has no runs, goes into tables beside.
NetCDF and Zarr are cubes that keep dimensions as dimensions.
"""

from __future__ import annotations

import importlib.util
import itertools
import shutil
import warnings
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank import __version__
from breakrank.errors import BreakrankError, UsageError, nearest
from breakrank.leftovers import beside
from breakrank.results.files import explain
from breakrank.results.parquet import as_table, columns_of
from breakrank.results.uncertainty import LEVELS

if TYPE_CHECKING:
    import pyarrow as pa
    import xarray as xr


def reduced(data: xr.Dataset) -> xr.Dataset:
    """Return statistics over runs, float64, with a dimension ``statistic`` in place of ``run``.

    Runs in which there is no number (nan: no open file has no age) are left out, day by day.

    The statistics are ``mean``, ``sd`` (with n - 1; nan of one run), and quantiles such as ``q05``. Variables
    that have no runs, such as the case's dated fields, stay as they are. The number of runs is an attribute.
    """
    import xarray as xr

    if not data.data_vars:
        raise BreakrankError("there are no variables to reduce")
    out: dict[str, Any] = {}
    for name, array in data.data_vars.items():
        if "run" not in array.dims:
            out[str(name)] = array
            continue
        values = np.empty((2 + len(LEVELS), *array.shape[1:]))
        for at in np.ndindex(array.shape[2:] if "day" in array.dims else ()):  # so much at a time
            values[(..., *at)] = _statistics(array.values[(..., *at)].astype(np.float64))
        out[str(name)] = (("statistic", *array.dims[1:]), values, dict(array.attrs))
    names = ("mean", "sd", *(f"q{100 * level:02.0f}" for level in LEVELS))
    coords = {str(c): data[c] for c in data.coords if c != "run"} | {"statistic": np.array(names)}
    return xr.Dataset(out, coords=coords, attrs=dict(data.attrs) | {"runs": int(data.sizes["run"])})


def _statistics(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return mean, standard deviation and quantiles over the first axis (statistics, ...)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of days without a number, of one run
        if np.isnan(values).any():
            mean, sd = np.nanmean(values, axis=0), np.nanstd(values, axis=0, ddof=1)
            return np.stack([mean, sd, *np.nanquantile(values, LEVELS, axis=0)])
        return np.stack([values.mean(0), values.std(0, ddof=1), *np.quantile(values, LEVELS, axis=0)])


FORMATS: dict[str, tuple[str, ...]] = {
    "csv": (),
    "parquet": (),
    "netcdf": ("h5netcdf", "h5py"),
    "zarr": ("zarr",),
}
"""The formats, and the packages each needs beside those of every installation."""

ENDINGS = {".csv": "csv", ".parquet": "parquet", ".nc": "netcdf", ".zarr": "zarr"}
"""The format of a file by how its name ends."""

BY_RUN = ("csv", "parquet")
"""Formats that are written some runs at a time; the others, at once."""

ROWS = ("run", "statistic", "day")
"""Dimensions that rows of a table run through."""


def export(pieces: Iterable[xr.Dataset], to: str, target: Path, events: pa.Table | None = None) -> list[Path]:
    """Write a dataset of some runs, and return what was written.

    Parameters
    ----------
    pieces : the dataset; of tables (see :data:`BY_RUN`), some runs at a time.
    to : ``csv``, ``parquet``, ``netcdf`` or ``zarr``.
    target : file (of Zarr: folder) to be written; for tables, its name is what those beside it begin with.
    events : event table, written beside the others; in CSV and Parquet only.

    Raises
    ------
    UsageError
        for an unknown format, where its package is not installed, or where something is in the way.
    BreakrankError
        if the disk refuses; then nothing is left behind.
    """
    check_format(to)
    if events is not None and to not in BY_RUN:
        raise UsageError(f"events are a table; export them to csv or parquet, not to {to}")
    if target.exists():
        raise UsageError(f"{target} exists already, and is left alone\n  Choose another name.")
    staged = beside(target, ".partial")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        staged.mkdir()
        if to in BY_RUN:
            made = _tables(pieces, to, staged, target, events)
        else:
            made = [_cube(next(iter(pieces)), to, staged / target.name)]
        taken = [p.name for p in made if (target.parent / p.name).exists()]
        if taken:
            raise UsageError(f"{target.parent / taken[0]} exists already, and is left alone")
        for path in made:
            path.rename(target.parent / path.name)
        return [target.parent / path.name for path in made]
    except OSError as error:
        raise BreakrankError(explain(error, target)) from error
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def format_of(target: Path, to: str | None = None) -> str:
    """Return the format of a file: what is asked for, or else what its name ends with.

    Raises
    ------
    UsageError
        where neither says it, or they contradict each other.

    >>> format_of(Path("bands.nc")), format_of(Path("bands"), "csv")
    ('netcdf', 'csv')
    """
    ending = target.suffix
    if "xlsx" in (to, ending.lower().removeprefix(".")):
        raise UsageError(
            f"{target}: runs are exported as {', '.join(FORMATS)}, not as a workbook\n"
            f"  Excel opens {target.with_suffix('.csv')}. A workbook of the answer comes with `breakrank run "
            f"CASE --out {target.with_suffix('.xlsx')}`, and with every question."
        )
    if to is None and ending not in ENDINGS:
        raise UsageError(
            f"{target}: the name does not say the format\n"
            f"  End it with {', '.join(ENDINGS)}, or give --to {', '.join(FORMATS)}."
        )
    if to is not None and ENDINGS.get(ending, to) != to:
        raise UsageError(
            f"{target} would hold {to}, and its name says {ENDINGS[ending]}\n"
            "  Change the name, or leave --to out."
        )
    return to or ENDINGS[ending]


def check_format(to: str) -> None:
    """Check that a format is known and its package installed; UsageError says what to do."""
    if to not in FORMATS:
        raise UsageError(f"no format {to!r}{nearest(to, FORMATS)} (known: {', '.join(FORMATS)})")
    lacking = [name for name in FORMATS[to] if importlib.util.find_spec(name) is None]
    if lacking:
        raise UsageError(
            f"{to} needs {' and '.join(lacking)}, which is not installed. "
            "It comes with the optional extra 'export': pip install 'breakrank[export]'"
        )


def _cube(data: xr.Dataset, to: str, path: Path) -> Path:
    data = _described(data)
    if to == "netcdf":
        packed = {v: {"zlib": True, "complevel": 4} for v in data.data_vars if data[v].ndim}
        data.to_netcdf(path, engine="h5netcdf", encoding=packed)
    else:
        # version 2: version 3 has no settled way to store texts yet
        data.to_zarr(path, zarr_format=2, consolidated=True)
    return path


def _described(data: xr.Dataset) -> xr.Dataset:
    """Return a dataset whose attributes also go by the names that other programs look for (CF)."""
    data = data.copy().assign_attrs(Conventions="CF-1.8", source=f"Breakrank {__version__}")
    for name in data.data_vars:
        about = data[name].attrs
        data[name].attrs = {
            **about,
            "long_name": about.get("label", str(name)),
            "units": about.get("unit", "1"),
        }
    return data


def _tables(
    pieces: Iterable[xr.Dataset], to: str, folder: Path, target: Path, events: pa.Table | None
) -> list[Path]:
    """Write a table for each set of dimensions that rows run through, and one that explains the columns.

    Every piece holds all variables of some runs.
    """
    import pyarrow as pa

    explained: list[dict[str, str]] = []
    with ExitStack() as stack:
        writers: dict[tuple[str, ...], Any] = {}
        made: list[Path] = []
        for piece in pieces:
            for rows, names in _groups(piece):
                if rows in writers and not {"run", "statistic"} & {*rows}:
                    continue  # the case's dated fields are the same for all runs
                table = as_table(piece, rows, names)
                if rows not in writers:
                    explained += _explained(piece, rows, names)
                    made.append(folder / _name(target, rows))
                    writers[rows] = stack.enter_context(_writer(to, made[-1], table.schema))
                writers[rows].write_table(table)
    sides = {"columns": pa.Table.from_pylist(explained)}
    if events is not None:
        sides["events"] = _plain(events) if to == "csv" else events
    for name, table in sides.items():
        made.append(folder / f"{target.stem}-{name}{target.suffix}")
        with _writer(to, made[-1], table.schema) as writer:
            writer.write_table(table)
    return made


def _groups(data: xr.Dataset) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    rows = {
        str(name): tuple(str(d) for d in itertools.takewhile(lambda d: d in ROWS, data[name].dims))
        for name in data.data_vars
    }
    for group in dict.fromkeys(rows.values()):
        yield group, [name for name, has in rows.items() if has == group]


def _name(target: Path, rows: tuple[str, ...]) -> str:
    ending = "" if len(rows) > 1 else "-fields" if "day" in rows else "-runs"
    return f"{target.stem}{ending}{target.suffix}"


def _explained(data: xr.Dataset, rows: tuple[str, ...], names: list[str]) -> Iterator[dict[str, str]]:
    for name in names:
        dims = ", ".join(str(d) for d in data[name].dims)
        keys = ("label", "unit", "aggregation")
        about = {key: str(data[name].attrs.get(key, "")) for key in keys}
        for column in columns_of(data, name, rows):
            yield {"column": column, "variable": name, "dimensions": dims} | about


def _writer(to: str, path: Path, schema: pa.Schema) -> Any:  # noqa: ANN401 (pyarrow is not typed)
    import pyarrow.csv
    import pyarrow.parquet

    if to == "csv":
        return pyarrow.csv.CSVWriter(path, schema)
    return pyarrow.parquet.ParquetWriter(path, schema, compression="zstd")


def _plain(events: pa.Table) -> pa.Table:
    """Return a table whose codes are written out, as CSV knows no others."""
    import pyarrow as pa

    for k, field in enumerate(events.schema):
        if pa.types.is_dictionary(field.type):
            with suppress(pa.ArrowInvalid):
                events = events.set_column(k, field.name, events[field.name].cast(pa.string()))
    return events
