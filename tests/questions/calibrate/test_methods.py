"""Methods against posteriors that are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from breakrank.questions.calibrate.arrays import check, rejected, uniform_p
from breakrank.questions.calibrate.methods import AbcPosterior, Learned, Method, Weighted, abc, linear
from breakrank.questions.calibrate.prior_check import misfit
from breakrank.questions.calibrate.proposal import ParameterProposal, importance
from breakrank.questions.calibrate.regression import Array, effective, ridge
from breakrank.questions.calibrate.summarise import contraction
from tests.questions.calibrate.toys import Gaussian

TOY = Gaussian.of(p=40, d=6, sd=0.7, seed=1)
Z, S = TOY.drawn(2500, 20)
ONES = np.ones(len(Z))


@pytest.mark.parametrize("method", [abc, linear])
def test_a_linear_gaussian_posterior_is_found(method: Method) -> None:
    learned = method(Z, S, ONES)
    _, told = TOY.drawn(40, 3)
    found = [learned.posterior(s) for s in told]
    means = np.array([one.mean for one in found])
    exact = told @ TOY.gain.T
    # some 200 effective draws of a variance of at most 1 leave 0.07 of their own
    assert np.sqrt(np.mean((means - exact) ** 2, axis=0)).max() < 0.2
    assert np.abs(exact).max() > 1.0, "the record moves something"
    narrower = np.mean([contraction(learned, one) for one in found], axis=0)
    np.testing.assert_allclose(narrower, 1 - TOY.variance, atol=0.08)


@pytest.mark.parametrize("method", [abc, linear])
def test_intervals_cover_the_truth_as_often_as_they_say(method: Method) -> None:
    checks = check(method, Z, S, ONES, np.zeros(len(Z), np.int64), worlds=300, seed=5)
    informed = TOY.variance < 0.9
    assert informed.sum() >= 5
    # 300 worlds: a standard error of 1.7%; 40 parameters
    assert checks.coverage(0.9).min() > 0.84
    assert checks.coverage(0.9).max() < 0.96
    assert np.abs(checks.coverage(0.5)[informed] - 0.5).max() < 0.1
    p = np.array([uniform_p(u, checks.bank) for u in checks.ranks.T])
    assert not rejected(p, 0.01).any()
    assert uniform_p(checks.joint, checks.bank) > 0.01
    np.testing.assert_allclose(checks.recovered, 1 - TOY.variance, atol=0.15)


def test_a_posterior_that_is_too_narrow_is_noticed() -> None:
    @dataclass
    class Narrow:
        inner: Learned

        @property
        def axes(self) -> Array:
            return self.inner.axes

        def posterior(self, observed: Array) -> Weighted:
            found = self.inner.posterior(observed)
            return Weighted(found.mean + 0.5 * (found.z - found.mean), found.weights)

    def narrow(z: Array, s: Array, weights: Array) -> Narrow:
        return Narrow(abc(z, s, weights))

    checks = check(narrow, Z, S, ONES, np.zeros(len(Z), np.int64), worlds=200, seed=5)
    assert checks.coverage(0.9).mean() < 0.75
    assert rejected(np.array([uniform_p(u) for u in checks.ranks.T])).all()
    assert uniform_p(checks.joint) < 1e-4


def test_a_count_model_has_its_gamma_posterior() -> None:
    # log rate is normal(1, 0.7), three counts are Poisson: compared with the posterior on a grid
    rng = np.random.default_rng(4)
    z = rng.normal(size=(6000, 3))
    counts = rng.poisson(np.exp(1 + 0.7 * z[:, :1]), (6000, 3))
    found = abc(z, np.log1p(counts), np.ones(6000)).posterior(np.log1p(np.array([9.0, 5.0, 7.0])))
    grid = np.linspace(-4, 4, 2001)
    log = -(grid**2) / 2 + 21 * (1 + 0.7 * grid) - 3 * np.exp(1 + 0.7 * grid)
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    mean = float(weight @ grid)
    sd = float(np.sqrt(weight @ (grid - mean) ** 2))
    assert found.mean[0] == pytest.approx(mean, abs=0.08)
    assert np.sqrt(found.variance[0]) == pytest.approx(sd, rel=0.15)
    np.testing.assert_allclose(found.variance[1:], 1, atol=0.25)


def test_a_second_round_finds_the_same_posterior_with_more_neighbours() -> None:
    observed = TOY.drawn(1, 9)[1][0] * 1.5
    first = abc(Z, S, ONES)
    proposal = ParameterProposal.around(first.posterior(observed), first.axes)
    rng = np.random.default_rng(6)
    base = rng.normal(size=(1500, Z.shape[1]))
    a = base @ proposal.axes
    closer = base + (proposal.mean + a @ proposal.root.T - a) @ proposal.axes.T
    z = np.concatenate([Z, closer])
    s = np.concatenate([S, closer @ TOY.A.T + TOY.sd * rng.normal(size=(1500, len(TOY.A)))])
    rounds = np.repeat([0.0, 1.0], [len(Z), 1500])
    weights = importance(z, rounds, [proposal])
    assert weights.max() <= len(z) / len(Z) + 1e-9
    assert weights.mean() == pytest.approx(1, abs=0.1)
    second = abc(z, s, weights)
    # effective number within one posterior standard deviation per direction
    assert near(second, weights, observed) > 2 * near(first, ONES, observed)
    # four standard errors of a mean of 200 effective draws
    np.testing.assert_allclose(second.posterior(observed).mean, TOY.gain @ observed, atol=0.28)


def near(learned: AbcPosterior, weights: Array, observed: Array) -> float:
    away = np.linalg.norm(learned.statistics - learned.directions.statistics(observed), axis=1)
    return effective(np.where(away <= np.sqrt(learned.directions.count), weights, 0.0))


def test_a_record_off_everything_is_noticed() -> None:
    assert misfit(S, S[0]).p > 0.01
    usual = [misfit(S, TOY.drawn(1, k)[1][0]).p for k in range(40)]
    assert np.mean(np.array(usual) < 0.1) < 0.3
    far = misfit(S, S.mean(0) + np.array([9.0, 0, 0, 0, 0, 0]))
    assert far.p < 0.01
    assert int(np.argmax(np.abs(far.pulls))) == 0


def test_ridge_without_penalty_is_least_squares_and_leaves_rows_out() -> None:
    rng = np.random.default_rng(0)
    x, noise = rng.normal(size=(60, 3)), rng.normal(size=(60, 2))
    y = 1.0 + x @ rng.normal(size=(3, 2)) + 0.1 * noise
    w = rng.uniform(0.5, 2, 60)
    fit = ridge(x, y, w, 0.0)
    design = np.column_stack([np.ones(60), x]) * np.sqrt(w)[:, None]
    expected = np.linalg.lstsq(design, y * np.sqrt(w)[:, None], rcond=None)[0]
    np.testing.assert_allclose(fit(x), np.column_stack([np.ones(60), x]) @ expected, atol=1e-6)
    left = y - (y - fit(x)) / (1 - fit.hats(x, w))[:, None]
    without = ridge(np.delete(x, 7, 0), np.delete(y, 7, 0), np.delete(w, 7), 0.0)
    np.testing.assert_allclose(left[7], without(x[7]), atol=1e-6)
