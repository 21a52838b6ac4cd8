"""Calibrating a case: the posterior of its parameters, and an ensemble that agrees with what was observed."""

from __future__ import annotations

import datetime as dt
import os
import time
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.case.dates import DateLike
from breakrank.case.draws import Draws
from breakrank.case.ensemble import Free, PosteriorEnsemble, purpose
from breakrank.case.fitting import fitted_to
from breakrank.case.posterior import Posterior
from breakrank.draws import luck_key, uniform_each
from breakrank.errors import UsageError, whole_number
from breakrank.inference.ensemble import (
    ROUNDS,
    Proposal,
    draw_from_prior,
    go_on_until,
    make_ensemble,
    revised,
    take_in,
)
from breakrank.inference.observed import ObservedTargets, inside, read_targets
from breakrank.inference.particle_filter import FILTER
from breakrank.inference.posterior import DIGITS, Fitted, felt, fit_posterior, log_normaliser, wave_sizes
from breakrank.inference.question import ALL
from breakrank.inference.regression import Numbers
from breakrank.inference.report import (
    contradictions,
    failure_table,
    failures,
    misfit,
    parameter_table,
    prior_check,
    target_table,
    verdict,
)
from breakrank.inference.result import Calibration
from breakrank.inference.simulations import Carry, Work, identity
from breakrank.results.measures import counted_until, measure, read_by
from breakrank.results.outcomes import is_known
from breakrank.runs.as_of import as_known
from breakrank.runs.carry_out import Making
from breakrank.runs.cases import as_case
from breakrank.runs.identity import code_digest, source_digest, versions
from breakrank.runs.store import MemoryStore, Store
from breakrank.runs.study import Scenario, Study
from breakrank.runs.undated import Remains, acting, level_measure, undated
from breakrank.runs.worker import Simulator
from breakrank.show.extras import require
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.inference.question import Calibrate

SIMULATIONS = 600
"""Simulations of an ensemble that is made on the way to a forecast or a plan."""
WAVES = 3
"""Waves of them."""
PAIRS = 40
"""Pairs of runs that tell what remains without dated events."""
DRAWS = 256
"""Draws of the posterior that are kept."""
Simulators = tuple[Simulator | None, Simulator]
"""What makes runs, ``None`` for the model; and what filters random seeds."""


def calibrated(
    asked: Calibrate, case: Case, making: Making, simulators: Simulators = (None, FILTER)
) -> Calibration:
    """Infer parameters and random seeds of a case from its observed figures, and say what they tell.

    What the prior makes of the figures is remarked before anything is fitted.

    Parameters
    ----------
    simulators : what makes runs, by default the model; and what filters random seeds.

    Raises
    ------
    UsageError
        for a case without priors or targets, a day by which nothing was published, or where the extra
        ``inference`` is not installed.
    BreakrankError
        if no simulation finished, or too few to learn from.
    KeyboardInterrupt
        for Ctrl-C; what has finished is kept.
    """
    begun = time.perf_counter()
    require("calibrate", "arviz_stats", extra="inference")
    plain = case.with_draws(None)  # a posterior that comes with it is not what is asked
    until = day_of(plain, asked.as_of)
    targets = published_targets(plain, None if asked.as_of == ALL else until)
    if targets is None:
        raise UsageError(
            f"nothing of {plain.id} had been published by {until}, so there is nothing to learn from"
        )
    work = work_on(plain, targets, until, asked.seed, making.store, making.carry, simulators, asked.fixed)
    sizes = wave_sizes(asked.simulations, asked.waves)
    fitted = fit_posterior(
        work, sizes, tell=lambda prior: making.remark(prior_check(targets, prior, asked.seed))
    )
    ensemble = None if not asked.members else _ensemble(work, fitted, asked.members)
    return _result(work, asked, sizes, fitted, ensemble, begun, making.command)


def _ensemble(work: Work, fitted: Fitted, members: int) -> PosteriorEnsemble:
    observed, number = work.targets.observed, ROUNDS * members
    under_posterior = fitted.chains.log_likelihood.reshape(-1)
    of_prior = work.free.drawn(work.seed, "filtered", np.arange(max(number, under_posterior.size)))
    under_prior = fitted.emulator.log_likelihood(of_prior, observed)
    log_mean = log_normaliser(under_prior, under_posterior)
    prior = Proposal(of_prior[:number], (under_prior[:number] - log_mean).round(DIGITS))
    which = fitted.spread(number)
    log_ratio = under_posterior[which] - log_mean
    z = work.remember(fitted.chains.draws[which], "filtered", number, *fitted.waves)
    rounds = np.arange(number).reshape(members, -1).T  # each is from all over the chains
    order = np.concatenate([rounds[::2], rounds[1::2]]).reshape(-1)  # half of them often suffice
    emulated = Proposal(z[order], log_ratio[order])
    return make_ensemble(work, fitted.simulations, fitted.waves[0], emulated, prior, members)


def _result(
    work: Work,
    asked: Calibrate,
    sizes: Sequence[int],
    fitted: Fitted,
    ensemble: PosteriorEnsemble | None,
    begun: float,
    command: str,
) -> Calibration:
    """Return everything a calibration found as a result."""
    case, targets, free, prior = work.case, work.targets, work.free, fitted.prior
    drawn = fitted.chains.draws[fitted.spread(-(-asked.predictive // 2))]
    twice = np.repeat(drawn, 2, axis=0)[: asked.predictive]
    first = sum(sizes) + sum(sizes) % 2  # pairs are told by even numbers
    predictive = work.simulate(twice, first, "runs with parameters from the posterior")
    s, gaps = prior.summaries(targets, asked.seed)
    misfits = {
        "prior": misfit(s, targets.observed),
        "posterior": misfit(predictive.summaries(targets, asked.seed)[0], targets.observed),
    }
    whole = fitted.simulations
    tables = {
        "parameters": parameter_table(case, free, fitted, felt(work, prior)),
        "targets": target_table(targets, fitted, predictive, gaps, misfits["posterior"]),
        "failures": failure_table(whole),
    }
    about: dict[str, Any] = {
        "case": case.id,
        "title": case.title,
        "digest": case.digest,
        "mechanisms": list(case.mechanisms),
        "as_of": str(work.until),
        "seed": asked.seed,
        "simulations": len(whole) + len(whole.lost),
        "finished": len(whole),
        "failed": len(whole.lost),
        "waves": len(sizes),
        "members": asked.members,
        "predictive": len(predictive),
        "fixed": sorted(set(asked.fixed)),
        "free": len(free),
        "contradictions": contradictions(targets.targets, [c[:, 0] for c in prior.counts]),
        "misfit": {
            name: {"distance": one.distance, "typical": one.typical, "p": one.p}
            for name, one in misfits.items()
        },
        "seconds": time.perf_counter() - begun,
        "command": command,
        "versions": versions(case),
        "model": source_digest(work.model, case.catalogue.code),
    }
    values = free.values(fitted.chains.draws[_shuffled(fitted.spread(DRAWS), asked.seed)])
    values = np.array([[float(f"{x:.6g}") for x in row] for row in values])
    draws = Draws(free.names, values, shuffled=True)
    about["without_events"] = _remaining(work, case.until(work.until).with_draws(draws))
    lines = verdict(about, tables, ensemble)
    z = fitted.chains.z
    in_units = free.values(fitted.chains.draws).reshape(z.shape)
    chains = dict(zip(free.names, np.moveaxis(in_units, 2, 0), strict=True))
    posterior = Posterior(draws, _made(work, about, tables, lines))
    return Calibration(posterior, ensemble, lines, about, tables, chains)


def _remaining(work: Work, case: Case) -> dict[str, Any] | None:
    """Return the result of :func:`remaining` as plain values that the store keeps."""

    def made() -> dict[str, Any] | None:
        found = remaining(case, work.seed, work.carry, work.model)
        return None if found is None else found._asdict()

    name = identity(work.code, case.digest, work.seed, PAIRS)
    kept: dict[str, Any] | None = work.recall("remaining", name, made)
    return kept


def remaining(case: Case, seed: int, carry: Carry, simulator: Simulator | None = None) -> Remains | None:
    """Return the share of a case's leading count that remains without its dated events; ``None`` without any.

    Parameters
    ----------
    case : under draws of its posterior. seed, carry, simulator : as of the calibration.

    Raises
    ------
    KeyboardInterrupt
        where it was stopped.
    """
    events, name = acting(case), level_measure(case)
    if not events:
        return None
    sides = (Scenario(case), undated(case, events, "without dated events"))
    study, store = Study(sides, PAIRS, seed), MemoryStore(read_by(name))
    if carry(study, store, "runs without dated events", simulator=simulator).interrupted:
        raise KeyboardInterrupt
    found = [store.result(one.case, seed, PAIRS) for one in sides]
    both = sorted(set.intersection(*({int(k) for k in one.data["run"].values} for one in found)))
    if not both:
        return None
    means = [float(measure(one.whole.data.sel(run=both), name).mean()) for one in found]
    with_events, without = (float(f"{x:.6g}") for x in means)
    return Remains(name, with_events, without, len(both))


def _shuffled(which: Numbers, seed: int) -> Numbers:
    """Return positions in an order that says nothing: any part of them is a sample of the whole."""
    key, who = luck_key(seed, "calibrate.order"), np.arange(len(which), dtype=np.uint32)
    order = uniform_each(key, purpose("order"), who, np.zeros(len(which), np.int64))
    return which[np.argsort(order, kind="stable")]


def _made(
    work: Work, about: dict[str, Any], tables: dict[str, Any], lines: tuple[str, ...]
) -> dict[str, Any]:
    """Return the content of the posterior's ``about.yaml``."""
    parameters = tables["parameters"]
    informed = parameters[parameters["informed"]].sort_values("contraction", ascending=False)
    kept = ("command", "seconds", "versions", "model", "digest")
    settings = (
        "as_of",
        "seed",
        "simulations",
        "finished",
        "failed",
        "waves",
        "members",
        "predictive",
        "fixed",
    )
    return {
        "case": work.case.id,
        "fitted_to": fitted_to(work.case),
        "verdict": list(lines),
        "without_events": about["without_events"],
        "fails": list(failures(about, tables)),
        "made": {k: about[k] for k in kept},
        "settings": {k: about[k] for k in settings},
        "targets": list(work.targets.ids),
        "record": work.targets.digest,
        "informed": {str(name): round(float(x), 3) for name, x in informed["contraction"].items()},
        "felt": [str(name) for name in parameters.index[parameters["felt"]]],
        "tests": {
            "misfit": about["misfit"],
            "r_hat": round(float(parameters["r_hat"].max()), 3),
            "ess": round(float(parameters["ess"].min()), 1),
        },
    }


def update(
    case: Case,
    ensemble: PosteriorEnsemble,
    as_of: DateLike,
    seed: int = 0,
    *,
    store: Store | str | os.PathLike[str] | None = None,
    workers: int | None = None,
    carry: Carry | None = None,
    simulators: Simulators = (None, FILTER),
) -> PosteriorEnsemble:
    """Return an ensemble gone on with to a later day, after the figures published since its own.

    Each member goes on with some particles. Members are resampled by how likely the figures are in them, so
    there are as many as before, of as many draws of parameters or fewer.

    Parameters
    ----------
    case : its case, with further figures. ensemble : that assimilated earlier ones.
    as_of : last day whose publications are used, or ``"all"``.
    seed, store, workers : as in :func:`breakrank.calibrate`.
    carry : carries out each study; by default silently.
    simulators : what makes runs, by default the model; and what filters random seeds.

    Raises
    ------
    UsageError
        for the ensemble of another case or force, a figure that was revised, or an earlier day.
    BreakrankError
        if no member could be simulated.
    KeyboardInterrupt
        for Ctrl-C.
    """
    plain = ensemble.of(as_case(case)).with_draws(None)
    day = day_of(plain, as_of)
    before = ensemble.draws.luck
    assert before is not None
    if day < before.until:
        raise UsageError(
            f"this ensemble has assimilated all figures up to {before.until}; name no earlier day"
        )
    ids = {row["id"] for row in ensemble.figures}
    targets = published_targets(plain, None if as_of == ALL else day, ids)
    known = () if targets is None else targets.targets
    late = tuple(t.id for t in known if counted_until(t.target) <= before.until and t.id not in ids)
    if late and day == before.until:
        raise UsageError(
            f"this ensemble goes up to {before.until}, and did not assimilate {listed(late)}\n"
            "  Go on to a later day, or calibrate anew."
        )
    lost = sorted(ids - {t.id for t in known})
    if lost:
        raise UsageError(
            f"this ensemble assimilated {listed(lost)}, which the case does not hold now\n"
            "  Keep what it assimilated in the case, or in the table of --observations."
        )
    if targets is not None and (other := revised(ensemble, targets)):
        raise UsageError(
            f"this ensemble assimilated another figure of {listed(other)} than the case holds now\n"
            "  Calibrate anew, or forecast without --ensemble; an ensemble cannot revise a past figure."
        )
    if targets is None:
        return go_on_until(ensemble, plain, day)
    work = work_on(
        plain,
        targets,
        day,
        whole_number("seed", seed, 0, 2**64 - 1),
        store,
        carry or Making(workers=workers).carry,
        simulators,
    )
    return take_in(work, ensemble, late) or go_on_until(ensemble, plain, day)


def ensemble_of(
    case: Case,
    as_of: DateLike = ALL,
    members: int = 40,
    seed: int = 0,
    *,
    simulations: int | None = None,
    store: Store | str | os.PathLike[str] | None = None,
    workers: int | None = None,
    carry: Carry | None = None,
    simulators: Simulators = (None, FILTER),
) -> PosteriorEnsemble:
    """Return the posterior ensemble of a case as of a day, without tables; of the prior if nothing is known.

    Parameters are those of :func:`breakrank.calibrate` and :func:`update`.
    """
    plain = as_case(case).with_draws(None)
    members, seed = whole_number("members", members, 1, 1_000_000), whole_number("seed", seed, 0, 2**64 - 1)
    day = day_of(plain, as_of)
    targets = published_targets(plain, None if as_of == ALL else day)
    known = ObservedTargets((), plain.calendar.start) if targets is None else targets
    place = carry or Making(workers=workers).carry
    work = work_on(plain, known, day, seed, store, place, simulators)
    if targets is None:
        return draw_from_prior(work, members)
    return _ensemble(work, fit_posterior(work, wave_sizes(simulations or SIMULATIONS, WAVES)), members)


def published_targets(
    case: Case, day: dt.date | None, assimilated: Collection[str] = ()
) -> ObservedTargets | None:
    """Return the targets of a case published by a day, or assimilated already; ``None`` if there is none.

    Without a day, all of them.
    """
    known = tuple(t for t in inside(case) if day is None or t.id in assimilated or is_known(t, case, day))
    if not known:
        return None
    return read_targets(case, known)


def work_on(
    case: Case,
    targets: ObservedTargets,
    until: dt.date,
    seed: int,
    store: Store | str | os.PathLike[str] | None,
    carry: Carry,
    simulators: Simulators = (None, FILTER),
    fixed: Collection[str] = (),
) -> Work:
    """Return how a case is simulated until a day, by what carries studies out."""
    model, particle_filter = simulators
    kept = None if store is None else store if isinstance(store, Store) else Store(store)
    free = Free.of(as_known(case, until).case if until < case.calendar.end else case, fixed)
    folder = None if kept is None else kept.folder
    return Work(case, free, targets, until, seed, carry, folder, code_digest(model), particle_filter, model)


def day_of(case: Case, as_of: DateLike) -> dt.date:
    """Return the last day whose figures are used, within the calendar.

    Raises
    ------
    UsageError
        for a text that is no date, or a day outside the calendar.
    """
    if isinstance(as_of, str) and as_of == ALL:
        return case.calendar.end
    return case.calendar.within(as_of, f"--as-of (a day, or {ALL!r})")
