"""Keeping a store small: parts merged, and what is not wanted any more taken away.

Both take folders away that another study may be reading, so they are for a store that nobody uses just then:
a study that loses a part under its hands stops with an error; the same call then goes on.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.engine.replicate import Replicate
from breakrank.errors import BreakrankError
from breakrank.results.folder import explain
from breakrank.runs.batch import LARGEST
from breakrank.runs.identity import code_digest
from breakrank.runs.part import PARTIAL, Part, write_part
from breakrank.runs.stored_ensemble import ASIDE

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.runs.store import Kept, Store


@dataclass(frozen=True, slots=True)
class Stock:
    """One ensemble of a store in numbers.

    Attributes
    ----------
    kept : which it is.
    runs : finished runs.
    logged : those of them whose events are kept.
    failed : runs that failed when last tried.
    parts : folders they are in.
    size : bytes on the disk.
    current : whether the model's code of today made them, so that a study would use them.
    """

    kept: Kept
    runs: int
    logged: int
    failed: int
    parts: int
    size: int
    current: bool


def stock(store: Store, code: str | None = None) -> tuple[Stock, ...]:
    """Return every ensemble of a store in numbers; parts are checked byte by byte, as whenever they are read.

    Parameters
    ----------
    store : the store.
    code : what counts as today's code; by default the model's.
    """
    today = code or code_digest()
    out = []
    for kept in store.ensembles():
        parts = kept.stored.parts()
        runs = {run for part in parts for run in part.runs}
        logged = {run for part in parts for run in part.logged}
        size = sum(part.size for part in parts)
        failed = len(kept.stored.failures())
        out.append(Stock(kept, len(runs), len(logged), failed, len(parts), size, kept.code == today))
    return tuple(out)


def merge(store: Store, kept: Kept, case: Case | None = None) -> tuple[int, int, int]:
    """Write the small parts of one ensemble anew as parts of up to 100 runs.

    Returns how many parts there were, how many there are, and how many of these were left as they are because
    they hold events. A run
    that two parts hold is written once. The bits of every run stay the same, and whoever is killed in the
    middle loses nothing: old parts go when the new one is there.

    Parameters
    ----------
    store, kept : the store, and which ensemble.
    case : its case, if it is at hand.

    Raises
    ------
    BreakrankError
        if the disk refuses, or the model of today cannot read the case any more.
    """
    stored = kept.stored
    parts = stored.parts()
    logged = sum(bool(part.logged) for part in parts)
    small = [part for part in parts if not part.logged and len(part.runs) < LARGEST]
    if len(small) < 2:
        return len(parts), len(parts), logged
    case = case or store.case(kept)
    made = 0
    try:
        for group in _groups(small):
            runs, seconds = _runs(group)
            write_part(stored.folder, case, runs, (), seconds=seconds)
            made += 1
            for part in group:
                _take_away(part.folder)
    except OSError as error:
        raise BreakrankError(explain(error, store.folder)) from error
    return len(parts), len(parts) - len(small) + made, logged


def remove(store: Store, some: Iterable[Kept]) -> int:
    """Take ensembles out of a store, and the cases that no other uses; return the bytes that are free now.

    Raises
    ------
    BreakrankError
        if the disk refuses.
    """
    before = _size(store.folder)
    try:
        for kept in some:
            _take_away(kept.stored.folder)
        used = {str(kept.stored.about["kept"]) for kept in store.ensembles()}
        cases = store.folder / "cases"
        for folder in cases.iterdir() if cases.is_dir() else ():
            if folder.name not in used and not folder.name.startswith("."):
                _take_away(folder)
    except OSError as error:
        raise BreakrankError(explain(error, store.folder)) from error
    return before - _size(store.folder)


def clear_aside(store: Store) -> int:
    """Delete the damaged parts that were set aside; return the bytes that are free now."""
    before = _size(store.folder)
    shutil.rmtree(store.folder / ASIDE, ignore_errors=True)
    return before - _size(store.folder)


def _groups(parts: list[Part]) -> list[list[Part]]:
    """Return parts in groups of at most :data:`LARGEST` runs, in order of their first run, none alone."""
    groups: list[list[Part]] = [[]]
    for part in sorted(parts, key=lambda p: p.runs):
        if sum(len(p.runs) for p in groups[-1]) + len(part.runs) > LARGEST:
            groups.append([])
        groups[-1].append(part)
    return [group for group in groups if len(group) > 1]


def _runs(parts: list[Part]) -> tuple[list[Replicate], float]:
    """Return the runs of some parts, each once, and the time they took (s)."""
    found: dict[int, Replicate] = {}
    for part in parts:
        arrays = part.series()
        for k, run in enumerate(part.runs):
            found.setdefault(run, Replicate(run, {name: values[k] for name, values in arrays.items()}))
    return list(found.values()), sum(part.seconds for part in parts)


def _take_away(folder: Path) -> None:
    """Delete a folder, out of sight at once, so that nobody finds half of it."""
    hidden = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}{PARTIAL}")
    folder.rename(hidden)
    shutil.rmtree(hidden, ignore_errors=True)


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())
