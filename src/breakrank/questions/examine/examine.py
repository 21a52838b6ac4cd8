"""Examining a case by intervention: what changes should do, written beforehand, and what they do.

Extreme values, doses, switches and policies are tried one at a time with the same luck, and the answers held
against theory (behaviour tests: Forrester and Senge 1980; Barlas 1996).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from breakrank.case.check_parameters import STRENGTH
from breakrank.errors import UsageError, nearest
from breakrank.questions.compare.compare import same_force
from breakrank.results.measure_table import find
from breakrank.results.measures import Values, measure
from breakrank.results.paired import half_width
from breakrank.results.uncertainty import rows_of
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case
    from breakrank.case.examination import Expectation, Intervention
    from breakrank.runs.memory_store import MemoryStore
    from breakrank.runs.store import Store

Verdict = Literal["right", "no effect shown", "wrong sign", "outside band", "too few pairs"]
VERDICTS: tuple[Verdict, ...] = ("right", "no effect shown", "wrong sign", "outside band", "too few pairs")
WORTH = 0.1
"""Share of what was there that an effect must have to be worth the name, where no band says more."""


@dataclass(frozen=True, slots=True)
class MeasuredEffect:
    """What became of one measure.

    Attributes
    ----------
    before, after : means over runs, without and with the change.
    mean, low, high : mean difference and its 95% interval.
    pairs : runs on each side, if as many.
    paired : whether runs share their luck; else the interval is that of two independent means.
    same : whether no run differs at all.
    """

    before: float
    after: float
    mean: float
    low: float
    high: float
    pairs: int
    paired: bool
    same: bool

    @property
    def ratio(self) -> float:
        """What it is with the change, as a multiple of what it was; nan where there was nothing."""
        return self.after / self.before if self.before else math.nan


def measured_effect(
    before: NDArray[np.float64], after: NDArray[np.float64], draw: NDArray[np.int64], paired: bool
) -> MeasuredEffect:
    """Return the difference between two ensembles, float64 (run,) each; nan where a run has no number.

    Parameters
    ----------
    draw : which draw of parameters each run had, int64 (run,).
    paired : whether run number k has the same soldiers and luck in both.
    """
    one, other = np.isfinite(before), np.isfinite(after)
    if paired:
        one = other = one & other
    a, b = before[one], after[other]
    if not (a.size and b.size):
        return MeasuredEffect(*(math.nan,) * 5, 0, paired, False)
    if paired:
        half = half_width(b - a, draw[one])
    else:
        half = math.hypot(half_width(a, draw[one]), half_width(b, draw[other]))
    was, became = float(a.mean()), float(b.mean())
    mean = became - was
    same = paired and bool((a == b).all())
    return MeasuredEffect(was, became, mean, mean - half, mean + half, min(a.size, b.size), paired, same)


def verdict(expected: Expectation, seen: MeasuredEffect) -> Verdict:
    """Return whether what was seen is what was expected."""
    if expected.sign == "identical":
        return "right" if seen.same else "too few pairs" if not seen.pairs else "wrong sign"
    if not math.isfinite(seen.high - seen.low):
        return "too few pairs"
    low, high = _band(expected, seen)
    if expected.sign == "same":
        if low <= seen.low and seen.high <= high:
            return "right"
        return "outside band" if seen.high < low or seen.low > high else "too few pairs"
    up = expected.sign in ("more", "no_less")
    near, far = (seen.low, seen.high) if up else (-seen.high, -seen.low)  # both ends, as seen from the sign
    if far < 0:
        return "wrong sign"
    edge = low if up else -high
    worth = edge if 0 < edge < math.inf else WORTH * abs(seen.before)
    if expected.sign in ("no_more", "no_less"):
        return "right" if near >= -worth else "too few pairs"
    if near > 0 and low <= seen.mean <= high:
        return "right"
    if near > 0:
        return "outside band" if seen.high < low or seen.low > high else "too few pairs"
    nothing = not up and seen.before == 0  # there to become less
    return "no effect shown" if far <= worth and not nothing else "too few pairs"


def _band(expected: Expectation, seen: MeasuredEffect) -> tuple[float, float]:
    """Return the band of the difference, as the expectation has it."""
    if expected.times is not None:
        low, high = (seen.before * times - seen.before for times in expected.times)
        return min(low, high), max(low, high)
    if expected.reaches is not None:
        return expected.reaches[0] - seen.before, expected.reaches[1] - seen.before
    return -math.inf, math.inf


CASE = "case"
"""What the case itself is called among the scenarios."""
COUNTS = ("soldiers", "persons", "plots", "pledges")
"""Units that are taken per soldier where the strength of the force differs."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One expectation, what was found, and the verdict."""

    item: Intervention
    expected: Expectation
    found: MeasuredEffect
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Examination:
    """All answers, and what no intervention touches.

    Attributes
    ----------
    case : as it was examined.
    seed, runs : of the case and of each intervention.
    answers : in the order of the table.
    idle : ids of interventions that changed nothing of what is recorded, in no run.
    untouched : mechanisms, parameters and fields that no intervention of the table changes.
    """

    case: Case
    seed: int
    runs: int
    answers: tuple[Answer, ...]
    idle: tuple[str, ...]
    untouched: dict[str, tuple[str, ...]]


def chosen(table: Sequence[Intervention], only: Iterable[str], short: bool) -> tuple[Intervention, ...]:
    """Return the interventions asked for by id or by part, or those of the short form.

    Raises
    ------
    UsageError
        for a name that is none, or nothing left.
    """
    names, known = set(only), {n for item in table for n in (item.id, item.part)}
    for name in sorted(names - known):
        raise UsageError(f"there is no intervention {name!r}{nearest(name, known)}")
    found = [item for item in table if not names or {item.id, item.part} & names]
    if short:
        kept = [(item, tuple(one for one in item.expected if one.short)) for item in found]
        found = [item.model_copy(update={"expected": some}) for item, some in kept if some]
    if not found:
        raise UsageError("none of the interventions asked for is part of the short form")
    return tuple(found)


def study(
    case: Case, table: Sequence[Intervention], items: Sequence[Intervention], runs: int, seed: int
) -> Study:
    """Return the study of a case, of the interventions asked for, and of those they are compared with."""
    wanted = {item.id for item in items} | {item.against for item in items}
    worlds = (Scenario(case, item.id, (item,)) for item in table if item.id in wanted)
    return Study((Scenario(case, CASE), *worlds), runs, seed)


def examined(
    made: Study, store: Store | MemoryStore, table: Sequence[Intervention], items: Sequence[Intervention]
) -> Examination:
    """Return what was found, of the runs that a store holds."""
    worlds = {one.name: one.made for one in made.scenarios}
    case = worlds[CASE]
    runs = np.arange(made.runs)
    rows = rows_of(case, made.seed, runs)
    draw = runs if rows is None else rows

    @lru_cache(maxsize=8)
    def data(name: str) -> xr.Dataset | None:
        there = store.stored(worlds[name], made.seed).finished(range(made.runs))
        return store.result(worlds[name], made.seed, made.runs).data if there else None

    def read(name: str, one: Expectation) -> Values:
        out, mine = np.full(made.runs, np.nan), data(name)
        if mine is not None:
            out[mine["run"].values] = measure(mine, one.of, one.date, one.since, one.by)
        return out

    answers, idle = [], []
    for item in items:
        base = item.against or CASE
        paired = same_force(worlds[base], worlds[item.id])
        scale = worlds[base].value(STRENGTH) / worlds[item.id].value(STRENGTH)
        for one in item.expected:
            before, after = read(base, one), read(item.id, one)
            if scale != 1 and find(one.of).unit in COUNTS:
                after = after * scale
            seen = measured_effect(before, after, draw, paired)
            answers.append(Answer(item, one, seen, verdict(one, seen)))
        control = all(one.sign == "identical" for one in item.expected)
        if paired and not control and _same(data(base), data(item.id)):
            idle.append(item.id)
    return Examination(case, made.seed, made.runs, tuple(answers), tuple(idle), untouched(case, table))


def _same(one: xr.Dataset | None, other: xr.Dataset | None) -> bool:
    """Return whether all runs are the same in all that is recorded of them."""
    if one is None or other is None:
        return False
    names = [str(name) for name, variable in one.data_vars.items() if "run" in variable.dims]
    return all(one[name].equals(other[name]) for name in names)


def untouched(case: Case, table: Iterable[Intervention]) -> dict[str, tuple[str, ...]]:
    """Return the mechanisms, parameters and fields of the model that no intervention changes."""
    values, fields = set[str](), set[str]()
    effects = {event.id: {effect.field for effect in event.effects} for event in case.events}
    for item in table:
        values |= set(item.values)
        fields |= {effect.field for event in item.events for effect in event.effects}
        fields |= {dropped.field for dropped in item.without_effects}
        fields |= {field for event in item.without for field in effects[event]}
        fields |= set(item.edit.get("fields", ()))
    parameters = case.catalogue.parameters
    switches = [name for name, declared in parameters.items() if declared.unit == "switch"]
    return {
        "mechanisms": tuple(n.removesuffix(".on") for n in switches if n.endswith(".on") and n not in values),
        "parameters": tuple(n for n in parameters if n not in values and n not in switches),
        "fields": tuple(name for name in case.catalogue.fields if name not in fields),
    }
