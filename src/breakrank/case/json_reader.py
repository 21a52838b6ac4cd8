"""JSON into plain content with lines: the standard reader of Python gives no lines and lets NaN pass."""

from __future__ import annotations

import json.decoder
import re
from bisect import bisect_left
from pathlib import Path
from typing import Any

from breakrank.case.located import Document, Keyed, Listed
from breakrank.case.scalars import LONGEST_KEY, NumberError, hidden_character, resolve
from breakrank.case.yaml_reader import DEEPEST, MOST_VALUES
from breakrank.errors import CaseError, Location

_SPACE = re.compile(r"[ \t\r\n]*")
_WORD = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null|-?[A-Za-z]+")
_WORDS = {"true": True, "false": False, "null": None}


def read_json(text: str, file: Path) -> Document:
    """Return the content of a JSON file.

    Raises
    ------
    CaseError
        with file and line, for broken JSON, duplicate keys, numbers that are not finite, and deep nesting.
    """
    reader = _JsonReader(text, file)
    value, end = reader.value(reader.skip(0), 0)
    end = reader.skip(end)
    if end < len(text):
        raise reader.error(end, "more follows after the end of the content")
    return Document(file, value)


class _JsonReader:
    def __init__(self, text: str, file: Path) -> None:
        self.text = text
        self.file = file
        self.breaks = [m.start() for m in re.finditer("\n", text)]
        self.values = 0

    def error(self, at: int, problem: str, remedy: str = "") -> CaseError:
        return CaseError(problem, Location(self.file, self.line(at)), remedy)

    def line(self, at: int) -> int:
        return bisect_left(self.breaks, at) + 1

    def skip(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        """Return the value that starts at `at`, and where it ends."""
        if depth > DEEPEST:
            raise self.error(at, f"values are nested more than {DEEPEST} levels deep")
        self.values += 1
        if self.values > MOST_VALUES:
            raise self.error(at, f"this file holds more than {MOST_VALUES:,} values")
        start = self.text[at : at + 1]
        if start == "{":
            return self.mapping(at, depth)
        if start == "[":
            return self.list(at, depth)
        if start == '"':
            return self.string(at)
        found = _WORD.match(self.text, at)
        if not found:
            what = repr(start) if start else "the end of the file"
            raise self.error(at, f"this is not valid JSON: {what} stands where a value is expected")
        word = found.group()
        if word in _WORDS:
            return _WORDS[word], found.end()
        try:
            number = resolve(word)
        except NumberError as problem:
            raise self.error(at, str(problem), "Write a finite number.") from None
        if isinstance(number, str):
            raise self.error(at, f"this is not valid JSON: {word[:40]} is neither a number nor a quoted text")
        return number, found.end()

    def string(self, at: int) -> tuple[str, int]:
        try:
            value, end = json.decoder.scanstring(self.text, at + 1, True)  # type: ignore[attr-defined]
        except json.JSONDecodeError as problem:
            raise self.error(
                problem.pos, f"this is not valid JSON: {problem.msg.removesuffix(' at')}"
            ) from None
        try:
            value.encode()
        except UnicodeEncodeError:
            raise self.error(
                at, "a text holds half of a surrogate pair", "Write the character itself."
            ) from None
        hidden = hidden_character(value)
        if hidden:
            raise self.error(at, f"a text holds the hidden character {hidden}", "Remove it.")
        return value, end

    def mapping(self, at: int, depth: int) -> tuple[Keyed, int]:
        out = Keyed(self.line(at))
        at = self.skip(at + 1)
        if self.text[at : at + 1] == "}":
            return out, at + 1
        while True:
            if self.text[at : at + 1] != '"':
                raise self.error(at, "this is not valid JSON: a key in double quotes is expected")
            key, end = self.string(at)
            if len(key) > LONGEST_KEY:
                raise self.error(at, f"a key has {len(key):,} characters, at most {LONGEST_KEY} are read")
            if key in out:
                raise self.error(
                    at,
                    f"the key {key!r} is written twice (first on line {out.lines[key]})",
                    "Keep one of the two.",
                )
            out.lines[key] = self.line(at)
            at = self.skip(end)
            if self.text[at : at + 1] != ":":
                raise self.error(at, "this is not valid JSON: ':' is expected after a key")
            out[key], at = self.value(self.skip(at + 1), depth + 1)
            at, more = self.next(at, "}")
            if not more:
                return out, at

    def list(self, at: int, depth: int) -> tuple[Listed, int]:
        out = Listed(self.line(at))
        at = self.skip(at + 1)
        if self.text[at : at + 1] == "]":
            return out, at + 1
        while True:
            out.lines.append(self.line(at))
            value, at = self.value(at, depth + 1)
            out.append(value)
            at, more = self.next(at, "]")
            if not more:
                return out, at

    def next(self, at: int, end: str) -> tuple[int, bool]:
        """Step over a comma (there is more) or the closing bracket (there is not)."""
        at = self.skip(at)
        sign = self.text[at : at + 1]
        if sign == end:
            return at + 1, False
        if sign != ",":
            what = repr(sign) if sign else "the end of the file"
            raise self.error(at, f"this is not valid JSON: ',' or '{end}' is expected, and {what} was found")
        return self.skip(at + 1), True
