"""Small files that appear complete or not at all, also where several processes write them at once."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from breakrank.errors import UsageError
from breakrank.results.folder import explain
from breakrank.runs.part import PARTIAL


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write small files into a folder, each whole or not at all; UsageError if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            write_whole(folder / name, text)
    except OSError as error:
        raise UsageError(explain(error, folder)) from error


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a small file that appears complete or not at all; OSError if the disk refuses.

    A file that is there is replaced.
    """
    _written(path, content, lambda partial: partial.replace(path))


def write_first(path: Path, text: str) -> None:
    """Write a small file unless there is one by now: of several processes the first one's stays.

    A disk that knows no hard links keeps the last one's. OSError if the disk refuses.
    """

    def place(partial: Path) -> None:
        try:
            os.link(partial, path)
        except FileExistsError:
            pass
        except OSError:
            partial.replace(path)

    _written(path, text, place)


def is_partial(path: Path, name: str) -> bool:
    """Return whether a path is one of the files above on its way to be `name`."""
    return re.fullmatch(rf"\.{re.escape(name)}\.[0-9a-f]{{8}}{re.escape(PARTIAL)}", path.name) is not None


def _written(path: Path, content: str | bytes, place: Callable[[Path], object]) -> None:
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}{PARTIAL}")
    try:
        with partial.open("wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        place(partial)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
