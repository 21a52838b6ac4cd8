"""Documents set on paper as PDF, without a browser and without fonts of the system."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from importlib import resources
from typing import Any

from breakrank.errors import BreakrankError, UsageError
from breakrank.show.extras import require
from breakrank.show.style import LIGHT

PAPERS = {"a4": "a4", "letter": "us-letter"}
"""Sizes of paper, and what the typesetter calls them."""

SCALES = (1.12, 1.06, 1.0, 0.95, 0.9, 0.85, 0.8, 0.74, 0.68, 0.62)
"""By what text is scaled, until the pages hold it all."""


def check_paper(paper: str) -> None:
    """Check that a size of paper is known; UsageError otherwise."""
    if paper not in PAPERS:
        raise UsageError(f"paper is {paper!r}; it must be {' or '.join(PAPERS)}")


def typeset(template: str, content: Mapping[str, Any], pages: int, paper: str = "a4") -> bytes:
    """Return a document as PDF, tagged for screen readers (PDF/UA-1), in the largest type that fits.

    The same content gives the same bytes.

    Parameters
    ----------
    template : name of a Typst file in ``assets``. content : what it says, ready for JSON.
    pages : how many there may be at most.

    Raises
    ------
    UsageError
        where the optional extra ``plan`` is not installed, or for an unknown paper.
    BreakrankError
        if it cannot be set on so many pages.
    """
    require("writing a PDF", "typst", extra="plan")
    import typst

    check_paper(paper)
    told = json.dumps({**content, "theme": asdict(LIGHT)}, ensure_ascii=False)
    inputs = {"document": told, "paper": PAPERS[paper]}
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
