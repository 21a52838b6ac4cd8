"""Hindcasts: what would have been forecast on every day on which a figure was published, scored.

As of each such day the case is taken back to what was known then. The model and its null model are simulated
from there under draws of the prior, which weigh by the figures known; all forecasters of
:mod:`.forecasters` are scored on the figures that came later.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.case.dates import as_date
from breakrank.case.draws import Draws
from breakrank.errors import UsageError
from breakrank.inference.observed import inside, with_targets
from breakrank.questions.forecasters import (
    MODEL,
    NULL,
    Ensemble,
    KnownOnDay,
    Workshop,
    as_of_dates,
    as_simulated,
    predictions,
    prior_draws,
    simulate_ensemble,
    split,
)
from breakrank.questions.scoring import CARRIED, OWN, Hindcast, score_rows
from breakrank.runs.as_of import as_known
from breakrank.runs.counterfactuals import null_model

if TYPE_CHECKING:
    from breakrank.case import Case, Target
    from breakrank.questions.declared import HindcastQuestion
    from breakrank.runs.carry_out import Making


def scored(asked: HindcastQuestion, cases: Sequence[Case], making: Making) -> Hindcast:
    """Score what would have been forecast on every day on which a figure was published.

    Raises
    ------
    UsageError
        for a case that is named twice, or a day that leaves nothing to forecast.
    BreakrankError
        if no run finished.
    KeyboardInterrupt
        for Ctrl-C; what has finished is kept.
    """
    begun = time.perf_counter()
    chosen = _each_once(cases)
    day = None if asked.as_of is None else as_date(asked.as_of, "as_of")
    shop = Workshop(making.store, making.carry, asked.draws, asked.seed)
    rows: list[dict[str, Any]] = []
    skipped, ess = [], {}
    for case in chosen:
        days = as_of_dates(case) if day is None else (day,)
        if len(chosen) > 1 and day is not None and not _leaves_a_figure(case, day):
            days = ()
        if not days:
            skipped.append(f"{case.id}: its record leaves no figure to forecast as of a day that it knows")
        for one in days:
            found, ensemble = forecast_rows(case, one, shop)
            rows += found
            ess[f"{case.id} {one}"] = round(ensemble.ess, 1)
    left_out = leave_one_out(chosen, shop) if len(chosen) > 1 else []
    seconds = time.perf_counter() - begun
    return Hindcast(rows, left_out, ess, tuple(skipped), making.command, shop.seed, shop.draws, seconds)


def _leaves_a_figure(case: Case, day: dt.date) -> bool:
    return case.calendar.start <= day < case.calendar.end and bool(split(case, day)[1])


def forecast_rows(case: Case, day: dt.date, shop: Workshop) -> tuple[list[dict[str, Any]], Ensemble]:
    """Return the scored forecasts of all later figures as of a day, and the ensemble of the model.

    Raises
    ------
    UsageError
        for a day that leaves nothing to forecast.
    """
    then = as_known(case, day).case
    known, later = split(case, day)
    if not later:
        raise UsageError(f"no figure of the record of {case.id} is of a day after {day}; name an earlier day")
    ensembles = {
        name: simulate_ensemble(made, known, later, shop, f"{case.title} as of {day}, {name}")
        for name, made in ((MODEL, then), (NULL, null_model(then)))
    }
    asked = KnownOnDay(case, day, known, shop.seed)
    rows: list[dict[str, Any]] = []
    for target in later:
        rows += score_rows(target, case, day, predictions(target, asked, ensembles))
    return rows, ensembles[MODEL]


def scores_so_far(case: Case, known: Sequence[Target], day: dt.date, shop: Workshop) -> list[dict[str, Any]]:
    """Return the scored forecasts as of all earlier days, of figures that were known on a day."""
    then = with_targets(case, known)
    earlier = [one for one in as_of_dates(then) if one < day]
    return [row for one in earlier for row in forecast_rows(then, one, shop)[0]]


def leave_one_out(cases: Sequence[Case], shop: Workshop) -> list[dict[str, Any]]:
    """Return the scored forecasts of each case without its record, from its own prior and from other cases.

    Psychological parameters come from the other cases, as their whole records leave them, in equal parts; a
    row of them stays together. All else, and what another case does not draw, comes from the own prior.
    """
    asked = {case.id: inside(case) for case in cases}
    whole = {c.id: simulate_ensemble(c, asked[c.id], (), shop, f"{c.title}, its record") for c in cases}
    rows: list[dict[str, Any]] = []
    for case in cases:
        others = [(other, whole[other.id]) for other in cases if other.id != case.id]
        drawn = carried_draws(prior_draws(case, shop), others)
        own = whole[case.id]
        ensembles = {
            OWN: replace(own, weights=np.ones_like(own.weights)),
            CARRIED: simulate_ensemble(case, (), asked[case.id], shop, f"{case.title}, others", drawn),
        }
        nothing = KnownOnDay(case, case.calendar.start - dt.timedelta(days=1), (), shop.seed)
        for target in asked[case.id]:
            for name, ensemble in ensembles.items():
                rows += score_rows(target, case, None, as_simulated(target, nothing, ensemble, name))
    return rows


def carried_draws(own: Draws, others: Sequence[tuple[Case, Ensemble]]) -> Draws:
    """Return draws with the psychological parameters of the other cases' ensembles, in equal parts."""
    values = own.values.copy()
    column = {name: k for k, name in enumerate(own.names)}
    for row in range(len(values)):
        other, ensemble = others[row % len(others)]
        assert ensemble.draws is not None
        taken = ensemble.draws.values[ensemble.rows[row * len(ensemble.rows) // len(values)]]
        for name, value in zip(ensemble.draws.names, taken, strict=True):
            if name in column and other.declared[name].scope == "psychological":
                values[row, column[name]] = value
    return Draws(own.names, values)


def _each_once(cases: Sequence[Case]) -> tuple[Case, ...]:
    ids = [case.id for case in cases]
    if len(set(ids)) < len(ids):
        raise UsageError(f"the case {max(ids, key=ids.count)!r} is named twice")
    return tuple(case.with_draws(None) for case in cases)
