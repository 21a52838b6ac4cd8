"""What was read from a file, with the line on which every part of it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from breakrank.errors import CaseError, Location

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
    data : the content. Where it was read from a file, mappings are :class:`Keyed` and lists
        :class:`Listed`; from a call they are ordinary ones and have no lines.
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
