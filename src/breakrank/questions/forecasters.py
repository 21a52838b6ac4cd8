"""What was known on a day, what each forecaster says of a question then, and the linear pool of them all.

Runs to forecast with are draws of the prior, weighted by the likelihood of the figures known on a day.

The parts of the pool are the model and its null model, both carried on from the last known count, and three
baselines: the last value, a constant rate, and a logarithmic curve. The pool is a mixture of what they say
(Stone 1961): the model has half the weight, the others share the other half equally.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from breakrank.case import Case, Target
from breakrank.case.draws import Draws
from breakrank.case.ensemble import Free
from breakrank.case.prior import normal_quantiles
from breakrank.draws import decision, luck_key, uniform_each
from breakrank.inference.observed import (
    COUNTS,
    DISCREPANCY,
    DRAWS,
    Counts,
    bound,
    constant_rate,
    counts,
    ends,
    inside,
    log_likelihood,
    origin,
    read_targets,
    resample,
    spread,
    temper,
)
from breakrank.inference.regression import effective
from breakrank.inference.simulations import bare
from breakrank.results.measures import counted_until, find
from breakrank.results.outcomes import is_known, known_from
from breakrank.results.uncertainty import Array
from breakrank.runs.store import MemoryStore
from breakrank.runs.study import Scenario, Study

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.runs.carry_out import Account
    from breakrank.runs.store import Store


EFFECTIVE = 40.0
"""Effective sample size below which figures count with less than their full weight."""
Carry = Callable[..., "Account"]
"""Carries out a study in a store, and is told in a text what it is."""


@dataclass(frozen=True)
class Workshop:
    """Where ensembles are made and kept.

    Attributes
    ----------
    store : keeps runs; ``None`` keeps nothing. carry : makes them.
    draws : of the prior, a run each. seed : names the draws and the random numbers.
    """

    store: Store | None
    carry: Carry
    draws: int
    seed: int


@dataclass(frozen=True)
class Ensemble:
    """What runs count.

    Attributes
    ----------
    counts : by target, on its date and on each of the days before that it may be of, (runs, days) each.
    weights : of the runs, not scaled (runs,).
    draws : parameters of the runs that finished, if they have any.
    """

    counts: Mapping[str, Array]
    weights: Array
    draws: Draws | None = None

    @property
    def ess(self) -> float:
        """Effective sample size (Kish 1965)."""
        return effective(self.weights)

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The runs of :data:`DRAWS` draws that all weigh the same, by systematic resampling."""
        return resample(self.weights, DRAWS, 0.5)


def read_ensemble(
    data: xr.Dataset,
    case: Case,
    targets: Collection[Target],
    known: Collection[Target] = (),
    draws: Draws | None = None,
) -> Ensemble:
    """Return counts of some targets in the runs of a dataset, weighted by those that are known."""
    record = read_targets(case, [*known, *targets])
    counts = record.counts(data)
    logs = np.zeros(data.sizes["run"])
    for aim, counted in zip(record.targets[: len(known)], counts, strict=False):
        logs += log_likelihood(aim, counted)
    return Ensemble(dict(zip(record.ids, counts, strict=True)), tempered_weights(logs), draws)


def simulate_ensemble(
    case: Case,
    known: Collection[Target],
    questions: Collection[Target],
    shop: Workshop,
    what: str,
    draws: Draws | None = None,
) -> Ensemble:
    """Return draws of the prior of a case, simulated until the last question is answered.

    Parameters
    ----------
    case : as known on the day. known : figures that weigh the runs. questions : other targets that are read.
    what : says which runs these are. draws : others than those of the prior.

    Raises
    ------
    KeyboardInterrupt
        where the work was stopped; what is finished is kept in the store.
    BreakrankError
        if no run finished.
    """
    last = max(counted_until(t) for t in (*known, *questions))
    plain = bare(case).until(min(last, case.calendar.end))
    draws = prior_draws(plain, shop) if draws is None else draws
    made = plain.with_draws(draws)
    wanted = read_targets(case, [*known, *questions]).variables
    kept = MemoryStore(wanted) if shop.store is None else shop.store
    if shop.carry(Study((Scenario(made, what),), shop.draws, shop.seed), kept, what).interrupted:
        raise KeyboardInterrupt
    data = kept.result(made, shop.seed, shop.draws, only=wanted).data
    finished = Draws(draws.names, draws.values[draws.rows(shop.seed, data["run"].values)])
    return read_ensemble(data, case, questions, known, finished)


def prior_draws(case: Case, shop: Workshop) -> Draws:
    """Return draws of the prior of a case, one for each run."""
    free = Free.of(case)
    return Draws(free.names, free.values(free.drawn(shop.seed, "hindcast", np.arange(shop.draws))))


def tempered_weights(logs: Array) -> Array:
    """Return weights (n,) for logarithms of likelihoods (n,): their exponentials, tempered if need be.

    The power, at most 1, is the largest that leaves an effective sample size of :data:`EFFECTIVE`, or of half
    the runs where there are few.
    """
    power = temper(logs, min(EFFECTIVE, len(logs) / 2))
    return np.asarray(np.exp(power * (logs - logs.max())))


Kind = Literal["figure", "yes or no", "bound"]


def kind_of(target: Target) -> Kind:
    """Return how forecasts of a target are scored: a figure by CRPS, the others by the Brier score.

    Of uprisings it is asked whether there is any.
    """
    if target.unit == "1 or 0" or target.measure == "uprisings":
        return "yes or no"
    return "bound" if bound(target) else "figure"


def split(case: Case, until: dt.date) -> tuple[tuple[Target, ...], tuple[Target, ...]]:
    """Return the targets within the calendar that were published by a day, and those of later days."""
    targets = inside(case)
    return tuple(t for t in targets if is_known(t, case, until)), tuple(t for t in targets if t.date > until)


def as_of_dates(case: Case) -> tuple[dt.date, ...]:
    """Return the days on which a figure was published and after which there is a later one, ascending."""
    targets = inside(case)
    last = max((t.date for t in targets), default=case.calendar.start)
    published = {known_from(t, case) for t in targets}
    return tuple(sorted(day for day in published if day is not None and case.calendar.start <= day < last))


def middle_of_dates(target: Target) -> Target:
    """Return a target dated in the middle of the days that it may be of."""
    return target.model_copy(update={"date": target.date - dt.timedelta(days=target.lag // 2), "lag": 0})


@dataclass(frozen=True)
class CountSoFar:
    """What is known of a count that only grows.

    Attributes
    ----------
    figures : known ones, by date, each in the middle of the days that it may be of; at least one.
    last : the last of them as the record has it.
    whole : whether the question counts from the same day on; else it counts only what comes after them all.
    """

    figures: tuple[Target, ...]
    last: Target
    whole: bool


def adds_up(question: Target) -> bool:
    """Return whether a question is about a count that only grows."""
    return (
        find(question.measure).kind in COUNTS
        and question.against is None
        and kind_of(question) != "yes or no"
    )


def count_so_far(question: Target, known: Collection[Target]) -> CountSoFar | None:
    """Return the known figures of a question's count, ``None`` without a figure to continue from."""
    if not adds_up(question):
        return None
    counted = [t for t in known if _same_count(t, question) and not bound(t)]
    same = sorted((t for t in counted if t.start == question.start), key=lambda t: t.date)
    if same:
        return CountSoFar(tuple(map(middle_of_dates, same)), same[-1], whole=True)
    rest = sorted((t for t in counted if t.start is None), key=lambda t: t.date)
    if rest and question.start is not None and question.start > rest[-1].date:
        return CountSoFar(tuple(map(middle_of_dates, rest)), rest[-1], whole=False)
    return None


def least_known(question: Target, known: Collection[Target]) -> float:
    """Return the lower bound of a growing count, by known figures and bounds; 0 for other questions."""
    if not adds_up(question):
        return 0.0
    same = [t for t in known if _same_count(t, question) and t.start == question.start]
    return max((low for t in same if np.isfinite(low := ends(t)[0])), default=0.0)


def _same_count(one: Target, other: Target) -> bool:
    return one.measure == other.measure and (one.by or {}) == (other.by or {}) and one.against is None


Prediction = Array | float
"""Equally likely draws of a count (draws,), or the chance of a yes."""
POOL, MODEL, NULL, SIMULATED = "pool", "model", "null model", "model, as simulated"
BASELINES = ("last value", "constant rate", "logarithmic curve")
PARTS = (MODEL, NULL, *BASELINES)
"""What the pool is made of. The model as simulated is scored beside it."""
FORECASTERS = (POOL, *PARTS, SIMULATED)

TIME_SCALES = (0.1, 365.0)
"""Shortest and longest time scale of the logarithmic curve, days; log-uniform between."""
GRID = 200
"""Time scales at which the curve is fitted."""


@dataclass(frozen=True)
class KnownOnDay:
    """What was known on a day.

    Attributes
    ----------
    case : with its whole record. day : the last that was known. figures : published by then.
    seed : names the draws.
    """

    case: Case
    day: dt.date
    figures: tuple[Target, ...]
    seed: int

    def uniform(self, what: str) -> Array:
        """Return draws from (0, 1), one for each draw of a forecast (draws,)."""
        key, who = luck_key(self.seed, "forecast"), np.arange(DRAWS, dtype=np.uint32)
        return uniform_each(key, int(decision(what)), who, np.zeros(DRAWS, np.int64))

    def normal(self, what: str) -> Array:
        """Return standard normal draws (draws,)."""
        return normal_quantiles(self.uniform(what))

    def level(self, figure: Target) -> Array:
        """Return draws of what a figure was, within its range and its own error (draws,)."""
        low, high = ends(figure)
        inside = low + self.uniform(f"{figure.id}.range") * (high - low)
        return np.asarray(inside * np.exp(spread(figure, self.case) * self.normal(f"{figure.id}.level")))


def predictions(
    question: Target, known: KnownOnDay, ensembles: Mapping[str, Ensemble]
) -> dict[str, Prediction]:
    """Return the forecast of each of :data:`FORECASTERS` that has one for a question.

    Parameters
    ----------
    ensembles : of the model and the null model, by name; they count the question and the known figures.
    """
    so_far = count_so_far(question, known.figures)
    predicted: dict[str, Prediction] = {}
    for name, ensemble in ensembles.items():
        counted = ensemble.counts[question.id]
        if name == NULL and np.unique(counted[np.isfinite(counted)]).size < 2:
            continue  # it has no such thing, as no beds: what is the same in all its runs is no forecast
        simulated = _read(question, known, ensemble)
        if so_far is not None:
            simulated = _carried_on(question, known, ensemble, simulated, so_far)
        predicted[name] = _finite(simulated)
    predicted |= baselines(question, known)
    if kind_of(question) == "yes or no":
        predicted = {**{name: _chance(one) for name, one in predicted.items()}, **_chances(question, known)}
    else:
        floor = least_known(question, known.figures)
        predicted = {name: np.maximum(one, floor) for name, one in predicted.items() if np.size(one)}
        if not predicted:
            return {}
    pool = pooled(predicted)
    in_order = {name: predicted[name] for name in PARTS if name in predicted}
    return {POOL: pool, **in_order} | as_simulated(question, known, ensembles[MODEL], SIMULATED)


def pooled(predicted: Mapping[str, Prediction]) -> Prediction:
    """Return the mixture of forecasts: one half is the model, the other half all others in equal parts.

    Half is the mean of equal weights and of those that other cases' hindcasts give the model. Without either
    half the other is the pool.

    Parameters
    ----------
    predicted : by name, at least one: chances, or arrays of as many equally likely draws each.

    Returns
    -------
    The pool's chance, or its draws: those of the model as often as there are others, and each of the others'.
    """
    others = [one for name, one in predicted.items() if name != MODEL]
    model = [predicted[MODEL]] * max(1, len(others)) if MODEL in predicted else []
    if any(isinstance(one, np.ndarray) for one in predicted.values()):
        return np.concatenate([np.asarray(one) for one in (*model, *others)])
    return math.fsum(map(_chance, (*model, *others))) / (len(model) + len(others))


def as_simulated(question: Target, known: KnownOnDay, ensemble: Ensemble, name: str) -> dict[str, Prediction]:
    """Return under a name what runs say of a question by themselves; nothing where they count nothing."""
    draws = _finite(_read(question, known, ensemble))
    if not draws.size:
        return {}
    return {name: _chance(draws) if kind_of(question) == "yes or no" else draws}


def _chance(predicted: Prediction) -> float:
    return float((predicted > 0).mean()) if isinstance(predicted, np.ndarray) else float(predicted)


def _finite(draws: Array) -> Array:
    """Return draws without those that are no number, as many as before."""
    finite = draws[np.isfinite(draws)]
    return np.resize(finite, len(draws)) if finite.size else finite


def _read(target: Target, known: KnownOnDay, ensemble: Ensemble) -> Array:
    """Return counts of the runs, on a day drawn from those that the figure may be of (draws,)."""
    counted = ensemble.counts[target.id]
    behind = (known.uniform(f"{target.id}.lag") * counted.shape[1]).astype(np.int64)
    return np.asarray(counted[ensemble.rows, behind])


def _carried_on(
    question: Target, known: KnownOnDay, ensemble: Ensemble, simulated: Array, so_far: CountSoFar
) -> Array:
    """Return the last known count, and what the runs add to it, scaled by known over simulated (draws,).

    Only counts that grow are carried on. A stock is left as simulated: what comes and goes forgets its level.
    """
    before, level = _read(so_far.last, known, ensemble), known.level(so_far.last)
    factor = np.divide(level, before, out=np.ones(DRAWS), where=before > 0)
    factor = factor * np.exp(DISCREPANCY * known.normal(f"{question.measure}.discrepancy"))
    if not so_far.whole:
        return np.asarray(simulated * factor)
    return np.asarray(level + np.maximum(simulated - before, 0.0) * factor)


def baselines(question: Target, known: KnownOnDay) -> dict[str, Array]:
    """Return forecasts of the baselines for a count or a stock, from its known figures alone (draws,)."""
    case, so_far = known.case, count_so_far(question, known.figures)
    if so_far is None:
        same = [t for t in known.figures if _same_level(t, question)]
        return {"last value": known.level(max(same, key=lambda t: t.date))} if same else {}
    observed = counts(case, list(so_far.figures))
    start = origin(case, so_far.figures[0])
    day = float((middle_of_dates(question).date - start).days)
    since, level = observed.days[-1], known.level(so_far.last)
    if not so_far.whole:
        assert question.start is not None
        since, level = float((question.start - start).days - 1), np.zeros(DRAWS)
    rate = constant_rate(observed, day) - constant_rate(observed, since)
    curve = logarithmic_growth(observed, since, day, known.uniform("curve"), known.normal("curve size"))
    return dict(zip(BASELINES, (level, level + rate, level + curve), strict=True))


def logarithmic_growth(observed: Counts, since: float, day: float, u: Array, z: Array) -> Array:
    """Return draws of how much a log(1 + t / c) grows from one day to a later one (draws,).

    A burst that fades as aftershocks do (Omori 1894). For each time scale c of a grid the size a is fitted by
    weighted least squares, and integrated out under a prior even in its logarithm. Time scales weigh by how
    well their curve fits; with one figure, all curves through it weigh the same.

    Parameters
    ----------
    observed : what is known of the count. since, day : days after its start.
    u, z : draws from (0, 1) and standard normal ones, for the time scale and the size.
    """
    first, last = TIME_SCALES
    c = first * (last / first) ** ((np.arange(GRID) + 0.5) / GRID)
    shape = np.log1p(observed.days / c[:, None])
    error = np.maximum(observed.spread * observed.values, 0.5)
    precision = ((shape / error) ** 2).sum(1)
    size = (shape * observed.values / error**2).sum(1) / precision
    misfit = (((observed.values - size[:, None] * shape) / error) ** 2).sum(1)
    weight = np.exp(-0.5 * (misfit - misfit.min())) / np.sqrt(precision) / np.maximum(size, 1e-9)
    pick = np.minimum(np.searchsorted(np.cumsum(weight) / weight.sum(), u), GRID - 1)
    a = np.maximum(size[pick] + z / np.sqrt(precision[pick]), 0.0)
    return np.asarray(a * (np.log1p(day / c[pick]) - np.log1p(since / c[pick])))


def _same_level(one: Target, other: Target) -> bool:
    """Return whether a figure is of the same stock as a question."""
    return (
        find(one.measure).kind not in COUNTS
        and kind_of(one) == "figure"
        and (one.measure, one.by, one.against) == (other.measure, other.by, other.against)
    )


def _chances(question: Target, known: KnownOnDay) -> dict[str, Prediction]:
    """Return chances of a yes: as it was last; and at a constant rate, of which the days so far tell.

    The rate is no one value: half an event is added to those so far (Jeffreys), and its whole posterior says
    how likely none comes, (days / (days + days ahead)) ** (events + 1/2).
    """
    case, until = known.case, known.day
    before = sorted(
        (t for t in known.figures if (t.measure, t.by) == (question.measure, question.by)),
        key=lambda t: t.date,
    )
    ahead = (question.date - max(until, question.start or until)).days + (question.start is not None)
    days = (until - case.calendar.start).days + 1
    none = days / (days + ahead)
    if question.measure == "uprisings":
        if not before:
            return {}
        had = sum(max(0.0, ends(t)[0]) for t in before)
        return {
            "last value": float(ends(before[-1])[0] > 0),
            "constant rate": 1.0 - none ** (had + 0.5),
        }
    if question.measure == "regime_holds":
        return {"last value": 1.0, "constant rate": none**0.5}
    return {"last value": float(ends(before[-1])[0] > 0)} if before else {}
