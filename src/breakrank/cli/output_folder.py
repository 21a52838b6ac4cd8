"""Where a command puts what it made: a name that is free, and a place that can be written, found early."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from breakrank.errors import UsageError


def unused(folder: Path) -> Path:
    """Return the folder, or its name with the first number that is not taken: nothing earlier is lost."""
    number = 1
    free = folder
    while free.exists():
        number += 1
        free = folder.with_name(f"{folder.name}-{number}")
    return free


def refuse_early(folder: Path, is_ours: Callable[[Path], bool], what: str) -> None:
    """Find out before the work, not after it, that its result could not be put there.

    Parameters
    ----------
    folder : where it is to go; new, empty, or one that `is_ours` knows and that will be replaced.
    what : what such a folder holds, after "holds something that is", e.g. ``"no Breakrank result"``.

    Raises
    ------
    UsageError
        saying what is there, or why nothing can be written.
    """
    if folder.exists() and not (folder.is_dir() and (is_ours(folder) or not any(folder.iterdir()))):
        raise UsageError(
            f"{folder} holds something that is {what}, so it is left alone\n"
            "  Name an empty or a new folder with --out."
        )
    target = Path(os.path.realpath(folder))
    try:
        beside = next(p for p in target.parents if p.exists())
        tempfile.TemporaryDirectory(prefix=".breakrank-", dir=beside).cleanup()
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise UsageError(
            f"cannot write {folder}: {why}\n  Name a folder where you may write with --out."
        ) from error
