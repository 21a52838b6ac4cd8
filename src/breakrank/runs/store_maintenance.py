"""The content of a store, and the removal of runs that no study uses any more.

Taking away is for a store that nobody uses just then: a study that loses a folder under its hands stops with
an error; the same call then goes on.
"""

from __future__ import annotations

import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.errors import BreakrankError
from breakrank.results.folder import explain
from breakrank.runs.identity import code_digest
from breakrank.runs.part import PARTIAL
from breakrank.runs.stored_ensemble import ASIDE

if TYPE_CHECKING:
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


def clean(store: Store, code: str | None = None) -> int:
    """Take away ensembles of other versions of the model, cases without any, and damaged parts set aside.

    Parameters
    ----------
    store, code : as of :func:`stock`.

    Returns
    -------
    The bytes that are free now.

    Raises
    ------
    BreakrankError
        if the disk refuses.
    """
    before = _size(store.folder)
    try:
        for one in stock(store, code):
            if not one.current:
                _take_away(one.kept.stored.folder)
        used = {str(kept.stored.about["kept"]) for kept in store.ensembles()}
        for folder in store.folder.glob("cases/[!.]*"):
            if folder.name not in used:
                _take_away(folder)
        shutil.rmtree(store.folder / ASIDE, ignore_errors=True)
    except OSError as error:
        raise BreakrankError(explain(error, store.folder)) from error
    return before - _size(store.folder)


def _take_away(folder: Path) -> None:
    """Delete a folder, out of sight at once, so that nobody finds half of it."""
    hidden = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}{PARTIAL}")
    folder.rename(hidden)
    shutil.rmtree(hidden, ignore_errors=True)


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())
