"""Files under version control: written whole, under a lock, and never over changes made meanwhile."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from breakrank.errors import BreakrankError
from breakrank.leftovers import left_over, mark

WAIT = 10.0
"""Seconds to wait for another desk."""
STALE = 600.0
"""Seconds after which a lock is taken for one that was left behind."""


class DeskError(BreakrankError):
    """The desk's files cannot be written, or say something that cannot be."""


class Files:
    """Texts of a folder by relative name, as they were when they were first read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seen: dict[str, str] = {}

    def read(self, name: str) -> str:
        """Return the text of a file, empty where there is none.

        Raises
        ------
        DeskError
            for links, what is no UTF-8, and what cannot be read.
        """
        text = self._now(name)
        self._seen[name] = _hash(text)
        return text

    def _now(self, name: str) -> str:
        path = self.folder / name
        if path.is_symlink():
            raise DeskError(f"{path}: a symbolic link is not written to\n  Put the file itself there.")
        try:
            return path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise DeskError(f"{path}: {error}") from error

    def write(self, name: str, text: str) -> None:
        """Write a file whole: under a temporary name, then renamed. Call it within :meth:`locked`.

        Raises
        ------
        DeskError
            where the file has changed since it was read here.
        """
        if _hash(self._now(name)) != self._seen.get(name, _hash("")):
            raise DeskError(
                f"{self.folder / name} has changed meanwhile; nothing was written\n"
                f"  Open the desk again and repeat the step."
            )
        path = self.folder / name
        draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(text.encode("utf-8"))
            draft.replace(path)
        except OSError as error:
            raise DeskError(f"{path} cannot be written: {error.strerror or error}") from error
        finally:
            draft.unlink(missing_ok=True)
        self._seen[name] = _hash(text)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder's lock; another waits for it up to ten seconds. A killed desk's lock is taken.

        Raises
        ------
        DeskError
            where it does not come free.
        """
        path = self.folder / ".lock"
        path.parent.mkdir(parents=True, exist_ok=True)
        until, own = time.monotonic() + WAIT, mark()
        while True:
            try:
                _take(path, own)
                break
            except FileExistsError:
                if _abandoned(path):
                    continue
                if time.monotonic() > until:
                    raise DeskError(
                        f"{path}: another desk is writing\n  If none is, remove this file."
                    ) from None
                time.sleep(0.05)
            except OSError as error:
                raise DeskError(f"{path}: {error.strerror or error}") from error
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def _take(path: Path, own: str) -> None:
    """Make the file that is the lock; FileExistsError where there is one, OSError where the disk is full."""
    with path.open("x", encoding="utf-8") as lock:
        try:
            lock.write(own)
            lock.flush()
        except OSError:
            path.unlink(missing_ok=True)
            raise


def _abandoned(path: Path) -> bool:
    """Remove a lock whose holder was killed, and say whether that was done; of several who try, one does."""
    try:
        held = path.read_text("utf-8")
        if not left_over(held) and time.time() - path.stat().st_mtime < STALE:
            return False
        aside = path.with_name(f"{path.name}{mark()}")
        path.rename(aside)
        if aside.read_text("utf-8") == held:
            aside.unlink()
        else:  # by now it was another's
            aside.rename(path)
    except (OSError, UnicodeDecodeError):
        return not path.exists()
    return True


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
