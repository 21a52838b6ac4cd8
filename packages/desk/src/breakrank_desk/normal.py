"""Words and hashes that do not depend on how a text is set: quotes, dashes, spaces, composed letters."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache

from breakrank.case.cells import ALIKE

HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Direction marks, zero-width and control characters: they show nothing and may mislead."""
_STRAIGHT = {k: v for k, v in ALIKE.items() if len(str(v)) == 1}
WORD = re.compile(r"[^\W_]+(?:['.,:\-][^\W_]+)*", re.UNICODE)
"""A word or a number: letters and digits, with marks inside."""


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


def visible(text: str) -> tuple[str, int]:
    """Return a text without hidden characters, and how many were taken out."""
    return HIDDEN.subn("", text)


@lru_cache(maxsize=4096)
def straight(text: str) -> str:
    """Return a text with straight quotes and short dashes, each letter where it stood."""
    return text.translate(_STRAIGHT)


def words(text: str) -> list[str]:
    """Return the words of a text in small letters; marks between them are left out.

    Examples
    --------
    >>> words("“Nearly 1,000”\u00a0—  he said.")
    ['nearly', '1,000', 'he', 'said']
    """
    return [w.casefold() for w in WORD.findall(plain(text))]


def digest(text: str | list[str]) -> str:
    """Return 16 hexadecimal digits that stand for the words of a text."""
    parts = words(text) if isinstance(text, str) else text
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]


def sha256(data: bytes) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
