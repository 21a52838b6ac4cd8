"""The body of a request: JSON, refused where it could be read in two ways or not at all, then checked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from breakrank.answer.question import Option, Question
from breakrank.errors import UsageError

if TYPE_CHECKING:
    from starlette.requests import Request

DEEPEST = 32
"""Levels of lists and mappings in a request, at most; a question has some six."""
Name = Annotated[str, Field(strict=True, min_length=1, max_length=200)]


def ranged(kind: type[Question], name: str) -> Any:  # noqa: ANN401 (a field, as pydantic has it)
    """Return the field of a number that an option of a question takes, with the range of its declaration."""
    one = Option.of(kind, name)
    return Field(strict=True, ge=one.low, le=one.high)


class Sent(BaseModel):
    """The keys of a request; others are refused, and errors do not repeat what was sent."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


async def body_of(request: Request) -> object:
    """Return the JSON of a request.

    Raises
    ------
    UsageError
        for anything that is no JSON, is nested too deep, or holds numbers or characters that are none.
    """
    text = await request.body()
    try:
        found: object = json.loads(text, parse_constant=_refuse, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise UsageError("the request is no JSON") from None
    _sound(found, DEEPEST)
    return found


def read(kind: type[Any], given: object) -> Any:  # noqa: ANN401 (one of `kind`)
    """Return a request's JSON as one of `kind`.

    Raises
    ------
    UsageError
        that names the first thing that is wrong and where.
    """
    try:
        return TypeAdapter(kind).validate_python(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{where or 'the question'}: {first['msg'][:300]}") from None


def _sound(value: object, depth: int) -> None:
    """Refuse what JSON can say and no case file can: half of a character, and endless nesting."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise UsageError("the request holds half of a character (a lone surrogate)") from None
    elif isinstance(value, dict | list):
        if depth == 0:
            raise UsageError(f"the request is nested more than {DEEPEST} deep")
        for part in (*value, *value.values()) if isinstance(value, dict) else value:
            _sound(part, depth - 1)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of JSON; UsageError where it names a key twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise UsageError("the request names a key twice, so that it could be read in two ways")
    return found


def _refuse(name: str) -> None:
    raise ValueError(name)
