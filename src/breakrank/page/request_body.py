"""The body of a request as JSON, refused where it could be read in two ways or not at all."""

from __future__ import annotations

import json

from starlette.requests import Request

from breakrank.errors import UsageError

DEEPEST = 32
"""Levels of lists and mappings in a request, at most; a question has some six."""


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
