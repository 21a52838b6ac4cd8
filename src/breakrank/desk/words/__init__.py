"""Grammar as data: one table a language, read once and compiled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from breakrank.case.yaml_reader import read_yaml
from breakrank.desk.normal import bare
from breakrank.errors import UsageError

FOLDER = Path(__file__).parent
LANGUAGES = tuple(sorted(p.stem for p in FOLDER.glob("*.yaml")))
"""Languages that have a table."""


@dataclass(frozen=True)
class WordTable:
    """The words of one language; keys are those of its file.

    Phrases are looked up in small letters without accents.
    """

    language: str
    data: Mapping[str, Any]

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401 (a table holds lists, mappings and texts)
        return self.data[key]

    def lookup(self, key: str) -> Mapping[str, Any]:
        """Return a list or mapping as a mapping of bare phrases; a list maps each to itself."""
        return _bare_keys(self, key)

    def pattern(self, key: str) -> re.Pattern[str]:
        """Return one expression for a list of expressions, ignoring case."""
        return _joined(self, key)

    def pattern_list(self, key: str) -> tuple[re.Pattern[str], ...]:
        """Return each expression of a list, compiled, minding case."""
        return _each(self, key)

    def any_of(self, key: str) -> str:
        """Return the source of an expression for any of the phrases of a part, the longest first."""
        return _any_of(self, key)

    def phrases(self, key: str) -> re.Pattern[str]:
        """Return one expression for whole phrases, the longest first, ignoring case."""
        return _phrases(self, key)

    def __hash__(self) -> int:
        return hash(self.language)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WordTable) and other.language == self.language


@lru_cache(maxsize=256)
def _bare_keys(table: WordTable, key: str) -> Mapping[str, Any]:
    part = table.data[key]
    if isinstance(part, dict):
        return {bare(str(k)): v for k, v in part.items()}
    return {bare(str(k)): k for k in part}


@lru_cache(maxsize=256)
def _joined(table: WordTable, key: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{e})" for e in table.data[key]), re.IGNORECASE)


@lru_cache(maxsize=256)
def _each(table: WordTable, key: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(e) for e in table.data[key])


def one_of(phrases: Iterable[str]) -> str:
    """Return the source of an expression for any of some phrases, the longest first."""
    return "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))


@lru_cache(maxsize=256)
def _any_of(table: WordTable, key: str) -> str:
    return one_of(map(str, table.data[key]))


@lru_cache(maxsize=256)
def _phrases(table: WordTable, key: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_any_of(table, key)})(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=8)
def table(language: str) -> WordTable:
    """Return the table of a language.

    Raises
    ------
    UsageError
        where there is none.
    """
    if language not in LANGUAGES:
        raise UsageError(
            f"there is no table for the language {language!r}\n  There are: {', '.join(LANGUAGES)}."
        )
    file = FOLDER / f"{language}.yaml"
    return WordTable(language, read_yaml(file.read_text(encoding="utf-8"), file).data)


def language_of(words: Iterable[str], otherwise: str = "en") -> str:
    """Return the language whose common words occur most often among some words."""
    counts = dict.fromkeys(LANGUAGES, 0)
    common = {name: table(name).lookup("common") for name in LANGUAGES}
    for word in words:
        for name in LANGUAGES:
            counts[name] += word in common[name]
    best = max(LANGUAGES, key=lambda name: (counts[name], name == otherwise))
    return best if counts[best] else otherwise
