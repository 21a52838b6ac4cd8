"""Validating cases: forecasts of a record that the model was not told, beside naive baselines."""

from __future__ import annotations

import datetime as dt
import os
import time
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from breakrank.case import Case
from breakrank.case.dates import DateLike, as_date
from breakrank.errors import UsageError
from breakrank.questions.validate.figures import first_of_a_series
from breakrank.questions.validate.fit import Carry, Workshop, fitted_draws
from breakrank.questions.validate.result import Validation
from breakrank.questions.validate.trials import carried, hold_out
from breakrank.runs.backends import choose_backend
from breakrank.runs.carry_out import carry_out
from breakrank.runs.cases import as_case, list_cases
from breakrank.runs.identity import code_digest
from breakrank.runs.store import Store, opened
from breakrank.runs.whole_number import whole_number

if TYPE_CHECKING:
    from breakrank.case.draws import Draws
    from breakrank.questions.validate.trial import Trial
    from breakrank.runs.worker import Simulator


def validate(
    cases: Case | str | os.PathLike[str] | Sequence[Case | str | os.PathLike[str]] | None = None,
    *,
    known_until: DateLike | None = None,
    announced: Collection[str] = (),
    hindsight: bool = False,
    simulations: int = 1000,
    runs: int = 200,
    seed: int = 0,
    store: Store | str | os.PathLike[str] | None = None,
    backend: str | None = None,
    workers: int | None = None,
    command: str | None = None,
    carry: Carry | None = None,
    model: Simulator | None = None,
) -> Validation:
    """Forecast what a model was not told, and score the forecasts beside naive baselines.

    Each case is fitted to the figures known on a day and asked about those that came later (temporal
    hold-out). With more cases than one, each is also forecast with psychological parameters that the others
    told (leave one case out). Simulations are kept in a store; an interrupted call goes on from there.

    Parameters
    ----------
    cases : one case or several, by name or folder; by default all built-in ones.
    known_until : last day that is known; by default the day of the first figure of a count that the record
        goes on to count. A case without one is skipped where there are others.
    announced : ids of later events that were known to come.
    hindsight : leave in what came after that day: events, series, sites.
    simulations : of the prior, for each fit, at least 50.
    runs : of each forecast, two to each draw of parameters.
    seed : names the draws and the luck; it is never chosen for its outcome.
    store : folder that keeps the simulations; by default breakrank-validation.store in the current directory.
    backend, workers : where runs are made; see :func:`breakrank.runs.backends.choose_backend`.
    command : the call written into the result; by default this one.
    carry : carries out each study, for whoever wants to watch; by default it is carried out silently.
    model : what makes the runs; by default the model.

    Raises
    ------
    UsageError
        for an argument that makes no sense, or a day that leaves nothing to learn from or to forecast.
    BreakrankError
        if no simulation finished, or too few to learn from.
    KeyboardInterrupt
        for Ctrl-C; what has finished is kept.
    """
    begun = time.perf_counter()
    chosen = _cases(cases)
    day = None if known_until is None else as_date(known_until, "known_until")
    where = choose_backend(backend, workers)
    kept = opened(store, "validation")
    shop = Workshop(
        kept,
        carry or (lambda study, folder, _: carry_out(study, folder, where, simulator=model)),
        code_digest(model),
        whole_number("simulations", simulations, 50, 10_000_000),
        whole_number("runs", runs, 20, 1_000_000),
        whole_number("seed", seed, 0, 2**64 - 1),
    )
    trials: list[Trial] = []
    skipped: list[str] = []
    for case in chosen:
        if len(chosen) > 1 and not _can_be_split(case, day):
            skipped.append(
                f"{case.id}: its record has no count with two dates, so there is no hold-out in time"
            )
            continue
        trials.append(hold_out(case, day, shop, announced, hindsight))
    if len(chosen) > 1:
        told: list[tuple[Case, Draws]] = [(c, fitted_draws(c, tuple(c.targets), shop)) for c in chosen]
        trials += [carried(c, [pair for pair in told if pair[0].id != c.id], shop) for c in chosen]
    return Validation(
        tuple(trials),
        command or _call(chosen, known_until, hindsight, shop),
        shop.seed,
        shop.simulations,
        shop.runs,
        time.perf_counter() - begun,
        tuple(skipped),
    )


def _cases(
    given: Case | str | os.PathLike[str] | Sequence[Case | str | os.PathLike[str]] | None,
) -> tuple[Case, ...]:
    if given is None:
        given = list_cases()
    if isinstance(given, str) or not isinstance(given, Sequence):
        given = (given,)
    found = tuple(as_case(one).with_draws(None) for one in given)
    if not found:
        raise UsageError("there is no case to validate; name one")
    ids = [case.id for case in found]
    if len(set(ids)) < len(ids):
        raise UsageError(f"the case {max(ids, key=ids.count)!r} is named twice")
    return found


def _can_be_split(case: Case, day: dt.date | None) -> bool:
    if day is not None:
        return case.calendar.start <= day < case.calendar.end
    try:
        first_of_a_series(case)
    except UsageError:
        return False
    return True


def _call(cases: Sequence[Case], until: DateLike | None, hindsight: bool, shop: Workshop) -> str:
    parts = [repr([case.id for case in cases])]
    if until is not None:
        parts.append(f'known_until="{until}"')
    if hindsight:
        parts.append("hindsight=True")
    parts += [f"simulations={shop.simulations}", f"runs={shop.runs}", f"seed={shop.seed}"]
    return f"validate({', '.join(parts)})"
