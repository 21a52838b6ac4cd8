"""Everything a calibration found, as arrays."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.case.prior import normal_quantiles
from breakrank.draws import decision, luck_key, uniform_each
from breakrank.errors import UsageError
from breakrank.questions.calibrate.methods import Method
from breakrank.questions.calibrate.regression import Array, effective
from breakrank.runs.whole_number import whole_number

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.free_parameters import Free
    from breakrank.questions.calibrate.bank import Bank
    from breakrank.questions.calibrate.methods import AbcPosterior, LinearPosterior, Weighted
    from breakrank.questions.calibrate.prior_check import Misfit
    from breakrank.questions.calibrate.record import TargetRecord

LEVEL = 0.05
"""Level of all tests, over all parameters tested together (Holm 1979)."""


@dataclass(frozen=True)
class Checks:
    """What became of worlds whose truth is known.

    Attributes
    ----------
    worlds : positions in the bank of the simulations held out (w,).
    ranks : posterior probability below the truth (w, p), uniform if all is well.
    truth, mean, sd : in z-space (w, p).
    joint : posterior probability of lying nearer than the truth to a random point (w,), uniform if all is
        well.
    bank : effective number of simulations that the posteriors were made of.
    """

    worlds: NDArray[np.int64]
    ranks: Array
    truth: Array
    mean: Array
    sd: Array
    joint: Array
    bank: float

    def coverage(self, level: float) -> Array:
        """Return the share of worlds whose central interval of this probability holds the truth (p,)."""
        return np.asarray((np.abs(self.ranks - 0.5) <= level / 2).mean(0))

    @property
    def recovered(self) -> Array:
        """Share of the prior variance of the truth that posterior means explain (p,), may be below 0."""
        return np.asarray(1.0 - ((self.truth - self.mean) ** 2).mean(0) / self.truth.var(0))


def check(
    method: Method, z: Array, s: Array, weights: Array, rounds: NDArray[np.int64], worlds: int, seed: int
) -> Checks:
    """Hold simulations of the prior out, learn from all others, and see whether their truths are recovered.

    Parameters
    ----------
    z, s, weights, rounds : the bank: parameters (n, p), summaries (n, d), importance weights and rounds (n,).
    worlds : how many are held out; at most a fifth of the prior's simulations.
    """
    prior = np.flatnonzero(rounds == 0)
    worlds = max(1, min(worlds, len(prior) // 5))
    held = prior[(np.arange(worlds) * len(prior)) // worlds]
    rest = np.setdiff1d(np.arange(len(z)), held)
    learned = method(z[rest], s[rest], weights[rest])
    axes = learned.axes
    key = luck_key(seed, "calibrate.tarp")
    at = _normals(key, worlds, axes.shape[1])
    ranks, means, sds = (np.empty((worlds, z.shape[1])) for _ in range(3))
    joint = np.empty(worlds)
    for k, world in enumerate(held):
        found = learned.posterior(s[world])
        ranks[k] = found.weights @ (found.z < z[world])
        means[k], sds[k] = found.mean, np.sqrt(found.variance)
        away = np.linalg.norm(found.z @ axes - at[k], axis=1)
        joint[k] = found.weights @ (away < np.linalg.norm(z[world] @ axes - at[k]))
    return Checks(held, ranks, z[held], means, sds, joint, effective(weights[rest]))


def uniform_p(u: Array, bank: float = np.inf) -> float:
    """Return the p-value of the Kolmogorov-Smirnov test of uniform values (n,) (Stephens 1970).

    Where posteriors are made of a bank, it is finite as the values are, and the test is that of two samples.

    Parameters
    ----------
    bank : effective number of simulations that the posteriors are made of.
    """
    n = len(u)
    ordered = np.sort(u)
    steps = np.arange(n + 1) / n
    d = float(max((steps[1:] - ordered).max(), (ordered - steps[:-1]).max()))
    root = np.sqrt(n / (1.0 + n / bank))
    reach = (root + 0.12 + 0.11 / root) * d
    if reach < 0.2:
        return 1.0
    j = np.arange(1, 101)
    return float(np.clip(2.0 * np.sum((-1.0) ** (j - 1) * np.exp(-2.0 * (j * reach) ** 2)), 0.0, 1.0))


def rejected(p: Array, level: float = LEVEL) -> NDArray[np.bool_]:
    """Return which of several hypotheses fall at a level for all together (Holm 1979)."""
    order = np.argsort(p, kind="stable")
    out = np.zeros(len(p), bool)
    for rank, which in enumerate(order):
        if p[which] > level / (len(p) - rank):
            break
        out[which] = True
    return out


def _normals(key: np.uint64, rows: int, columns: int) -> Array:
    """Return standard normal numbers (rows, columns) that belong to a key."""
    who, when = np.arange(rows, dtype=np.uint32), np.zeros(rows, np.int64)
    return np.stack(
        [normal_quantiles(uniform_each(key, int(decision(f"point {k}")), who, when)) for k in range(columns)],
        axis=1,
    )


FIRST = 0.6
"""Share of the simulations that are of the prior, where there are more rounds than one."""


@dataclass(frozen=True)
class Settings:
    """What a calibration was asked for: see :func:`calibrate`."""

    simulations: int
    rounds: int
    seed: int
    worlds: int
    predictive: int
    fixed: tuple[str, ...]

    def sizes(self) -> tuple[int, ...]:
        """Return how many simulations each round has."""
        if self.rounds == 1:
            return (self.simulations,)
        first = round(FIRST * self.simulations)
        later = np.diff(np.linspace(first, self.simulations, self.rounds).round()).astype(int)
        return (first, *(int(n) for n in later))


def checked(
    simulations: int,
    rounds: int,
    seed: int,
    worlds: int,
    predictive: int,
    fixed: Collection[str],
) -> Settings:
    """Return the settings of a calibration.

    Raises
    ------
    UsageError
        for one that makes no sense.
    """
    if isinstance(fixed, str):
        raise UsageError("fixed is a list of parameters, not a text")
    asked = (
        ("simulations", simulations, 100, 10_000_000),
        ("rounds", rounds, 1, 10),
        ("seed", seed, 0, 2**64 - 1),
        ("worlds", worlds, 20, 100_000),
        ("predictive", predictive, 20, 1_000_000),
    )
    whole: dict[str, int] = {}
    wrong = []
    for name, value, low, high in asked:
        try:
            whole[name] = whole_number(name, value, low, high)
        except UsageError as error:
            wrong.append(str(error))
    if wrong:
        raise UsageError("\n".join(wrong))
    return Settings(**whole, fixed=tuple(sorted(set(fixed))))


def call_of(case: str, settings: Settings) -> str:
    """Return the call in Python that makes the calibration of a case again."""
    parts = [f'calibrate("{case}"', f"simulations={settings.simulations}", f"rounds={settings.rounds}"]
    parts += [f"seed={settings.seed}", f"worlds={settings.worlds}"]
    parts += [f"predictive={settings.predictive}"]
    if settings.fixed:
        parts.append(f"fixed={list(settings.fixed)!r}")
    return ", ".join(parts) + ")"


@dataclass(frozen=True, eq=False)
class CalibrationArrays:
    """Everything a calibration found, as arrays; the tables and sentences are made from it.

    Attributes
    ----------
    case, free, record, settings : what was asked.
    bank, weights, summaries : simulations of all rounds, their importance weights (n,) and summaries (n, d).
    unanswered : simulations without an answer, by target (d,).
    learned, posterior : by regression-adjusted ABC for the record; `other` and `second` are those of one
    linear regression. near : effective number of simulations that agree with nine of ten targets by round
    (see ``ALIKE``). draws : equally weighted draws of the posterior in z-space (256, p).
    checks : worlds whose truth is known. predictive : what the targets count under the posterior.
    misfit_prior, misfit_posterior : how far out the record lies. model : digest of the source of the model
    that made the simulations.
    """

    case: Case
    free: Free
    record: TargetRecord
    settings: Settings
    bank: Bank
    weights: Array
    summaries: Array
    unanswered: Array
    learned: AbcPosterior
    posterior: Weighted
    other: LinearPosterior
    second: Weighted
    near: tuple[float, ...]
    draws: Array
    checks: Checks
    predictive: Bank
    misfit_prior: Misfit
    misfit_posterior: Misfit
    model: str
