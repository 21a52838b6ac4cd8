"""The posterior of a case's parameters, random numbers integrated out: waves of simulations, chains.

The first wave is drawn from the prior. Each later one is drawn from the posterior that the waves before it
give, so that the emulator is learned where the observed figures are (history matching in waves: Craig,
Goldstein, Seheult and Smith 1997).

Elliptical slice sampling of a posterior whose prior is standard normal.

Murray, Adams and MacKay (2010): a step draws a second point of the prior, and goes on an ellipse through
both to a point of the slice. It has no step size to tune. All chains move together, one row each. Once they
are warm, the ellipse is drawn from a normal fit to them in place of the prior (Nishihara, Murray and Adams
2014), which mixes where the posterior is much narrower.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.case.free_parameters import purpose
from breakrank.case.prior import normal_quantiles
from breakrank.draws import luck_key, uniform_each
from breakrank.errors import BreakrankError
from breakrank.inference.emulator import Emulator
from breakrank.inference.regression import Numbers
from breakrank.inference.reported import Array
from breakrank.inference.simulations import Simulations, Work

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
    work: Work,
    sizes: tuple[int, ...],
    effort: Effort | None = None,
    tell: Callable[[Simulations], None] | None = None,
) -> Fitted:
    """Return the posterior of the parameters of a case, random numbers integrated out.

    Parameters
    ----------
    work : how the case is simulated. sizes : simulations of each wave.
    effort : how far the last chains go, by default :data:`~breakrank.inference.posterior.USUAL`.
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
    return Fitted(whole, tuple(finished), *_sample(work, whole, "posterior", effort or USUAL))


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
