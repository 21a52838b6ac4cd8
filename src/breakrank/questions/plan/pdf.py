"""The document of a plan as a PDF of two pages."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from breakrank.questions.plan.document import document
from breakrank.show.paper import typeset
from breakrank.show.style import LIGHT

if TYPE_CHECKING:
    from breakrank.questions.plan.data import PlanData

PAGES = 2


def render(plan: PlanData, paper: str = "a4") -> bytes:
    """Return the document of a plan as PDF: two pages; the same plan gives the same bytes.

    Raises
    ------
    UsageError, BreakrankError
        as :func:`~breakrank.show.paper.typeset`.
    """
    return typeset("plan.typ", asdict(document(plan, LIGHT, "Inter")), PAGES, paper)
