"""An answer beside another: paired differences on the last day, and their fans day by day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.errors import UsageError
from breakrank.page.figures import drawn
from breakrank.page.map_difference import differs
from breakrank.page.numbers import finite
from breakrank.questions.compare.charts import figures
from breakrank.questions.compare.compare import paired
from breakrank.questions.compare.terminal import said
from breakrank.questions.compare.verdict import verdict
from breakrank.show.look import Look
from breakrank.show.style import PAGE

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.page.question import PageQuestion
    from breakrank.results import Result
    from breakrank.results.paired import Difference


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
    drawings = figures(before, after, called, Look(PAGE, page=True))
    expected = _expected(before.case, other)
    return {
        "runs": found.runs,
        "called": called,
        "finding": [(verdict(found.differences, found.runs), False)],
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
        "verdict": _verdict(one, expected),
        "said": said(one),
    }


def _verdict(one: Difference, expected: str | None) -> str:
    """Return in words whether there is a difference, and whether it is what the literature expects."""
    if one.runs < 2:
        return "one pair says nothing of chance"
    if one.before == one.after and one.more == one.less == 0:
        return "no difference"
    words = ("more" if one.mean > 0 else "less") if one.told else "cannot be told from no difference"
    if expected is None or expected == "either":
        return words
    told = {
        "agrees": "as expected",
        "opposite": "against what is expected",
        "unclear": f"{expected} is expected",
    }
    return f"{words}, {told[one.against(expected)]}"
