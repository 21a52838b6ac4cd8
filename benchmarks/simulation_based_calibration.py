"""Simulation-based calibration: whether the posterior of parameters is right on records of known truth.

``python -m benchmarks.simulation_based_calibration --store FOLDER`` simulates a case under parameters drawn
from the priors, on a small force. The report of some simulations, with the errors of the observed figures, is
taken in turn for the record. The emulator learns from all the others, chains sample its posterior, and the
true values are ranked among the draws. If inference is right, the ranks are uniform (Talts and others 2018).
They are judged by the simultaneous band of Säilynoja, Bürkner and Vehtari (2022). Only parameters that are
felt are ranked: the posterior of any other is its prior, whose ranks are uniform whatever inference does.

Random seeds are integrated out by the emulator; the particle filters have no part in this. All records share
their simulations, as those of one case do. The band takes ranks of one record for independent.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

import cyclopts
import numpy as np
from scipy.stats import binom

import breakrank
from benchmarks.report import markdown
from breakrank.inference.calibration import published_targets, work_on
from breakrank.inference.posterior import FELT, Effort, Emulator, felt, sample_posterior
from breakrank.inference.regression import Array
from breakrank.inference.simulations import Simulations, Work
from breakrank.runs.carry_out import Making

EFFORT = Effort(chains=8, draws=25, thin=10, burn=300)
"""How far chains go on each record: thinned until draws are all but independent, as ranks need them."""
LEVELS = (0.5, 0.9)
BAND = 0.99
"""Probability with which the whole of a uniform sample's distribution function lies in the band."""
POINTS = 100
"""Points at which that function is looked at."""
SAMPLES = 10_000
"""Uniform samples that give the band."""


def simulate(work: Work, number: int) -> Simulations:
    """Return so many simulations under draws of the priors."""
    z = work.free.drawn(work.seed, "wave 0", np.arange(number))
    return work.simulate(z, 0, "simulations of the prior")


def log_likelihood(emulator: Emulator, record: Array, at: Array, _: Array) -> Array:
    """Return the log-likelihood of a record at rows of parameters, whichever chains they are of."""
    return emulator.log_likelihood(at, record)


def ranks(work: Work, simulations: Simulations, records: int) -> Array:
    """Return where true values lie among draws of their posterior, 0 to 1 (records, p).

    Parameters
    ----------
    simulations : of the prior. records : how many of them are taken for the record, each left out in turn.
    """
    z, (s, _) = simulations.z, simulations.summaries(work.targets, work.seed)
    counts = simulations.counted(work.targets, work.seed)
    taken = (np.arange(records) * len(z)) // records
    jitter = np.random.default_rng(work.seed).random((records, z.shape[1]))
    found = np.empty_like(jitter)
    for row, k in enumerate(taken):
        others = np.arange(len(z)) != k
        emulator = Emulator.of(z[others], counts[others], work.targets.targets, s[k])
        likelihood = partial(log_likelihood, emulator, s[k])
        start = np.zeros((EFFORT.chains, z.shape[1]))
        draws = sample_posterior(likelihood, start, work.seed, f"record {k}", EFFORT).draws
        # a rank of whole numbers, spread evenly over its place
        found[row] = ((draws < z[k]).sum(axis=0) + jitter[row]) / (len(draws) + 1)
    return found


def least_p(places: Array) -> Array:
    """Return the least pointwise p-value of the distribution function of samples (samples, n): (samples,)."""
    n, at = places.shape[1], np.arange(1, POINTS) / POINTS
    below = np.stack([(places <= x).sum(axis=1) for x in at], axis=1)
    either = np.minimum(binom.cdf(below, n, at), binom.sf(below - 1, n, at))
    return np.asarray(2.0 * either.min(axis=1))


@cache
def lowest(n: int) -> float:
    """Return the least pointwise p-value that all but 1% of uniform samples of this size exceed."""
    rng = np.random.default_rng(n)
    parts = [least_p(rng.random((100, n))) for _ in range(SAMPLES // 100)]
    return float(np.quantile(np.concatenate(parts), 1.0 - BAND))


def inside_band(places: Array) -> bool:
    """Return whether the distribution function of places (n,) lies in the simultaneous band of a uniform one.

    The band is that of Säilynoja, Bürkner and Vehtari (2022), section 2.2, adjusted by simulation.
    """
    return bool(least_p(places[None])[0] >= lowest(places.size))


def coverage(places: Array, level: float) -> tuple[float, float]:
    """Return how often central intervals of a level hold the truth (n,), and its binomial standard error."""
    error = float(np.sqrt(level * (1 - level) / places.size))
    return float((np.abs(places - 0.5) <= level / 2).mean()), error


def report(names: Sequence[str], places: Array) -> str:
    """Return the table of each parameter, and of all together, for places (records, parameters)."""
    rows = [(name, places[:, k]) for k, name in enumerate(names)]
    rows.append(("all together", places.ravel()))
    table = []
    for name, mine in rows:
        cells = [f"{hit:.1%} ± {error:.1%}" for hit, error in (coverage(mine, level) for level in LEVELS)]
        table.append([name, str(mine.size), *cells, "yes" if inside_band(mine) else "no"])
    heads = ["parameter", "ranks", *(f"{level:.0%} intervals hold" for level in LEVELS)]
    return markdown([*heads, f"in the {BAND:.0%} band"], table)


def main(
    *,
    case: str = "venezuela-2019",
    store: Path | None = None,
    strength: int = 16_000,
    simulations: int = 600,
    records: int = 100,
    seed: int = 0,
    workers: int | None = None,
) -> int:
    """Print the table; return 1 if the ranks of all parameters together leave the band.

    Parameters
    ----------
    case : built-in case or a folder. store : keeps finished simulations. workers : processes that simulate.
    """
    small = breakrank.load_case(case, "point").set({"force.strength": strength})
    targets = published_targets(small, None)
    if targets is None:
        sys.exit(f"{small.id} has no targets")
    work = work_on(small, targets, small.calendar.end, seed, store, Making(workers=workers).carry)
    made = simulate(work, simulations)
    chosen = np.flatnonzero(felt(work, made) < FELT)
    if not len(chosen):
        sys.exit(f"no parameter of {small.id} is felt by figures of this kind")
    places = ranks(work, made, min(records, len(made)))[:, chosen]
    sys.stdout.write(report([work.free.names[k] for k in chosen], places) + "\n")
    return 0 if inside_band(places.ravel()) else 1


if __name__ == "__main__":
    cyclopts.run(main)
