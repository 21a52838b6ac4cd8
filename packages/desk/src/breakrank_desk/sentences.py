"""Sentences: own rules with abbreviations, so that the same text is cut the same way for ever."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from breakrank_desk.words import WordTable

NEAR = 700
"""Letters on either side beyond which nothing in a sentence bears on a place in it."""
_END = re.compile(r"([.!?…]+)([\"'”’»)\]]*)(\s+)(?=[\"'“‘«(\[¿¡—-]*[A-ZÁÉÍÓÚÑÜ0-9])")


@lru_cache(maxsize=8)
def _short(table: WordTable) -> frozenset[str]:
    return frozenset(str(a).rstrip(".") for a in table["abbreviations"])


@lru_cache(maxsize=1024)
def spans(text: str, table: WordTable) -> tuple[tuple[int, int], ...]:
    """Return where each sentence starts and ends, as positions in the text."""
    short, out, start = _short(table), list[tuple[int, int]](), 0
    for found in _END.finditer(text):
        before = text[max(start, found.start() - 40) : found.start()].rsplit(None, 1)
        last = before[-1].lstrip("\"'“‘«([") if before else ""
        if found.group(1) == "." and not found.group(2):
            if last.casefold() in short and not _closes(last, text, found.end()):
                continue
            if len(last) == 1 and last.isupper():  # an initial
                continue
        out.append((start, found.end(2)))
        start = found.end()
    if text[start:].strip():
        out.append((start, len(text)))
    return tuple(out)


def sentence_of(text: str, at: int, table: WordTable) -> tuple[int, int]:
    """Return where the sentence around a place starts and ends."""
    cut = spans(text, table)
    k = bisect_right(cut, (at, len(text) + 1)) - 1
    return cut[k] if k >= 0 and cut[k][0] <= at < cut[k][1] else (0, len(text))


def sentence_at(text: str, at: int, table: WordTable) -> tuple[int, int]:
    """Return where the sentence around a place starts and ends; of an endless one, what stands near."""
    start, end = sentence_of(text, at, table)
    return max(start, at - NEAR), min(end, at + NEAR)


def _closes(last: str, text: str, after: int) -> bool:
    """Return whether an abbreviation may end a sentence: "a.m. The", not "Gen. Gonzalez"."""
    return (
        last.casefold() in ("a.m", "p.m", "etc", "inc", "ltd", "corp") and text[after : after + 1].isupper()
    )


def sentences(text: str, table: WordTable) -> list[str]:
    """Return the sentences of a text.

    Examples
    --------
    >>> from breakrank_desk.words import table
    >>> sentences("Gen. Ruiz left at 2 a.m. with 50 men. Nobody followed.", table("en"))
    ['Gen. Ruiz left at 2 a.m. with 50 men.', 'Nobody followed.']
    """
    return [text[a:b] for a, b in spans(text, table)]
