"""What a word or number in a file means: the core schema of YAML 1.2, numbers finite and of sane size."""

from __future__ import annotations

import math
import re

from breakrank.errors import HIDDEN

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


def hidden_character(text: str) -> str:
    """Return the first character that would act on a terminal or hide what follows, as ``#x001b``; or ``""``.

    Such are control characters other than line breaks and tabs, and marks that turn the direction of writing.
    """
    found = HIDDEN.search(text)
    return f"#x{ord(found.group()):04x}" if found else ""


class NumberError(ValueError):
    """A number that no part of a case can use; the message says why."""


def resolve(text: str) -> Scalar:
    """Return what an unquoted scalar stands for; anything that is not a word or number of YAML 1.2 is text.

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
