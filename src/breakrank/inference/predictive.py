"""Posterior predictive check: what runs count under the posterior, beside the observed figures and the prior.

Each draw of the posterior is run twice with other random numbers, so that the spread of an outcome splits
into what is not known of the parameters and chance.

Prior predictive check: whether the prior allows the observed figures, and what else it allows.

It comes first: what the prior does not produce is not found by looking closer, and what a later wave would
cost is better spent on the priors. The misfit is the Mahalanobis distance of the figures, whose summaries are
0, from those of the simulations. The share of simulations that lie further out is the p-value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from breakrank.inference.observed import ObservedTarget, ObservedTargets, fill_gaps
from breakrank.inference.regression import ranks, scale_of, squash
from breakrank.inference.reported import Array
from breakrank.inference.simulations import Simulations
from breakrank.results.measures import find
from breakrank.results.uncertainty import LEVELS, MEDIAN_AND_ENDS, brier, crps
from breakrank.show.words import interval, number, span


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
    x, at = squash(scale(s), 5.0), squash(scale(observed), 5.0)
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
WIDEST = 3
"""Targets that are named with what else the prior allows."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the prior makes of one target.

    Attributes
    ----------
    id, label : of the target.
    low, high : of the figure, alike for one figure; infinite where it sets no end.
    q05, median, q95 : of the simulations; not a number where none has an answer.
    answered, agreeing : simulations with an answer, and those within its own uncertainty.
    width : of the 90% interval on a logarithmic scale; 0 for what is not counted on one, or only bounded.
    """

    id: str
    label: str
    low: float
    high: float
    q05: float
    median: float
    q95: float
    answered: int
    agreeing: int
    width: float

    @property
    def share(self) -> float:
        """Share of the simulations with an answer that agree, 0 to 1."""
        return self.agreeing / self.answered if self.answered else 0.0

    @property
    def allowed(self) -> bool:
        """Whether enough simulations agree (:data:`ALLOWED`)."""
        return self.share >= ALLOWED


@dataclass(frozen=True, slots=True)
class PriorCheck:
    """What the prior makes of the figures, target by target.

    Attributes
    ----------
    simulations : of the prior that finished.
    targets : in the order of the case.
    p : share of them at least as far out as the figures, all targets together.
    independent : of as how many independent figures they vary, see :func:`independent`.
    """

    simulations: int
    targets: tuple[Allowed, ...]
    p: float
    independent: float

    @property
    def outside(self) -> tuple[Allowed, ...]:
        """The targets that the prior does not allow."""
        return tuple(t for t in self.targets if not t.allowed)

    def __str__(self) -> str:
        lines = [*self.told(), *(f"breakrank: {line}" for line in self.warnings())]
        if self.outside:
            lines.append("  The calibration continues. Ctrl-C stops it and keeps what has finished.")
        return "\n".join(lines)

    def told(self) -> Iterator[str]:
        """Yield in sentences which targets the prior allows, and what else it allows."""
        least = min(self.targets, key=lambda t: t.share)
        count = len(self.targets)
        yield (
            f"The prior allows {count - len(self.outside)} of {count} targets: at least {ALLOWED:.0%} of "
            f"{self.simulations:,} simulations agree (least: {least.label}, {least.share:.1%}); "
            f"over all targets, {self.p:.0%} of them are further from the middle than the figures."
        )
        wide = sorted((t for t in self.targets if t.width > 0), key=lambda t: -t.width)[:WIDEST]
        if wide:
            some = "; ".join(
                f"{interval(t.q05, t.q95)} where {span(t.low, t.high)} ({t.label})" for t in wide
            )
            yield f"What else it allows, 90% of simulations: {some}."
        met = "; ".join(t.label for t in self.targets if t.share >= MET)
        yield (
            f"These {count} targets vary like {self.independent:.1f} independent ones (by their rank "
            "correlations)."
            + (f" At least {MET:.0%} of simulations meet, which is then no success: {met}." if met else "")
        )

    def warnings(self) -> Iterator[str]:
        """Yield a sentence for each target that the prior does not allow."""
        for t in self.outside:
            if not t.answered:
                yield f"no simulation of the prior gives a value for “{t.label}”; check the target."
                continue
            yield (
                f"the prior does not allow “{t.label}”: {t.agreeing} of {t.answered:,} simulations agree. "
                f"The figure is {span(t.low, t.high)}; 90% of simulations give "
                f"{interval(t.q05, t.q95)}, and the median is {number(t.median)}. "
                "Widen the priors, or check the target."
            )


def prior_check(targets: ObservedTargets, prior: Simulations, seed: int) -> PriorCheck:
    """Return the prior predictive check of the observed figures.

    Parameters
    ----------
    prior : simulations of the prior, and no others.
    seed : names the draws of what the simulations would have reported.
    """
    summaries, _ = prior.summaries(targets, seed)
    return PriorCheck(
        len(prior),
        tuple(_allowed(one, counts[:, 0]) for one, counts in zip(targets.targets, prior.counts, strict=True)),
        misfit(summaries, targets.observed).p,
        independent(fill_gaps(np.stack([c[:, 0] for c in prior.counts], axis=1))[0]),
    )


def independent(counts: Array) -> float:
    r"""Return how many independent figures have the variety of these (n, targets), 1 to their number.

    The participation ratio of their rank correlations, :math:`d^2 / \sum_{ij} r_{ij}^2`: as many as there are
    if none goes with another, 1 if all rise and fall together. What never varies counts for nothing.
    """
    varied = counts[:, np.ptp(counts, axis=0) > 0]
    if not varied.size:
        return 0.0
    every = np.stack([ranks(column) for column in varied.T])
    correlations = np.atleast_2d(np.corrcoef(every))
    return float(len(every) ** 2 / (correlations**2).sum())


def _allowed(target: ObservedTarget, counts: Array) -> Allowed:
    told = counts[np.isfinite(counts)]
    low, high = target.figures[0].low, target.figures[0].high
    q = np.quantile(told, MEDIAN_AND_ENDS) if told.size else np.full(3, np.nan)
    wide = target.scale == "log" and told.size > 0 and np.isfinite(low) and np.isfinite(high)
    return Allowed(
        target.id,
        target.target.label,
        low,
        high,
        float(q[0]),
        float(q[1]),
        float(q[2]),
        int(told.size),
        int(target.agrees(told).sum()),
        float(np.diff(target.scaled(q[[0, 2]]))[0]) if wide else 0.0,
    )


def target_row(
    target: ObservedTarget, prior: Array, posterior: Array, pairs: Sequence[tuple[int, int]]
) -> dict[str, Any]:
    """Return one row of the table of targets.

    Parameters
    ----------
    prior, posterior : what is counted on the target's date under each (n,), (m,).
    pairs : positions in `posterior` of two runs under one draw.
    """
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
    row |= _places(target, q0, q1, low, high)
    row["prior_agrees"] = float(target.agrees(before).mean()) if before.size else math.nan
    row["posterior_agrees"] = float(target.agrees(after).mean()) if after.size else math.nan
    row["inside"] = _inside_interval(target, q1, after)
    row["width_ratio"] = widths[1] / widths[0] if widths[0] > 0 else math.nan
    row["score"], row["prior_score"] = score(target, after), score(target, before)
    row["score_kind"] = "Brier" if _bound(target) else "CRPS"
    row["chance_share"] = chance_share(target, posterior, pairs)
    row["unanswered"] = int(len(posterior) - after.size)
    row["measure"] = find(wanted.measure).label
    return row


def _places(
    target: ObservedTarget, prior: Array, posterior: Array, low: float, high: float
) -> dict[str, float]:
    """Return where things lie on one scale for all: -1 and 1 are the ends of the prior's 90% interval."""
    ends = target.scaled(prior[[0, -1]])
    half = float(ends[1] - ends[0]) / 2.0
    told = {"figure_low": low, "figure_high": high, "prior_median": prior[2]}
    told |= {f"posterior_{n}": x for n, x in zip(("q05", "median", "q95"), posterior[[0, 2, 4]], strict=True)}
    out = {}
    for name, x in told.items():
        if not math.isfinite(x) or not half > 0:
            out[f"at_{name}"] = float(x) if half > 0 else math.nan
        else:
            out[f"at_{name}"] = (float(target.scaled(np.array(x))) - float(ends[0])) / half - 1.0
    return out


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


def chance_share(target: ObservedTarget, counts: Array, pairs: Sequence[tuple[int, int]]) -> float:
    """Return the share of the variance of counts, on the scale, that runs under one draw still have."""
    if len(pairs) < 2:
        return math.nan
    y = target.scaled(counts)
    a, b = (y[[p[k] for p in pairs]] for k in (0, 1))
    known = np.isfinite(a) & np.isfinite(b)
    if known.sum() < 2:
        return math.nan
    within = float(np.mean((a[known] - b[known]) ** 2)) / 2.0
    whole = float(np.var(np.concatenate([a[known], b[known]])))
    return min(1.0, within / whole) if whole > 0 else math.nan


def summary(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """Return how many targets lie inside, and how much better scores became."""
    inside = [bool(r["inside"]) for r in rows.values()]
    crps_ = [(r["score"], r["prior_score"]) for r in rows.values() if r["score_kind"] == "CRPS"]
    told = [(a, b) for a, b in crps_ if math.isfinite(a) and math.isfinite(b)]
    return {
        "targets": len(inside),
        "inside": sum(inside),
        "crps": float(np.mean([a for a, _ in told])) if told else math.nan,
        "prior_crps": float(np.mean([b for _, b in told])) if told else math.nan,
    }


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
