"""An answer beside another: paired differences on the last day, and their fans day by day."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import brief
from breakrank.errors import UsageError
from breakrank.page.maps import posted, towns
from breakrank.page.question import composed
from breakrank.questions.compare import LEFT, Change, Compared, answer_of, of_mean, usual_measures
from breakrank.questions.paired import PairedRuns, draws_said, provenance
from breakrank.results.files import finite
from breakrank.results.paired import difference, pairs_of
from breakrank.results.uncertainty import rows_of
from breakrank.show.words import day, percent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.page.question import PageQuestion
    from breakrank.results.paired import Difference
    from breakrank.results.result import Result

HOLDS = "regime_holds"
"""The measure that leads: whether the regime survives."""


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


def places_that_differ(before: Result, after: Result) -> dict[str, Any] | None:
    """Return :func:`differs` where any place differs by more than chance; else ``None``."""
    found = differs(before, after)
    told = any(one["told"] for kind in ("states", "crossings") for one in found[kind])
    return found if told else None


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


def answer(before: Result, after: Result, other: PageQuestion, command: str) -> Answer:
    """Return the answer to a what-if: mean paired differences, whether the regime survives first.

    Raises
    ------
    UsageError
        for answers that cannot be paired: another force, calendar or seed, other draws of the parameters.
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
    names = dict.fromkeys((HOLDS, LEFT, *usual_measures(case)))
    one = Compared(pairs, "before", "after", change, tuple(names))
    made = provenance(case, before.runs, before.seed, failed=(*before.failed, *after.failed), command=command)
    found = answer_of([one], f"{case.title}: {title}", made)
    by = {d.id: d for d in one.differences}
    figures = tuple(replace(f, note=f"{f.note}; {title}") if k else f for k, f in enumerate(found.figures))
    return replace(
        found,
        finding=finding(by.get(HOLDS), one.left, day(case.calendar.end)),
        doubt=f"Mean of {one.runs:,} pairs of runs. {draws_said(case)}",
        figures=figures,
    )


def finding(holds: Difference | None, left: Difference, end: str) -> str:
    """Return what a change does to the regime's survival and to how many leave, in one sentence."""
    first = ""
    if holds is not None:
        before, after = percent(holds.before), percent(holds.after)
        first = (
            f"The regime survives as often ({after})"
            if before == after
            else (f"The regime survives in {after} of runs, not {before}")
        )
        if before != after and not holds.told:
            first += " (no clear difference)"
        first += "; "
    middle, ends = of_mean(left)
    many = f"{middle.lstrip('+−')} {'fewer' if left.mean < 0 else 'more'} leave by {end}"
    if left.more == left.less == 0:
        many = f"as many leave by {end}"
    elif not left.told:
        many = f"how many leave by {end} hardly changes ({ends})" if ends else many
    elif ends:
        many += f" ({ends})"
    text = f"{first}{many}."
    return brief(text[:1].upper() + text[1:])
