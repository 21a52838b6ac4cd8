"""An answer on paper: set as PDF without a browser, readable by screen readers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from importlib import resources
from typing import TYPE_CHECKING, Any

from breakrank.answer.cells import split
from breakrank.answer.html import light
from breakrank.errors import BreakrankError
from breakrank.show.extras import require
from breakrank.show.style import LIGHT

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer

ACROSS = 110
"""Characters that stand side by side on a page."""
PAGES = 12
"""Pages that an answer may take at most."""
SCALES = (1.12, 1.06, 1.0, 0.95, 0.9, 0.85, 0.8, 0.74, 0.68, 0.62)
"""By what text is scaled, until the pages hold it all."""
OWN = {"plan": ("plan.typ", 2)}
"""Questions whose answers have a template of their own, and the pages that it may take."""


def pdf(answer: Answer, pages: int = PAGES) -> bytes:
    """Return an answer as PDF; the same answer gives the same bytes.

    Raises
    ------
    UsageError, BreakrankError
        as :func:`typeset`.
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


def typeset(template: str, content: Mapping[str, Any], pages: int) -> bytes:
    """Return a document as PDF, tagged for screen readers (PDF/UA-1), in the largest type that fits.

    The same content gives the same bytes.

    Parameters
    ----------
    template : name of a Typst file in ``assets``. content : what it says, ready for JSON.
    pages : how many there may be at most.

    Raises
    ------
    UsageError
        where the optional extra ``plan`` is not installed.
    BreakrankError
        if it cannot be set on so many pages.
    """
    require("writing a PDF", "typst", extra="plan")
    import typst

    told = json.dumps({**content, "theme": asdict(LIGHT)}, ensure_ascii=False)
    inputs = {"document": told, "paper": "a4"}
    with resources.as_file(resources.files("breakrank.show") / "assets") as assets:
        compiler = typst.Compiler(
            str(assets / template), root=str(assets), font_paths=[str(assets)], ignore_system_fonts=True
        )
        for scale in SCALES:
            inputs["scale"] = str(scale)
            try:
                made = compiler.compile(sys_inputs=inputs, format="pdf", timestamp=0, pdf_standards="ua-1")
            except typst.TypstError as error:
                said = str(error).partition("\n")[0]
                raise BreakrankError(
                    f"this cannot be set on paper: {said}\n  Where a letter is in none of the fonts that "
                    "come with Breakrank, take the HTML and print it, or the workbook."
                ) from error
            taken = json.loads(compiler.query("<pages>", field="value", one=True))
            if taken <= pages and isinstance(made, bytes):
                return made
    raise BreakrankError(f"this has too much to say for {pages} pages of PDF; take the tables or a workbook")
