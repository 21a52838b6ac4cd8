"""The posterior of a case's parameters, random numbers integrated out: waves of simulations, chains.

The first wave is drawn from the prior. Each later one is drawn from the posterior that the waves before it
give, so that the emulator is learned where the observed figures are (history matching in waves: Craig,
Goldstein, Seheult and Smith 1997).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from breakrank.case.free_parameters import purpose
from breakrank.draws import luck_key, uniform_each
from breakrank.errors import BreakrankError
from breakrank.inference.emulator import Emulator
from breakrank.inference.regression import Array
from breakrank.inference.sampler import USUAL, Chains, Effort, sample_posterior
from breakrank.inference.simulations import Simulations, Work

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
    effort : how far the last chains go, by default :data:`~breakrank.inference.sampler.USUAL`.
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
