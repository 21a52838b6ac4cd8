"""The desk's words: one table a language, read once and compiled."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from breakrank.case.cells import HEDGES, VAGUE
from breakrank.case.documents import read_yaml
from breakrank.errors import UsageError
from breakrank_desk.numbers import WordTable, one_of

__all__ = ["LANGUAGES", "WordTable", "one_of", "table"]

FOLDER = Path(__file__).parent
LANGUAGES = tuple(sorted(p.stem for p in FOLDER.glob("*.yaml")))
"""Languages that have a table."""
AFTER = ("or more", "or so", "at least", "or fewer", "or less", "at most")
"""English hedges that may follow a figure; those that begin with "or" only do."""


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
    words = read_yaml(file.read_text(encoding="utf-8"), file).data
    return WordTable(language, words | (_hedges() if language == "en" else {}))


def _hedges() -> dict[str, Any]:
    """Return the English amounts without a number and hedges, which are those of a table of counts."""
    before = {phrase: rule for phrase, rule in HEDGES.items() if not phrase.startswith("or ")}
    return {"vague": VAGUE, "hedges": before, "hedges_after": {phrase: HEDGES[phrase] for phrase in AFTER}}
