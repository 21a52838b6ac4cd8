"""Changed cases paired with the case by common random numbers: the one design behind five questions.

Run number k of a case and run number k of a changed case share the soldiers and every draw, so that the
difference between them is what the change does (Law 2015, "Simulation modeling and analysis", chapter 11).
`compare`, `explain`, `examine`, `guide` and `sweep` differ in which cases they run and what they say of them.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.answer.answer import Basis, Column, Provenance, provenance, text
from breakrank.case.changes import counterfactual, selection, undoes_selection, unselected
from breakrank.errors import UsageError
from breakrank.force.establishment import Establishment
from breakrank.results.measures import find, measure, read
from breakrank.results.outcomes import called
from breakrank.results.paired import Difference, difference, half_width
from breakrank.results.uncertainty import chance_only, fixed, holds, rows_of
from breakrank.show.evidence import Evidence
from breakrank.wording import capitalised

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.results.result import Result
    from breakrank.runs.carry_out import Making
    from breakrank.runs.store import AnyStore
    from breakrank.runs.study import Study

Values = npt.NDArray[np.float64]
HOLDS, LEFT = "regime_holds", "left"
"""The measures that lead: whether the regime survives, and all who left."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What is read off a run: a measure by a day (by default the last), from another one, of some labels."""

    measure: str
    date: dt.date | None = None
    since: dt.date | None = None
    by: Mapping[str, Any] = field(default_factory=dict)


class PairedRuns:
    """The runs of cases that share every random number, and what is read off them.

    Parameters
    ----------
    cases : by name. runs, seed : of each.
    result : gives the finished runs of a case by its name; ``None`` where it has none.
    """

    def __init__(self, cases: Mapping[str, Case], runs: int, seed: int, result: Any) -> None:  # noqa: ANN401
        self.cases, self.runs, self.seed = cases, runs, seed
        self.result = lru_cache(maxsize=8)(result)

    @classmethod
    def of_study(cls, study: Study, store: AnyStore, only: Collection[str] | None = None) -> PairedRuns:
        """Return the runs of a study that a store holds, with `only` these variables."""
        cases = {one.name: one.case for one in study.scenarios}

        def result(name: str) -> Result | None:
            if not store.stored(cases[name], study.seed).finished(range(study.runs)):
                return None
            return store.result(cases[name], study.seed, study.runs, only=only)

        return cls(cases, study.runs, study.seed, result)

    @classmethod
    def of_results(cls, before: Result, after: Result) -> PairedRuns:
        """Return the runs of two results of one seed, called ``before`` and ``after``.

        Raises
        ------
        UsageError
            for results that cannot be paired, have no run in common, or whose runs were selected by what the
            change undoes.
        """
        if undoes_selection(before.case, after.case):
            raise UsageError(
                "these runs were selected to match the record, and the change undoes that selection, so "
                "their differences are not what the change does\n"
                "  Call compare(), which asks draws from the posterior, or load the case and call "
                "with_ensemble('posterior')."
            )
        check_pair(before.case, after.case)
        if before.seed != after.seed:
            raise UsageError(
                f"seeds {before.seed} and {after.seed} share no random draws; run both with the same seed"
            )
        numbers = [one.data["run"].values for one in (before, after)]
        if not set(numbers[0].tolist()) & set(numbers[1].tolist()):
            raise UsageError("the two results have no run in common, so nothing can be paired")
        both = {"before": before, "after": after}
        runs = 1 + int(max(each.max() for each in numbers))
        return cls({name: one.case for name, one in both.items()}, runs, before.seed, both.__getitem__)

    def draw(self, name: str) -> npt.NDArray[np.int64] | None:
        """Return which draw of parameters each run has, int64 (run,); ``None`` for a case without draws."""
        return rows_of(self.cases[name], self.seed, np.arange(self.runs))

    def finished(self, name: str) -> npt.NDArray[np.bool_]:
        """Return which runs finished, bool (run,)."""
        out, found = np.zeros(self.runs, bool), self.result(name)
        if found is not None:
            out[found.data["run"].values] = True
        return out

    def read(self, name: str, what: Reading, *, whole: bool = True) -> Values:
        """Return the measure of each run, float64 (run,); nan for one that did not finish.

        Parameters
        ----------
        whole : in numbers of the whole force, rather than of the soldiers that are simulated.
        """
        out, found = np.full(self.runs, np.nan), self.result(name)
        if found is not None:
            data = found.whole.data if whole else found.data
            out[data["run"].values] = measure(data, what.measure, what.date, what.since, what.by or None)
        return out

    def by_day(self, name: str, variable: str) -> Values | None:
        """Return a measure day by day, float64 (run, day); ``None`` where it has no days."""
        found = self.result(name)
        values = None if found is None else by_day(found, variable)
        if found is None or values is None:
            return None
        out = np.full((self.runs, values.shape[1]), np.nan)
        out[found.data["run"].values] = values
        return out

    def difference(self, base: str, other: str, name: str) -> Difference:
        """Return the paired difference of a measure on the last day."""
        before, after = (self.read(each, Reading(name)) for each in (base, other))
        return difference(name, called(name), find(name).unit, before, after, self.draw(base))


def run_pairs(study: Study, making: Making, what: str, only: Collection[str] | None = None) -> PairedRuns:
    """Make the runs of a study whose first scenario is the case, and return them.

    Parameters
    ----------
    what : the study in words. only : variables that are read of its runs; by default all.

    Raises
    ------
    KeyboardInterrupt, BreakrankError
        where no run of the case finished, the latter with the first reason.
    """
    store = making.keep(only)
    account = making.carry(study, store, what)
    pairs, base = PairedRuns.of_study(study, store, only), study.scenarios[0]
    if pairs.result(base.name) is None:
        if account.interrupted:
            raise KeyboardInterrupt
        store.result(base.case, study.seed, study.runs)
    return pairs


def by_day(result: Result, name: str) -> Values | None:
    """Return a measure day by day, float64 (run, day), totals summed up to each; ``None`` without days."""
    about = find(name)
    source = about.sources[""]
    if about.kind not in ("total", "level") or any(v not in result.data for v in source.variables):
        return None
    array = read(result.whole.data, source, {})
    if "day" not in array.dims:
        return None
    values = array.transpose("run", "day").values.astype(np.float64)
    return np.cumsum(values, axis=1) if about.kind == "total" else values


def effect(
    name: str, before: Values, after: Values, draw: npt.NDArray[np.int64], *, paired: bool = True
) -> Difference:
    """Return the difference in a measure between two ensembles, float64 (run,) each; nan for a missing run.

    Parameters
    ----------
    draw : which draw of parameters each run had, int64 (run,).
    paired : whether run number k has the same soldiers and random numbers in both. If not, the interval is
        that of two independent means, and no share of runs is known.
    """
    about = (name, called(name), find(name).unit)
    if paired:
        return difference(*about, before, after, draw)
    one, other = np.isfinite(before), np.isfinite(after)
    a, b = before[one], after[other]
    if not (a.size and b.size):
        return Difference(*about, *(math.nan,) * 8, 0, 0)
    half = math.hypot(half_width(a, draw[one]), half_width(b, draw[other]))
    was, became = float(a.mean()), float(b.mean())
    mean, runs = became - was, min(a.size, b.size)
    return Difference(*about, was, became, mean, mean - half, mean + half, *(math.nan,) * 3, runs, runs)


EFFECT = ("before", "after", "mean", "low", "high")
"""The numbers of a difference that every table has."""


def effect_columns(before: str, after: str, mean: str, *, shown: bool = True) -> tuple[Column, ...]:
    """Return the columns of :data:`EFFECT`, under these labels; each row has its unit in the column ``unit``.

    Parameters
    ----------
    shown : whether documents show both means beside their difference.
    """
    of: dict[str, Any] = {"unit_in": "unit"}
    return (
        text("unit", "Unit", shown=False),
        Column("before", before, meaning="mean over runs", shown=shown, **of),
        Column("after", after, meaning="mean over runs", shown=shown, **of),
        Column("mean", mean, meaning="mean of the differences", signed=True, low="low", high="high", **of),
        Column("low", "95% interval of the mean, from", shown=False, **of),
        Column("high", "95% interval of the mean, to", shown=False, **of),
    )


def numbers(d: Difference, *more: str) -> dict[str, object]:
    """Return the numbers of a difference for a row of a table, with more of its fields, and its unit."""
    return {"unit": d.unit} | {name: getattr(d, name) for name in (*EFFECT, *more)}


def made_by(making: Making, case: Case, runs: int, seed: int, **more: Any) -> Provenance:  # noqa: ANN401
    """Return how an answer was made, as the place where its runs were made knows it; `more` as above."""
    return provenance(case, runs, seed, failed=making.failed, interrupted=making.interrupted, **more)


def doubt(case: Case, runs: int) -> str:
    """Return how sure a mean difference of so many pairs of runs is, in one line."""
    if runs < 2:
        return "One pair of runs has no interval; it is about the model, not the certainty of a forecast."
    return f"Intervals include only {holds(case)}; they are about the model, not the certainty of a forecast."


def bases(case: Case, names: Sequence[str]) -> tuple[Basis, ...]:
    """Return the evidence ledger's entries on parameters of a case, in their order."""
    evidence, found = Evidence(case), []
    for name in names:
        one = case.parameters.get(name)
        if one is None:
            continue
        says = evidence.behind(None if name in case.by_hand else one.evidence, one.assumed)
        found.append(Basis(of=f"{name} = {one.value:g} {one.unit}".strip(), says=says))
    return tuple(found)


def valid_draws(case: Case, others: Sequence[Case]) -> list[Case]:
    """Return a case and those it is compared with, all under draws that are valid for the comparison."""
    every = [case, *others]
    keeps = all(selection(one) == selection(case) for one in others)
    if keeps and not any(undoes_selection(case, other) for other in others):
        return every
    return [unselected(one) for one in every]


def draws_said(case: Case) -> str:
    """Return in a sentence which draws a comparison with a case is asked of."""
    if (luck := selection(case)) is not None:
        return f"Runs agree with the record up to {luck.until}; the change acts later."
    if chance_only(case):
        return f"{capitalised(fixed(case))}: intervals leave out what is not known of the parameters."
    return (
        "Runs are draws from the posterior, since a change undoes a selection of runs by observed figures; "
        "so numbers without it are not those of the case as it stands."
    )


def check_pair(case: Case, other: Case) -> None:
    """Check that the same soldiers live through the same days in both cases.

    Raises
    ------
    UsageError
        saying what differs. Runs of different forces share no luck, soldier by soldier: their
        difference would be that of two independent ensembles.
    """
    if (case.calendar.start, case.calendar.end) != (other.calendar.start, other.calendar.end):
        spans = [f"{c.calendar.start} to {c.calendar.end}" for c in (case, other)]
        raise UsageError(
            f"the two cases last from {spans[0]} and from {spans[1]}, so their runs cannot be paired\n"
            "  Shorten both with until()."
        )
    one, two = Establishment.of(case), Establishment.of(other)
    differs = [n for n, v in one.values.items() if two.values.get(n) != v]
    names = [f"force.{n}" for n in differs]
    names += [f.name for f in fields(one) if f.name != "values" and not _same(one, two, f.name)]
    names += ["draws"] if _force_draws(case) != _force_draws(other) else []
    if names:
        raise UsageError(
            f"the two cases have different forces ({', '.join(names[:4]).replace('_', ' ')}), so their runs "
            "cannot be paired soldier by soldier\n"
            "  Change something other than the force, or run each with simulate() and compare the spreads."
        )


def same_force(case: Case, other: Case) -> bool:
    """Return whether the same soldiers live through the same days in both cases."""
    try:
        check_pair(case, other)
    except UsageError:
        return False
    return True


def unpaired(case: Case) -> list[str]:
    """Return the counterfactuals of a case, by id, whose runs cannot be paired with its own."""
    plain = case.with_draws(None)
    return [one.id for one in case.counterfactuals if not same_force(plain, counterfactual(plain, one))]


def _force_draws(case: Case) -> tuple[object, ...]:
    """Return the part of a case's draws that decides on a run's force."""
    if case.draws is None:
        return ()
    shape = (case.draws.each, case.draws.shuffled, len(case.draws))
    mine = [k for k, name in enumerate(case.draws.names) if name.startswith("force.")]
    columns = sorted((case.draws.names[k], case.draws.values[:, k].tobytes()) for k in mine)
    return (shape, tuple(columns))


def _same(one: Establishment, two: Establishment, name: str) -> bool:
    a, b = getattr(one, name), getattr(two, name)
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else bool(a == b)
