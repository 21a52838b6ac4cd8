"""Results as JSON: values made ready for it, and files of one object that say what they are."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from breakrank.errors import BreakrankError
from breakrank.results.folder import explain, write_whole

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


def write_json(path: Path, content: object) -> None:
    """Write one object that is ready for JSON into a file; OSError if the disk refuses."""
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
    path.write_text(text + "\n", "utf-8", newline="\n")


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
