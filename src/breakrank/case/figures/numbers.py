"""Numbers in digits with any marks, in words and with scales: 1.200, two hundred and fifty, 1.2 million."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from breakrank.case.documents import read_yaml
from breakrank.case.values import SlipError

ALIKE = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´ʼ", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "…": "...",
    }
)
"""Quotes and dashes as a typewriter has them."""


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Return a text in one spelling (NFKC), with straight quotes, short dashes and single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(ALIKE).split())


@lru_cache(maxsize=65_536)
def bare(text: str) -> str:
    """Return a text in small letters without accents, for looking up names.

    Examples
    --------
    >>> bare("Cúcuta")
    'cucuta'
    """
    split = unicodedata.normalize("NFKD", plain(text).casefold())
    return "".join(c for c in split if not unicodedata.combining(c))


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


@lru_cache(maxsize=8)
def figure_words(language: str) -> WordTable:
    """Return the words of figures of a language, "en" or "es"."""
    file = Path(__file__).parent / f"{language}.yaml"
    return WordTable(language, read_yaml(file.read_text(encoding="utf-8"), file).data)


NUMERAL = r"(?:\d+(?:[.,']\d+| \d{3}(?!\d))*|\.\d+)(?:[eE][-+]?\d{1,3})?"
"""One number in digits, its marks included, in a text that :func:`typed` returned."""
_OTHER = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2007\u2009\u202f\u3000", " "),
        **{chr(c): chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F)},
        **dict(zip("٫٬٪≈∼≃", ".,%~~~", strict=True)),
        **dict.fromkeys("≤⩽", "<="),
        **dict.fromkeys("≥⩾", ">="),
    }
)


def typed(text: str) -> str:
    """Return a text as a plain keyboard writes it: digits 0 to 9, one kind of blank, quote and dash.

    Raised digits stay as they are: they are notes, no numbers.

    Examples
    --------
    >>> typed("１ ٢٠٠"), typed("5–10"), typed("1’200²")
    ('1 200', '5-10', "1'200²")
    """
    out = text.translate(_OTHER).translate(ALIKE)
    return "".join(str(unicodedata.decimal(c, c)) for c in out).strip()


def readings(numeral: str, *, whole: bool = False, scale: float = 1.0) -> dict[str, str]:
    """Return a number in plain digits by its decimal mark, "." and ",": both where its marks leave it open.

    Parameters
    ----------
    whole : whether it counts something, so that no part of one is possible.
    scale : what a word after it multiplies it by, as in "1.2 million".

    Examples
    --------
    >>> readings("1.200"), readings("1.200", whole=True), readings("1 200,5")
    ({'.': '1.200', ',': '1200'}, {',': '1200'}, {',': '1200.5'})
    """
    out = {}
    for mark, group in ((".", ","), (",", ".")):
        grouped = rf"[1-9]\d{{0,2}}(?P<group>[{group} '])\d{{3}}(?:(?P=group)\d{{3}})*"
        shape = rf"[-+]?(?=[.,]?\d)(?:{grouped}|\d*)(?:[{mark}]\d*)?(?:[eE][-+]?\d{{1,3}})?"
        if not re.fullmatch(shape, numeral):
            continue
        plain = re.sub(rf"[{group} ']", "", numeral).replace(mark, ".")
        value = float(plain) * scale
        if math.isfinite(value) and not (whole and abs(value - round(value)) > 1e-9 * max(1.0, abs(value))):
            out[mark] = plain
    return out


def is_open(found: Mapping[str, str]) -> bool:
    """Return whether a number can be read in two ways."""
    return len({float(plain) for plain in found.values()}) > 1


def column_mark(column: Iterable[Mapping[str, str]]) -> str:
    """Return the decimal mark that the readings of a column show; "" where none does, or they disagree."""
    shown = {mark for found in column if len(found) == 1 for mark in found}
    return shown.pop() if len(shown) == 1 else ""


def settled(numeral: str, found: Mapping[str, str], mark: str) -> str:
    """Return the one reading of a number, or the one with a decimal mark.

    Raises
    ------
    SlipError
        naming both readings, where they differ and no mark is given.
    """
    if not is_open(found):
        return next(iter(found.values()))
    if mark:
        return found[mark]
    both = [f"{float(plain):,.15g}" for plain in found.values()]
    raise SlipError(
        f"{numeral!r} can be read as {both[0]} or as {both[1]}",
        f"Write {both[0].replace(',', '')} or {both[1].replace(',', '')}.",
    )


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
    >>> from breakrank.case.figures.numbers import figure_words
    >>> en, es = figure_words("en"), figure_words("es")
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
    >>> from breakrank.case.figures.numbers import figure_words
    >>> scale_of("5 thousand", figure_words("en")), scale_of("5", figure_words("en"))
    (1000.0, 1.0)
    """
    last = re.search(r"[^\W\d_]+$", text)
    return float(table.lookup("scales").get(bare(last.group()), 1)) if last else 1.0


def short(value: float) -> float | int:
    """Return a number as files have it: a whole one without a point."""
    return int(value) if float(value).is_integer() and abs(value) < 1e15 else value


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
