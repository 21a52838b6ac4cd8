"""Letters that do not depend on how a text is set: quotes, dashes, spaces, composed letters."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

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
