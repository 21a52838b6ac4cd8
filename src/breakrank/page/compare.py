"""An answer beside another: paired differences on the last day, and their fans day by day."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.errors import UsageError
from breakrank.page.figures import drawn
from breakrank.page.maps import posted, towns
from breakrank.page.question import composed
from breakrank.questions.compare.charts import figures
from breakrank.questions.compare.compare import paired, query_of, said
from breakrank.questions.compare.document import Compared, of_one, pdf, verdict
from breakrank.questions.compare.workbook import daily, write
from breakrank.results.json_files import finite
from breakrank.results.paired import difference, pairs_of
from breakrank.results.uncertainty import rows_of
from breakrank.runs.counterfactuals import changes
from breakrank.show.look import Look
from breakrank.show.style import PAGE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from breakrank.case import Case
    from breakrank.page.question import PageQuestion
    from breakrank.results import Result
    from breakrank.results.paired import Difference


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
    _check_draws(before.case, after.case)
    found = paired(before, after)
    called = other.called(before.case)
    called = "the other case" if called == "case" else called
    drawings = figures(before, after, called, Look(PAGE, page=True).of(before.case))
    expected = _expected(before.case, other)
    return {
        "runs": found.runs,
        "called": called,
        "finding": [(verdict(found.differences, found.runs), False)],
        "asked": query_of(before.case, after.case)["told"],
        "differences": [_told(one, expected.get(one.id)) for one in found.differences],
        "figures": [drawn(one) for one in drawings],
        "map": differs(before, after),
    }


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


def _told(one: Difference, expected: str | None) -> dict[str, Any]:
    return {
        "id": one.id,
        "label": one.label,
        "unit": one.unit,
        "before": finite(one.before),
        "after": finite(one.after),
        "mean": finite(one.mean),
        "low": finite(one.low),
        "high": finite(one.high),
        "same_sign": finite(one.same_sign),
        "more": finite(one.more),
        "less": finite(one.less),
        "reduction": finite(one.reduction),
        "runs": one.runs,
        "told": one.told,
        "expected": expected,
        "verdict": of_one(one, expected),
        "said": said(one),
    }


def file_of(asked: Compared, what: str) -> str | bytes:
    """Return a comparison as a file: PDF, workbook, or a table of the last day or of all days.

    Raises
    ------
    UsageError
        where the library for the format is not installed.
    """
    if what == "comparison.pdf":
        return pdf(asked)
    if what == "comparison.xlsx":
        book = BytesIO()
        write(asked, book)
        return book.getvalue()
    if what == "comparison-daily.csv":
        frame = daily(asked.before, asked.after)
        return str(frame.to_csv(index=False, lineterminator="\n", float_format="%.6g"))
    return str(asked.made.table().to_csv(lineterminator="\n"))


def whole(before: Result, after: Result, other: PageQuestion, command: str) -> Compared:
    """Return a comparison with all that its files are made of.

    Raises
    ------
    UsageError
        as :func:`compared` does.
    """
    case = before.case
    _check_draws(case, after.case)
    changed = composed(other, case)
    return Compared(
        paired(before, after),
        before,
        after,
        other.called(case),
        () if changed is None else changes(changed, case),
        _expected(case, other),
        command,
    )
