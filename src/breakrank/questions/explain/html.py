"""An explanation as one HTML file that holds everything, loads nothing and runs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from breakrank.questions.explain.chart_axes import NARROW, WIDE
from breakrank.questions.explain.drawings import CHARTS
from breakrank.questions.explain.grid import heads, lines
from breakrank.questions.explain.phrases import outcome
from breakrank.questions.explain.sentences import told
from breakrank.show.grid import GridTable
from breakrank.show.html import Picture, rendered
from breakrank.show.look import Look
from breakrank.show.provenance import told as changes
from breakrank.show.style import PAGE

if TYPE_CHECKING:
    from breakrank.questions.explain.outcomes import ExplainedOutcome
    from breakrank.questions.explain.result import Explanation
    from breakrank.questions.explain.sentences import Sentence


COLUMNS = ("without", "meaning: it is not the case that")
"""The first columns of the table of mechanisms."""


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A section of the page."""

    title: str
    sentences: tuple[str, ...]
    pictures: tuple[Picture, ...]


def render(found: Explanation) -> str:
    """Return an explanation as an HTML page. The same explanation gives the same text."""
    said = told(found)
    notices = [("Changed case", text)] if (text := changes(found.case)) else []
    if found.interrupted:
        notices.append(("Interrupted", "This page covers the runs that had finished."))
    values = {
        "title": found.case.title,
        "made": f"{found.runs:,} runs of each variant, seed {found.seed}",
        "told": notices,
        "parts": _parts(found, said),
        "table": GridTable((*COLUMNS, *heads(found)), tuple(lines(found))),
        "notes": [s.text for s in said if s.topic == "made"] + ([found.command] if found.command else []),
    }
    return rendered("explain.html.j2", "plan.css", values)


def _parts(found: Explanation, said: Sequence[Sentence]) -> list[ReportSection]:
    out = []
    for asked in found.asked:
        mine = tuple(_cut(s.text, asked) for s in said if s.outcome == asked.measure)
        out.append(ReportSection(outcome(asked), mine, _pictures(found, asked)))
    return out


def _cut(text: str, asked: ExplainedOutcome) -> str:
    """Return a sentence without the outcome before its colon, which the heading says already."""
    rest = text.removeprefix(f"{outcome(asked)}: ")
    return rest[:1].upper() + rest[1:]


def _pictures(found: Explanation, asked: ExplainedOutcome) -> tuple[Picture, ...]:
    looks = (Look(PAGE, WIDE), Look(PAGE, NARROW, names=128))
    drawn = ([build(found, asked, look) for look in looks] for build in CHARTS.values())
    return tuple(Picture.of(wide, PAGE, "", narrow) for wide, narrow in drawn if wide is not None)
