"""The two trials: told until a day and asked about later; told by other cases only."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from breakrank.errors import BreakrankError, UsageError
from breakrank.questions.calibrate.reported import COUNTS, bound, ends, inside
from breakrank.questions.validate.figures import Naive, first_of_a_series, naive, split, yes_or_no
from breakrank.questions.validate.fit import (
    Workshop,
    carried_draws,
    ensemble_cases,
    prior_draws,
    variables,
)
from breakrank.questions.validate.known_then import as_known
from breakrank.questions.validate.next_figures import ahead, daily_of
from breakrank.questions.validate.trial import Forecast, ForecastCourse, ForecastFigure, Trial
from breakrank.results.measures import find, measure_of
from breakrank.results.quantiles import LEVELS, MEDIAN_AND_ENDS
from breakrank.results.scores import Array, brier, covered, crps
from breakrank.results.whole_force import whole_force
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study

if TYPE_CHECKING:
    from breakrank.case import Case, Target
    from breakrank.case.draws import Draws

Kind = Literal["figure", "yes or no", "bound"]


def hold_out(
    case: Case,
    until: dt.date | None,
    shop: Workshop,
    announced: Collection[str] = (),
    hindsight: bool = False,
) -> Trial:
    """Fit a case to what was published by a day, forecast what came later, and score it beside the baselines.

    Where nothing was published by then, the forecast is that of the prior alone.

    Raises
    ------
    UsageError
        for a day that leaves nothing to forecast.
    """
    until = first_of_a_series(case) if until is None else until
    as_then = as_known(case, until, announced)
    known, later = split(case, until)
    if not later:
        raise UsageError(
            f"no figure of the record of {case.id} is of a day after {until}; name an earlier day"
        )
    world = case if hindsight else as_then.case
    last = max(t.date for t in later)
    head = _headline(later, known)
    wanted = [*later, *([head] if head else [])]
    counts, daily = _ahead(world.until(last), {"prior": prior_draws(case, shop)}, wanted, shop)["prior"]
    forecasters = [{"prior": count} for count in counts[: len(later)]]
    course = None
    if known:
        told = ahead(world.until(until), world.until(last), known, later, head, shop)
        forecasters = [
            {"calibrated": told.draws(k, _kind(t) == "figure"), **forecasters[k]} for k, t in enumerate(later)
        ]
        if head is not None and told.daily.shape[1]:
            courses = {"calibrated": told.course(later.index(head)), "prior": daily}
            course = _course(case, head, until, known, later, courses)
    figures = tuple(
        forecast_figure(t, counted, naive(case, t, known, until))
        for t, counted in zip(later, forecasters, strict=True)
    )
    notes = (
        [f"What came after {until} is kept: events, series and sites as they were."]
        if hindsight
        else as_then.told()
    )
    return Trial("hold-out", case.id, case.title, figures, str(until), (), tuple(notes), course)


def carried(case: Case, others: Sequence[tuple[Case, Draws]], shop: Workshop) -> Trial:
    """Forecast a case with psychological parameters told by others, and score it beside its own prior."""
    targets = inside(case)
    draws = {"carried": carried_draws(case, others, shop), "prior": prior_draws(case, shop)}
    ahead = _ahead(case, draws, targets, shop)
    figures = tuple(
        forecast_figure(t, {name: counts[k] for name, (counts, _) in ahead.items()}, Naive({}, {}))
        for k, t in enumerate(targets)
    )
    told = tuple(other.id for other, _ in others)
    notes = (
        f"Psychological parameters are drawn from what {' and '.join(told)} left of their priors, all others "
        "from the case's own prior; nothing of its record was used.",
        "Which parameters are psychological, and the priors of all, were chosen with every record in view.",
    )
    return Trial("carried", case.id, case.title, figures, "", told, notes)


def _ahead(
    case: Case, draws: Mapping[str, Draws], targets: Sequence[Target], shop: Workshop
) -> dict[str, tuple[list[Array], Array]]:
    """Return what each forecaster counts for each target, and the last one day by day (runs, days)."""
    cases = ensemble_cases(case, dict(draws))
    study = Study(tuple(Scenario(c, name) for name, c in cases.items()), shop.runs, shop.seed)
    account = shop.carry(study, shop.store, f"forecasts of {case.id}")
    if account.interrupted:
        raise KeyboardInterrupt
    wanted = variables(targets, case)
    out = {}
    for name, one in cases.items():
        counts: list[list[Array]] = [[] for _ in targets]
        daily = []
        for data in shop.store.blocks(one, shop.seed, shop.runs, only=wanted, code=shop.code):
            whole = whole_force(data, one.stands_for)
            for kept, target in zip(counts, targets, strict=True):
                kept.append(np.asarray(measure_of(whole, target, target.date), np.float64))
            if find(targets[-1].measure).kind in COUNTS:
                daily.append(daily_of(whole, targets[-1]))
        if not counts[0]:
            raise BreakrankError(f"no run of the forecast of {case.id} finished")
        out[name] = (
            [np.concatenate(c) for c in counts],
            np.concatenate(daily) if daily else np.empty((0, 0)),
        )
    return out


def forecast_figure(target: Target, counts: Mapping[str, Array], naive_: Naive) -> ForecastFigure:
    """Return a figure with what runs of each forecaster count, and baselines, scored."""
    low, high = ends(target)
    kind = _kind(target)
    forecasts = []
    for name, runs in counts.items():
        x = runs[np.isfinite(runs)]
        if not x.size:
            continue
        forecasts.append(_forecast(name, x, target, kind))
    if kind == "figure":
        forecasts += [_forecast(name, x, target, kind) for name, x in naive_.draws.items()]
    if kind == "yes or no":
        happened = low > 0
        forecasts += [
            Forecast(name, brier(chance, happened), chance=chance if happened else 1 - chance)
            for name, chance in naive_.chances.items()
        ]
    return ForecastFigure(
        target.id, target.label, target.unit, str(target.date), kind, low, high, tuple(forecasts)
    )


def _kind(target: Target) -> Kind:
    return "yes or no" if yes_or_no(target) else "bound" if bound(target) else "figure"


def _forecast(name: str, x: Array, target: Target, kind: str) -> Forecast:
    low, high = ends(target)
    if kind == "figure":
        return Forecast(
            name,
            crps(x, (low + high) / 2.0),
            quantiles(x),
            in50=covered(x, low, high, 0.5),
            in90=covered(x, low, high, 0.9),
        )
    if kind == "yes or no":
        agrees = float((x > 0).mean()) if low > 0 else float((x <= 0).mean())
    else:
        agrees = float(((x >= low) & (x <= high)).mean())
    return Forecast(name, brier(agrees, True), quantiles(x), agrees)


def _headline(later: Sequence[Target], known: Sequence[Target]) -> Target | None:
    """Return the last later figure of a count that was counted before, the first such count of the record."""
    for told in known:
        same = [
            t
            for t in later
            if t.measure == told.measure and t.by == told.by and not bound(t) and t.start is None
        ]
        if same and not bound(told) and find(told.measure).kind in COUNTS:
            return max(same, key=lambda t: t.date)
    return None


def _course(
    case: Case,
    head: Target,
    until: dt.date,
    known: Sequence[Target],
    later: Sequence[Target],
    daily: Mapping[str, Array],
) -> ForecastCourse:
    same = [t for t in (*known, *later) if t.measure == head.measure and t.by == head.by and not bound(t)]
    start = case.calendar.start
    days = max(series.shape[1] for series in daily.values())
    lines: dict[str, list[tuple[str, float, float, float]]] = {}
    step = max(1, (head.date - until).days // 12)
    steps = [until + dt.timedelta(days=k) for k in range(step, (head.date - until).days, step)] + [head.date]
    for day in steps:
        told = naive(case, head.model_copy(update={"date": day}), tuple(known), until)
        for name, x in told.draws.items():
            q = np.quantile(x, MEDIAN_AND_ENDS).tolist()
            lines.setdefault(name, []).append((str(day), q[0], q[1], q[2]))
    return ForecastCourse(
        find(head.measure).label,
        head.unit,
        tuple(str(start + dt.timedelta(days=k)) for k in range(days)),
        str(until),
        {name: np.quantile(series, LEVELS, axis=0) for name, series in daily.items()},
        tuple((str(t.date), *ends(t)) for t in same if t.date <= until),
        tuple((str(t.date), *ends(t)) for t in same if t.date > until),
        {name: tuple(points) for name, points in lines.items()},
    )


def quantiles(draws: Array) -> tuple[float, float, float, float, float]:
    """Return the 5, 25, 50, 75 and 95% quantiles of draws."""
    a, b, c, d, e = np.quantile(draws, LEVELS).tolist()
    return a, b, c, d, e
