"""Prior predictive check: whether the prior allows the observed figures, and what else it allows.

It comes first: what the prior does not produce is not found by looking closer, and what a later wave would
cost is better spent on the priors. The misfit is the Mahalanobis distance of the figures, whose summaries are
0, from those of the simulations. The share of simulations that lie further out is the p-value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from breakrank.inference.observed import ObservedTarget, ObservedTargets, fill_gaps
from breakrank.inference.regression import Array, ranks, scale_of, squash
from breakrank.inference.simulations import Simulations
from breakrank.results.quantiles import MEDIAN_AND_ENDS
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
    """Return what the prior makes of observed figures.

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
