"""Plain text into blocks: one a line, or one between blank lines where lines are wrapped by hand."""

from __future__ import annotations

import re
from itertools import pairwise

from breakrank.case.source import decoded
from breakrank_desk.reading.limits import BLOCKS, CHARACTERS
from breakrank_desk.texts import Block, Extract

_ENDS = re.compile(r"[.!?:;”\"'’)]\s*$")


def read_plain(data: bytes) -> Extract:
    """Return the blocks of a plain text."""
    text, told = decoded(data)
    return Extract("text", "1", blocks_of(text), told=told)


def blocks_of(text: str, *, wrapped: bool = False) -> tuple[Block, ...]:
    """Return the blocks of a text.

    Lines are joined up to the next blank one where most lines that are followed by another are of a
    typewriter's width, end within a sentence, and the next one goes on in small letters; always where they
    are known to be `wrapped`.
    """
    text = text[:CHARACTERS].replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    chunks = [c for c in (chunk.strip("\n") for chunk in re.split(r"\n[ \t]*\n", text)) if c.strip()]
    pairs = [p for c in chunks for p in pairwise(c.split("\n"))]
    goes_on = [len(a) <= 120 and not _ENDS.search(a) and not b.lstrip()[:1].isupper() for a, b in pairs]
    wrapped = wrapped or sum(goes_on) > len(pairs) / 2
    out: list[Block] = []
    for chunk in chunks:
        for piece in [_joined(chunk)] if wrapped else chunk.split("\n"):
            one = " ".join(piece.split())
            if one:
                out.append(Block(one))
            if len(out) >= BLOCKS:
                return tuple(out)
    return tuple(out)


def _joined(chunk: str) -> str:
    """Join the lines of a paragraph; a word broken by a hyphen at the end of a line becomes one again."""
    return re.sub(r"(\w)-\n(?=[a-záéíóúñü])", r"\1", chunk).replace("\n", " ")
