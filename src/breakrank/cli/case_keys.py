"""``breakrank case keys``: the reference of the case format in the terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from breakrank.errors import UsageError, nearest
from breakrank.show.terminal import say, title, width, wrapped

_CELLS = re.compile(r"(?<!\\)\|")
_NAMED = {
    "parameters": ("parameters", ("parameter",)),
    "fields": ("parameters", ("field",)),
    "targets": ("measures", ("measure",)),
    "patterns": ("patterns", ("event", "fact of an event", "fact of a soldier", "occasion")),
}
"""What a file names beside its keys: the page of the reference and the heads of its tables."""


class Key(NamedTuple):
    """A key or a name, what may stand there, what it means, and the kind of entry whose key it is, if any."""

    name: str
    what: str
    meaning: str
    block: str = ""


Files = dict[str, list[Key]]
"""Entries by file."""


def keys(name: str = "", word: str = "", /) -> None:
    """Show what may be written into a file of a case, or into a part of one.

    Beside the keys of a file: all parameters (with their scope: national, psychological or technical), all
    dated fields, all measures of targets, and all that patterns of lives can ask for.

    Parameters
    ----------
    name
        A file without its ending, e.g. targets, fields or parameters; a key, e.g. crossings or mechanisms,
        with what stands below it; or what parameters begin with, e.g. high_command. Left out, all files.
    word
        Show only entries that hold this word.
    """
    found = _files()
    if not name:
        say("\n".join(_each(found)))
        return
    parts = {name: found[name]} if name in found else _parts(found, name)
    if not parts:
        known = [*found, *dict.fromkeys(e.name for f in found.values() for e in f), *_prefixes(found)]
        raise UsageError(
            f"there is no file or key {name!r}{nearest(name, known)}\n" + "\n".join(_each(found))
        )
    shown = 0
    for file, entries in parts.items():
        some = [e for e in entries if word.lower() in " ".join(e[:3]).lower()]
        shown += len(some)
        if some and name not in found:
            say(f"In {file}:")
        for entry in some:
            say(f"{title(entry.name)}  {entry.what}")
            if entry.meaning:
                say(wrapped(entry.meaning, 4))
    if not shown:
        raise UsageError(f"nothing in {name} holds {word!r}")


def _parts(found: Files, name: str) -> Files:
    """Return, by file, a key with the entries that stand below it, or the parameters that begin so."""
    out: Files = {}
    for file, entries in found.items():
        own = [e for e in entries if e.name == name or e.name.startswith(f"{name}.")]
        below = {kind for e in own for kind in re.findall(r"\w+", e.what)}
        own += [e for e in entries if e.block and e.block in below and e not in own]
        if own:
            out[file] = own
    return out


def _prefixes(found: Files) -> list[str]:
    """Return what names of parameters begin with."""
    return list(dict.fromkeys(e.name.partition(".")[0] for e in found["parameters"] if "." in e.name))


def _each(found: Files) -> list[str]:
    """Return a line for each file: its keys, and of parameters what their names begin with."""
    wide = max(map(len, found))
    lines = []
    for file, entries in found.items():
        names = [e.name for e in entries if not e.block and e.name not in ("evidence", "assumed")]
        some = _prefixes(found) if file == "parameters" else list(dict.fromkeys(names))
        lines.append(
            f"  {file:{wide}}  " + textwrap.shorten(", ".join(some), width() - wide - 5, placeholder=" ...")
        )
    return lines


def _files() -> Files:
    """Return the entries of every file by its name."""
    from breakrank.runs.reference import page

    out: Files = {}
    for text in page("case-format").split("\n## "):
        name = text.removeprefix("## ").partition("\n")[0]
        file = name.rpartition("/")[2].partition(".")[0]
        out[file] = []
        for k, part in enumerate(text.split("\n### ")):
            block = part.partition("\n")[0].strip() if k else ""
            out[file] += [
                Key(key, f"{kind}, required" if need else kind, meaning, block)
                for _, (key, kind, need, meaning) in _rows(part)
            ]
        if file in _NAMED:
            other, heads = _NAMED[file]
            out[file] += [
                Key(row[0], "; ".join(cell for cell in row[2:] if cell) or of, (row[1:] or [""])[0])
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
