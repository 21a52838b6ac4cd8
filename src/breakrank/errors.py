"""The errors a user meets. Each says what was found, where, what was expected and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path

from breakrank.old_names import new_name, what_became_of

HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that would act on a terminal or hide what follows."""


class BreakrankError(Exception):
    """Base of every error raised for something the user can mend.

    The command line prints the message alone, without a traceback, and exits non-zero.
    """


class UsageError(BreakrankError):
    """A call asked for something that does not exist or cannot be (unknown name, value out of range)."""


@dataclass(frozen=True, slots=True)
class Location:
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

    def __init__(self, problem: str, place: Location | None = None, remedy: str = "") -> None:
        self.problem = problem
        self.place = place or Location()
        self.remedy = remedy
        where = str(self.place)
        text = f"{where}: {problem}" if where else problem
        super().__init__(f"{text}\n  {remedy}" if remedy else text)

    def __reduce__(self) -> tuple[type[CaseError], tuple[str, Location, str]]:
        return type(self), (self.problem, self.place, self.remedy)


MOST_TOLD = 50
"""Errors of one folder that a message tells."""


class FaultyCaseError(CaseError):
    """All that keeps a case folder from being used; place, problem and remedy are those of the first.

    Attributes
    ----------
    errors : every one, in the order in which they were found; at least one.
    """

    def __init__(self, errors: Sequence[CaseError]) -> None:
        self.errors = tuple(errors)
        first = self.errors[0]
        super().__init__(first.problem, first.place, first.remedy)

    def __str__(self) -> str:
        told, more = self.errors[:MOST_TOLD], len(self.errors) - MOST_TOLD
        if len(told) == 1:
            return str(told[0])
        rest = [f"... and {more:,} more"] if more > 0 else []
        return "\n".join([f"{len(self.errors):,} errors", *map(str, told), *rest])

    def __reduce__(self) -> tuple[type[FaultyCaseError], tuple[Sequence[CaseError]]]:  # type: ignore[override]
        return type(self), (self.errors,)


class Findings(list[CaseError]):
    """Errors kept while the work goes on with what does not depend on them."""

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep a CaseError raised within."""
        try:
            yield
        except FaultyCaseError as found:
            self.extend(found.errors)
        except CaseError as found:
            self.append(found)


@contextmanager
def gathered() -> Iterator[Findings]:
    """Give a collector of errors, and raise all of them together at the end, if there are any."""
    found = Findings()
    with found.kept():
        yield found
    if found:
        raise FaultyCaseError(found)


CLOSE = 5
"""So many of the closest names are looked at: one that begins alike is meant sooner."""
STEM = 5
"""Letters by which names begin alike, as *arrivals* and *arrived* do."""


def nearest(name: str, known: Iterable[object], plain: Callable[[str], str] = str) -> str:
    """Return ``", did you mean 'x'?"`` for the closest of `known`, or ``""`` when none is close.

    Names are compared as `plain` writes them, and told in their own spelling; of equals the first. One whose
    last part is the name, as ``detection.wiretaps`` of wiretaps, is closer than any other. Of a name
    that has changed (:mod:`breakrank.old_names`) it is ``"; it is called 'x' now"``, and it says so of a
    parameter that is gone.

    >>> nearest("arrivals", ("reprisals", "arrived"))
    ", did you mean 'arrived'?"
    """
    import difflib

    spelt: dict[str, str] = {}
    for one in map(str, known):
        spelt.setdefault(plain(one), one)
    now = new_name(name)
    if now != name and now in spelt.values():
        return f"; it is called {now!r} now"
    if gone := what_became_of(name):
        return gone
    close = [one for one in spelt if one.endswith(f".{plain(name)}")]
    close = close or difflib.get_close_matches(plain(name), spelt, n=CLOSE, cutoff=0.6)
    alike = [one for one in close if one[:STEM] == plain(name)[:STEM]]
    return f", did you mean {spelt[(alike or close)[0]]!r}?" if close else ""


def whole_number(name: str, value: object, low: int, high: int) -> int:
    """Return a whole number from `low` to `high`; UsageError for anything else."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise UsageError(f"{name} must be a whole number, not {value!r}")
    if not low <= int(value) <= high:
        raise UsageError(f"{name} must be from {low} to {high}, not {value}")
    return int(value)
