"""From particle filters to a posterior ensemble: members of one weight, and what each figure told them."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.case.draws import Draws, Luck, LuckPath
from breakrank.case.ensemble import PosteriorEnsemble, with_later_events
from breakrank.errors import BreakrankError
from breakrank.inference.observed import (
    ObservedTarget,
    ObservedTargets,
    log_likelihood,
    normalise,
    resample,
    start_of,
    temper,
)
from breakrank.inference.particle_filter import (
    DAYS,
    DEFAULT_BATCHES,
    NUMBERS,
    UPDATE_BATCHES,
    FilterResult,
    assimilation_dates,
)
from breakrank.inference.regression import Array, effective
from breakrank.inference.simulations import Simulations, Work
from breakrank.results.uncertainty import MEDIAN_AND_ENDS
from breakrank.runs.identity import source_digest

if TYPE_CHECKING:
    from breakrank.case import Case

ROUNDS = 12
"""Rounds of filters at most; in each, as many draws of parameters are filtered as there are members."""
ENOUGH = 20.0
"""Effective sample size, with the full likelihood, after which no further round is filtered. Where there are
fewer than 40 members it is half their number."""
TARGET_ESS = 10.0
"""Effective sample size to which the likelihood of parameters is tempered, if it would be lower."""
SAME_COUNT = 0.95
"""Correlation over simulations above which two figures of one date count the same thing."""
FEWEST = 20
"""Simulations that it takes to say so."""
Told = dict[str, Any]
"""What one figure told, as in about.yaml: its id, the date on which it was assimilated, the share of the
simulations that agreed before, the bits that it alone tells them, and the figure that it counts again."""


@dataclass(frozen=True)
class Resampled:
    """Members, all of one weight.

    Attributes
    ----------
    draws : parameters with seed paths. counts : of each member, by the filter's figures (members, counts).
    ess, ess_untempered : effective sample size of the filtered draws, with the tempered and with the full
        likelihood, before any resampling. tempering : power of the likelihood of parameters, 1 if full.
    filtered, failed : draws that were filtered, and of these those that failed.
    """

    draws: Draws
    counts: Array
    ess: float
    ess_untempered: float
    tempering: float
    filtered: int
    failed: int


@dataclass(frozen=True, eq=False)
class Proposal:
    """Draws of parameters that can be filtered.

    Attributes
    ----------
    z : parameters (n, p).
    log_ratio : of each, the logarithm of the density of the emulated posterior over the prior's (n,).
    """

    z: Array
    log_ratio: Array


def make_ensemble(
    work: Work, simulated: Simulations, of_prior: int, emulated: Proposal, prior: Proposal, members: int
) -> PosteriorEnsemble:
    """Return the posterior ensemble of a case: draws of parameters, each conditioned by a particle filter.

    A draw weighs by its estimated likelihood over the density that it was drawn with (importance sampling
    with an estimated likelihood: Tran and others 2013). So what the emulator blurs is made good. Draws are
    filtered in rounds until the weight lies on :data:`ENOUGH` of them. Each round is of the emulated
    posterior or, where the emulator is too sure of itself, of the prior; all are weighed as draws of the
    mixture of both (Owen and Zhou 2000).

    Parameters
    ----------
    work : how the case is simulated.
    simulated : in all waves. of_prior : how many of these are of the prior, and say what each figure tells.
    emulated, prior : draws of the emulated posterior and of the prior, of all rounds (rounds x members).
    members : how many there are.

    Raises
    ------
    KeyboardInterrupt
        where the work was stopped; finished filters are kept.
    BreakrankError
        if every filter failed, or what is found cannot be kept.
    """
    start = work.case.calendar.start
    figures = what_figures_tell(work, simulated.first(of_prior))
    again = {figure["id"] for figure in figures if figure["counts_again"]}
    once = tuple(one for one in work.targets.targets if one.id not in again)
    distinct = replace(work.targets, targets=once)
    found, taken, share = _filter_in_rounds(replace(work, targets=distinct), emulated, prior, members)
    draws = work.draws(taken.z, [LuckPath(k) for k in range(len(taken.z))], start)
    dates = [date for date, _ in assimilation_dates(distinct, start, work.until)]
    log_proposal = log_mixture(taken.log_ratio, share)
    made = resample_members(draws, found, dates, work.until, members, log_proposal)
    counts, _ = work.counts(made.draws, f"{members} members until {work.until}")
    return describe(work, made, figures, counts, simulations=len(simulated) + len(simulated.lost))


def _filter_in_rounds(
    work: Work, emulated: Proposal, prior: Proposal, members: int
) -> tuple[dict[int, FilterResult], Proposal, float]:
    """Filter draws in rounds until enough of them are effective.

    Returns
    -------
    What filters leave by row, the draws that were filtered, and the share of them that is of the prior.
    """
    found: dict[int, FilterResult] = {}
    rounds = len(emulated.z) // members
    z, log_ratio, of_prior = emulated.z[:0], emulated.log_ratio[:0], 0
    for number in range(rounds):
        wider = bool(found) and _prior_is_better(found, log_ratio, of_prior, members)
        before = of_prior if wider else len(z) - of_prior
        source, here = prior if wider else emulated, slice(before, before + members)
        rows = range(len(z), len(z) + members)
        z, log_ratio = np.concatenate([z, source.z[here]]), np.append(log_ratio, source.log_ratio[here])
        of_prior += members if wider else 0
        draws = work.draws(source.z[here], [LuckPath(k) for k in rows], work.case.calendar.start)
        what = f"{members} draws filtered until {work.until}, round {number + 1} of at most {rounds}"
        for k, one in work.run_filters(draws, what, DEFAULT_BATCHES).items():
            found[rows[k]] = one
        weights = log_weights(found, log_mixture(log_ratio, of_prior / len(z)))
        if found and effective(normalise(weights)) >= min(ENOUGH, members / 2):
            break
    return found, Proposal(z, log_ratio), of_prior / len(z)


def log_mixture(log_ratio: Array, share: float) -> Array:
    """Return the logarithm of the density over the prior's (n,) where a share of draws is of the prior."""
    if share == 0.0:
        return log_ratio
    return np.asarray(np.logaddexp(np.log(share), np.log1p(-share) + log_ratio))


def _prior_is_better(
    found: Mapping[int, FilterResult], log_ratio: Array, of_prior: int, members: int
) -> bool:
    """Return whether a round of the prior is expected to make more draws effective than one of the emulator.

    The second moment of the weights under either mixture is estimated from all draws so far.
    """
    rows, n = sorted(found), len(log_ratio)
    evidence = log_weights(found, np.zeros(n))
    now = log_mixture(log_ratio, of_prior / n)[rows]
    moments = [
        np.logaddexp.reduce(2 * evidence - now - log_mixture(log_ratio, more / (n + members))[rows])
        for more in (of_prior, of_prior + members)
    ]
    return bool(moments[1] < moments[0])


def resample_members(
    draws: Draws,
    found: Mapping[int, FilterResult],
    dates: list[dt.date],
    until: dt.date,
    members: int,
    log_proposal: Array,
) -> Resampled:
    """Return members: draws by weight, and of each draw evenly of the particles that its filter kept.

    Parameters
    ----------
    draws : that were filtered. found : what filters left, by row.
    dates : of assimilation. until : last day that is known.
    log_proposal : of each draw, the logarithm of the density it was drawn with over the prior's (rows,).

    Raises
    ------
    BreakrankError
        if every filter failed.
    """
    luck = draws.luck
    assert luck is not None
    if not found:
        raise BreakrankError(f"no draw of parameters could be simulated until {until}")
    rows = np.array(sorted(found))
    logs = log_weights(found, log_proposal)
    power = temper(logs, min(TARGET_ESS, len(rows) / 2))
    weights = normalise(power * logs)
    taken = resample(weights, members, start_of(luck.seed, "draws", luck.until.toordinal()))
    paths: list[LuckPath] = []
    counts: list[Array] = []
    for place, times in zip(*np.unique(taken, return_counts=True), strict=True):
        row = int(rows[place])
        mine = found[row].paths(luck.paths[row], luck.until, dates)
        which = resample(np.ones(len(mine)), int(times), start_of(luck.seed, "path of draw", row))
        paths += [mine[k] for k in which]
        counts.append(found[row].counts[which])
    values = draws.values[rows[taken]]
    return Resampled(
        Draws(draws.names, values, luck=Luck(luck.seed, set_apart(paths, dates, until), until)),
        np.concatenate(counts),
        min(effective(weights), float(len(counts))),
        effective(normalise(logs)),
        power,
        len(draws),
        len(draws) - len(rows),
    )


def log_weights(found: Mapping[int, FilterResult], log_proposal: Array) -> Array:
    """Return the logarithms of the weights of filtered draws, in the order of their rows."""
    rows = sorted(found)
    return np.array([float(found[k].log_evidence.sum()) for k in rows]) - log_proposal[rows]


def set_apart(paths: list[LuckPath], dates: list[dt.date], until: dt.date) -> tuple[LuckPath, ...]:
    """Return seed paths of which copies part after the last date, if days are left before the last one."""
    following = dates[-1] + dt.timedelta(days=1)
    if following > until:
        return tuple(paths)
    seen: set[LuckPath] = set()
    out = []
    for k, path in enumerate(paths):
        number = (following.toordinal() * DAYS + k) * NUMBERS
        out.append(path.branched(following, number) if path in seen else path)
        seen.add(path)
    return tuple(out)


def what_figures_tell(work: Work, prior: Simulations) -> list[Told]:
    """Return the information in each figure for simulations of the prior, in the order of assimilation."""
    out: list[Told] = []
    targets = work.targets.targets
    for date, due in assimilation_dates(work.targets, work.case.calendar.start, work.until):
        fresh: list[int] = []
        for k in due:
            again = next((j for j in fresh if _counts_again(targets[j], targets[k], j, k, prior)), None)
            if again is None:
                fresh.append(k)
            alone = normalise(log_likelihood(targets[k], prior.counts[k]))
            with np.errstate(divide="ignore", invalid="ignore"):
                bits = np.where(alone > 0, alone * np.log2(alone * len(alone)), 0.0).sum()
            before = float(targets[k].agrees(prior.counts[k][:, 0]).mean())
            other = "" if again is None else targets[again].id
            out.append(_told(targets[k].id, date, before, max(0.0, float(bits)), other))
    return out


def _told(name: str, date: dt.date, agree_before: float, bits: float, counts_again: str) -> Told:
    about = {"agree_before": agree_before, "bits": bits, "counts_again": counts_again}
    return {"id": name, "date": date, **about}


def _counts_again(one: ObservedTarget, other: ObservedTarget, j: int, k: int, prior: Simulations) -> bool:
    """Return whether two figures of one date rise and fall together, in simulations that count either."""
    if one.target.date != other.target.date:
        return False
    x, y = one.scaled(prior.counts[j][:, 0]), other.scaled(prior.counts[k][:, 0])
    counted = np.isfinite(x) & np.isfinite(y) & (x != 0) & (y != 0)
    x, y = x[counted], y[counted]
    if len(x) < FEWEST or np.ptp(x) == 0 or np.ptp(y) == 0:
        return False
    return bool(np.corrcoef(x, y)[0, 1] > SAME_COUNT)


def take_in(work: Work, ensemble: PosteriorEnsemble, late: tuple[str, ...] = ()) -> PosteriorEnsemble | None:
    """Return an ensemble after the figures of a case that were published since its own; ``None`` without any.

    Parameters
    ----------
    work : how the case is simulated, with its figures. ensemble : that assimilated earlier ones.
    late : figures, by id, of days that the members have passed already.

    Raises
    ------
    KeyboardInterrupt
        where the work was stopped; finished filters are kept.
    BreakrankError
        if no member could be simulated.
    """
    draws = replace(with_later_events(ensemble.draws, work.case), shuffled=False)
    assert draws.luck is not None
    after, n, targets = draws.luck.until, len(draws), work.targets.targets
    fresh = [
        (date, k) for date, due in assimilation_dates(work.targets, after, work.until, late) for k in due
    ]
    if not fresh:
        return None
    places = [k for _, k in fresh]
    again = {
        k: next((j for j in places[:at] if _same(targets[j], targets[k])), k) for at, k in enumerate(places)
    }
    distinct = [k for k in range(len(targets)) if again.get(k, k) == k]
    filtering = replace(work, targets=replace(work.targets, targets=tuple(targets[k] for k in distinct)))
    what = f"{n} members gone on with until {work.until}"
    found = filtering.run_filters(draws, what, UPDATE_BATCHES._replace(late=late))
    due = assimilation_dates(filtering.targets, after, work.until, late)
    order = [filtering.targets.targets[k].id for _, here in due for k in here]
    alone = {name: _alone([one.alone[row] for one in found.values()]) for row, name in enumerate(order)}
    figures = [
        _told(
            targets[k].id, date, *alone[targets[again[k]].id], "" if again[k] == k else targets[again[k]].id
        )
        for date, k in fresh
    ]
    made = resample_members(draws, found, [date for date, _ in due], work.until, n, np.zeros(n))
    made = replace(made, ess=made.ess * ensemble.about["ess"] / n)
    widths = np.cumsum([work.targets.width(k) for k in distinct])
    by = dict(zip(distinct, np.split(made.counts, widths[:-1], axis=1), strict=True))
    counts = [by[again.get(k, k)] for k in range(len(targets))]
    return describe(
        work,
        made,
        (*ensemble.figures, *figures),
        counts,
        simulations=ensemble.about["simulations"],
        particles=[UPDATE_BATCHES.size, UPDATE_BATCHES.max_particles],
        gone_on_from=str(after),
    )


def _same(one: ObservedTarget, other: ObservedTarget) -> bool:
    """Return whether two figures count the same thing, of the same days."""
    a, b = one.target, other.target
    mine, its = ((t.measure, t.date, t.start, t.lag, t.by, t.against) for t in (a, b))
    return mine == its


def _alone(rows: Sequence[Array]) -> tuple[float, float]:
    """Return the share of particles that agreed with a figure, and the bits that it alone tells them."""
    agreed, mean, curved = np.mean(rows, axis=0).tolist()
    return agreed, max(0.0, float((curved / mean - np.log(mean)) / np.log(2)))


def go_on_until(ensemble: PosteriorEnsemble, case: Case, until: dt.date) -> PosteriorEnsemble:
    """Return an ensemble that is simulated until a later day, of which no figure tells.

    What events until then do is drawn, where it has a prior; random numbers go on as each member's own.
    """
    assert ensemble.draws.luck is not None
    before = ensemble.draws.luck.until
    if until <= before:
        return ensemble
    draws = with_later_events(ensemble.draws, case)
    assert draws.luck is not None
    paths = set_apart(list(draws.luck.paths), [before], until)
    luck = replace(draws.luck, paths=paths, until=until)
    about = {**ensemble.about, "as_of": str(until), "gone_on_from": str(before)}
    return replace(ensemble, draws=replace(draws, luck=luck), about=about)


def draw_from_prior(work: Work, members: int) -> PosteriorEnsemble:
    """Return draws of the prior up to a day by which nothing was published."""
    z = work.free.drawn(work.seed, "wave 0", np.arange(members))
    draws = work.draws(z, [LuckPath(k) for k in range(members)], work.until)
    assert draws.luck is not None
    draws = replace(draws, luck=replace(draws.luck, informed=False))
    made = Resampled(draws, np.empty((members, 0)), members, members, 1.0, members, 0)
    return describe(work, made, (), [np.empty((members, 0))], simulations=0, particles=[0, 0])


def describe(
    work: Work,
    made: Resampled,
    figures: Sequence[Told],
    counts: list[Array],
    *,
    simulations: int,
    particles: Sequence[int] = (DEFAULT_BATCHES.size, DEFAULT_BATCHES.max_particles),
    **more: str,
) -> PosteriorEnsemble:
    """Return the ensemble with all that is said of it.

    Parameters
    ----------
    counts : what each target counts in the members, (n, lag + 1) each.
    simulations : that it took. particles : fewest and most of a filter, to a date.
    """
    case, draws = work.case, made.draws
    assert draws.luck is not None
    place = {one.id: k for k, one in enumerate(work.targets.targets)}
    rows = []
    for figure in figures:
        name, again = figure["id"], figure.get("counts_again", "")
        target, x = work.targets.targets[place[name]], counts[place[name]][:, 0]
        x = x[np.isfinite(x)]
        low, middle, high = np.quantile(x, MEDIAN_AND_ENDS).tolist() if x.size else [np.nan] * 3
        rows.append(
            {
                "id": name,
                "label": target.target.label,
                "date": str(figure["date"]),
                "used": not again,
                **({"counts_again": again} if again else {}),
                "median": _plain(middle),
                "interval90": [_plain(low), _plain(high)],
                "error90": error_of(target),
                "agree_before": round(float(figure["agree_before"]), 3),
                "agree": round(float(target.agrees(x).mean()) if x.size else 0.0, 3),
                "bits": round(float(figure["bits"]), 2),
            }
        )
    about = {
        "case": case.id,
        "as_of": str(draws.luck.until),
        "strength": case.force.strength,
        "seed": work.seed,
        "seed_paths": str(draws.luck.seed),  # text: of whole numbers, a file of a case has 18 digits at most
        "members": len(draws),
        "draws": len({row.tobytes() for row in draws.values}),
        "ess": round(made.ess, 1),
        "ess_untempered": round(made.ess_untempered, 1),
        "tempering": round(made.tempering, 3),
        "filtered": made.filtered,
        "failed": made.failed,
        "simulations": simulations,
        "particles": list(particles),
        **more,
        "model": source_digest(work.model, case.catalogue.code),
        "figures": rows,
    }
    return PosteriorEnsemble(Draws(draws.names, draws.values, 1, True, draws.luck), about, hashes(counts))


def revised(ensemble: PosteriorEnsemble, targets: ObservedTargets) -> list[str]:
    """Return by id the figures that are others now than when an ensemble assimilated them."""
    now = {one.id: error_of(one) for one in targets.targets}
    return sorted(
        row["id"] for row in ensemble.figures if now.get(row["id"], row["error90"]) != row["error90"]
    )


def hashes(counts: list[Array]) -> tuple[str, ...]:
    """Return for each member a hash of what the targets count in it, to the bit."""
    every = np.concatenate(counts, axis=1).astype("<f8")
    return tuple(hashlib.sha256(row.tobytes()).hexdigest()[:16] for row in every)


def error_of(target: ObservedTarget) -> list[float | None]:
    """Return the ends of what a figure allows with its own error (90%); ``None`` where it sets none."""
    ends = []
    for figure in target.figures:
        low, high = target.bounds(figure)
        room = 1.645 * target.softness(figure)
        ends.append(
            (float(target.unscaled(np.array(low - room))), float(target.unscaled(np.array(high + room))))
        )
    return [_plain(min(low for low, _ in ends)), _plain(max(high for _, high in ends))]


def _plain(value: float) -> float | None:
    """Return a number with four digits after the point; ``None`` for an open end, or where nothing counts."""
    return round(value, 4) if np.isfinite(value) else None
