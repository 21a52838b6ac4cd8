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


OWN = {"plan": ("plan.typ", 2)}
"""Questions whose answers have a template of their own, and the pages that it may take."""


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
    template, pages = OWN.get(answer.question, ("answer.typ", pages))
    return typeset(template, told, pages)
