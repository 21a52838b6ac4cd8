"""PDF: the text of its pages, without what repeats at the top and foot of each."""

from __future__ import annotations

import io
import itertools
import logging
import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from breakrank_desk.reading.limits import CHARACTERS, PAGES, RefusedError, unless_broken
from breakrank_desk.reading.plain import blocks_of
from breakrank_desk.texts import Block, Extract, Guess

if TYPE_CHECKING:
    from pypdf import PageObject

_WRAPPED = 130
"""A longer line is a whole paragraph."""
ROOM = 1.4
"""Room between two lines, as a multiple of the usual one, from which a paragraph ends."""
USUAL = 0.1
"""Share of the lines from which room between two is usual; the least such is that within a paragraph."""
_NUMBER = re.compile(r"^(?:page |página )?\d{1,4}(?: ?(?:/|of|de) ?\d{1,4})?$", re.IGNORECASE)
_DATE = re.compile(r"D:(\d{4})(\d\d)(\d\d)")


def read_pdf(data: bytes) -> Extract:
    """Return the blocks of a PDF.

    Raises
    ------
    RefusedError
        for encrypted and broken files.
    """
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    with unless_broken("PDF"):
        reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted:
            raise RefusedError("the PDF is encrypted")
        count = len(reader.pages)
        pages, size = [], 0
        for k in range(min(count, PAGES)):
            text = _spaced(reader.pages[k])
            size += len(text)
            pages.append(text)
            if size > CHARACTERS:
                break
        guesses = _guesses(reader)
    told: tuple[str, ...] = () if count <= PAGES else (f"{count} pages, the first {PAGES} read",)
    body = _without_margins(pages)
    if not any(c.isalpha() for c in body):
        told += ("no text in it; a scan?",)
    blocks = blocks_of(_paragraphs(body), wrapped=True)
    return Extract("pdf", f"pypdf {pypdf.__version__}", tuple(Block(b.text) for b in blocks), guesses, told)


def _spaced(page: PageObject) -> str:
    """Return the text of a page, with a blank line where more room is left than between most lines."""
    parts: list[tuple[float, float, str]] = []

    def visit(text: str, cm: list[float], tm: list[float], _: object, size: float) -> None:
        parts.append((tm[5] * cm[3] + cm[5], abs(size * tm[3] * cm[3]), text))

    page.extract_text(visitor_text=visit)
    told = [p for p in parts if p[2].strip()]
    down = [(a[0] - b[0], b[1]) for a, b in itertools.pairwise(told)]
    gaps = Counter(round(gap, 1) for gap, size in down if gap >= 0.9 * size > 0)
    usual = min((gap for gap, n in gaps.items() if n >= USUAL * gaps.total()), default=math.inf)
    out, last = list[str](), math.nan
    for at, _, text in parts:
        if text.strip():
            if last - at > ROOM * usual:
                out.append("\n")
            last = at
        out.append(text)
    return "".join(out)


def _guesses(reader: object) -> tuple[Guess, ...]:
    made = getattr(reader, "metadata", None)
    found = _DATE.match(str(made.get("/CreationDate", ""))) if made else None
    return (Guess("date", "-".join(found.groups()), "when the PDF was made"),) if found else ()


def _without_margins(pages: list[str]) -> str:
    """Join pages, without page numbers and without lines that stand first or last on most of them."""
    split = [[line.strip() for line in page.split("\n")] for page in pages]
    edges = Counter(re.sub(r"\d+", "#", x) for lines in split for x in {*lines[:2], *lines[-2:]} if x)
    often = {x for x, n in edges.items() if n >= 3 and n > len(pages) / 2}
    kept: list[str] = []
    for lines in split:
        last = len(lines) - 1
        inner = [
            x
            for k, x in enumerate(lines)
            if not ((k < 2 or k > last - 2) and (re.sub(r"\d+", "#", x) in often or _NUMBER.match(x)))
        ]
        while inner and not inner[-1]:
            inner.pop()
        while inner and not inner[0]:
            inner.pop(0)
        if kept and inner and kept[-1] and not re.search(r"[.!?”\"]$", kept[-1]):
            kept += inner  # a sentence goes on over the page
        else:
            kept += ["", *inner]
    return "\n".join(kept)


def _paragraphs(text: str) -> str:
    """Put a blank line after each line that ends a paragraph.

    It is well short of the full width, and the next begins with a capital; or it is no wrapped line at all.
    """
    lines = text.split("\n")
    full = max((len(x) for x in lines if len(x) <= _WRAPPED), default=0) or _WRAPPED
    out: list[str] = []
    for k, line in enumerate(lines):
        out.append(line)
        after = lines[k + 1] if k + 1 < len(lines) else ""
        ends, short = bool(re.search(r"[.!?:”\"’»]$", line)), len(line) / full
        begins = not after[:1].islower()
        if line and after and begins and (short < (0.85 if ends else 0.7) or (ends and len(line) > _WRAPPED)):
            out.append("")
    return "\n".join(out)
