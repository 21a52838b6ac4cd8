"""Files of results, which appear complete or not at all, also where several processes write them.

Values made ready for JSON, and files of one object that say what they are.
"""

from __future__ import annotations

import datetime as dt
import errno
import hashlib
import json
import math
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from breakrank.errors import BreakrankError
from breakrank.leftovers import beside, is_marked, sweep

_REMEDIES = {
    errno.ENOSPC: "Free some space or choose a folder on another disk.",
    errno.EDQUOT: "Free some of your quota or choose a folder on another disk.",
    errno.EFBIG: "Files of this size are not allowed there; choose another folder.",
    errno.EACCES: "Choose a folder you may write to.",
    errno.EPERM: "Choose a folder you may write to.",
    errno.EROFS: "That disk is read-only; choose another folder.",
}

PARTIAL = ".partial"
"""How the name of a part ends that is not complete."""


@contextmanager
def whole_folder(
    target: Path, ours: Callable[[Path], bool], names: frozenset[str] = frozenset()
) -> Iterator[Path]:
    """Give a temporary folder beside `target`; when the block ends well, it takes the place of `target`.

    What else stood in `target`, beside files and folders called `names`, is carried over.

    What killed processes left beside it is swept. Parents that do not exist are made. Whatever goes wrong,
    the temporary folder is removed and what stood at `target` before still stands there.

    Parameters
    ----------
    target : the folder to be written. May exist if it is empty or `ours`.
    ours : says whether an existing folder may be replaced.

    Raises
    ------
    BreakrankError
        if `target` holds something else, or the disk refuses.
    """
    target = Path(os.path.realpath(target))
    made: list[Path] = []
    staging: Path | None = None
    try:
        _refuse_foreign(target, ours)
        for parent in reversed([p for p in target.parents if not p.exists()]):
            parent.mkdir()
            made.append(parent)
        sweep(target.parent, ".*.partial")
        staging = beside(target, PARTIAL)
        staging.mkdir()
        yield staging
        _refuse_foreign(target, ours)
        _put(staging, target, names)
    except BaseException as error:
        if staging is not None:
            shutil.rmtree(staging, ignore_errors=True)
        for parent in reversed(made):
            with suppress(OSError):
                parent.rmdir()
        cause = error.__cause__ if isinstance(error, BreakrankError) else error
        if isinstance(cause, OSError):
            raise BreakrankError(explain(cause, target)) from error
        raise


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file; OSError if it cannot be read."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def seal(about: Mapping[str, object]) -> str:
    """Return the SHA-256 of what a file says, so that it can say that too."""
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()


def sealed(about: Mapping[str, object], folder: Path, names: Iterable[str]) -> dict[str, object]:
    """Return what a file says, with checksums of files beside it and of itself."""
    about = {**about, "files": {name: checksum(folder / name) for name in names}}
    return about | {"checksum": seal(about)}


def check_seal(about: Mapping[str, Any], folder: Path) -> None:
    """Check what :func:`sealed` said, if it was asked; ValueError where something is not what was written."""
    plain = {name: value for name, value in about.items() if name != "checksum"}
    if plain.keys() != about.keys() and about["checksum"] != seal(plain):
        raise ValueError("it is not what was written: its checksum differs")
    for name, code in about.get("files", {}).items():
        if checksum(folder / name) != code:
            raise ValueError(f"{name} is not what was written: its checksum differs")


def explain(error: OSError, target: Path) -> str:
    """Return in one message what could not be written, why, and what to do."""
    why = os.strerror(error.errno) if error.errno else str(error)
    remedy = _REMEDIES.get(error.errno or 0, "")
    return f"cannot write {target}: {why}. Nothing was left half-written." + (
        f"\n  {remedy}" if remedy else ""
    )


def _refuse_foreign(target: Path, ours: Callable[[Path], bool]) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise BreakrankError(f"{target} exists and is no folder\n  Choose another name.")
    if any(target.iterdir()) and not ours(target):
        raise BreakrankError(
            f"{target} holds something that is no Breakrank result, so it is left alone\n"
            "  Choose an empty or a new folder."
        )


def _put(staging: Path, target: Path, names: frozenset[str]) -> None:
    """Rename `staging` to `target`; an older one steps aside first, and back if that fails."""
    if not target.exists():
        staging.rename(target)
        return
    aside = beside(target, ".replaced")
    aside.mkdir()
    try:
        target.rename(aside / target.name)
        try:
            staging.rename(target)
        except BaseException:
            (aside / target.name).rename(target)
            raise
        for other in (aside / target.name).iterdir():
            if other.name not in names and not (target / other.name).exists():
                other.rename(target / other.name)
    finally:
        if target.exists():
            shutil.rmtree(aside, ignore_errors=True)


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
    return path.name.startswith(f".{name}.") and path.suffix == PARTIAL and is_marked(path.name)


def _written(path: Path, content: str | bytes, place: Callable[[Path], object]) -> None:
    partial = beside(path, PARTIAL)
    try:
        with partial.open("wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        place(partial)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


UNREADABLE = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, MemoryError)
"""What a damaged or invented file of JSON may raise when it is read, and what it says is looked up."""

T = TypeVar("T")


def json_ready(value: T) -> T:
    """Return a value as JSON can hold it; what is no finite number is ``None``, a date is a text.

    >>> json_ready({"mean": math.nan, "interval": (np.float64(1.5), math.inf), "day": dt.date(2019, 2, 23)})
    {'mean': None, 'interval': (1.5, None), 'day': '2019-02-23'}
    """
    ready: Any = value
    if isinstance(value, Mapping):
        ready = {str(k): json_ready(v) for k, v in value.items()}
    elif isinstance(value, list | tuple):
        ready = [json_ready(v) for v in value]
        ready = tuple(ready) if isinstance(value, tuple) else ready
    elif isinstance(value, np.generic):
        ready = json_ready(value.item())
    elif isinstance(value, dt.date):
        ready = str(value)[:10]
    elif isinstance(value, float) and not math.isfinite(value):
        ready = None
    return ready  # type: ignore[no-any-return]


def finite(value: float) -> float | None:
    """Return a number, ``None`` for one that is not finite.

    >>> finite(1.5), finite(math.nan)
    (1.5, None)
    """
    return float(value) if math.isfinite(value) else None


def json_text(content: object, indent: int) -> str:
    """Return one object that is ready for JSON as the text of a file."""
    return json.dumps(content, indent=indent, ensure_ascii=False, allow_nan=False) + "\n"


def write_json(path: Path, content: object) -> None:
    """Write one object that is ready for JSON into a file; OSError if the disk refuses."""
    path.write_text(json_text(content, 2), "utf-8", newline="\n")


def write_sealed(path: Path, content: object) -> None:
    """Write plain values whole, as a line of JSON and on the next a checksum of them and of the file's place.

    Raises
    ------
    BreakrankError
        where they cannot be written.
    """
    text = json.dumps(content)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, f"{text}\n{_checksum(path, text)}\n")
    except OSError as error:
        raise BreakrankError(explain(error, path)) from error


def read_sealed(path: Path) -> Any:  # noqa: ANN401 (plain values)
    """Return what :func:`write_sealed` wrote there; one of :data:`UNREADABLE` for what is something else."""
    text, _, told = path.read_text("utf-8").partition("\n")
    if told.strip() != _checksum(path, text):
        raise ValueError(f"{path} is not what was written")
    return json.loads(text)


def _checksum(path: Path, text: str) -> str:
    """Return the SHA-256 of a text in a file; that of another folder or name has another."""
    return hashlib.sha256(f"{path.parent.name}/{path.name}\n{text}".encode()).hexdigest()


def says_format(path: Path, mark: str) -> bool:
    """Say whether a file holds one object of JSON that gives the version of a format under `mark`."""
    try:
        return isinstance(json.loads(path.read_text("utf-8"))[mark], int)
    except UNREADABLE:
        return False


@contextmanager
def intact(path: Path, what: str) -> Iterator[None]:
    """Refuse by name a file of which anything at all goes wrong as it is read.

    Parameters
    ----------
    path : the file, or the folder that it stands in.
    what : what it ought to be, after "not readable as".

    Raises
    ------
    BreakrankError
        in place of any other error.
    """
    try:
        yield
    except BreakrankError:
        raise
    except Exception as error:
        why = str(error).partition("\n")[0] or type(error).__name__
        raise BreakrankError(f"{path}: not readable as {what} ({why})\n  Make it again.") from error
