"""The ledger changed as text: keys inserted at their lines, entries taken out; comments and order stay."""

from __future__ import annotations

import re
from pathlib import Path

from breakrank.case.content import FILES
from breakrank.case.documents import read_yaml
from breakrank.case.files import CaseFileError
from breakrank.case.models_base import Calendar
from breakrank.case.values import Keyed, validated

OBSERVATIONS, SOURCES = "evidence/observations.yaml", "evidence/sources.yaml"


def ids(text: str) -> set[str]:
    """Return the ids of the entries of a list."""
    return {str(e["id"]) for e in read_yaml(text, Path()).data or ()}


def with_key(text: str, ident: str, key: str, value: str, file: str) -> str:
    """Return the text with ``key: value`` put after the ``id`` line's entry, or in place of the line it has.

    Raises
    ------
    CaseFileError
        where no entry has this id.
    """
    item, lines = _entry(text, ident, file), text.split("\n")
    if key in item.lines:
        at = item.lines[key] - 1
        lines[at : _end(lines, at)] = [f"  {key}: {value}"]
    else:
        last = max(item.lines.values()) - 1
        lines.insert(_end(lines, last), f"  {key}: {value}")
    return "\n".join(lines)


def without_key(text: str, ident: str, key: str, file: str) -> str:
    """Return the text without the line of a key of an entry; CaseFileError as :func:`with_key`."""
    item, lines = _entry(text, ident, file), text.split("\n")
    if key in item.lines:
        at = item.lines[key] - 1
        del lines[at : _end(lines, at)]
    return "\n".join(lines)


def _entry(text: str, ident: str, file: str) -> Keyed:
    """Return the entry of a list with an id; CaseFileError where there is none."""
    for one in read_yaml(text, Path(file)).data or ():
        if isinstance(one, Keyed) and one.get("id") == ident:
            return one
    raise CaseFileError(f"{file}: there is no entry {ident!r}")


def without(text: str, ident: str, file: str) -> str:
    """Return the text of a list without an entry; comments and the other entries stay.

    Raises
    ------
    CaseFileError
        where no entry has this id.
    """
    item, lines = _entry(text, ident, file), text.split("\n")
    first, end = min(item.lines.values()) - 1, _end(lines, max(item.lines.values()) - 1)
    if first and not lines[first - 1].strip() and (end == len(lines) or not lines[end].strip()):
        first -= 1
    del lines[first:end]
    left = "\n".join(lines)
    return left if read_yaml(left, Path(file)).data else f"{left.rstrip()}\n[]\n".lstrip()


def _end(lines: list[str], at: int) -> int:
    """Return the line after a value that may go on over several lines, indented deeper."""
    end = at + 1
    while end < len(lines) and re.match(r"^ {3,}\S", lines[end]):
        end += 1
    return end


def with_conflict(text: str, one: str, two: str, file: str = OBSERVATIONS) -> str:
    """Return the observations with two of them naming each other as conflicting."""
    for here, there in ((one, two), (two, one)):
        have = [str(x) for x in _entry(text, here, file).get("conflicts", ())]
        if there not in have:
            text = with_key(text, here, "conflicts", f"[{', '.join([*have, there])}]", file)
    return text


def checked(text: str, file: str, calendar: Calendar | None = None) -> str:
    """Return the text if a case with this calendar can hold it.

    Raises
    ------
    CaseError
        with line and remedy, for what the case format refuses.
    """
    validated(FILES[file], read_yaml(text, Path(file)), calendar)
    return text
