"""An answer beside another: paired differences on the last day, and their fans day by day."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from breakrank.answer.cells import grid, texts
from breakrank.answer.charts import panels
from breakrank.answer.files import RENDERERS
from breakrank.answer.pdf import pdf
from breakrank.errors import UsageError
from breakrank.page.figures import drawn
from breakrank.page.maps import posted, towns
from breakrank.page.question import composed
from breakrank.questions.compare.compare import LEFT, Change, Compared, answer_of, usual_measures, verdict
from breakrank.questions.paired import PairedRuns, draws_said, provenance
from breakrank.results.json_files import finite
from breakrank.results.paired import difference, pairs_of
from breakrank.results.uncertainty import rows_of
from breakrank.show.figure import Figure
from breakrank.show.look import Look
from breakrank.show.style import PAGE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from breakrank.answer.answer import Answer, Table
    from breakrank.case import Case
    from breakrank.page.question import PageQuestion
    from breakrank.results import Result
    from breakrank.results.paired import Difference
    from breakrank.show.figure import Panel
    from breakrank.show.look import Size

PAGES = 2
"""Pages of paper that a comparison takes at most."""
SAID = ("before", "after", "mean", "same_sign")
"""Columns whose texts the page shows."""


def differs(before: Result, after: Result) -> dict[str, Any]:
    """Return the paired mean difference of each state and each crossing, from the first day to the last.

    A state's is of the share of those posted there who left; a state where nobody is posted is left out. A
    crossing's is of soldiers. Only a crossing that both answers have is there.
    """
    runs, i, j = pairs_of(before, after)
    draw = rows_of(before.case, before.seed, runs)

    def each(name: str, dim: str, ids: list[str], whole: NDArray[np.float64]) -> list[dict[str, Any]]:
        one, two = (
            r.data[name].sum("day").transpose("run", dim).values.astype(np.float64)[rows]
            for r, rows in ((before, i), (after, j))
        )
        return [
            _map_row(difference(id_, id_, "", one[:, k] / whole[k], two[:, k] / whole[k], draw))
            for k, id_ in enumerate(ids)
            if whole[k] > 0
        ]

    states = [s.id for s in before.case.force.states]
    ways = list(before.case.crossings.ids)
    same = ways == list(after.case.crossings.ids)
    return {
        "states": each("exits_state", "state", states, posted(before)),
        "crossings": each("exits_route", "route", ways, np.ones(len(ways))) if same else [],
        "towns": towns(before.case),
    }


def _map_row(one: Difference) -> dict[str, Any]:
    numbers = ("before", "after", "mean", "low", "high")
    return {"id": one.id, "told": one.told, **{name: finite(getattr(one, name)) for name in numbers}}


def compared(before: Result, after: Result, other: PageQuestion) -> dict[str, Any]:
    """Return what differs between two answers that share their luck.

    Raises
    ------
    UsageError
        for answers that cannot be paired: another force, calendar or seed, other draws of the parameters.
    """
    found = whole(before, after, other, "")
    (one,) = found.compared
    answer, look = found.answer, Look(PAGE, page=True).of(before.case)
    left, rest = (list(panels(answer, figure, look)) for figure in answer.figures)
    return {
        "runs": one.runs,
        "called": one.change.title,
        "finding": [(verdict(one.differences, one.runs), False)],
        "asked": draws_said(before.case),
        "differences": [_told(row, answer["differences"]) for row in answer["differences"].records()],
        "figures": [
            _figure(answer, 0, [*left, *rest[:1]], "half", answer.finding),
            *([_figure(answer, 1, rest[1:], "small", answer.figures[1].title)] if rest[1:] else []),
        ],
        "map": differs(before, after),
    }


def _told(row: dict[str, Any], table: Table) -> dict[str, Any]:
    """Return a difference ready for JSON, with its numbers as the terminal writes them."""
    said = [text for name in SAID for text in texts(table.column(name), row)]
    told = row["low"] > 0 or row["high"] < 0
    plain = {k: finite(v) if isinstance(v, float) else v for k, v in row.items()}
    return plain | {"told": told, "expected": row["expected"] or None, "said": said}


def _figure(answer: Answer, which: int, plots: list[Panel], size: Size, sentence: str) -> dict[str, Any]:
    """Return a figure of the answer as the page draws it, with the outcomes on the last day as its table."""
    figure = answer.figures[which]
    daily = answer["daily"]
    end = daily.rows[daily.rows["date"] == daily.rows["date"].iloc[-1]]
    if which == 0:
        end = daily.rows[daily.rows["id"] == LEFT].iloc[-1:]
    table = replace(grid(daily, end), numbers=1)
    short = ("Who leaves", "What else differs")[which]
    made = Figure(figure.name, short, figure.title, figure.note, sentence, tuple(plots), table, size)
    return drawn(made)


def _check_draws(before: Case, after: Case) -> None:
    """Check that run k of both lives under the same row of draws, but for what one of the two has fixed.

    Raises
    ------
    UsageError
        where one lives under draws and the other at values, or under other draws.
    """
    one, two = before.draws, after.draws
    same = one is None and two is None
    if one is not None and two is not None:
        both = [name for name in one.names if name in two.names]
        columns = [d.values[:, [d.names.index(name) for name in both]] for d in (one, two)]
        same = (one.each, one.shuffled) == (two.each, two.shuffled) and np.array_equal(columns[0], columns[1])
    if not same:
        raise UsageError(
            "the two use different draws of the parameters, so their runs cannot be paired\n"
            "  Ask both under the posterior, or both under the values."
        )


def _expected(case: Case, other: PageQuestion) -> dict[str, str]:
    """Return what the literature expects, where one counterfactual of the case is asked and nothing else."""
    if len(other.counterfactuals) != 1 or other.set or other.events or other.without_events:
        return {}
    return dict(case.counterfactuals.named(other.counterfactuals[0]).expected)


def file_of(found: PageComparison, what: str) -> str | bytes:
    """Return a comparison as a file: PDF, workbook, or a table of the last day or of all days.

    Raises
    ------
    UsageError
        where the library for the format is not installed.
    """
    if what == "comparison.pdf":
        return pdf(found.answer, PAGES)
    if what == "comparison-daily.csv":
        rows = found.answer["daily"].rows
        return str(rows.to_csv(index=False, lineterminator="\n", float_format="%.6g"))
    return RENDERERS[f".{what.rpartition('.')[2]}"](found.answer)


class PageComparison(NamedTuple):
    """A comparison as it was computed, and its answer."""

    compared: tuple[Compared, ...]
    answer: Answer


def whole(before: Result, after: Result, other: PageQuestion, command: str) -> PageComparison:
    """Return a comparison with its answer.

    Raises
    ------
    UsageError
        as :func:`compared` does.
    """
    case = before.case
    _check_draws(case, after.case)
    title = other.called(case)
    title = "the other case" if title == "case" else title
    asked = composed(other, case)
    if asked is not None:
        asked = asked.model_copy(update={"expected": _expected(case, other)})
    pairs = PairedRuns.of_results(before, after)
    change = Change("asked", title, after.case, asked, "after")
    one = Compared(pairs, "before", "after", change, usual_measures(case))
    made = provenance(case, before.runs, before.seed, failed=(*before.failed, *after.failed), command=command)
    return PageComparison((one,), answer_of([one], f"{case.title}: the effect of “{title}”", made))
