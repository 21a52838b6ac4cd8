"""Clear errors out of everything a model found wrong with a file."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from breakrank.case.values import Document, SlipError, Step
from breakrank.errors import CaseError, FaultyCaseError, nearest

if typing.TYPE_CHECKING:
    from breakrank.case.models_base import Calendar

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


def validated(adapter: TypeAdapter[T], document: Document, calendar: Calendar | None = None) -> T:
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
