"""How a malformed case folder is described: what is done to a good one, and what the error has to say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.case.conftest import edit


@dataclass(frozen=True)
class Hostile:
    """One way to spoil a case.

    `do` spoils the folder; the error blames `file`, the last line of it that holds `on`
    (``None``: no matter which), and `key` (a part of it), and its text holds every one of `says`.
    """

    name: str
    file: str
    do: Callable[[Path], object]
    says: tuple[str, ...]
    on: str | None = None
    key: str | None = None


def swap(
    name: str,
    file: str,
    old: str,
    new: str,
    *says: str,
    on: str | None = None,
    key: str | None = None,
    blames: str = "",
) -> Hostile:
    """Replace a text of a file; the line blamed is by default the first of the new text."""
    if on == "the new text":
        on = new.strip().splitlines()[0] if not blames else None
    return Hostile(name, blames or file, lambda folder: edit(folder, file, old, new), says, on, key)


def whole(name: str, file: str, content: str | bytes, *says: str, on: str | None = None) -> Hostile:
    """Replace all of a file."""

    def do(folder: Path) -> None:
        (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())

    return Hostile(name, file, do, says, on)


def put_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def put_link(path: Path) -> None:
    elsewhere = path.parent.parent / f"elsewhere-{path.name}"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def put_pipe(path: Path) -> None:
    import os

    path.unlink()
    os.mkfifo(path)
