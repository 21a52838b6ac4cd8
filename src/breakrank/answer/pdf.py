"""An answer on paper: set as PDF without a browser, readable by screen readers."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from breakrank.answer.cells import split
from breakrank.answer.html import light
from breakrank.show.paper import typeset

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer

ACROSS = 110
"""Characters that stand side by side on a page."""
PAGES = 12
"""Pages that an answer may take at most."""


def pdf(answer: Answer, pages: int = PAGES) -> bytes:
    """Return an answer as PDF; the same answer gives the same bytes.

    Raises
    ------
    UsageError, BreakrankError
        as :func:`~breakrank.show.paper.typeset`.
    """
    told = light(answer)
    del told["folded"]
    for figure in told["figures"]:
        figure["pictures"] = [asdict(one) for one in figure["pictures"]]
    for table in told["tables"]:
        table["parts"] = [
            {"heading": "" if k else one["heading"], "grid": asdict(piece)}
            for one in table["parts"]
            for k, piece in enumerate(split(one["grid"], ACROSS))
        ]
    return typeset("answer.typ", told, pages)
