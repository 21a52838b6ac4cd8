"""Values of a file: what a word or number means, where each stands, and what is wrong with one.

Words and numbers are those of the core schema of YAML 1.2; numbers are finite and of sane size. Everything
that a model finds wrong with a file becomes a clear error.
"""

from __future__ import annotations

import datetime as dt
import math
import re
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeVar, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from breakrank.case.country import same_country
from breakrank.errors import HIDDEN, CaseError, FaultyCaseError, Location, nearest
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


T = TypeVar("T")

_EXPECTED = {
    "float_type": "a number (without quotes)",
    "int_type": "a whole number (without quotes)",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "string_type": "a text",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping of keys to values",
    "model_type": "a mapping of keys to values",
    "model_attributes_type": "a mapping of keys to values",
    "finite_number": "a finite number",
}
_EMPTY = {"string_too_short": "the text is empty", "too_short": "the list has no items"}
_LIMITS = {
    "greater_than": ("gt", "above"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "below"),
    "less_than_equal": ("le", "at most"),
}


class Bounds(Protocol):
    """The first and last day of a calendar."""

    @property
    def start(self) -> dt.date:
        """First day."""

    @property
    def end(self) -> dt.date:
        """Last day, included."""


def validated(adapter: TypeAdapter[T], document: Document, calendar: Bounds | None = None) -> T:
    """Return the content of a document as its model, with its dates near a calendar where one is given.

    Raises
    ------
    FaultyCaseError
        for all that is wrong: file, line, key, what was found and what is expected.
    """
    try:
        return adapter.validate_python(document.data, context=calendar)
    except ValidationError as error:
        raise FaultyCaseError(_explained(error, adapter, document)) from None


def _explained(error: ValidationError, adapter: TypeAdapter[Any], document: Document) -> list[CaseError]:
    """Return an error for each problem, in the order of the file.

    Unknown keys come before all others, since they may be meant for one that is missing, which is then not
    told beside them.
    """
    details = error.errors(include_url=False)
    unknown = [tuple(d["loc"]) for d in details if d["type"] == "extra_forbidden"]

    def meant(detail: ErrorDetails) -> bool:
        path = detail["loc"]
        if detail["type"] == "too_short":  # a list is also empty to pydantic where its only item is wrong
            return any(other["loc"][: len(path)] == path for other in details if other is not detail)
        return detail["type"] == "missing" and any(
            other[:-1] == path[:-1] and nearest(str(other[-1]), path[-1:]) for other in unknown
        )

    def order(detail: ErrorDetails) -> tuple[bool, int]:
        return detail["type"] != "extra_forbidden", document.place(*detail["loc"]).line or 0

    return [_error(d, adapter, document) for d in sorted(details, key=order) if not meant(d)]


def _error(detail: ErrorDetails, adapter: TypeAdapter[Any], document: Document) -> CaseError:
    path = tuple(detail["loc"])
    context: Mapping[str, Any] = detail.get("ctx", {})
    slip = context.get("error")
    if isinstance(slip, SlipError):
        return document.error((*path, *slip.at), slip.problem, slip.remedy)
    problem, remedy = _words(detail["type"], detail["input"], context, path, adapter)
    return document.error(path, problem, remedy)


def _words(
    kind: str, found: object, context: Mapping[str, Any], path: tuple[Step, ...], adapter: TypeAdapter[Any]
) -> tuple[str, str]:
    """Return problem and remedy of one finding."""
    name = next((str(step) for step in reversed(path) if isinstance(step, str)), "this file")
    if kind == "extra_forbidden":
        known = _keys(adapter, path[:-1])
        return f"unknown key {name!r}{nearest(name, known)}", f"Known here: {', '.join(known)}."
    about = _walk(adapter, path)[1]
    meaning = f"{name}: {about}." if about else ""
    if kind == "missing":
        return _missing(name, found, _keys(adapter, path[:-1]), meaning)
    if kind == "literal_error":
        if context.get("expected", "").count("'") in (0, 2):
            return f"{shown(found)} stands where {context.get('expected')} is expected", meaning
        words = re.findall(r"'([^']*)'", str(context.get("expected", ""))) or [
            str(context.get("expected", ""))
        ]
        hint = nearest(found, words) if isinstance(found, str) else ""
        return f"{shown(found)} is not one of {', '.join(w or repr(w) for w in words)}{hint}", meaning
    if kind in _LIMITS:
        key, phrase = _LIMITS[kind]
        return f"{shown(found)} is out of range, expected {phrase} {context[key]:g}", meaning
    if kind == "string_pattern_mismatch":
        return (
            f"{shown(found)} cannot be used as a name",
            "Use letters, digits, '-', '_' and '.', no spaces; at most 80. " + meaning,
        )
    if kind in _EMPTY:
        return _EMPTY[kind], meaning
    if isinstance(found, str | list | tuple) and "max_length" in context:
        what = "text has {:,} characters" if isinstance(found, str) else "list has {:,} items"
        return f"the {what.format(len(found))}, at most {context['max_length']:,} are read", meaning
    expected = _EXPECTED.get(kind)
    if kind == "string_type" and isinstance(found, int | float):
        meaning = f"Put it in quotes if it is meant as a text. {meaning}"
    if expected == "a list" and isinstance(found, dict) and not path:
        meaning = "Begin each entry with a dash and a space: - id: ..."
    if expected:
        return f"{shown(found)} stands where {expected} is expected", meaning
    return f"{shown(found)} cannot be used here ({kind.replace('_', ' ')})", meaning


def _missing(name: str, found: object, known: Sequence[str], meaning: str) -> tuple[str, str]:
    """Return problem and remedy of a key that is missing, or is there under a name like it."""
    for other in found if isinstance(found, dict) else ():
        if other not in known and nearest(other, [name]):
            return f"unknown key {other!r}{nearest(other, [name])}", f"Known here: {', '.join(known)}."
    return f"the key {name!r} is missing", f"Write {meaning}" if meaning else ""


def shown(value: object) -> str:
    """Return how a value of a file is shown in a message."""
    if value is None:
        return "nothing (null)"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text {value!r}" if len(value) <= 60 else f"the text {value[:57]!r}..."
    if isinstance(value, int | float):
        return f"the number {value!r:.40}"
    if isinstance(value, dict):
        return "a mapping"
    return "a list" if isinstance(value, list | tuple) else f"{value!r:.60}"


def _keys(adapter: TypeAdapter[Any], path: tuple[Step, ...]) -> list[str]:
    """Return the keys that the model at `path` knows."""
    model = _walk(adapter, path)[0]
    if isinstance(model, type) and issubclass(model, BaseModel):
        keys = [info.alias or name for name, info in model.model_fields.items()]
        return sorted(keys, key=lambda k: k in ("evidence", "assumed"))  # what is particular comes first
    return []


def _walk(adapter: TypeAdapter[Any], path: tuple[Step, ...]) -> tuple[Any, str]:
    """Return the type at `path` and the description of the last named field on the way."""
    here: Any = adapter._type
    about = ""
    for step in path:
        here = _plain(here)
        if isinstance(here, type) and issubclass(here, BaseModel):
            info = _field(here, str(step))
            here, about = (info.annotation, info.description or "") if info else (None, "")
        elif get_origin(here) is dict:
            here = get_args(here)[1]
        elif get_origin(here) is tuple:
            kinds = get_args(here)
            here = (
                kinds[0]
                if kinds[-1] is Ellipsis
                else kinds[min(int(step), len(kinds) - 1)]
                if isinstance(step, int)
                else None
            )
        else:
            here = None
    return _plain(here), about


def _field(model: type[BaseModel], key: str) -> FieldInfo | None:
    for name, info in model.model_fields.items():
        if (info.alias or name) == key:
            return info
    return None


def _plain(annotation: Any) -> Any:  # noqa: ANN401 (annotations are of any type)
    """Strip Annotated and ``| None``."""
    while True:
        origin = get_origin(annotation)
        if origin is Annotated:
            annotation = get_args(annotation)[0]
        elif origin in (typing.Union, types.UnionType):
            rest = [a for a in get_args(annotation) if a is not type(None)]
            if len(rest) != 1:
                return annotation
            annotation = rest[0]
        else:
            return annotation
