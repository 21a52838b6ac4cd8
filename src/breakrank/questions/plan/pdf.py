"""The document of a plan as a PDF of two pages, set without a browser and without fonts of the system."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib import resources
from typing import TYPE_CHECKING

from breakrank.errors import BreakrankError
from breakrank.questions.plan.document import document
from breakrank.show.extras import require
from breakrank.show.style import LIGHT

if TYPE_CHECKING:
    from breakrank.questions.plan.data import PlanData

PAPERS = {"a4": "a4", "letter": "us-letter"}
"""Sizes of paper, and what the typesetter calls them."""

SCALES = (1.12, 1.06, 1.0, 0.95, 0.9, 0.85, 0.8, 0.74, 0.68, 0.62)
"""By what text is scaled, until two pages hold it all."""
PAGES = 2


def render(plan: PlanData, paper: str = "a4") -> bytes:
    """Return the document of a plan as PDF: two pages, tagged for screen readers (PDF/UA-1).

    The same plan gives the same bytes.

    Raises
    ------
    UsageError
        where the optional extras ``report`` and ``plan`` are not installed.
    BreakrankError
        if it cannot be set on two pages.
    """
    require("writing a plan as PDF", "typst", extra="plan")
    import typst

    content = asdict(document(plan, LIGHT, "Inter")) | {"theme": asdict(LIGHT)}
    inputs = {"document": json.dumps(content, ensure_ascii=False), "paper": PAPERS[paper]}
    with resources.as_file(resources.files("breakrank.show") / "assets") as assets:
        compiler = typst.Compiler(
            str(assets / "plan.typ"), root=str(assets), font_paths=[str(assets)], ignore_system_fonts=True
        )
        for scale in SCALES:
            inputs["scale"] = str(scale)
            made = compiler.compile(sys_inputs=inputs, format="pdf", timestamp=0, pdf_standards="ua-1")
            pages = json.loads(compiler.query("<pages>", field="value", one=True))
            if pages <= PAGES and isinstance(made, bytes):
                return made
    raise BreakrankError("the plan has too much to say for two pages; write it as html or xlsx")
