"""Why it came so: the answer to ``explain`` of who left and whether the regime holds, computed beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from breakrank.answer.files import with_call
from breakrank.case.changes import unselected
from breakrank.questions.declared import Explain
from breakrank.questions.explain import explained
from breakrank.results.files import finite
from breakrank.wording import call_again

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.runs.making import Making

LEFT = "left"
"""What the chart shows; the tables have beside it whether the regime holds."""
OUTCOMES = (LEFT, "regime_holds")
RUNS = 40
"""Runs of the case, and of the case without each cause."""
KINDS = {"removals": "mechanism", "each-event": "event"}
"""What is taken away, by the table of the answer that tells of it."""


def key(case: Case) -> str:
    """Return the name under which the answer for a case is kept."""
    return f"why-{unselected(case).digest[:24]}"


def computed(case: Case, making: Making, runs: int = RUNS, seed: int = 0) -> Answer:
    """Return the effect of taking away each mechanism and each dated event by the last day.

    Raises
    ------
    KeyboardInterrupt
        where it was stopped; finished runs are in the store.
    """
    question = Explain(outcomes=OUTCOMES, date=case.calendar.end, runs=runs, seed=seed)
    return with_call(explained(question, case, making), call_again("explain", case.id, **question.flags()))


def dots(found: Answer) -> list[dict[str, Any]]:
    """Return the rows that the page draws as ranked dots, each with what a click asks; clear ones first."""
    rows = [
        {"kind": kind, "id": row["without"], "label": row["without"].replace("_", " "), "about": row["about"]}
        | ({"label": row["about"], "about": ""} if kind == "event" else {})
        | {name: finite(row[name]) for name in ("before", "after", "mean", "low", "high")}
        | {"told": bool(row["told"])}
        for table, kind in KINDS.items()
        if table in {one.name for one in found.tables}
        for row in found[table].records()
        if row["outcome"] == LEFT
    ]
    return sorted(rows, key=lambda row: (not row["told"], -abs(row["mean"] or 0.0)))
