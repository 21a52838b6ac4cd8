"""The side of the child that the desk talks to.

Hands over bytes, waits within limits, starts a new child after a death.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from breakrank.errors import BreakrankError
from breakrank_desk.reading.limits import CPU_SECONDS, FILE_BYTES, FILES, MEMORY, WALL_SECONDS
from breakrank_desk.texts import Block, Extract, Guess


class ReadError(BreakrankError):
    """A file that is not read: its name, and why."""


class DocumentReader:
    """Reads documents in a child process; use it as a context, so that the child ends with it.

    One child serves one document after the other, so that a parser is loaded once. A document is blamed only
    for what it does to a new child: where one that served others fails, a new one is asked the same.
    """

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> DocumentReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child."""
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()

    def read(self, file: Path) -> tuple[bytes, list[Extract]]:
        """Return the bytes of a file and its documents.

        Raises
        ------
        ReadError
            for links, what is no file, and whatever is refused.
        """
        data = file_bytes(file)
        return data, self.take_apart(data, file.name)

    def take_apart(self, data: bytes, name: str) -> list[Extract]:
        """Return the documents of a file given as bytes; ReadError as :meth:`read`."""
        used = self._child is not None
        out = self._answer(data, name)
        if used and (out is None or out.get("again")):
            out = self._answer(data, name)
        if out is None:
            raise ReadError(
                f"{name}: taking it apart took more than {CPU_SECONDS} s or {MEMORY / 1e9:g} GB; stopped\n"
                "  Save it as plain text and read that."
            )
        if "refused" in out:
            raise ReadError(f"{name}: {out['refused']}")
        return [_extract(d) for d in out["documents"]]

    def _answer(self, data: bytes, name: str) -> dict[str, Any] | None:
        """Return what the child says of a document, ``None`` where it ended; keep it only if it may go on."""
        child, out = self._started(), None
        try:
            out = self._asked(child, data, name)
        except (OSError, ValueError):
            return None
        finally:
            if out is None or out.get("again"):
                self.close()
        return out

    def _started(self) -> subprocess.Popen[bytes]:
        if self._child is None:
            names = ("PATH", "SYSTEMROOT", "LANG", "VIRTUAL_ENV", "HOME")
            keep = {k: v for k, v in os.environ.items() if k in names}
            keep["PYTHONPATH"] = os.pathsep.join(p for p in sys.path if p)
            keep["PYTHONHASHSEED"] = "0"
            self._child = subprocess.Popen(
                [sys.executable, "-P", "-m", "breakrank_desk.reading.child"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=keep,
            )  # fmt: skip
        return self._child

    def _asked(self, child: subprocess.Popen[bytes], data: bytes, name: str) -> dict[str, Any]:
        assert child.stdin is not None
        assert child.stdout is not None
        head = json.dumps({"name": name, "size": len(data)}).encode("ascii") + b"\n"
        late = threading.Timer(WALL_SECONDS, child.kill)  # Windows waits for no pipe with a limit
        late.start()
        try:
            child.stdin.write(head + data)
            child.stdin.flush()
            length = int(child.stdout.readline())
            text = child.stdout.read(length)
        finally:
            late.cancel()
        if len(text) < length:
            raise OSError("the child ended")
        out: dict[str, Any] = json.loads(text)
        return out


def _extract(plain: dict[str, Any]) -> Extract:
    blocks = tuple(Block(**b) for b in plain.pop("blocks"))
    guesses = tuple(Guess(**g) for g in plain.pop("guesses"))
    return Extract(**{**plain, "told": tuple(plain["told"])}, blocks=blocks, guesses=guesses)


def file_bytes(file: Path) -> bytes:
    """Return the bytes of a regular file; ReadError for links, other things, and files that are too large."""
    try:
        about = file.lstat()
        if stat.S_ISLNK(about.st_mode):
            raise ReadError(f"{file}: a symbolic link is not followed\n  Copy the file itself.")
        if not stat.S_ISREG(about.st_mode):
            raise ReadError(f"{file}: this is no file")
        if about.st_size > FILE_BYTES:
            raise ReadError(
                f"{file}: {about.st_size / 1e6:.0f} MB; at most {FILE_BYTES / 1e6:.0f} MB are read"
            )
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(file, flags), "rb") as opened:
            data = opened.read(FILE_BYTES + 1)
    except OSError as error:
        raise ReadError(f"{file}: {error.strerror or error}") from error
    if len(data) > FILE_BYTES:
        raise ReadError(f"{file}: it grew while it was read")
    return data


def files_of(path: Path) -> Iterator[Path]:
    """Yield the file itself, or the files of a folder in order of their names.

    Links in it are told by reading them.

    Raises
    ------
    ReadError
        where there is nothing, or more files than are read.
    """
    if path.is_symlink() or not path.is_dir():
        if not os.path.lexists(path):
            raise ReadError(f"{path}: there is no such file or folder")
        yield path
        return
    found = []
    for root, folders, names in os.walk(path, followlinks=False):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        found += [Path(root) / n for n in sorted(names) if not n.startswith(".")]
        if len(found) > FILES:
            raise ReadError(f"{path}: more than {FILES:,} files")
    yield from found
