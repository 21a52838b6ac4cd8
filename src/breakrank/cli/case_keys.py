"""``breakrank case keys``: the reference of the case format in the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator

from breakrank.errors import UsageError, nearest
from breakrank.show.terminal import say, title, wrapped

_CELLS = re.compile(r"(?<!\\)\|")
_NAMED = {
    "parameters": ("parameters", ("parameter",)),
    "fields": ("parameters", ("field",)),
    "targets": ("measures", ("measure",)),
    "patterns": ("patterns", ("event", "fact of an event", "fact of a soldier", "occasion")),
}
"""What a file names beside its keys: the page of the reference and the heads of its tables."""

Entry = tuple[str, str, str]
"""A key or a name, what may stand there, and what it means."""


def keys(file: str = "", word: str = "", /) -> None:
    """Show what may be written into a file of a case.

    Beside the keys of a file: all parameters (with their scope: national, psychological or technical), all
    dated fields, all measures of targets, and all that patterns of lives can ask for.

    Parameters
    ----------
    file
        A file without its ending, e.g. targets, fields or parameters; left out, all files.
    word
        Show only entries that hold this word.
    """
    found = _files()
    if not file:
        say(wrapped(", ".join(found)))
        return
    if file not in found:
        raise UsageError(
            f"there is no file {file!r}{nearest(file, list(found))}\n  Files: {', '.join(found)}."
        )
    entries = [e for e in found[file] if word.lower() in " ".join(e).lower()]
    if not entries:
        raise UsageError(f"nothing in {file} holds {word!r}")
    for name, what, meaning in entries:
        say(f"{title(name)}  {what}")
        if meaning:
            say(wrapped(meaning, 4))


def _files() -> dict[str, list[Entry]]:
    """Return the entries of every file by its name."""
    from breakrank.runs.reference import page

    out: dict[str, list[Entry]] = {}
    for text in page("case-format").split("\n## "):
        name = text.removeprefix("## ").partition("\n")[0]
        file = name.rpartition("/")[2].partition(".")[0]
        out[file] = [
            (key, f"{kind}, required" if need else kind, meaning)
            for _, (key, kind, need, meaning) in _rows(text)
        ]
        if file in _NAMED:
            other, heads = _NAMED[file]
            out[file] += [
                (row[0], "; ".join(cell for cell in row[2:] if cell) or of, (row[1:] or [""])[0])
                for of, row in _rows(page(other))
                if of in heads
            ]
    return out


def _rows(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the rows of all tables in a page, each with the head of the first column."""
    head, lines = "", text.splitlines()
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if not line.startswith("| "):
            continue
        cells = [re.sub(r"[`*]", "", c).replace("\\|", "|").strip() for c in _CELLS.split(line)[1:-1]]
        if below.startswith("|---"):
            head = cells[0]
        else:
            yield head, cells
