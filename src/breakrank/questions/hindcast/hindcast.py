"""Hindcasts: what would have been forecast on every day on which a figure was published, scored.

As of each such day the case is taken back to what was known then. The model and its null model are simulated
from there under draws of the prior, which weigh by the figures known; all forecasters of
:mod:`.forecasters` are scored on the figures that came later.
"""

from __future__ import annotations

import datetime as dt
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.case import Case
from breakrank.case.dates import DateLike, as_date
from breakrank.case.draws import Draws
from breakrank.errors import UsageError, whole_number
from breakrank.inference.calibration import silently
from breakrank.inference.observed import with_targets
from breakrank.inference.reported import inside
from breakrank.questions.hindcast.ensemble import Carry, Ensemble, Workshop, prior_draws, simulate_ensemble
from breakrank.questions.hindcast.figures import as_of_dates, split
from breakrank.questions.hindcast.forecasters import MODEL, NULL, KnownOnDay, as_simulated, predictions
from breakrank.questions.hindcast.result import CARRIED, OWN, Hindcast
from breakrank.questions.hindcast.scoring import score_rows
from breakrank.runs.as_of import as_known
from breakrank.runs.backends import choose_backend
from breakrank.runs.cases import as_case, list_cases
from breakrank.runs.counterfactuals import null_model
from breakrank.runs.store import Store, opened

if TYPE_CHECKING:
    from breakrank.case import Target

CaseLike = Case | str | os.PathLike[str]


def hindcast(
    cases: CaseLike | Sequence[CaseLike] | None = None,
    *,
    as_of: DateLike | None = None,
    draws: int = 100,
    seed: int = 0,
    store: Store | str | os.PathLike[str] | None = None,
    carry: Carry | None = None,
) -> Hindcast:
    """Score what would have been forecast on every day on which a figure was published.

    With more cases than one, each is also forecast without its record, with psychological parameters that
    the others' records leave (leave one case out). Runs are kept in a store; an interrupted call goes on from
    there, to the same bytes.

    Parameters
    ----------
    cases : one case or several, by name or folder; by default all built-in ones.
    as_of : one day; by default every day that the record allows.
    draws : of the prior, a run each of the model and of the null model as of each day, at least 20.
    seed : names the draws and the random numbers; it is never chosen for its outcome.
    store : folder that keeps the runs; by default breakrank-hindcast.store in the current directory.
    carry : carries out each study, for whoever wants to watch; by default it is carried out silently.

    Raises
    ------
    UsageError
        for an argument that makes no sense, or a day that leaves nothing to forecast.
    BreakrankError
        if no run finished.
    KeyboardInterrupt
        for Ctrl-C; what has finished is kept.
    """
    begun = time.perf_counter()
    chosen = _cases(cases)
    day = None if as_of is None else as_date(as_of, "as_of")
    shop = Workshop(
        opened(store, "hindcast"),
        carry or silently(choose_backend(None, None)),
        whole_number("draws", draws, 20, 1_000_000),
        whole_number("seed", seed, 0, 2**64 - 1),
    )
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
    only = "" if day is None else f'as_of="{day}", '
    command = f"hindcast({[case.id for case in chosen]}, {only}draws={shop.draws}, seed={shop.seed})"
    seconds = time.perf_counter() - begun
    return Hindcast(rows, left_out, ess, tuple(skipped), command, shop.seed, shop.draws, seconds)


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


def _cases(given: CaseLike | Sequence[CaseLike] | None) -> tuple[Case, ...]:
    if given is None:
        given = list_cases()
    if isinstance(given, str) or not isinstance(given, Sequence):
        given = (given,)
    found = tuple(as_case(one).with_draws(None) for one in given)
    if not found:
        raise UsageError("there is no case to forecast; name one")
    ids = [case.id for case in found]
    if len(set(ids)) < len(ids):
        raise UsageError(f"the case {max(ids, key=ids.count)!r} is named twice")
    return found
