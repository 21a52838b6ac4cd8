"""A case beside another: the same soldiers, the same luck, and what differs at the end."""

from __future__ import annotations

import datetime as dt
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from breakrank.case.changes import counterfactual
from breakrank.case.values import NumberError, number
from breakrank.errors import UsageError
from breakrank.force.establishment import Establishment
from breakrank.results.measures import check_question, find, measure, read_by
from breakrank.results.outcome_names import called, headline_measure
from breakrank.results.paired import Difference, difference, pairs_of, student
from breakrank.results.uncertainty import FIXED, chance_only, rows_of
from breakrank.runs.backends import Cores
from breakrank.runs.carry_out import carry_out
from breakrank.runs.cases import as_case
from breakrank.runs.ensemble import result_of
from breakrank.runs.memory_store import MemoryStore
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study
from breakrank.runs.study_progress import Progress, watch_with
from breakrank.show.words import between, interval, mean, percent, unit_of, within

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from breakrank.case import Case
    from breakrank.case.draws import Draws, Luck
    from breakrank.engine.replicate import Failure
    from breakrank.results.result import Result
    from breakrank.results.uncertainty import Split
    from breakrank.show.tables import SpreadSeries


@dataclass(frozen=True, slots=True)
class Precision:
    """How narrow 95% intervals of mean differences should be, as half of their width.

    Attributes
    ----------
    share : of the case's own mean, for every measure that is not named; ``None`` for none.
    of : by measure, in its unit.
    """

    share: float | None
    of: Mapping[str, float]

    def half_width(self, d: Difference) -> float | None:
        """Return the half-width wanted of a difference; ``None`` where none is, or the case's mean is 0."""
        if d.id in self.of:
            return self.of[d.id]
        if self.share is None or not math.isfinite(d.before) or d.before == 0:
            return None
        return self.share * abs(d.before)


@dataclass(frozen=True, slots=True)
class Needed:
    """How many runs give a half-width, as far as any number does.

    Attributes
    ----------
    half_width : that is wanted, in the measure's unit.
    pairs : of runs; ``None`` if no number of them does, or it cannot be told.
    unpaired : runs of each case if they were not paired; ``None`` likewise, or where pairing leaves nothing.
    draws : of the parameters that there are; ``None`` for a case without.
    floor : half-width that is left with all draws, however many runs each has: 0 without draws, nan where the
        parts of luck and of the parameters are not known.
    """

    half_width: float
    pairs: int | None
    unpaired: int | None
    draws: int | None = None
    floor: float = 0.0


def precision(texts: Iterable[str]) -> Precision:
    """Return the precision that is asked for in words such as ``5%`` or ``registered=20``.

    Raises
    ------
    UsageError
        for anything else, an unknown measure, or a width that is not above 0.
    """
    share: float | None = None
    of: dict[str, float] = {}
    for text in texts:
        name, sign, told = text.rpartition("=")
        name, told = name.strip(), told.strip()
        percent = not sign and told.endswith("%")
        try:
            value = number(told.removesuffix("%").strip())
        except NumberError:
            value = 0.0
        if not (value > 0 and (percent or name)):
            raise UsageError(
                f"--precision {text!r} is neither a share of the case's mean, as in --precision 5%, nor "
                "MEASURE=HALF-WIDTH, as in --precision registered=20"
            )
        if percent:
            share = value / 100
        else:
            of[find(name).id] = value
    return Precision(share, of)


def needed(d: Difference, half_width: float, draws: Draws | None = None) -> Needed | None:
    """Return how many runs give a 95% interval of so many units to either side; ``None`` from one pair.

    Once every draw of the parameters has been used, more runs take the luck out of each and tell no more
    about the parameters: the half-width then falls towards that of the means of the draws, and no further.

    Parameters
    ----------
    d : the difference as the pairs at hand have it.
    half_width : wanted, in the measure's unit.
    draws : that the case has; without, draws are taken to have no end, and as many pairs each as here.
    """
    if d.draws < 2 or not math.isfinite(d.high - d.low):
        return None
    rows, each = (math.inf, d.runs / d.draws) if draws is None else (len(draws), draws.each)
    of_a_row = ((d.high - d.low) / 2 / student(d.draws - 1)) ** 2 * d.draws
    paired = _Spread(_of_a_row(d.paired, each, of_a_row), d.paired, rows, each, 1)
    apart = _Spread(_of_a_row(d.unpaired, each, of_a_row * d.reduction), d.unpaired, rows, each, 2)
    return Needed(
        half_width,
        paired.fewest(half_width),
        apart.fewest(half_width) if math.isfinite(d.reduction) else None,
        None if draws is None else len(draws),
        paired.floor,
    )


def _of_a_row(split: Split, each: float, otherwise: float) -> float:
    return max(split.between + split.within / each, 0.0) if split.known else otherwise


class _Spread(NamedTuple):
    """What makes a mean unsure: the spread of its runs, and how many draws they can be made under.

    Attributes
    ----------
    of_a_row : variance of the mean of the runs that one draw has at first.
    split : variance between draws, and within them.
    rows, each : draws there are (infinitely many without any), and runs that one has before it comes again.
    samples : 1 for the mean of one sample, 2 for a difference of two.
    """

    of_a_row: float
    split: Split
    rows: float
    each: float
    samples: int

    @property
    def floor(self) -> float:
        """Half-width with all draws and infinitely many runs of each; nan where that cannot be told."""
        if math.isinf(self.rows):
            return 0.0
        if self.rows < 2 or not self.split.known:
            return math.nan
        return self._t(self.rows) * math.sqrt(max(self.split.between, 0.0) / self.rows)

    def fewest(self, half_width: float) -> int | None:
        """Return the fewest runs with t * (standard error of the mean) <= half-width."""
        enough = half_width * (1 + 1e-9)  # so that the runs there are suffice for the width there is
        n = max(math.ceil(2 * self.each), math.ceil(self.of_a_row * self.each * (1.96 / half_width) ** 2))
        while n <= self.rows * self.each and self._t(n / self.each) * self._first(n) > enough:
            n += max(1, n // 200)
        if n <= self.rows * self.each:
            return n
        if not self.floor < half_width:  # nan, too
            return None
        return self._again(enough)

    def _again(self, half_width: float) -> int:
        """Return the fewest runs if all draws have to be used more than once, which the floor allows."""
        assert math.isfinite(self.rows)
        t, once = self._t(self.rows), int(self.rows * self.each)
        luck = (half_width / t) ** 2 - max(self.split.between, 0.0) / self.rows
        n = max(once + 1, math.ceil(self.split.within / luck))
        whole = math.ceil(n / once) * once  # all draws equally often, so that this many suffice
        while n < whole and t * self._later(n) > half_width:
            n += max(1, n // 200)
        return min(n, whole)

    def _t(self, rows: float) -> float:
        return student(self.samples * (rows - 1))

    def _first(self, runs: int) -> float:
        """Return the standard error while every draw is used for the first time."""
        return math.sqrt(self.of_a_row * self.each / runs)

    def _later(self, runs: int) -> float:
        """Return the standard error where draws come again, some once more than others."""
        rows, each = int(self.rows), int(self.each)
        times, rest = divmod(runs, rows * each)
        more, some = divmod(rest, each)
        least = times * each
        squares = more * (least + each) ** 2 + (least + some) ** 2 + (rows - more - 1) * least**2
        return math.sqrt(max(self.split.between, 0.0) * squares / runs**2 + self.split.within / runs)


def valid_draws(case: Case, others: Sequence[Case]) -> list[Case]:
    """Return a case and those it is compared with, all under draws that are valid for the comparison."""
    every = [case, *others]
    keeps = all(_selection(one) == _selection(case) for one in others)
    if keeps and not any(undoes_selection(case, other) for other in others):
        return every
    return [unselected(one) for one in every]


def undoes_selection(case: Case, other: Case) -> bool:
    """Return whether what differs between two cases acts within the days that the runs were selected for."""
    luck = _selection(case)
    return luck is not None and case.digest != other.digest and acts_from(case, other) <= luck.until


def unselected(case: Case) -> Case:
    """Return a case under its posterior, or at its values without one, where its runs were selected.

    Parameters that were set stay set.
    """
    draws = case.draws if _selection(case) is not None else None
    if draws is None:
        return case
    if case.posterior is None:
        return case.with_draws(None)
    kept = case.posterior.draws
    return case.with_draws(kept.without(set(kept.names).difference(draws.names)))


def query_of(case: Case, other: Case) -> dict[str, Any]:
    """Return what a comparison of two cases asks, ready for JSON: kind, days, and the same in words.

    ``"forecast"``: of runs selected up to a day, after which the change acts; ``"at large"``: of others.
    """
    luck = _selection(case)
    kind, given = ("at large", None) if luck is None else ("forecast", str(luck.until))
    return {"kind": kind, "given": given, "from": str(acts_from(case, other)), "told": asked_of(case)}


def asked_of(case: Case) -> str:
    """Return in a sentence which draws a comparison with a case is asked of."""
    if (luck := _selection(case)) is not None:
        return f"Runs agree with the record up to {luck.until}; the change acts later."
    if chance_only(case):
        return f"{FIXED.capitalize()}: intervals leave out what is not known of the parameters."
    return "Runs are draws from the posterior, since a change undoes a selection of runs by the record."


def acts_from(case: Case, other: Case) -> dt.date:
    """Return the first day on which two cases can differ: that of an event, if only events differ."""
    start = case.calendar.start
    one, two = case.content, other.content
    alike = type(case)(replace(two, events=one.events), case.catalogue)
    if alike.digest != case.with_draws(None).digest:
        return start
    changed = [e for e in one.events if e not in two.events] + [e for e in two.events if e not in one.events]
    return max(start, min((e.date for e in changed), default=start))


def _selection(case: Case) -> Luck | None:
    return getattr(getattr(case, "draws", None), "luck", None)


def said(d: Difference) -> tuple[str, ...]:
    """Return as texts both means, their difference, its interval, and the share of runs of that sign."""
    return (
        mean(d.before, d.unit),
        mean(d.after, d.unit),
        between(d.mean, d.low, d.high, d.unit, sign=True),
        "" if math.isnan(d.low) else interval(d.low, d.high, d.unit, sign=True).removesuffix(" points"),
        percent(d.same_sign),
    )


def sentence(one: Difference, end: str) -> str:
    """Return what a change does to how many leave: the mean of the pairs and its 95% interval."""
    if one.more == one.less == 0:
        return f"By {end} as many leave as without the change, in every one of {one.runs:,} pairs of runs."
    middle, ends = of_mean(one)
    many = f"{middle.lstrip('+−')} {'fewer' if one.mean < 0 else 'more'}"
    how = f"mean of {one.runs:,} pair{'s' * (one.runs != 1)}"
    how += f", 95% interval {ends}{'' if one.told else '; no clear difference'}" if ends else ""
    return f"By {end} {many} leave with the change ({how})."


def of_mean(one: Difference) -> tuple[str, str]:
    """Return the mean of a paired difference and the ends of its 95% interval; one pair has none."""
    _, _, middle, ends, _ = said(one)
    return middle, ends


def spread_over_pairs(one: SpreadSeries) -> str:
    """Return the outer ends of the last day's differences, named as the spread that they are."""
    ends = interval(one.last.q05, one.last.q95, unit_of(one), sign=True)
    return f"spread over pairs, {of_pairs(one.runs)}: {ends}"


def of_pairs(runs: int) -> str:
    """Return how many pairs lie between the outer ends of a fan.

    >>> of_pairs(100), of_pairs(4)
    ('90%', 'all 4')
    """
    return within(runs).removesuffix(" of runs").removesuffix(" runs")


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Two cases run on the same soldiers with the same luck, and what differs on the last day.

    Attributes
    ----------
    case, other : what was compared, each exactly as used.
    differences : one for each measure, after (`other`) minus before (`case`).
    seed : the seed that both share.
    runs : number of pairs, runs that finished in both.
    seconds : wall time of both, s.
    failed : runs that did not finish in either, with where and why.
    interrupted : whether it was stopped before all runs were done.
    """

    case: Case
    other: Case
    differences: tuple[Difference, ...]
    seed: int
    runs: int
    seconds: float = 0.0
    failed: tuple[Failure, ...] = ()
    interrupted: bool = False

    def __getitem__(self, name: str) -> Difference:
        """Return the difference in one measure; UsageError when it was not compared."""
        for one in self.differences:
            if one.id == name:
                return one
        find(name)
        have = ", ".join(d.id for d in self.differences)
        raise UsageError(f"{name} was not compared; ask for it in measures=[...] (compared: {have})")

    def table(self) -> pd.DataFrame:
        """Return the differences as a table, one row a measure, indexed by its id."""
        import pandas as pd

        names = [f.name for f in fields(Difference) if f.name not in ("paired", "unpaired")]
        names += ["parameters", "same_sign"]
        rows = [{n: getattr(d, n) for n in names} for d in self.differences]
        return pd.DataFrame(rows, columns=names).set_index("id")

    def __repr__(self) -> str:
        pairs = f"{self.runs} pair{'s' * (self.runs != 1)} of runs"
        lines = [f"Comparison of {self.case.id} with a changed case: {pairs}, seed {self.seed}"]
        lines.append(f"├── digests: {self.case.digest[:12]} and {self.other.digest[:12]}")
        lines.append(f"├── {query_of(self.case, self.other)['told']}")
        lines.append("├── differences on the last day: mean, 95% interval, share of runs of that sign")
        width = max((len(d.id) for d in self.differences), default=0)
        for i, d in enumerate(self.differences):
            branch = "└──" if i == len(self.differences) - 1 else "├──"
            ends = f"{d.low:+.4g} to {d.high:+.4g}"
            lines.append(f"│   {branch} {d.id:{width}}  {d.mean:+.4g}  ({ends})  {d.same_sign:.0%}")
        if self.failed:
            lines.append(f"├── failed: {len(self.failed)}; first: {self.failed[0]}")
        if self.interrupted:
            lines.append("├── interrupted: the pairs above had finished")
        lines.append(f"└── made in {self.seconds:.1f} s")
        return "\n".join(lines)


def compare(
    case: Case | str | os.PathLike[str],
    other: Case | str | os.PathLike[str],
    *,
    runs: int = 100,
    seed: int = 0,
    measures: Sequence[str] | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Run two cases on the same soldiers with the same luck and return what differs on the last day.

    Run number k of one and run number k of the other share every draw (common random numbers), so that
    the difference between them is what the change does, and not chance. Runs that were selected to match the
    record are replaced by draws from the posterior, unless the change acts after what they were selected for.

    Parameters
    ----------
    case : a case, the name of a built-in one, or the folder of one.
    other : the changed case, such as ``case.set({"fear.on": 0})``, or the name of one of the case's
        counterfactuals.
    runs, seed, workers : as for :func:`~breakrank.runs.ensemble.simulate`, of each of the two.
    measures : ids of measures, read for the whole force on the last day; by default the primary outcomes.
    progress : called in this process with (runs ended, runs asked for), both cases together.

    Raises
    ------
    UsageError
        for an argument that makes no sense, or cases that cannot be paired: another force or calendar.
    BreakrankError
        if no run finished.
    """
    case = as_case(case)
    if isinstance(other, str) and other in case.counterfactuals.ids:
        other = case.counterfactual(other)
    other = as_case(other)
    check_pair(case, other)
    case, other = valid_draws(case, [other])
    if measures is not None:
        check_measures(measures, case)

    study = Study((Scenario(case), Scenario(other, "other")), runs, seed)
    names = compared(case) if measures is None else measures
    store = MemoryStore({variable for name in names for variable in read_by(name)})
    account = carry_out(study, store, Cores(workers), watch_with(progress))
    before, after = (result_of(account, store, study, k) for k in range(2))
    return replace(paired(before, after, measures), seconds=account.seconds)


def paired(before: Result, after: Result, measures: Sequence[str] | None = None) -> Comparison:
    """Return what differs on the last day between two results of one seed; see :func:`compare`.

    Raises
    ------
    UsageError
        for results that cannot be paired, have no run in common, or whose runs were selected by what the
        change undoes.
    """
    check_pair(before.case, after.case)
    if undoes_selection(before.case, after.case):
        raise UsageError(
            "these runs were selected to match the record, and the change undoes that selection, so their "
            "differences are not what the change does\n"
            "  Call compare(), which asks draws from the posterior, or load the case with "
            "parameters='posterior'."
        )
    if before.seed != after.seed:
        raise UsageError(
            f"seeds {before.seed} and {after.seed} share no random draws; run both with the same seed"
        )
    runs, i, j = pairs_of(before, after)
    if not runs.size:
        raise UsageError("the two results have no run in common, so nothing can be paired")
    found = []
    for name in check_measures(measures, before.case):
        about = find(name)
        if measures is None and about.sources[""].variable not in before.data:
            continue
        a, b = measure(before.whole.data, name)[i], measure(after.whole.data, name)[j]
        found.append(
            difference(name, called(name), about.unit, a, b, rows_of(before.case, before.seed, runs))
        )
    return Comparison(
        before.case,
        after.case,
        tuple(found),
        before.seed,
        int(runs.size),
        before.seconds + after.seconds,
        (*before.failed, *after.failed),
        before.interrupted or after.interrupted,
    )


def compared(case: Case) -> tuple[str, ...]:
    """Return the measures that are compared in a case unless others are asked for; its headline's first."""
    own = headline_measure(case)
    return tuple(dict.fromkeys((*([own] if own else ()), *case.catalogue.primary)))


def check_measures(measures: Sequence[str] | None, case: Case) -> tuple[str, ...]:
    """Return the measures to compare; UsageError for one that there is not or that needs a date."""
    chosen = compared(case) if measures is None else tuple(dict.fromkeys(measures))
    for name in chosen:
        check_question(name, None, case)
        if find(name).kind == "ratio":
            raise UsageError(f"{name} is asked for a date, and what is compared is the last day")
    return chosen


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
    return [one.id for one in case.counterfactuals if not same_force(case, counterfactual(case, one))]


def _force_draws(case: Case) -> tuple[object, ...]:
    """Return what of a case's draws decides on the force that a run lives with."""
    if case.draws is None:
        return ()
    shape = (case.draws.each, case.draws.shuffled, len(case.draws))
    mine = [k for k, name in enumerate(case.draws.names) if name.startswith("force.")]
    columns = sorted((case.draws.names[k], case.draws.values[:, k].tobytes()) for k in mine)
    return (shape, tuple(columns))


def _same(one: Establishment, two: Establishment, name: str) -> bool:
    a, b = getattr(one, name), getattr(two, name)
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else bool(a == b)
