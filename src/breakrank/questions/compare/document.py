"""A comparison on paper: its verdict, what was changed, charts, and the table of all outcomes looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from breakrank.outputs import CURRENCY
from breakrank.questions.compare.charts import figures
from breakrank.questions.compare.numbers import said
from breakrank.questions.compare.query import query_of
from breakrank.questions.compare.verdict import of_one, verdict
from breakrank.results.uncertainty import holds
from breakrank.show.grid import GridTable
from breakrank.show.html import Picture
from breakrank.show.look import Look, svg
from breakrank.show.paper import typeset
from breakrank.show.provenance import drawn_in_part
from breakrank.show.style import LIGHT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from breakrank.case import Case
    from breakrank.questions.compare.compare import Comparison
    from breakrank.results import Result
    from breakrank.results.paired import Difference

PAGES = 2
DIGEST = 16
"""Characters of a digest that are printed; the workbook has it whole."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison with all that its files are made of.

    Attributes
    ----------
    made : the paired differences. before, after : the runs that they are of.
    title : what the changed case is called. changes : what is changed, a phrase each.
    expected : of measures the direction that the literature expects.
    command : the call that makes it again.
    """

    made: Comparison
    before: Result
    after: Result
    title: str
    changes: tuple[str, ...] = ()
    expected: Mapping[str, str] | None = None
    command: str = ""


@dataclass(frozen=True, slots=True)
class ComparisonDocument:
    """Everything the pages say.

    Attributes
    ----------
    title, subtitle, made : heading, what is changed, and how it was made.
    notices : what a reader must know first.
    finding : parts of text, and whether each is stressed.
    asked : which question was asked, and what was changed.
    main, small : charts: who leaves, and what else differs.
    table : the outcomes. notes : small print. remade : how to make it again.
    """

    title: str
    subtitle: str
    made: str
    notices: tuple[tuple[str, str], ...]
    finding: tuple[tuple[str, bool], ...]
    asked: tuple[str, ...]
    main: tuple[Picture, ...]
    small: tuple[Picture, ...]
    table: GridTable
    notes: tuple[str, ...]
    remade: tuple[str, ...]


def document(one: Compared) -> ComparisonDocument:
    """Return what the document of a comparison says, its charts in light colours."""
    made, case = one.made, one.made.case
    look = Look(LIGHT, wide=740, small=200, still=True).of(case)
    drawn = figures(one.before, one.after, one.title, look)
    pictures = [
        tuple(Picture(svg(p.drawn, LIGHT, "Inter"), "", p.sentence) for p in figure.panels)
        for figure in drawn
    ]
    failed = len(made.failed)
    notices = [("Not all runs", f"{failed:,} runs failed; their pairs are left out")] if failed else []
    versions = ", ".join(f"{name} {text}" for name, text in one.before.versions.items())
    return ComparisonDocument(
        title=f"Comparison: {case.title}",
        subtitle=one.title,
        made=f"{made.runs:,} pair{'s' * (made.runs != 1)} of runs, seed {made.seed}",
        notices=tuple(notices),
        finding=((verdict(made.differences, made.runs), False),),
        asked=tuple(question_and_changes(one)),
        main=pictures[0],
        small=pictures[1] if len(pictures) > 1 else (),
        table=grid(case, made.differences, one.expected or {}),
        notes=notes(one),
        remade=(
            f"Made by: {one.command}",
            f"Digests: case {case.digest[:DIGEST]}, changed {made.other.digest[:DIGEST]}. {versions}.",
        ),
    )


def question_and_changes(one: Compared) -> Sequence[str]:
    """Return which question was asked, and what was changed."""
    changed = f"Changed: {'; '.join(one.changes)}." if one.changes else ""
    return [text for text in (query_of(one.made.case, one.made.other)["told"], changed) if text]


def notes(one: Compared) -> tuple[str, ...]:
    """Return the small print: what the numbers are, and what they are not."""
    return (
        "In each pair the same soldiers have the same random draws, once in the case and once in the changed "
        "case. The difference within a pair is the effect of the change. The table has means over pairs, and "
        "the 95% interval of the mean difference (paired t). Lines of charts are means, and their fans the "
        "spread over pairs.",
        f"Intervals include only {holds(one.made.case)}; they are not the certainty of a forecast. Soldiers "
        "and relatives are synthetic; no real person is described.",
        *filter(None, [drawn_in_part(one.made.case.stands_for)]),
    )


def grid(case: Case, differences: Sequence[Difference], expected: Mapping[str, str]) -> GridTable:
    """Return the outcomes that were looked at as a table of texts, each with its verdict."""
    rows = []
    for d in differences:
        before, after, middle, ends, sign = said(d)
        words = of_one(d, expected.get(d.id))
        unit = case.currency if d.unit == CURRENCY else ""
        rows.append((f"{d.label}, {unit}".removesuffix(", "), words, before, after, middle, ends, sign))
    columns = ("On the last day", "Verdict", "Case", "Changed", "Difference", "95% interval", "Same sign")
    return GridTable(columns, tuple(rows), 2)


def pdf(one: Compared) -> bytes:
    """Return the document of a comparison as PDF; the same comparison gives the same bytes.

    Raises
    ------
    UsageError, BreakrankError
        as :func:`~breakrank.show.paper.typeset`.
    """
    return typeset("comparison.typ", asdict(document(one)), PAGES)
