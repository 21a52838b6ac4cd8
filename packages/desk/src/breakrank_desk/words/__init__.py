"""The desk's words: one table a language, on top of that of its figures, read once and compiled."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from breakrank.case.documents import read_yaml
from breakrank.case.figures.numbers import WordTable, figure_words, one_of
from breakrank.errors import UsageError

__all__ = ["LANGUAGES", "WordTable", "one_of", "table"]

FOLDER = Path(__file__).parent
LANGUAGES = tuple(sorted(p.stem for p in FOLDER.glob("*.yaml")))
"""Languages that have a table."""


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
    own = read_yaml(file.read_text(encoding="utf-8"), file).data
    return WordTable(language, {**figure_words(language).data, **own})
