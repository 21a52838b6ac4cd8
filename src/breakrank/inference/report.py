"""The tables and the verdict of a calibration; every sentence is made from numbers, and none without them.

Posterior predictive check: what runs count under the posterior, beside the observed figures and the prior.

Prior predictive check: whether the prior allows the observed figures, and what else it allows.

It comes first: what the prior does not produce is not found by looking closer, and what a later wave would
cost is better spent on the priors. The misfit is the Mahalanobis distance of the figures, whose summaries are
0, from those of the simulations. The share of simulations that lie further out is the p-value.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.inference.observed import ObservedTarget, ObservedTargets
from breakrank.inference.posterior import FELT, Fitted
from breakrank.inference.regression import Array, scale_of, squash
from breakrank.inference.simulations import Simulations
from breakrank.results.measures import find
from breakrank.results.uncertainty import LEVELS, MEDIAN_AND_ENDS, brier, crps
from breakrank.runs.undated import Remains
from breakrank.show.words import interval, number, span
from breakrank.wording import listed

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case import Case
    from breakrank.case.ensemble import Free, PosteriorEnsemble


INFORMED = 0.1
"""Share of a parameter's prior variance that the figures take away, at least, to be said to inform it."""
ERRORS = 2.0
"""Monte Carlo standard errors by which it has to exceed none."""
MOST_R_HAT, LEAST_ESS = 1.05, 100.0
"""R-hat and bulk effective sample size that chains must reach: 1.01 and 400 by Vehtari and others (2021)."""
FAR = 0.01
"""Share of simulations further out than the figures, below which the model is said not to reach them."""
EXPECTED = 12.0
"""Simulations that would agree with both of two targets, if to meet one said nothing of the other, from which
none at all is no chance: that has a probability of 6e-6 (Poisson), 0.4% among the 600 pairs of 35 targets."""
UNFIT = "Do not use this posterior for what this concerns"
LITTLE = "To meet the figures confirms little"
LEVEL = "the fit rests on the level"
"""Said where half of the leading count or more remains under the posterior without any dated event."""
NAMED = 3
"""Pairs that a sentence names."""


def parameter_table(case: Case, free: Free, fitted: Fitted, felt: Array) -> pd.DataFrame:
    """Return prior and posterior of each free parameter, and what the figures say of it.

    ``contraction`` is the share of the prior variance that went, in z-space; ``shift`` the posterior mean
    there; ``felt`` what synthetic figures leave of the standard deviation.
    """
    import pandas as pd
    from arviz_stats.base import array_stats

    draws, chains = fitted.chains.draws, {"chain_axis": 0, "draw_axis": 1}
    z = np.quantile(draws, MEDIAN_AND_ENDS, axis=0, method="hazen")
    before = np.array([[prior.quantile(float(p)) for p in MEDIAN_AND_ENDS] for prior in free.priors])
    ess = array_stats.ess(fitted.chains.z, method="bulk", **chains)
    contraction = 1.0 - draws.var(axis=0, ddof=1)
    error = (1.0 - contraction) * np.sqrt(2.0 / ess)
    parameters = [case.parameters[name] for name in free.names]
    columns: dict[str, object] = {
        "mechanism": [name.partition(".")[0] for name in free.names],
        "unit": [one.unit for one in parameters],
        "value": [one.value for one in parameters],
    }
    for name, table in (("prior", before.T), ("posterior", free.values(z)), ("z", z)):
        columns |= {f"{name}_{part}": row for part, row in zip(("q05", "median", "q95"), table, strict=True)}
    columns |= {
        "contraction": contraction,
        "shift": draws.mean(axis=0),
        "informed": (contraction >= INFORMED) & (contraction >= ERRORS * error),
        "sd_on_synthetic": felt,
        "felt": felt < FELT,
        "r_hat": array_stats.rhat(fitted.chains.z, method="rank", **chains),
        "ess": ess,
    }
    return pd.DataFrame(columns, index=pd.Index(free.names, name="parameter"))


def target_table(
    targets: ObservedTargets, fitted: Fitted, predictive: Simulations, gaps: Array, after: Misfit
) -> pd.DataFrame:
    """Return each target beside runs of the prior and runs with parameters from the posterior.

    ``explained`` is the share of its variance that parameters explain in the emulator.
    """
    import pandas as pd

    explained = np.full(len(targets.targets), np.nan)
    explained[fitted.emulator.scale.kept] = fitted.emulator.explained
    prior = fitted.prior
    rows = {}
    for k, target in enumerate(targets.targets):
        row = target_row(target, prior.counts[k][:, 0], predictive.counts[k][:, 0])
        row |= {"pull_posterior": float(after.pulls[k]), "prior_unanswered": int(gaps[k])}
        rows[target.id] = row | {"explained": float(explained[k])}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("target")


def failure_table(simulations: Simulations) -> pd.DataFrame:
    """Return simulations that failed, by reason."""
    import pandas as pd

    rows = [{"reason": k, "simulations": n} for k, n in Counter(simulations.reasons).most_common()]
    return pd.DataFrame(rows, columns=["reason", "simulations"]).set_index("reason")


def contradictions(targets: Sequence[ObservedTarget], counts: Sequence[Array]) -> list[tuple[str, str]]:
    """Return the labels of pairs of targets that no simulation agrees with together, the surest pair first.

    Parameters
    ----------
    counts : of simulations of the prior for each target (n,); not a number without an answer.
    """
    agree = [one.agrees(c) for one, c in zip(targets, counts, strict=True)]
    found: list[tuple[float, int, int]] = []
    for a, b in combinations(range(len(targets)), 2):
        both = np.isfinite(counts[a]) & np.isfinite(counts[b])
        mine, other = agree[a][both], agree[b][both]
        expected = mine.sum() * other.sum() / max(both.sum(), 1)
        if expected >= EXPECTED and not np.logical_and(mine, other).any():
            found.append((-float(expected), a, b))
    return [(targets[a].target.label, targets[b].target.label) for _, a, b in sorted(found)]


def verdict(
    about: Mapping[str, Any], tables: Mapping[str, pd.DataFrame], ensemble: PosteriorEnsemble | None
) -> tuple[str, ...]:
    """Return the findings of a calibration, sentence by sentence."""
    parameters, targets = tables["parameters"], tables["targets"]
    return (
        _informed(parameters),
        _prior(about, targets),
        _inside(targets),
        *_members(ensemble),
        _chains(parameters),
        _misfit(about, targets),
        *(one.said for one in _remaining(about)),
        *little_confirmed(len(parameters), int(parameters["informed"].sum())),
        *contradiction_sentences(about["contradictions"]),
        *_failed(about),
        *(f"{UNFIT}: {one}." for one in failures(about, tables)),
    )


def failures(about: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[str, ...]:
    """Return each check that a posterior fails, in words; empty for one that may be used."""
    parameters, targets, remaining = tables["parameters"], tables["targets"], _remaining(about)
    outside = list(targets["label"][~targets["inside"].astype(bool)])
    checks = {
        "the chains have not mixed": not _mixed(parameters),
        "all targets taken together lie further out than the model reaches": about["misfit"]["posterior"]["p"]
        < FAR,
        f"outside the 90% intervals: {'; '.join(outside)}": outside,
        **{f"{LEVEL}: {one.share:.0%} remains without any dated event": one.is_level for one in remaining},
    }
    return tuple(words for words, fails in checks.items() if fails)


def _remaining(about: Mapping[str, Any]) -> list[Remains]:
    told = about.get("without_events")
    return [Remains(**told)] if told else []


def little_confirmed(count: int, informed: int) -> tuple[str, ...]:
    """Say that a fit confirms little, if the figures leave most parameters as they were."""
    if 2 * informed >= count:
        return ()
    return (f"{LITTLE}: {count - informed} of {count} free parameters are about as their priors have them.",)


def _mixed(parameters: pd.DataFrame) -> bool:
    return bool(parameters["r_hat"].max() < MOST_R_HAT and parameters["ess"].min() >= LEAST_ESS)


def _informed(parameters: pd.DataFrame) -> str:
    informed = parameters[parameters["informed"]].sort_values("contraction", ascending=False)
    felt, count = int(parameters["felt"].sum()), len(parameters)
    can = f"figures of this kind can tell of {felt} of {count} free parameters"
    if informed.empty:
        return f"The figures inform no parameter on its own, each is about as its prior has it; {can}."
    some = ", ".join(f"{name} ({row.contraction:.0%})" for name, row in informed.head(3).iterrows())
    return (
        f"The figures inform {len(informed)} of {count} free parameters, most of all {some} of the prior "
        f"variance; {can}. The rest is left about as its prior has it."
    )


def _prior(about: Mapping[str, Any], targets: pd.DataFrame) -> str:
    p = about["misfit"]["prior"]["p"]
    together = f"Over all targets, {p:.0%} of prior simulations are further from the middle than the figures."
    outside = targets[~(targets["prior_agrees"] >= ALLOWED)]
    if len(outside):
        return (
            f"The prior does not allow {len(outside)} of {len(targets)} targets: fewer than {ALLOWED:.0%} of "
            f"its simulations agree with them. These are {'; '.join(outside['label'])}. {together}"
        )
    least = targets.sort_values("prior_agrees").iloc[0]
    return (
        f"The prior allows each target in {least.prior_agrees:.1%} of simulations or more "
        f"(least: {least.label}). {together}"
    )


def _inside(targets: pd.DataFrame) -> str:
    outside = targets[~targets["inside"].astype(bool)]
    words = f"{len(targets) - len(outside)} of {len(targets)} targets lie inside the 90% interval of runs "
    words += "with parameters from the posterior"
    if len(outside):
        words += f" (outside: {'; '.join(outside['label'])})"
    words += "."
    width = targets["width_ratio"].median()
    if math.isfinite(width):
        words += f" The intervals are {width:.0%} as wide as the prior's (median)."
    scores = targets.loc[targets["score_kind"] == "CRPS", ["score", "prior_score"]].to_numpy(float)
    scores = scores[np.isfinite(scores).all(axis=1)]
    if len(scores):
        after, before = (float(np.mean(column)) for column in scores.T)
        words += f" The mean score (CRPS) is {after:.2f}, that of the prior {before:.2f}."
    return words


def _members(ensemble: PosteriorEnsemble | None) -> Iterator[str]:
    if ensemble is None:
        yield "No member was conditioned on single events: runs have random numbers of their own."
        return
    about = ensemble.about
    yield (
        f"The ensemble has {about['members']:,} members; the effective sample size before resampling is "
        f"{about['ess_untempered']:.1f} of {about['filtered']:,} filtered draws with the full likelihood"
        + ("." if about["tempering"] == 1 else f", {about['ess']:.1f} tempered to {about['tempering']:.2f}.")
    )
    yield from ensemble.narrow


def _chains(parameters: pd.DataFrame) -> str:
    words = "have mixed" if _mixed(parameters) else "have not mixed"
    return (
        f"The chains {words}: R-hat is {parameters['r_hat'].max():.3f} at most, and the bulk effective "
        f"sample size {parameters['ess'].min():.0f} at least."
    )


def _misfit(about: Mapping[str, Any], targets: pd.DataFrame) -> str:
    p = about["misfit"]["posterior"]["p"]
    worst = targets.reindex(targets["pull_posterior"].abs().sort_values(ascending=False).index).iloc[0]
    words = (
        f"{p:.0%} of runs with parameters from the posterior are further from their middle than the figures"
    )
    if p < FAR or about["misfit"]["prior"]["p"] < FAR:
        return f"The model does not produce figures like these: {words}. The worst fit is {worst.label}."
    outside = targets[~targets["inside"].astype(bool)]
    if len(outside):
        lies = f"{listed(list(outside['label']))} {'lie' if len(outside) > 1 else 'lies'} outside"
        return f"The model produces figures like these but in part: {lies}. Taken together, {words}."
    return f"The model can produce figures like these: {words}. The worst fit is {worst.label}."


def contradiction_sentences(pairs: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return a sentence on pairs of targets that contradict each other; none without any."""
    every = [f"“{a}” and “{b}”" for a, b in pairs]
    if not every:
        return ()
    more = f" ({len(every) - NAMED} more)" if len(every) > NAMED else ""
    return (
        "Some targets contradict each other in this model: simulations of the prior agree with each, and "
        f"none with both of {listed(every[:NAMED])}{more}. Look at what each counts and when, or at what the "
        "model lacks.",
    )


def _failed(about: Mapping[str, Any]) -> tuple[str, ...]:
    if not about["failed"]:
        return ()
    share = about["failed"] / about["simulations"]
    words = (
        f"{about['failed']:,} of {about['simulations']:,} simulations failed ({share:.1%}) and are left out"
    )
    return (f"{words}; the posterior says nothing about parameters that make runs fail.",)


@dataclass(frozen=True, slots=True)
class Misfit:
    """How far out the figures lie.

    Attributes
    ----------
    distance : Mahalanobis distance of the figures from the simulations.
    typical : median distance of a simulation.
    p : share of simulations at least as far out as the figures (counting them as one).
    pulls : how far the figure lies from the middle of the simulations by each summary, in their own spread
    (d,).
    """

    distance: float
    typical: float
    p: float
    pulls: Array


def misfit(s: Array, observed: Array) -> Misfit:
    """Return how far out observed summaries (d,) lie among simulated ones (n, d)."""
    scale = scale_of(s)
    x, at = squash(scale(s)), squash(scale(observed))
    n, d = x.shape
    mean = x.mean(0)
    spread = np.cov(x, rowvar=False).reshape(d, d)
    # towards the diagonal, so that few simulations do not make needles of directions
    share = min(0.5, d / max(n, 1))
    spread = (1.0 - share) * spread + share * np.diag(np.diag(spread)) + 1e-9 * np.eye(d)
    inverse = np.linalg.inv(spread)
    away = np.einsum("ij,jk,ik->i", x - mean, inverse, x - mean)
    own = float((at - mean) @ inverse @ (at - mean))
    pulls = np.zeros(s.shape[1])
    pulls[scale.kept] = (at - mean) / np.sqrt(np.diag(spread))
    p = (1.0 + float((away >= own).sum())) / (n + 1.0)
    return Misfit(float(np.sqrt(own)), float(np.sqrt(np.median(away))), p, pulls)


ALLOWED = 0.01
"""Share of the prior's simulations that have to agree with a target for the prior to allow it."""
MET = 0.95
"""Share of the prior's simulations that agree with a target that is met by construction."""


def prior_check(targets: ObservedTargets, prior: Simulations, seed: int) -> str:
    """Return in lines which targets the prior allows, which it meets anyway, and each that it does not allow.

    Parameters
    ----------
    prior : simulations of the prior, and no others.
    seed : names the draws of what the simulations would have reported.
    """
    p = misfit(prior.summaries(targets, seed)[0], targets.observed).p
    every = [
        (one.target.label, one.figures[0], counts, int(one.agrees(counts).sum()))
        for one, counts in zip(targets.targets, (_finite(c[:, 0]) for c in prior.counts), strict=True)
    ]
    shares = [agreeing / max(counts.size, 1) for _, _, counts, agreeing in every]
    outside = [one for one, share in zip(every, shares, strict=True) if share < ALLOWED]
    least = int(np.argmin(shares))
    lines = [
        f"The prior allows {len(every) - len(outside)} of {len(every)} targets: at least {ALLOWED:.0%} of "
        f"{len(prior):,} simulations agree (least: {every[least][0]}, {shares[least]:.1%}); "
        f"over all targets, {p:.0%} of them are further from the middle than the figures."
    ]
    met = "; ".join(one[0] for one, share in zip(every, shares, strict=True) if share >= MET)
    if met:
        lines.append(f"At least {MET:.0%} of simulations meet, which is then no success: {met}.")
    for label, figure, counts, agreeing in outside:
        if not counts.size:
            lines.append(
                f"breakrank: no simulation of the prior gives a value for “{label}”; check the target."
            )
            continue
        low, middle, high = np.quantile(counts, MEDIAN_AND_ENDS).tolist()
        lines.append(
            f"breakrank: the prior does not allow “{label}”: {agreeing} of {counts.size:,} simulations "
            f"agree. The figure is {span(figure.low, figure.high)}; 90% of simulations give "
            f"{interval(low, high)}, and the median is {number(middle)}. "
            "Widen the priors, or check the target."
        )
    if outside:
        lines.append("  The calibration continues. Ctrl-C stops it and keeps what has finished.")
    return "\n".join(lines)


def target_row(target: ObservedTarget, prior: Array, posterior: Array) -> dict[str, Any]:
    """Return one row of the table of targets, of what is counted on its date under each (n,), (m,)."""
    wanted = target.target
    before, after = _finite(prior), _finite(posterior)
    low, high = target.figures[0].low, target.figures[0].high
    q0 = np.quantile(before, LEVELS) if before.size else np.full(5, math.nan)
    q1 = np.quantile(after, LEVELS) if after.size else np.full(5, math.nan)
    widths = [float(np.diff(target.scaled(q[[0, -1]]))[0]) for q in (q0, q1)]
    row: dict[str, Any] = {
        "label": wanted.label,
        "unit": wanted.unit,
        "date": str(wanted.date),
        "kind": _kind(target),
        "figure_low": low,
        "figure_high": high,
        "sources": len(target.figures),
    }
    for name, q in (("prior", q0), ("posterior", q1)):
        row |= {
            f"{name}_{part}": float(x)
            for part, x in zip(("q05", "q25", "median", "q75", "q95"), q, strict=True)
        }
    row["prior_agrees"] = float(target.agrees(before).mean()) if before.size else math.nan
    row["posterior_agrees"] = float(target.agrees(after).mean()) if after.size else math.nan
    row["inside"] = _inside_interval(target, q1, after)
    row["width_ratio"] = widths[1] / widths[0] if widths[0] > 0 else math.nan
    row["score"], row["prior_score"] = score(target, after), score(target, before)
    row["score_kind"] = "Brier" if _bound(target) else "CRPS"
    row["unanswered"] = int(len(posterior) - after.size)
    row["measure"] = find(wanted.measure).label
    return row


def score(target: ObservedTarget, counts: Array) -> float:
    """Return how far counts (n,) are from the figure, 0 at best.

    For a value or a range (its middle) the continuous ranked probability score on the scale of comparison
    (its fair estimator, since the prior has many more runs than the posterior), the mean over figures in
    conflict by their weight; for at most and at least the Brier score of the share of runs that comply.
    """
    if not counts.size:
        return math.nan
    if _bound(target):
        figure = target.figures[0]
        held = float(((counts >= figure.low) & (counts <= figure.high)).mean())
        return brier(held, True)
    y = target.scaled(counts)
    told = [(f.weight, float(np.mean(target.bounds(f)))) for f in target.figures]
    return float(sum(weight * crps(y, at) for weight, at in told))


def _inside_interval(target: ObservedTarget, q: Array, counts: Array) -> bool:
    """Return whether the 90% interval reaches what any source says, its own uncertainty left out.

    Yes or no is inside where at least a tenth of the runs agree: an interval of 0 and 1 says nothing.
    """
    if not counts.size:
        return False
    if target.scale == "plain":
        return bool(target.agrees(counts).mean() >= 0.1)
    return any(q[0] <= f.high and q[-1] >= f.low for f in target.figures)


def _bound(target: ObservedTarget) -> bool:
    return not all(math.isfinite(x) for f in target.figures for x in (f.low, f.high))


def _kind(target: ObservedTarget) -> str:
    for kind in ("value", "range", "at_most", "at_least"):
        if getattr(target.target, kind) is not None:
            return kind
    raise AssertionError("a target has one figure")


def _finite(x: Array) -> Array:
    return np.asarray(x[np.isfinite(x)])
