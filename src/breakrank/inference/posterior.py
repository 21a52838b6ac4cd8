"""The posterior of a case's parameters, random numbers integrated out: waves of simulations, chains.

The first wave is drawn from the prior. Each later one is drawn from the posterior that the waves before it
give, so that the emulator is learned where the observed figures are (history matching in waves: Craig,
Goldstein, Seheult and Smith 1997).

Elliptical slice sampling of a posterior whose prior is standard normal.

Murray, Adams and MacKay (2010): a step draws a second point of the prior, and goes on an ellipse through
both to a point of the slice. It has no step size to tune. All chains move together, one row each. Once they
are warm, the ellipse is drawn from a normal fit to them in place of the prior (Nishihara, Murray and Adams
2014), which mixes where the posterior is much narrower.

An emulator of what a case's targets count: mean and covariance as a function of the parameters.

A quadratic regression on the parameters, and a Gaussian process of what it leaves, give the expectation of
each count on the scale of its target (Kennedy and O'Hagan 2001). The rest is how runs under one vector of
parameters scatter, and what the emulator does not know. Integrated over that scatter, the
likelihood of the observed figures is a *synthetic likelihood* (Wood 2010), which costs nothing to evaluate.
The regression is local: simulations whose expected counts are near the observed figures count most. What the
regression itself does not know widens the likelihood (as in history matching: Craig, Goldstein, Seheult and
Smith 1997; Vernon and others 2010), alike at all parameters: where simulations are few is no evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.case.ensemble import purpose
from breakrank.case.prior import normal_quantiles
from breakrank.draws import luck_key, uniform_each
from breakrank.errors import BreakrankError
from breakrank.inference.observed import Figure, ObservedTarget, likelihood, report_error
from breakrank.inference.regression import (
    Array,
    Numbers,
    Ridge,
    Scale,
    Smoother,
    effective,
    epanechnikov,
    scale_of,
)
from breakrank.inference.simulations import Simulations, Work

LEADING = 6
"""Directions of the parameters, those that act most, of which squares and products are features."""
ALWAYS_ALIKE = 0.98
"""Share of simulations with the very same count, from which a target is left out: it can tell nothing."""
FARTHEST = 4.0
"""Robust standard deviations from the median at which counts are cut: outliers carry no regression."""
NEAR = 0.6
"""Share of the simulations, as an effective number, that the local regression rests on at least.

On a toy with a known posterior, 0.55 and 0.7 leave its mean within a tenth of a standard deviation; 0.4 and
less shrink the slopes, and 0.85 takes in what is curved.
"""
ROWS_A_FEATURE = 3.0
"""Simulations for each feature that it rests on at least, where there are so many."""
SMOOTHED = 1_200
"""Simulations nearest to the observed figures of which the Gaussian process consists, at most: it takes the
cube of their number."""


@dataclass(frozen=True)
class Features:
    """Features of a regression that is linear in all parameters, and quadratic in the leading directions.

    Attributes
    ----------
    axes : orthonormal directions of which squares and products are taken (p, k).
    """

    axes: Array

    def __call__(self, z: Array) -> Array:
        """Return features (n, p + k (k + 1) / 2) of parameters in z-space (n, p)."""
        along = z @ self.axes
        one, other = np.triu_indices(along.shape[1])
        return np.concatenate([z, along[:, one] * along[:, other]], axis=1)


@dataclass(frozen=True)
class Emulator:
    """Expected counts, and how they scatter.

    Attributes
    ----------
    features : of the parameters. fit : the regression of scaled counts on them. scale : of the counts.
    smoother : of what the regression leaves.
    targets : those that vary (d'). covariance : of their counts under one vector of parameters (d', d').
    explained : share of the variance of each that the regression explains, on simulations that it has not
        seen (d',).
    rows : effective number of simulations that it rests on.
    """

    features: Features
    fit: Ridge
    smoother: Smoother
    scale: Scale
    targets: tuple[ObservedTarget, ...]
    covariance: Array
    explained: Array
    rows: float

    @classmethod
    def of(cls, z: Array, counts: Array, targets: Sequence[ObservedTarget], shift: Array) -> Emulator:
        """Return the emulator that simulations teach, most exact near the observed figures.

        Parameters
        ----------
        z : parameters of each simulation, standard normal over the prior (n, p).
        counts : of each, on the targets' scales, without gaps (n, d).
        targets : with the observed figures. shift : of these, 0 for the record (d,).
        """
        whole = cls._fitted(z, counts, targets, np.ones(len(z)))
        away = whole.distance(z, shift)
        features = whole.features(z[:1]).shape[1]
        wanted = min(len(z), int(max(NEAR * len(z), ROWS_A_FEATURE * features)))
        return cls._fitted(z, counts, targets, epanechnikov(away, wanted))

    @classmethod
    def _fitted(cls, z: Array, counts: Array, targets: Sequence[ObservedTarget], weights: Array) -> Emulator:
        here = weights > 0
        z, weights = z[here], weights[here] * (here.sum() / weights[here].sum())
        scale = scale_of(counts[here], ALWAYS_ALIKE)
        y = np.clip(scale(counts[here]), -FARTHEST, FARTHEST)
        linear = Ridge.of(z, y, weights)
        axes, values, _ = np.linalg.svd(linear.coefficients, full_matrices=False)
        features = Features(axes[:, : min(LEADING, int((values > 1e-9).sum()))])
        x = features(z)
        fit = Ridge.of(x, y, weights)
        residuals = fit.left_out(x, y, weights)
        acts = np.abs(linear.coefficients).max(axis=1)
        nearest = np.argsort(-weights, kind="stable")[:SMOOTHED]
        smoother, left = Smoother.of(z[nearest], residuals[nearest], acts / max(float(acts.max()), 1e-12))
        residuals[nearest] = left
        rows = effective(weights)
        spread = (weights * residuals.T) @ residuals / weights.sum()
        share = min(0.5, y.shape[1] / rows)
        spread = (1.0 - share) * spread + share * np.diag(np.diag(spread))
        spread = (1.0 + float(weights @ fit.leverage(x) / weights.sum())) * spread
        spread += np.diag(np.full(len(spread), 1e-6))
        middle = weights @ y / weights.sum()
        variance = weights @ (y - middle) ** 2 / weights.sum()
        explained = 1.0 - np.diag(spread) / np.maximum(variance, 1e-12)
        units = scale.spread[scale.kept]
        vary = tuple(targets[k] for k in scale.kept)
        return cls(features, fit, smoother, scale, vary, units[:, None] * spread * units, explained, rows)

    def expected(self, z: Array) -> Array:
        """Return the expected counts under parameters in z-space (n, p), on the targets' scales (n, d')."""
        kept = self.scale.kept
        y = self.fit(self.features(z)) + self.smoother(z)
        return np.asarray(y * self.scale.spread[kept] + self.scale.middle[kept])

    def distance(self, z: Array, shift: Array) -> Array:
        """Return how far expected counts lie from observed figures, in standard deviations of a run (n,)."""
        away = np.zeros((len(z), len(self.targets)))
        for k, (target, y) in enumerate(zip(self.targets, self.expected(z).T, strict=True)):
            move = shift[..., self.scale.kept[k]]
            away[:, k] = np.min([_beyond(target, one, y, move) for one in target.figures], axis=0)
        return np.asarray(np.sqrt((away**2 / np.diag(self.covariance)).mean(axis=1)))

    def log_likelihood(self, z: Array, shift: Array) -> Array:
        """Return the logarithm of the synthetic likelihood of observed figures, up to a constant (n,).

        Figures that are values have a joint normal density. Bounds, ranges, yes or no, and figures in
        conflict have their own likelihood given these, each for itself.

        Parameters
        ----------
        z : parameters (n, p). shift : of the figures, one row for all (d,) or a row for each (n, d).
        """
        expected = self.expected(z)
        shift = np.broadcast_to(shift[..., self.scale.kept], expected.shape)
        away = self._values + shift[:, self._valued] - expected[:, self._valued]
        standard = np.linalg.solve(self._root, away.T)
        log = -0.5 * (standard * standard).sum(axis=0)
        given = expected[:, self._others] + away @ self._gain.T
        for k, j in enumerate(self._others):
            y = np.clip(given[:, k], 0.0, 1.0) if self.targets[j].scale == "plain" else given[:, k]
            log += np.log(likelihood(self.targets[j], y, self._scatter[k], shift[:, j]))
        return np.asarray(log)

    @cached_property
    def _valued(self) -> Numbers:
        """Positions of targets whose figure is one value."""
        return np.flatnonzero([_is_value(target) for target in self.targets])

    @cached_property
    def _others(self) -> Numbers:
        return np.flatnonzero([not _is_value(target) for target in self.targets])

    @cached_property
    def _values(self) -> Array:
        return np.array([self.targets[k].bounds(self.targets[k].figures[0])[0] for k in self._valued])

    @cached_property
    def _reported(self) -> Array:
        """Covariance of reports of the values, errors of the figures included."""
        errors = [report_error(self.targets[k], self.targets[k].figures[0]) for k in self._valued]
        return np.asarray(self.covariance[np.ix_(self._valued, self._valued)] + np.diag(np.square(errors)))

    @cached_property
    def _root(self) -> Array:
        return np.asarray(np.linalg.cholesky(self._reported))

    @cached_property
    def _gain(self) -> Array:
        """Regression of the others' counts on reports of the values."""
        both = self.covariance[np.ix_(self._valued, self._others)]
        return np.asarray(np.linalg.solve(self._reported, both).T)

    @cached_property
    def _scatter(self) -> list[float]:
        """Standard deviation of the others' counts, given reports of the values."""
        both = self.covariance[np.ix_(self._others, self._valued)]
        left = np.diag(self.covariance)[self._others] - (self._gain * both).sum(axis=1)
        return [float(x) for x in np.sqrt(np.maximum(left, 1e-12))]


def _is_value(target: ObservedTarget) -> bool:
    first = target.figures[0]
    return target.scale != "plain" and len(target.figures) == 1 and first.low == first.high


def _beyond(target: ObservedTarget, figure: Figure, y: Array, shift: Array) -> Array:
    """Return how far counts (n,) lie beyond the ends of a figure, moved by a shift."""
    low, high = target.bounds(figure)
    return np.asarray(
        y - np.clip(y, np.where(shift > 0, high, low) + shift, np.where(shift < 0, low, high) + shift)
    )


LogLikelihood = Callable[[Array, Numbers], Array]
"""Log-likelihoods (n,) of parameters in z-space (n, p), each of the chain of this number (n,)."""


class Chains(NamedTuple):
    """Chains of a sampler: parameters ``z`` (chains, draws, p) and ``log_likelihood`` (chains, draws).

    Both are rounded to :data:`DIGITS`.
    """

    z: Array
    log_likelihood: Array

    @property
    def draws(self) -> Array:
        """All draws, chain after chain (chains x draws, p)."""
        return self.z.reshape(-1, self.z.shape[-1])


class Effort(NamedTuple):
    """How far chains go.

    Attributes
    ----------
    chains : number of them. draws : kept of each, one in ``thin`` steps, after ``burn`` steps.
    adapt : whether the ellipse is fitted to all chains, half-way through these.
    """

    chains: int = 8
    draws: int = 250
    thin: int = 8
    burn: int = 1000
    adapt: bool = True


USUAL = Effort()
"""Of a posterior that is kept."""
SHRINKS = 60
"""Times that a slice is narrowed at most; then the angle is down to some 1e-18."""
DIGITS = 4
"""Digits after the point to which draws are kept. Linear algebra differs in the last bits between machines
and numbers of threads; draws of it do not."""
WIDER = 1.2
"""Standard deviations of the normal fit are taken so many times as wide."""


class Ellipse(NamedTuple):
    """A normal distribution that ellipses are drawn from: ``mean`` (p,), ``root`` of a covariance (p, p)."""

    mean: Array
    root: Array

    @classmethod
    def fitted(cls, z: Array) -> Ellipse:
        """Return the fit to draws (n, p), drawn towards the prior where they are few."""
        n, p = z.shape
        share = min(0.9, p / n + 0.05)
        spread = (1.0 - share) * np.cov(z, rowvar=False).reshape(p, p) + share * np.eye(p)
        return cls((1.0 - share) * z.mean(axis=0), WIDER * np.linalg.cholesky(spread))

    def log_ratio(self, z: Array) -> Array:
        """Return the logarithm of the prior's density over this one's (n,), up to a constant."""
        solved = np.linalg.solve(self.root, (z - self.mean).T)
        return np.asarray(0.5 * (solved * solved).sum(axis=0) - 0.5 * (z * z).sum(axis=1))


def sample_posterior(
    log_likelihood: LogLikelihood, start: Array, seed: int, what: str, effort: Effort = USUAL
) -> Chains:
    """Return chains of the posterior of a log-likelihood under a standard normal prior.

    Parameters
    ----------
    log_likelihood : of rows of parameters, each for a chain.
    start : first points (chains, p). seed, what : name the random numbers.
    effort : how far they go.
    """
    key, p = luck_key(seed, f"chains {what}"), start.shape[1]
    ellipse = Ellipse(np.zeros(p), np.eye(p))
    z, here = start, log_likelihood(start, np.arange(len(start)))
    warm: list[Array] = []
    kept, logs = [], []
    for step in range(effort.burn + effort.thin * effort.draws):
        if effort.adapt and step == effort.burn // 2:
            ellipse = Ellipse.fitted(np.concatenate(warm[len(warm) // 2 :]))
        z, here = _step(log_likelihood, ellipse, z, here, key, step)
        if step < effort.burn // 2:
            warm.append(z)
        if step >= effort.burn and (step - effort.burn) % effort.thin == effort.thin - 1:
            kept.append(z)
            logs.append(here)
    return Chains(np.stack(kept, axis=1).round(DIGITS), np.stack(logs, axis=1).round(DIGITS))


def _step(
    log_likelihood: LogLikelihood, ellipse: Ellipse, z: Array, here: Array, key: np.uint64, step: int
) -> tuple[Array, Array]:
    """Return all chains after a step (chains, p), and their log-likelihood, known before it (chains,)."""
    chains, p = z.shape
    who, one = np.arange(chains * p, dtype=np.uint32), np.arange(chains, dtype=np.uint32)
    centred = z - ellipse.mean
    other = normal_quantiles(_uniform(key, "point", who, step)).reshape(chains, p) @ ellipse.root.T
    moving = np.arange(chains)
    level = here + ellipse.log_ratio(z) + np.log(_uniform(key, "level", one, step))
    angle = 2.0 * np.pi * _uniform(key, "angle", one, step)
    low, high = angle - 2.0 * np.pi, angle.copy()
    z, here = z.copy(), here.copy()
    for shrink in range(SHRINKS):
        turn = angle[moving, None]
        there = ellipse.mean + centred[moving] * np.cos(turn) + other[moving] * np.sin(turn)
        found = log_likelihood(there, moving)
        taken = found + ellipse.log_ratio(there) > level[moving]
        z[moving[taken]], here[moving[taken]] = there[taken], found[taken]
        moving = moving[~taken]
        if not len(moving):
            break
        low[moving] = np.where(angle[moving] < 0, angle[moving], low[moving])
        high[moving] = np.where(angle[moving] >= 0, angle[moving], high[moving])
        u = _uniform(key, f"shrink {shrink}", moving.astype(np.uint32), step)
        angle[moving] = low[moving] + u * (high[moving] - low[moving])
    return z, here


def _uniform(key: np.uint64, what: str, who: NDArray[np.uint32], step: int) -> Array:
    return uniform_each(key, purpose(what), who, np.full(len(who), step, np.int64))


PRIOR_SHARE = 0.5
"""Share of the simulations that is drawn from the prior, where there are more waves than one."""
TEMPERED = 0.5
"""Power of the likelihood in the waves before the last: they look around where the last looks closely."""
DEFENSIVE = 0.1
"""Share of a later wave that is drawn from the prior, so that a wrong emulator can be seen to be wrong."""
FEWEST = 50
"""Simulations to learn from, at least."""
BETWEEN = Effort(chains=20, draws=40, thin=5, burn=200)
"""How far chains go between waves."""
FELT = 0.8
"""Posterior over prior standard deviation, on synthetic figures, below which a parameter is felt."""
SYNTHETIC = 32
"""Simulations of the prior whose own report is taken for the observed figures to decide that."""
OF_SYNTHETIC = Effort(chains=SYNTHETIC, draws=200, thin=3, burn=200, adapt=False)
"""How far chains go on these, one on each."""


BRIDGED = 50
"""Iterations of a bridge; a dozen settle it."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A posterior and what it rests on.

    Attributes
    ----------
    simulations : of all waves. waves : number of simulations that finished in each.
    emulator : of the last wave. chains : of the posterior.
    """

    simulations: Simulations
    waves: tuple[int, ...]
    emulator: Emulator
    chains: Chains

    @property
    def prior(self) -> Simulations:
        """The simulations of the prior."""
        return self.simulations.first(self.waves[0])

    def spread(self, number: int) -> NDArray[np.int64]:
        """Return positions of `number` draws, spread evenly over all chains (number,)."""
        every = self.chains.log_likelihood.size
        return np.asarray((np.arange(number) * every) // number, np.int64)


def wave_sizes(simulations: int, waves: int) -> tuple[int, ...]:
    """Return how many simulations each wave has.

    >>> wave_sizes(1200, 3), wave_sizes(500, 1)
    ((600, 300, 300), (500,))
    """
    if waves == 1:
        return (simulations,)
    first = round(PRIOR_SHARE * simulations)
    later = np.diff(np.linspace(first, simulations, waves).round()).astype(int)
    return (first, *(int(n) for n in later))


def fit_posterior(
    work: Work, sizes: tuple[int, ...], tell: Callable[[Simulations], None] | None = None
) -> Fitted:
    """Return the posterior of the parameters of a case, random numbers integrated out.

    Parameters
    ----------
    work : how the case is simulated. sizes : simulations of each wave.
    tell : called with the simulations of the prior before anything is fitted.

    Raises
    ------
    BreakrankError
        if too few simulations finished.
    KeyboardInterrupt
        where the work was stopped; finished simulations are kept.
    """
    z = work.free.drawn(work.seed, "wave 0", np.arange(sizes[0]))
    whole = work.simulate(z, 0, f"simulations of the prior until {work.until}")
    if len(whole) < FEWEST:
        first = f"; the first says: {whole.reasons[0]}" if whole.reasons else ""
        raise BreakrankError(
            f"{len(whole)} simulations finished, and at least {FEWEST} are needed to learn from{first}"
        )
    if tell is not None:
        tell(whole)
    finished = [len(whole)]
    for number, size in enumerate(sizes[1:], 1):
        power = 1.0 if number == len(sizes) - 1 else TEMPERED
        z = work.remember(_propose(work, whole, size, number, power), number, *sizes[:number])
        what = f"simulations near the observed figures, wave {number + 1} of {len(sizes)}"
        wave = work.simulate(z, sum(sizes[:number]), what)
        whole, finished = whole + wave, [*finished, len(wave)]
    return Fitted(whole, tuple(finished), *_sample(work, whole, "posterior", USUAL))


def _sample(
    work: Work, simulations: Simulations, what: str, effort: Effort, power: float = 1.0
) -> tuple[Emulator, Chains]:
    """Return the emulator that simulations teach, and chains under its likelihood raised to a power."""
    observed = work.targets.observed
    counts = simulations.counted(work.targets, work.seed)
    emulator = Emulator.of(simulations.z, counts, work.targets.targets, observed)
    start = np.zeros((effort.chains, len(work.free)))
    return emulator, sample_posterior(
        lambda z, _: power * emulator.log_likelihood(z, observed), start, work.seed, what, effort
    )


def _propose(work: Work, simulations: Simulations, size: int, number: int, power: float) -> Array:
    """Return parameters of a wave (size, p): of the posterior so far, and some of the prior."""
    what = f"wave {number}"
    _, chains = _sample(work, simulations, what, BETWEEN, power)
    near = chains.draws[(np.arange(size) * len(chains.draws)) // size]
    key, who = luck_key(work.seed, f"calibrate.{what}"), np.arange(size, dtype=np.uint32)
    defensive = uniform_each(key, purpose("from the prior"), who, np.zeros(size, np.int64)) < DEFENSIVE
    return np.where(defensive[:, None], work.free.drawn(work.seed, what, np.arange(size)), near)


def log_normaliser(prior: Array, posterior: Array) -> float:
    """Return the logarithm of a likelihood's mean under the prior, to :data:`DIGITS`.

    A bridge between both finds it (Meng and Wong 1996), as the mean over the prior alone hangs on few draws.

    Parameters
    ----------
    prior, posterior : log-likelihoods of draws of the prior (n,) and of the posterior (m,).
    """
    top = max(float(prior.max()), float(posterior.max()))
    under_prior, under_posterior = np.exp(prior - top), np.exp(posterior - top)
    share = len(posterior) / (len(prior) + len(posterior))
    found = float(under_prior.mean())
    for _ in range(BRIDGED):
        over = (under_prior / (share * under_prior + (1.0 - share) * found)).mean()
        found = float(over / (1.0 / (share * under_posterior + (1.0 - share) * found)).mean())
    return round(float(np.log(found)) + top, DIGITS)


def felt(work: Work, prior: Simulations) -> Array:
    """Return posterior over prior standard deviation of each parameter on synthetic figures (p,).

    Each of some simulations of the prior is taken for the truth and its report for the observed figures; the
    real ones are not used. Below :data:`FELT`, figures of this kind can tell of the parameter.
    """
    s, _ = prior.summaries(work.targets, work.seed)
    counts = prior.counted(work.targets, work.seed)
    emulator = Emulator.of(prior.z, counts, work.targets.targets, np.median(s, axis=0))
    taken = (np.arange(SYNTHETIC) * len(prior)) // SYNTHETIC
    observed = s[taken]
    chains = sample_posterior(
        lambda z, which: emulator.log_likelihood(z, observed[which]),
        prior.z[taken],
        work.seed,
        "synthetic",
        OF_SYNTHETIC,
    )
    return np.asarray(np.sqrt(chains.z.var(axis=1, ddof=1).mean(axis=0)))
