"""Reading files safely: only regular files of moderate size inside the case folder; and bytes as text."""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Collection
from pathlib import Path, PurePosixPath

from breakrank.errors import CaseError, Location, nearest

LARGEST_FILE = 5 * 1024 * 1024
"""Bytes a file of a case may have."""
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""What stands at the start of a file and names its encoding."""


class Folder:
    """A case folder; nothing outside it is ever read.

    `expected` are the files that every case has.

    Raises
    ------
    CaseError
        when `path` is not a folder.
    """

    def __init__(self, path: Path, expected: Collection[str] = ()) -> None:
        self.path = path
        self.expected = expected
        if not path.exists():
            raise CaseError("this case folder does not exist", Location(path))
        if not path.is_dir():
            raise CaseError(
                "a case is a folder, and this is a file",
                Location(path),
                "Name the folder that holds case.yaml.",
            )

    def file(self, name: str) -> Path:
        """Return the path of a file of this case, as messages show it."""
        return self.path / name

    def read(self, name: str, named_at: Location | None = None) -> str:
        """Return the text of a file inside the folder; CaseError as :meth:`read_bytes`, or if not UTF-8."""
        return _decode(self.read_bytes(name, named_at), self.file(name))

    def read_bytes(self, name: str, named_at: Location | None = None, most: int = LARGEST_FILE) -> bytes:
        """Return the bytes of a file inside the folder.

        Parameters
        ----------
        name : relative path with forward slashes.
        named_at : where in the case the file is named; blamed when the name itself is wrong.
        most : bytes that it may have.

        Raises
        ------
        CaseError
            when the path leaves the folder, or the file is missing, a link, not a regular file,
            empty, or larger than that.
        """
        parts = _parts(name, named_at or Location(self.file(name)))
        here = self.path
        for part in parts:
            here = here / part
            if here.is_symlink():
                raise CaseError(
                    "this is a link; a case holds plain files only",
                    Location(here),
                    "Copy the file into the folder.",
                )
        if not here.exists():
            raise self._missing(name, here, named_at)
        return read_bytes(here, most)

    def names(self) -> list[str]:
        """Return the relative paths of all files in the folder and one folder below it, sorted."""
        found = [p for pattern in ("*", "*/*") for p in self.path.glob(pattern)]
        return sorted(p.relative_to(self.path).as_posix() for p in found if p.is_file())

    def _missing(self, name: str, here: Path, named_at: Location | None) -> CaseError:
        if named_at is not None:
            hint = nearest(name, self.names())
            problem = f"the file {name!r} does not exist in the case folder{hint}"
            return CaseError(problem, named_at, "Put it there, or correct the name.")
        spare = [n for n in self.names() if n not in self.expected]
        remedy = "Every case has it; compare with the folder that `breakrank case new` writes."
        if here.parent != self.path or (self.expected and "case.yaml" not in self.expected):
            remedy = f"Bring it back. A case can do without the folder {here.parent.name}."
        if (self.path / "case" / name).is_file():
            return CaseError(
                "this file is missing: the folder is a result or an answer",
                Location(here),
                f"Name the case that it was made of: {self.path / 'case'}.",
            )
        return CaseError(f"this file is missing{nearest(name, spare)}", Location(here), remedy)


def read_file(path: Path) -> str:
    """Return the text of one regular UTF-8 file (a leading byte order mark is dropped).

    Raises
    ------
    CaseError
        as :meth:`Folder.read`.
    """
    return _decode(read_bytes(path), path)


def read_bytes(path: Path, most: int = LARGEST_FILE) -> bytes:
    """Return the bytes of one regular file up to a size; CaseError as :meth:`Folder.read_bytes`."""
    place = Location(path)
    # O_NONBLOCK: opening a pipe must not wait for a writer; what was opened is what is examined.
    flags = (
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    )
    try:
        if path.is_dir():  # said here because some systems cannot open a folder at all
            raise CaseError("this is a folder, and a file is expected", place)
        handle = os.open(path, flags)
    except (OSError, ValueError) as error:
        raise CaseError(f"this file cannot be read ({_reason(error)})", place) from error
    with os.fdopen(handle, "rb") as stream:
        kind = os.fstat(stream.fileno())
        if not stat.S_ISREG(kind.st_mode):
            raise CaseError("this is not a regular file", place, "A case holds plain files only.")
        try:
            raw = stream.read(most + 1)
        except OSError as error:
            raise CaseError(f"this file cannot be read ({_reason(error)})", place) from error
    if len(raw) > most:
        raise CaseError(
            f"this file is larger than {most // 1024**2} MB",
            place,
            "Aggregate long tables, e.g. to one row a week.",
        )
    return raw


def _decode(raw: bytes, path: Path) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise CaseError(
            "this file is not written in UTF-8",
            Location(path, line),
            "Save it again with the encoding UTF-8.",
        ) from None
    if not text.strip():
        raise CaseError(
            "this file is empty",
            Location(path),
            "Write [] where a list has no items, {} where a mapping has none.",
        )
    return text


def _parts(name: str, place: Location) -> tuple[str, ...]:
    """Split a relative name, refusing whatever could lead out of the folder."""
    path = PurePosixPath(name)
    odd = "\\" in name or ":" in name or any(ord(c) < 32 for c in name)
    if not name or odd or path.is_absolute() or ".." in path.parts or not path.parts:
        raise CaseError(
            f"{name[:100]!r} is not the name of a file inside the case folder",
            place,
            "Write a relative name such as pay.csv, with / between folders and no '..'.",
        )
    return path.parts


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error)


def decoded(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Return bytes as text, and what was unusual about them.

    What is no UTF-8 is read as Windows 1252. Bytes that are no text there either become U+FFFD.
    """
    for mark, name in MARKS.items():
        if data.startswith(mark):
            return data.decode(name, "replace"), ()
    for name, zeros in (("utf-16-le", data[1:200:2]), ("utf-16-be", data[:200:2])):
        if zeros and not any(zeros):
            return data.decode(name, "replace"), ()
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace"), ("not UTF-8; read as Windows 1252",)
