"""Values of a file: what a word or number means, where each stands, and what is wrong with one.

Words and numbers are those of the core schema of YAML 1.2; numbers are finite and of sane size.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from breakrank.case.country import same_country
from breakrank.errors import HIDDEN, CaseError, Location, nearest
from breakrank.spec import Field, Parameter

Scalar = str | int | float | bool | None

_WORDS: dict[str, Scalar] = {
    "null": None, "Null": None, "NULL": None, "~": None,
    "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_INTEGER = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_DIGITS = 18
LONGEST_KEY = 200
"""Characters a key, or a cell of a table, may have."""
DEEPEST = 20
"""Levels of nesting a file may have; the format itself needs seven."""
MOST_VALUES = 200_000
"""Values a file may hold."""


def hidden_character(text: str) -> str:
    """Return the first character that would act on a terminal or hide what follows, as ``#x001b``; or ``""``.

    Such are control characters other than line breaks and tabs, and marks that turn the direction of writing.
    """
    found = HIDDEN.search(text)
    return f"#x{ord(found.group()):04x}" if found else ""


class NumberError(ValueError):
    """A number that no part of a case can use; the message says why."""


def resolve(text: str) -> Scalar:
    """Return the value of an unquoted scalar; anything that is not a word or number of YAML 1.2 is text.

    Raises
    ------
    NumberError
        for ``.inf``, ``.nan``, numbers beyond double precision, and integers of more than 18 digits.

    Examples
    --------
    >>> [resolve(t) for t in ("12", "1e3", "true", "yes", "2019-01-01", "~")]
    [12, 1000.0, True, 'yes', '2019-01-01', None]
    """
    if text in _WORDS:
        return _WORDS[text]
    if not text or text[0] not in "+-.0123456789":
        return text
    if _INTEGER.fullmatch(text) or _BASED.fullmatch(text):
        if len(text) > _DIGITS + 1:
            raise NumberError(f"a whole number of {len(text)} digits; at most {_DIGITS} are read")
        return int(text, 0) if _BASED.fullmatch(text) else int(text)
    if _FLOAT.fullmatch(text):
        return number(text)
    if _NOT_FINITE.fullmatch(text):
        raise NumberError(f"{text} is not a finite number")
    return text


def whole(text: str) -> int:
    """Return a whole number; NumberError when `text` is anything else."""
    if len(text) > _DIGITS or not _INTEGER.fullmatch(text):
        raise NumberError(f"{text[:60]!r} is not a whole number")
    return int(text)


def number(text: str) -> float:
    """Return a finite number written in decimal.

    Raises
    ------
    NumberError
        when `text` is anything else.
    """
    if len(text) > 400 or not _FLOAT.fullmatch(text):
        raise NumberError(f"{text[:60]!r} is not a number")
    value = float(text)
    if not math.isfinite(value):
        raise NumberError(f"{text[:60]} is larger than any number that can be computed with")
    return value


class SlipError(ValueError):
    """A value that cannot be used; turned into a CaseError with file and line by the loader.

    Attributes
    ----------
    problem, remedy : as in :class:`~breakrank.errors.CaseError`.
    at : keys below the place where the validator stands.
    """

    def __init__(self, problem: str, remedy: str = "", at: tuple[str | int, ...] = ()) -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy
        self.at = at


Step = str | int
"""One step into a document: a key of a mapping or a position in a list."""


class Keyed(dict[str, Any]):
    """A mapping that knows its own line and the line of each key (counted from 1)."""

    __slots__ = ("line", "lines")

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: dict[str, int] = {}


class Listed(list[Any]):
    """A list that knows its own line and the line of each item (counted from 1)."""

    __slots__ = ("line", "lines")

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: list[int] = []


@dataclass(frozen=True)
class Document:
    """The plain content of one file: mappings, lists, texts, numbers, true and false.

    Attributes
    ----------
    file : the file as the user named it; ``None`` where the content came from a call.
    data : the content. Read from YAML, mappings are :class:`Keyed` and lists :class:`Listed`; from JSON or a
        call they are ordinary ones and have no lines.
    """

    file: Path | None
    data: Any

    def place(self, *path: Step) -> Location:
        """Return where `path` stands: a readable key, and the line of the last step that exists."""
        here: Any = self.data
        line: int | None = None  # what concerns a file as a whole has no line
        words: list[str] = []
        for step in path:
            inner: Any = None
            if isinstance(here, dict) and isinstance(step, str):
                if isinstance(here, Keyed):
                    line = here.lines.get(step, line)
                inner = here.get(step)
                words.append(f".{step}")
            elif isinstance(here, list | tuple) and isinstance(step, int) and 0 <= step < len(here):
                if isinstance(here, Listed):
                    line = here.lines[step]
                inner = here[step]
                label = _label(inner, step)
                words.append(f"[{label}]" if words else label)
            else:
                words.append(f".{step}")
            here = inner
        return Location(self.file, line, "".join(words).removeprefix("."))

    def error(self, path: Sequence[Step], problem: str, remedy: str = "") -> CaseError:
        """Return the error to raise about what stands at `path`."""
        return CaseError(problem, self.place(*path), remedy)


def _label(item: object, step: int) -> str:
    """Name an item of a list by its id where it has one."""
    name = item.get("id") if isinstance(item, dict) else None
    return name[:60] if isinstance(name, str) and name else str(step)


MOST_TOLD = 30
"""Ids that a message lists."""


def known_id(name: str, known: Iterable[str], what: str, document: Document, path: tuple[Step, ...]) -> None:
    """Raise a CaseError that names the nearest id when `name` is not among `known`."""
    known = tuple(known)
    if name not in known:
        remedy = f"Known: {_listed(name, known)}." if known else f"There is no {what} in this case yet."
        raise document.error(path, f"unknown {what} {name!r}{nearest(name, known)}", remedy)


def known_ids(
    names: Iterable[str], known: Iterable[str], what: str, document: Document, path: tuple[Step, ...]
) -> None:
    """Raise a CaseError, as :func:`known_id` does, for the first unknown name of the list at `path`."""
    for k, name in enumerate(names):
        known_id(name, known, what, document, (*path, k))


def _listed(name: str, known: tuple[str, ...]) -> str:
    """Return the ids that are known; of many those most like a name, the likest first."""
    if len(known) <= MOST_TOLD:
        return ", ".join(known)
    return f"{', '.join(get_close_matches(name, known, MOST_TOLD, 0.0))}, ..."


def foreign(country: str, home: str, what: str, document: Document, path: tuple[Step, ...]) -> None:
    """Raise a CaseError when what has to be abroad is in the country of the case."""
    if same_country(country, home):
        remedy = "Write the country abroad, or correct the country in case.yaml."
        raise document.error(path, f"the {what} is in {country!r}, the country of the case itself", remedy)


def out_of_range(value: float, declared: Parameter | Field) -> str:
    """Return the problem when a value lies outside what the model allows, an empty text when it does not."""
    if declared.low <= value <= declared.high:
        return ""
    allowed = f"{declared.low:g} to {declared.high:g} {declared.unit}"
    return f"the value {value:g} is out of range, expected {allowed}"
