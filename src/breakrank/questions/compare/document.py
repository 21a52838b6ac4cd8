"""A comparison on paper: its verdict, what was changed, charts, and the table of all outcomes looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from breakrank.outputs import CURRENCY
from breakrank.questions.compare.charts import figures
from breakrank.questions.compare.compare import query_of, said
from breakrank.results.paired import CONFIDENCE
from breakrank.results.uncertainty import holds
from breakrank.show.grid import GridTable
from breakrank.show.html import Picture
from breakrank.show.look import Look, svg
from breakrank.show.paper import typeset
from breakrank.show.provenance import drawn_in_part
from breakrank.show.style import LIGHT
from breakrank.show.words import between, interval

if TYPE_CHECKING:
    from collections.abc import Mapping

    from breakrank.case import Case
    from breakrank.questions.compare.compare import Comparison
    from breakrank.results import Result
    from breakrank.results.paired import Difference

NAMED = 4
"""Outcomes named at most."""


def verdict(differences: Sequence[Difference], runs: int) -> str:
    """Say what differs clearly, with the mean of the paired differences and its 95% interval.

    The first outcome is always named. Others are named in their order where they differ clearly.
    Where many are looked at, some intervals leave zero out by chance: the most that would on average if
    nothing differed are said beside them.
    """
    first, *others = differences
    of = len(differences)
    if runs < 2:
        return f"One pair of runs tells nothing of chance, so no difference can be judged ({of} looked at)."
    if first.told:
        words = f"In {runs:,} pairs of runs: {_said(first)}"
    else:
        middle = between(first.mean, first.low, first.high, first.unit, sign=True)
        numbers = f"{middle}, {interval(first.low, first.high, first.unit, sign=True)}"
        words = f"{runs:,} pairs of runs show no clear difference in “{first.label}” ({numbers})"
    clear = [one for one in others if one.told]
    if not clear and not first.told:
        return f"{words}, nor in any other of {of} outcomes looked at."
    told = "".join(f"; {_said(one)}" for one in clear[:NAMED])
    more = f"; and {len(clear) - NAMED} more" if len(clear) > NAMED else ""
    return (
        f"{words}{told}{more}. Each is the mean of the differences within pairs, with its 95% interval. "
        f"{len(clear) + first.told} of {of} outcomes looked at differ clearly; about "
        f"{(1 - CONFIDENCE) * of:.1g} would by chance if none did."
    )


def of_one(one: Difference, expected: str | None) -> str:
    """Return in words whether one outcome differs, and whether that is what the literature expects."""
    if one.runs < 2:
        return "one pair says nothing of chance"
    if one.before == one.after and one.more == one.less == 0:
        return "no difference"
    words = ("more" if one.mean > 0 else "less") if one.told else "no clear difference"
    if expected is None or expected == "either":
        return words
    told = {
        "agrees": "as expected",
        "opposite": "against what is expected",
        "unclear": f"{expected} is expected",
    }
    return f"{words}, {told[one.against(expected)]}"


def _said(one: Difference) -> str:
    how = "rises" if one.mean > 0 else "falls"
    way = 1 if one.mean > 0 else -1
    low, high = sorted((way * one.low, way * one.high))
    middle = between(way * one.mean, low, high, one.unit, sign=True).replace("+", "")
    ends = "in every pair" if low == high else interval(low, high, one.unit, sign=True).replace("+", "")
    return f"{one.label} {how} by {middle} ({ends})"


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
