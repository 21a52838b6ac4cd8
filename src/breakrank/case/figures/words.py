"""The words of figures as data: one table a language, read once and compiled."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from breakrank.case.documents import read_yaml

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
