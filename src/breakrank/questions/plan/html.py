"""The document of a plan as one HTML file that holds everything, loads nothing and runs nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from breakrank.questions.plan.document import document
from breakrank.show.html import rendered
from breakrank.show.style import PAGE

if TYPE_CHECKING:
    from breakrank.questions.plan.data import PlanData


def render(plan: PlanData) -> str:
    """Return the document of a plan as an HTML page, two pages long on A4 or Letter paper.

    The same plan gives the same text.

    Raises
    ------
    UsageError
        where the optional extra ``report`` is not installed.
    """
    return rendered("plan.html.j2", "plan.css", {"d": document(plan, PAGE)})
