"""The works that Breakrank stands on: a file of BibTeX, and the citations of a text that name them.

Text cites by author and year, as in "Kuran 1991" or "Morris and Shin (1998)". The first author and the year
name one work. The file is ours and has one field a line; a test holds it to that form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from breakrank.wording import listed

BIBLIOGRAPHY = Path(__file__).with_name("literature.bib")
"""All works, in BibTeX."""
SOFTWARE = "breakrank"
"""Key of Breakrank itself."""
OUTLETS = ("journal", "booktitle", "publisher", "howpublished")
"""Fields that say where a work came out; each has one."""

_ENTRY = re.compile(r"^@(\w+)\{(\w+),\n(.*?)^\}$", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)
_YEAR = re.compile(r",? \(?((?:18|19|20)\d\d)\b")
_AUTHORS = re.compile(r"(?:(?:[A-ZÀ-Ý][\w'’-]*\w|[A-Z]\.|and|others|et|al\.|de)(?: |, |(?=$)))+$")
_BREAK = re.compile(r"\s*\n\s*(?:#[:>]? ?)?\s*")
_LONGEST = 90
"""Characters before a year among which the names of its authors are looked for."""


@dataclass(frozen=True, slots=True)
class Work:
    """A published work.

    Attributes
    ----------
    key, kind : of its entry, e.g. ``"kuran1991"`` and ``"article"``.
    fields : what the entry says, by name, as in BibTeX.
    bibtex : the entry as it is written.
    """

    key: str
    kind: str
    fields: Mapping[str, str]
    bibtex: str

    @property
    def authors(self) -> tuple[str, ...]:
        """Authors, each as ``"Kuran, Timur"``; ``"others"`` stands for more."""
        return tuple(self.fields["author"].split(" and "))

    @property
    def surnames(self) -> tuple[str, ...]:
        """Surnames of the authors, and names of organisations."""
        return tuple(name.partition(",")[0].strip("{}") for name in self.authors)

    @property
    def is_checked(self) -> bool:
        """Whether the entry was compared with a catalogue or another bibliography."""
        return "not checked" not in self.fields.get("note", "")

    @property
    def label(self) -> str:
        """Author and year, as text cites the work."""
        first, *more = self.surnames
        if len(more) > 2 or more == ["others"]:
            return f"{first} and others {self.fields['year']}"
        return f"{listed(self.surnames)} {self.fields['year']}"

    def reference(self, italic: str = "") -> str:
        """Return the work as a list of references has it; `italic` encloses titles of books and journals."""
        of = self.fields
        outlet = next(of[name] for name in OUTLETS if name in of)
        is_book = self.kind == "book"
        title = f"{italic}{of['title']}{italic}" if is_book else of["title"]
        where = outlet if is_book else f"{italic}{outlet}{italic}"
        volume = f" {of['volume']}" if "volume" in of else ""
        volume += f"({of['number']})" if "number" in of else ""
        pages = f", {of['pages'].replace('--', '–')}" if "pages" in of else ""
        stop = "" if title.rstrip("*").endswith("?") else "."
        names = listed([_initialled(name) for name in self.authors])
        return f"{names} ({of['year']}). {title}{stop} {where}{volume}{pages}."


def _initialled(author: str) -> str:
    """Return ``"Kuran, T."`` for ``"Kuran, Timur"``; organisations and ``"others"`` as they are."""
    surname, comma, given = author.partition(", ")
    initials = " ".join(f"{name[0]}." for name in given.split())
    return f"{surname}, {initials}" if comma else author.strip("{}")


@cache
def works() -> Mapping[str, Work]:
    """Return all works by key, in the order of the file; Breakrank itself is none of them."""
    return {key: work for key, work in _entries() if key != SOFTWARE}


def software(version: str) -> str:
    """Return the BibTeX entry of Breakrank itself, with a version."""
    (entry,) = (work.bibtex for key, work in _entries() if key == SOFTWARE)
    return entry.replace("\n}", f"\n  version = {{{version}}},\n}}")


def citations(text: str) -> Iterator[tuple[str, Work | None]]:
    """Yield likely citations, each with its work; ``None`` for other capitals before a year."""
    line = _BREAK.sub(" ", text)
    for year in _YEAR.finditer(line):
        before = line[max(0, year.start() - _LONGEST) : year.start()]
        names = _AUTHORS.search(before)
        if names and names.group()[0].isupper():
            yield f"{names.group()} {year.group(1)}", _named(names.group(), year.group(1))


def cited(*texts: str) -> tuple[Work, ...]:
    """Return the works that texts cite, by author and year, each once, in the order of the file."""
    found = {work.key for text in texts for _, work in citations(text) if work is not None}
    return tuple(work for key, work in works().items() if key in found)


def _named(names: str, year: str) -> Work | None:
    """Return the work of a first author in a year; a sentence may begin with a capital before the name."""
    words = [word.strip(",") for word in names.split() if not re.fullmatch(r"[A-Z]\.", word)]
    known = _by_first_author()
    parts = (" ".join(words[i : i + size]) for i in range(len(words)) for size in (3, 2, 1))
    return next((known[part, year] for part in parts if (part, year) in known), None)


@cache
def _by_first_author() -> Mapping[tuple[str, str], Work]:
    return {(work.surnames[0], work.fields["year"]): work for work in works().values()}


def _entries() -> Iterator[tuple[str, Work]]:
    for entry in _ENTRY.finditer(BIBLIOGRAPHY.read_text(encoding="utf-8")):
        kind, key, body = entry.groups()
        yield key, Work(key, kind, dict(_FIELD.findall(body)), entry.group())
