"""The errors a user meets. Each says what was found, where, what was expected and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path


class BreakrankError(Exception):
    """Base of every error raised for something the user can mend.

    The command line prints the message alone, without a traceback, and exits non-zero.
    """


class UsageError(BreakrankError):
    """A call asked for something that does not exist or cannot be (unknown name, value out of range)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a case something stands: a file, and line and key where they are known."""

    file: Path | None = None
    line: int | None = None
    key: str = ""

    def __str__(self) -> str:
        where = "" if self.file is None else self.file.as_posix()
        if self.line is not None:
            where += f":{self.line}"
        if self.key:
            where += f" ({self.key})" if where else self.key
        return where


class CaseError(BreakrankError):
    """A case folder that cannot be used. One error, one cause.

    Attributes
    ----------
    problem : what was found, and what was expected instead.
    place : file, line and key.
    remedy : what to do about it (may be empty).
    """

    def __init__(self, problem: str, place: Place | None = None, remedy: str = "") -> None:
        self.problem = problem
        self.place = place or Place()
        self.remedy = remedy
        where = str(self.place)
        text = f"{where}: {problem}" if where else problem
        super().__init__(f"{text}\n  {remedy}" if remedy else text)

    def __reduce__(self) -> tuple[type[CaseError], tuple[str, Place, str]]:
        return type(self), (self.problem, self.place, self.remedy)


def nearest(name: str, known: Iterable[object], plain: Callable[[str], str] = str) -> str:
    """Return ``", did you mean 'x'?"`` for the closest of `known`, or ``""`` when none is close.

    Names are compared as `plain` writes them, and told in their own spelling; of equals the first.
    """
    import difflib

    spelt: dict[str, str] = {}
    for one in map(str, known):
        spelt.setdefault(plain(one), one)
    close = difflib.get_close_matches(plain(name), spelt, n=1, cutoff=0.5)
    return f", did you mean {spelt[close[0]]!r}?" if close else ""
