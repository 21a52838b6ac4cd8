"""The neural posterior: its gradients, and posteriors that are known where one line would be wrong."""

from __future__ import annotations

import numpy as np
import pytest

from breakrank.case.normal import normal_below
from breakrank.questions.calibrate.density import MEMBERS, begun, learn_density, loss
from breakrank.questions.calibrate.methods import abc
from breakrank.questions.calibrate.neural import neural
from breakrank.questions.calibrate.regression import Array


def posterior_on_a_grid(log_likelihood: Array, grid: Array) -> tuple[float, float]:
    """Return mean and standard deviation of a posterior under a standard normal prior."""
    log = log_likelihood - grid**2 / 2
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    mean = float(weight @ grid)
    return mean, float(np.sqrt(weight @ (grid - mean) ** 2))


def test_gradients_are_those_of_the_loss() -> None:
    rng = np.random.default_rng(1)
    k, q, n = 3, 2, 7
    values = [v + 0.3 * rng.normal(size=v.shape) for v in begun(rng, k, q)]
    u, c = rng.normal(size=(MEMBERS, n, k)), rng.normal(size=(MEMBERS, n, q))
    weights = rng.uniform(0.5, 2, (MEMBERS, n))
    _, gradients = loss(values, u, c, weights)
    step = 1e-6
    for i, gradient in enumerate(gradients):
        for _ in range(40):
            at = tuple(int(rng.integers(size)) for size in values[i].shape)
            ends = []
            for sign in (1, -1):
                moved = [v.copy() for v in values]
                moved[i][at] += sign * step
                ends.append(loss(moved, u, c, weights, gradients=False)[0][at[0]])
            assert gradient[at] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-7)


def test_a_density_that_is_skewed_and_depends_on_what_is_given_is_learned() -> None:
    # u0 given c has spread exp(c/2), u1 given u0 lies on a parabola
    def drawn(n: int, seed: int) -> tuple[Array, Array, Array]:
        rng = np.random.default_rng(seed)
        c, e = rng.normal(size=(n, 1)), rng.normal(size=(n, 2))
        u0 = np.exp(c[:, 0] / 2) * e[:, 0]
        u = np.stack([u0, 0.5 * u0**2 + 0.5 * e[:, 1]], axis=1)
        log = -(e**2).sum(axis=1) / 2 - np.log(2 * np.pi) - c[:, 0] / 2 - np.log(0.5)
        return u, c, log

    u, c, _ = drawn(3000, 0)
    told, given, exact = drawn(3000, 1)
    density = learn_density(u, c, np.ones(len(u)))
    lost = float((exact - density.log(told, given)).mean())
    assert -0.01 < lost < 0.1, "nats by which it is worse than the truth"
    # one normal with the right covariance loses far more
    away = np.linalg.solve(np.linalg.cholesky(np.cov(u.T)), (told - u.mean(0)).T)
    normal = -(away**2).sum(axis=0) / 2 - np.log(2 * np.pi) - np.log(np.linalg.det(np.cov(u.T))) / 2
    assert float((exact - normal).mean()) > 0.3
    # draws follow the density: at c = 1 the first has a spread of exp(1/2)
    rng = np.random.default_rng(2)
    found = density.drawn(np.ones(1), rng.random((20000, 2)), rng.normal(size=(20000, 2)))
    assert found[:, 0].std() == pytest.approx(np.exp(0.5), rel=0.12)
    assert found[:, 1].mean() == pytest.approx(0.5 * np.e, rel=0.2)


def test_two_humps_are_found_where_one_line_sees_none() -> None:
    rng = np.random.default_rng(3)
    z = rng.normal(size=(3000, 1))
    s = z**2 + 0.3 * rng.normal(size=(3000, 1))
    found = neural(z, s, np.ones(3000)).posterior(np.array([2.25]))
    x = found.z[:, 0]
    assert (x > 0).mean() == pytest.approx(0.5, abs=0.1)
    assert np.abs(x).mean() == pytest.approx(1.5, abs=0.1)
    assert (np.abs(x) < 0.75).mean() < 0.03


def test_a_bounded_prior_has_its_truncated_posterior() -> None:
    # theta is uniform on 0 to 1, y is theta with normal noise: a normal cut off at 0 and 1
    rng = np.random.default_rng(4)
    z = rng.normal(size=(4000, 2))
    s = normal_below(z[:, :1]) + 0.1 * rng.normal(size=(4000, 1))
    learned, other = neural(z, s, np.ones(len(z))), abc(z, s, np.ones(len(z)))
    grid = np.linspace(0.0005, 0.9995, 1000)
    for y in (0.02, 0.5, 0.97):
        theta = normal_below(learned.posterior(np.array([y])).z)[:, 0]
        assert theta.min() >= 0
        assert theta.max() <= 1
        weight = np.exp(-(((y - grid) / 0.1) ** 2) / 2)
        weight /= weight.sum()
        mean = float(weight @ grid)
        assert theta.mean() == pytest.approx(mean, abs=0.02)
        assert theta.std() == pytest.approx(float(np.sqrt(weight @ (grid - mean) ** 2)), rel=0.2)
        found = other.posterior(np.array([y]))
        assert float(found.weights @ normal_below(found.z[:, 0])) == pytest.approx(theta.mean(), abs=0.03)


def test_the_same_bank_gives_the_same_bits_and_nothing_beyond_it() -> None:
    rng = np.random.default_rng(5)
    z = rng.normal(size=(400, 3))
    s = z @ rng.normal(size=(3, 2)) + 0.5 * rng.normal(size=(400, 2))
    np.random.seed(0)  # noqa: NPY002 (a global generator must not matter)
    one = neural(z, s, np.ones(400))
    np.random.seed(1)  # noqa: NPY002
    two = neural(z, s, np.ones(400))
    for observed in (s[0], np.array([1e9, -1e9])):
        found = one.posterior(observed)
        assert found.z.tobytes() == two.posterior(observed).z.tobytes()
        along = found.z @ one.axes
        assert np.isfinite(found.z).all()
        assert (along >= one.low - 1e-9).all()
        assert (along <= one.high + 1e-9).all()


def test_weights_of_rows_count() -> None:
    # half of the bank is from elsewhere and has no weight: the posterior is that of the other half
    rng = np.random.default_rng(6)
    z = rng.normal(size=(3000, 1))
    s = z + 0.5 * rng.normal(size=(3000, 1))
    wrong = np.concatenate([s[:1500], s[1500:] + 3.0])
    weights = np.repeat([1.0, 0.0], 1500)
    grid = np.linspace(-5, 5, 2001)
    mean, sd = posterior_on_a_grid(-(((0.8 - grid) / 0.5) ** 2) / 2, grid)
    found = neural(z, wrong, weights).posterior(np.array([0.8]))
    assert found.mean[0] == pytest.approx(mean, abs=0.08)
    assert np.sqrt(found.variance[0]) == pytest.approx(sd, rel=0.15)
