"""YAML and GeoJSON into plain content that knows where it stands; no tags, anchors or duplicate keys.

Of YAML only the parser's events are used (PyYAML, with libyaml where it is built in: 100 kB take some 20 ms).
Nothing is constructed from tags, and words and numbers follow YAML 1.2. GeoJSON is read by the standard
library, and places in it are told by feature.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped,unused-ignore]

from breakrank.case.values import (
    DEEPEST,
    LONGEST_KEY,
    MOST_VALUES,
    Document,
    Keyed,
    Listed,
    NumberError,
    Scalar,
    Step,
    hidden_character,
    resolve,
)
from breakrank.errors import CaseError, Location

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


class GeoDocument(Document):
    """The content of a file of GeoJSON: a place in it is told by the number of its feature, from 1."""

    def place(self, *path: Step) -> Location:
        """Return where `path` stands, as ``feature 3: geometry.coordinates``."""
        if path[:1] != ("features",) or len(path) == 1:
            return super().place(*path)
        inside = ".".join(map(str, path[2:]))
        return Location(self.file, None, f"feature {int(path[1]) + 1}" + (f": {inside}" if inside else ""))


class _Repeated(dict[str, Any]):
    """A mapping of JSON in which a key is written twice."""

    key = ""


def read_json(text: str, file: Path) -> GeoDocument:
    """Return the content of a file of GeoJSON.

    Raises
    ------
    CaseError
        for broken JSON (with its line), and, with the feature, for duplicate keys, hidden characters, numbers
        that are not finite, and deep nesting.
    """
    too_deep = f"values are nested more than {DEEPEST} levels deep"
    try:
        data = json.loads(text, object_pairs_hook=_mapping, parse_int=_whole)
    except json.JSONDecodeError as error:
        raise CaseError(f"this is not valid JSON: {error.msg}", Location(file, error.lineno)) from None
    except RecursionError:
        raise CaseError(too_deep, Location(file)) from None
    document = GeoDocument(file, data)
    waiting: list[tuple[tuple[Step, ...], Any]] = [((), data)]
    values = 0
    while waiting:
        path, value = waiting.pop()
        values += 1
        if values > MOST_VALUES:
            raise document.error(path, f"this file holds more than {MOST_VALUES:,} values")
        if len(path) > DEEPEST:
            raise document.error(path, too_deep)
        _refuse(value, path, document)
        if isinstance(value, dict):
            waiting += [((*path, key), inner) for key, inner in value.items()][::-1]
        elif isinstance(value, list):
            waiting += [((*path, k), inner) for k, inner in enumerate(value)][::-1]
    return document


def _refuse(value: object, path: tuple[Step, ...], document: Document) -> None:
    """Raise a CaseError for a value of JSON, or a key of it, that a case may not hold."""
    if isinstance(value, _Repeated):
        raise document.error(path, f"the key {value.key!r} is written twice", "Keep one of the two.")
    if isinstance(value, float) and not math.isfinite(value):
        raise document.error(path, f"the number {value:g} is not finite", "Write a finite number.")
    texts = [*value] if isinstance(value, dict) else [value] if isinstance(value, str) else []
    for text in texts:
        hidden = hidden_character(text)
        if hidden:
            raise document.error(path, f"a text holds the hidden character {hidden}", "Remove it.")
        if isinstance(value, dict) and len(text) > LONGEST_KEY:
            problem = f"a key has {len(text):,} characters, at most {LONGEST_KEY} are read"
            raise document.error(path, problem)


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) == len(pairs):
        return out
    repeated = _Repeated(out)
    names = [key for key, _ in pairs]
    repeated.key = next(key for k, key in enumerate(names) if key in names[:k])
    return repeated


def _whole(text: str) -> int | float:
    """Return a whole number; one of more digits than any amount needs as a fraction."""
    return int(text) if len(text) <= 19 else float(text)
