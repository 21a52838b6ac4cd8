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


def sealed_text(content: object) -> str:
    """Return plain values as a line of JSON, with their SHA-256 on the next."""
    text = json.dumps(content)
    return f"{text}\n{hashlib.sha256(text.encode()).hexdigest()}\n"


def read_sealed(path: Path) -> Any:  # noqa: ANN401 (plain values)
    """Return what :func:`sealed_text` wrote; one of :data:`UNREADABLE` for what is something else.

    What was written before there were checksums is read without one.
    """
    text, _, told = path.read_text("utf-8").partition("\n")
    if told and told.strip() != hashlib.sha256(text.encode()).hexdigest():
        raise ValueError(f"{path} is not what was written")
    return json.loads(text)


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
