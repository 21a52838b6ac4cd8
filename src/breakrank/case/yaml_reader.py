"""YAML into plain content with lines: one document, no tags, no anchors, no duplicate keys.

Only the parser's events are used (PyYAML, with libyaml where it is built in: 100 kB take some
20 ms); nothing is constructed from tags, and words and numbers follow YAML 1.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped,unused-ignore]

from breakrank.case.located import Document, Keyed, Listed
from breakrank.case.scalars import LONGEST_KEY, NumberError, Scalar, hidden_character, resolve
from breakrank.errors import CaseError, Location

DEEPEST = 20
"""Levels of nesting a file may have; the format itself needs seven."""
MOST_VALUES = 200_000
"""Values a file may hold."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(text: str, file: Path) -> Document:
    """Return the content of a YAML file.

    Raises
    ------
    CaseError
        with file and line, for broken YAML and for what a case may not use.
    """
    return _YamlReader(file).read(text)


_VALUE = (
    "Write the value, or remove the key; an empty text is written ''. Within { } a comma ends a value: put a "
    "text that holds one in quotes."
)


class _YamlReader:
    """One pass over the parser's events, with a stack of the collections that are open."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.stack: list[Keyed | Listed] = []
        self.keys: list[str | None] = []  # of each open collection: the key that waits for its value
        self.root: Any = None
        self.documents = 0
        self.values = 0

    def read(self, text: str) -> Document:
        for event in self._events(text):
            line = event.start_mark.line + 1
            if isinstance(event, yaml.ScalarEvent):
                self._refuse_extras(event, line)
                self._scalar(event, line)
            elif isinstance(event, yaml.CollectionStartEvent):
                self._refuse_extras(event, line)
                self._open(Keyed(line) if isinstance(event, yaml.MappingStartEvent) else Listed(line), line)
            elif isinstance(event, yaml.CollectionEndEvent):
                self.stack.pop()
                self.keys.pop()
            elif isinstance(event, yaml.AliasEvent):
                raise self._error(
                    line, f"the alias *{event.anchor} is used", "Write the value out; a case uses no aliases."
                )
            elif isinstance(event, yaml.DocumentStartEvent):
                self.documents += 1
                if self.documents > 1:
                    raise self._error(
                        line,
                        "a second document starts here",
                        "Keep one document in a file: remove the line '---'.",
                    )
        if not self.documents:
            raise CaseError(
                "this file holds nothing but comments", Location(self.file),
                "Write [] where a list has no items, {} where a mapping has none.",
            )  # fmt: skip
        return Document(self.file, self.root)

    def _events(self, text: str) -> Iterator[Any]:
        try:
            yield from yaml.parse(text, Loader=_Loader)
        except yaml.reader.ReaderError as error:
            line = text.count("\n", 0, error.position) + 1
            raise self._error(
                line, f"the character #x{int(error.character):04x} cannot be read", "Remove it."
            ) from None
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            raise self._error(
                mark.line + 1 if mark else 1,
                f"this is not valid YAML: {error.problem or error.context}",
                "Check the indentation (spaces, no tabs), and put texts that hold ': ' or ' #' in quotes.",
            ) from None
        except (RecursionError, OverflowError, ValueError, yaml.YAMLError) as error:
            raise self._error(1, f"this is not valid YAML: {error}") from None

    def _refuse_extras(self, event: yaml.NodeEvent, line: int) -> None:
        if event.tag is not None:
            raise self._error(
                line, f"the tag {event.tag[:80]!r} is used", "Remove the tag; a case holds plain values."
            )
        if event.anchor is not None:
            raise self._error(
                line, f"the anchor &{event.anchor} is used", "Remove it; a case uses no anchors or aliases."
            )
        self.values += 1
        if self.values > MOST_VALUES:
            raise self._error(line, f"this file holds more than {MOST_VALUES:,} values")

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> None:
        plain = event.implicit[0]
        hidden = hidden_character(event.value)
        if hidden:
            raise self._error(line, f"a text holds the hidden character {hidden}", "Remove it.")
        if self.stack and isinstance(self.stack[-1], Keyed) and self.keys[-1] is None:
            self._key(event.value, line)
            return
        if plain and event.value == "":
            key = self.keys[-1] if self.keys else None
            what = f"the key {key!r} has no value" if key else "an item of the list has no value"
            raise self._error(
                line,
                what,
                _VALUE,
                key or "",
            )
        try:
            self._place(resolve(event.value) if plain else event.value, line)
        except NumberError as error:
            raise self._error(
                line, str(error), "Write a finite number.", (self.keys and self.keys[-1]) or ""
            ) from None

    def _key(self, key: str, line: int) -> None:
        mapping = self.stack[-1]
        assert isinstance(mapping, Keyed)
        if len(key) > LONGEST_KEY:
            raise self._error(line, f"a key has {len(key):,} characters, at most {LONGEST_KEY} are read")
        if key in mapping.lines:
            raise self._error(
                line,
                f"the key {key!r} is written twice (first on line {mapping.lines[key]})",
                "Keep one of the two.",
                key,
            )
        mapping.lines[key] = line
        self.keys[-1] = key

    def _open(self, collection: Keyed | Listed, line: int) -> None:
        if self.stack and isinstance(self.stack[-1], Keyed) and self.keys[-1] is None:
            raise self._error(
                line, "a list or mapping stands where a key is expected", "Keys are plain words."
            )
        if len(self.stack) >= DEEPEST:
            raise self._error(line, f"values are nested more than {DEEPEST} levels deep")
        self._place(collection, line)
        self.stack.append(collection)
        self.keys.append(None)

    def _place(self, value: Scalar | Keyed | Listed, line: int) -> None:
        if not self.stack:
            self.root = value
            return
        outer = self.stack[-1]
        if isinstance(outer, Keyed):
            key = self.keys[-1]
            assert key is not None
            outer[key] = value
            self.keys[-1] = None
        else:
            outer.append(value)
            outer.lines.append(line)

    def _error(self, line: int, problem: str, remedy: str = "", key: str = "") -> CaseError:
        return CaseError(problem, Location(self.file, line, key), remedy)
