"""From the parts of a store to labelled data."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from breakrank.results.collect import Collector
from breakrank.results.json_files import intact
from breakrank.results.parquet import read_schema
from breakrank.runs.part import Part

if TYPE_CHECKING:
    import pyarrow as pa
    import xarray as xr

    from breakrank.case import Case

RunsByPart = Sequence[tuple[Part, tuple[int, ...]]]
"""Parts, and of each the runs that are taken from it."""


def gather(case: Case, found: RunsByPart, runs: int, only: Collection[str] | None = None) -> xr.Dataset:
    """Return runs from parts as one dataset, the same bits as if they had been made here in one go.

    Each part is read once. Memory is what :class:`~breakrank.results.collect.Collector` takes, and one part.

    Parameters
    ----------
    case : the case that ran.
    found : where each run is read from.
    runs : number one above the highest run.
    only : names of the variables to read; by default all.
    """
    collector = Collector(case, runs, ())
    for part, taken in found:
        rows = np.searchsorted(part.runs, taken)
        series = part.series(only)
        if len(taken) < len(part.runs):
            series = {name: values[rows] for name, values in series.items()}
        collector.take(taken, series)
    return collector.dataset()


def gather_events(found: RunsByPart) -> pa.Table | None:
    """Return the event tables of the runs that kept one, as one table in order of run."""
    import pyarrow as pa
    import pyarrow.compute as pc

    pieces: list[tuple[int, pa.Table]] = []
    for part, taken in found:
        wanted = [run for run in taken if run in part.logged]
        table = part.events() if wanted else None
        if table is not None:
            pieces += [(run, table.filter(pc.equal(table["run"], run))) for run in wanted]
    if not pieces:
        return None
    pieces.sort(key=lambda piece: piece[0])
    return pa.concat_tables([table for _, table in pieces]).combine_chunks()


def variables_of(case: Case, parts: Sequence[Part]) -> tuple[str, ...]:
    """Return the names of the variables that parts hold, in the order of the table of variables."""
    if not parts:
        return ()
    names: set[str] = set()
    for file in ("daily.parquet", "runs.parquet"):
        path = parts[0].folder / file
        with intact(path, "part of a Breakrank result"):
            if path.exists():
                names |= json.loads(read_schema(path).metadata[b"breakrank"])["variables"].keys()
    return tuple(name for name in case.outputs if name in names)
