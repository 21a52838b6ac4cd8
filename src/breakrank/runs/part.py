"""One part of a store: some runs of one ensemble, written whole, never changed, checked before they are used.

::

    daily.parquet    a row per run and day (see :mod:`breakrank.results.parquet`)
    runs.parquet     a row per run
    events.parquet   the event log of the runs that kept one
    part.json        which runs, and the SHA-256 of every file and of itself

A part is a folder that appears under its name when everything in it is on the disk. Whoever is killed while
writing leaves a hidden folder behind that nobody reads.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank.errors import BreakrankError
from breakrank.results.collect import Collector
from breakrank.results.files import PARTIAL, UNREADABLE, checksum, intact, seal
from breakrank.results.parquet import (
    read_events,
    read_schema,
    read_variables,
    write_dataset,
    write_events,
)

if TYPE_CHECKING:
    import pyarrow as pa
    import xarray as xr

    from breakrank.case import Case
    from breakrank.engine.replicate import Replicate


FORMAT = 1
"""Version of the layout, under ``breakrank_part`` in ``part.json``."""

_ABOUT, _EVENTS = "part.json", "events.parquet"


class DamagedError(BreakrankError):
    """A part that cannot be used: something is missing, unreadable, or not what was written."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a store, found whole.

    Attributes
    ----------
    folder : where it stands.
    runs : numbers of its runs, rising.
    logged : those of them whose events it holds.
    seconds : time its runs took, s.
    size : bytes on the disk.
    """

    folder: Path
    runs: tuple[int, ...]
    logged: tuple[int, ...]
    seconds: float
    size: int

    def series(self, only: Collection[str] | None = None) -> dict[str, NDArray[Any]]:
        """Return the values of its runs by variable, (run, ...), of the variables `only`, if given."""
        return {name: values for name, (_, values, _) in read_variables(self.folder, only)[0].items()}

    def events(self) -> pa.Table | None:
        """Return its event table, ``None`` where it keeps none."""
        return read_events(self.folder / _EVENTS) if self.logged else None


def write_part(
    home: Path,
    case: Case,
    replicates: Sequence[Replicate],
    events: Sequence[str],
    seconds: float = 0.0,
) -> Path:
    """Write replicates of one ensemble as a part in the folder `home`, and return the part's folder.

    Parameters
    ----------
    home : folder of the ensemble.
    case : the case that ran.
    replicates : in any order, each run once.
    events : event code names, in order of code.
    seconds : time the runs took.

    Raises
    ------
    OSError
        if the disk refuses; then nothing is left behind.
    """
    ordered = sorted(replicates, key=lambda one: one.run)
    runs = np.array([one.run for one in ordered], np.int32)
    collector = Collector(case, len(ordered), events)
    for position, one in enumerate(ordered):
        collector.add(replace(one, run=position))
    data = collector.numbered(runs.tolist())  # the case holds its fields
    name = f"{runs[0]:06d}-{runs[-1]:06d}-{secrets.token_hex(4)}"
    partial = home / f".{name}{PARTIAL}"
    try:
        partial.mkdir()
        write_dataset(data, partial)
        log = collector.events()
        if log is not None:
            write_events(_renumbered(log, runs), partial / _EVENTS)
        about = {
            "breakrank_part": FORMAT,
            "runs": runs.tolist(),
            "logged": [int(one.run) for one in ordered if one.events is not None],
            "soldiers": None,  # of whom events are kept: all; earlier versions read it
            "seconds": round(seconds, 4),
            "files": {path.name: _put_away(path) for path in sorted(partial.iterdir())},
        }
        text = json.dumps(about | {"checksum": seal(about)}, indent=1) + "\n"
        (partial / _ABOUT).write_text(text, "utf-8")
        _put_away(partial / _ABOUT)
        partial.rename(home / name)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    return home / name


def open_part(folder: Path) -> Part:
    """Return a part, every byte of it checked.

    Raises
    ------
    DamagedError
        saying what is wrong with it.
    """
    about = _about(folder)
    size = (folder / _ABOUT).stat().st_size
    try:
        files, seconds = dict(about["files"]), float(about["seconds"])
        runs, logged = tuple(about["runs"]), tuple(about["logged"])
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedError(f"{_ABOUT} does not say what it has to") from error
    for name, expected in files.items():
        path = folder / name
        try:
            found = checksum(path)
            size += path.stat().st_size
        except OSError as error:
            why = (
                "is missing"
                if isinstance(error, FileNotFoundError)
                else f"is not readable ({error.strerror})"
            )
            raise DamagedError(f"{name} {why}") from error
        if found != expected:
            raise DamagedError(f"{name} is not what was written: its checksum differs")
    return Part(folder, runs, logged, seconds, size)


def _about(folder: Path) -> dict[str, Any]:
    try:
        about: dict[str, Any] = json.loads((folder / _ABOUT).read_text("utf-8"))
        written_seal = about.pop("checksum")
        written = about["breakrank_part"]
    except FileNotFoundError as error:
        raise DamagedError(f"{_ABOUT} is missing") from error
    except UNREADABLE as error:
        raise DamagedError(f"{_ABOUT} is not readable") from error
    if written_seal != seal(about):
        raise DamagedError(f"{_ABOUT} is not what was written: its checksum differs")
    if written != FORMAT:
        raise DamagedError(f"it has part format {written}, this Breakrank reads {FORMAT}")
    return about


def _put_away(path: Path) -> str:
    """Have the disk hold a file, not only its cache, and return its checksum."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
    return checksum(path)


def _renumbered(log: pa.Table, runs: np.ndarray[Any, np.dtype[np.int32]]) -> pa.Table:
    """Return a log whose runs are counted by position with their own numbers."""
    import pyarrow as pa

    return log.set_column(0, "run", pa.array(runs[log["run"].to_numpy()]))


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
