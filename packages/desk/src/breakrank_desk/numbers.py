"""Numbers in words and with scales, by the table of a language: two hundred and fifty, 1.2 million."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from breakrank_desk.normal import bare


@dataclass(frozen=True)
class WordTable:
    """The words of one language; keys are those of its file.

    Phrases are looked up in small letters without accents.
    """

    language: str
    data: Mapping[str, Any]

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401 (a table holds lists, mappings and texts)
        return self.data[key]

    @lru_cache(maxsize=256)  # noqa: B019 (a table lives as long as the process)
    def lookup(self, key: str) -> Mapping[str, Any]:
        """Return a list or mapping as a mapping of bare phrases; a list maps each to itself."""
        part = self.data[key]
        return {bare(str(k)): part[k] if isinstance(part, dict) else k for k in part}

    @lru_cache(maxsize=256)  # noqa: B019
    def pattern(self, key: str) -> re.Pattern[str]:
        """Return one expression for a list of expressions, ignoring case."""
        return re.compile("|".join(f"(?:{e})" for e in self.data[key]), re.IGNORECASE)

    @lru_cache(maxsize=256)  # noqa: B019
    def pattern_list(self, key: str) -> tuple[re.Pattern[str], ...]:
        """Return each expression of a list, compiled, minding case."""
        return tuple(re.compile(e) for e in self.data[key])

    @lru_cache(maxsize=256)  # noqa: B019
    def any_of(self, key: str) -> str:
        """Return the source of an expression for any of the phrases of a part, the longest first."""
        return one_of(map(str, self.data[key]))

    @lru_cache(maxsize=256)  # noqa: B019
    def phrases(self, key: str) -> re.Pattern[str]:
        """Return one expression for whole phrases, the longest first, ignoring case."""
        return re.compile(rf"(?<!\w)(?:{self.any_of(key)})(?!\w)", re.IGNORECASE)

    def __hash__(self) -> int:
        return hash(self.language)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WordTable) and other.language == self.language


def one_of(phrases: Iterable[str]) -> str:
    """Return the source of an expression for any of some phrases, the longest first."""
    return "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))


LONGEST = 12
"""Words a number may have."""


@lru_cache(maxsize=8)
def number_pattern(table: WordTable) -> str:
    """Return an expression for one number, without groups."""
    mark, point = re.escape(table["thousands"]), re.escape(table["decimal"])
    grouped = rf"\d{{1,3}}(?:{mark}\d{{3}})+(?:{point}\d+)?|\d{{1,3}}(?: \d{{3}})+(?!\d)"
    digits = rf"(?:{grouped}|\d{{1,15}}(?:{point}\d{{1,6}})?)"
    scales = _any(table, "scales")
    small = _any(table, "units", "tens", "one")
    joiner = re.escape(table["joiner"])
    single = _any(table, "scales", letters=True)
    words = rf"(?:{small}|{single})(?:(?:[ -](?:{joiner} )?)(?:{small}|{single})){{0,{LONGEST}}}+"
    return rf"(?>{digits}(?:[ -]?(?:{scales})(?!\w))?|{words})"


def _any(table: WordTable, *parts: str, letters: bool = False) -> str:
    names = {str(n) for part in parts for n in table[part]}
    if letters:
        names = {n for n in names if len(n) > 2}
    return rf"(?:{one_of(names)})(?!\w)"


@lru_cache(maxsize=4096)
def number_value(text: str, table: WordTable) -> float | None:
    """Return a number as written, or ``None`` where the text is none.

    Examples
    --------
    >>> from breakrank_desk.words import table
    >>> en, es = table("en"), table("es")
    >>> number_value("1.2 million", en), number_value("two hundred and fifty", en)
    (1200000.0, 250.0)
    >>> number_value("1.200", es), number_value("dos mil quinientos", es)
    (1200.0, 2500.0)
    """
    parts = [p for p in re.split(r"[ -]+", text.strip()) if p]
    if not parts or len(parts) > LONGEST:
        return None
    if parts[0][0].isdigit():
        return _digits(parts, table)
    return _spelt(parts, table)


def scale_of(text: str, table: WordTable) -> float:
    """Return the factor of the last word of a number, such as "thousand"; 1 if it is none.

    Examples
    --------
    >>> from breakrank_desk.words import table
    >>> scale_of("5 thousand", table("en")), scale_of("5", table("en"))
    (1000.0, 1.0)
    """
    last = re.search(r"[^\W\d_]+$", text)
    return float(table.lookup("scales").get(bare(last.group()), 1)) if last else 1.0


def _digits(parts: list[str], table: WordTable) -> float | None:
    scales = table.lookup("scales")
    scale = 1.0
    if bare(parts[-1]) in scales:
        scale = float(scales[bare(parts.pop())])
    else:
        glued = re.fullmatch(r"([\d.,]+)([^\W\d_]+)", parts[-1])
        if glued and bare(glued.group(2)) in scales:
            parts[-1], scale = glued.group(1), float(scales[bare(glued.group(2))])
    joined = "".join(parts).replace(table["thousands"], "").replace(table["decimal"], ".")
    try:
        return float(f"{float(joined) * scale:.15g}")
    except ValueError:
        return None


def _spelt(parts: list[str], table: WordTable) -> float | None:
    small = {**table.lookup("units"), **table.lookup("tens"), **table.lookup("one")}
    scales, joiner = table.lookup("scales"), bare(table["joiner"])
    total = current = 0.0
    seen = False
    for word in parts:
        name = bare(word)
        if name == joiner and seen:
            continue
        if name in small:
            current += float(small[name])
        elif name in scales:
            scale = float(scales[name])
            if scale == 100:
                current = (current or 1) * 100
            else:
                total += (current or 1) * scale
                current = 0.0
        else:
            return None
        seen = True
    return total + current if seen else None
