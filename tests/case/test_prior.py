"""Priors against SciPy's distributions, truncated."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from breakrank.case.check_fields import LEAST_MASS
from breakrank.case.models_parameters import SHAPES, PriorEntry
from breakrank.case.prior import Prior, normal_below, normal_quantiles

CASES = [
    (Prior("uniform", (-1, 3), 0, 5), stats.uniform(-1, 4)),
    (Prior("normal", (2, 1.5), 0, 3), stats.norm(2, 1.5)),
    (Prior("normal", (0, 1), 2.5, 4), stats.norm(0, 1)),
    (Prior("lognormal", (2, 0.7), 0.5, 10), stats.lognorm(0.7, scale=2)),
    (Prior("lognormal", (2, 0.7), -1, 10), stats.lognorm(0.7, scale=2)),
    (Prior("beta", (2, 5), 0.1, 0.6), stats.beta(2, 5)),
    (Prior("beta", (0.5, 0.5), 0, 1), stats.beta(0.5, 0.5)),
    (Prior("triangular", (0, 1, 4), 0.5, 3), stats.triang(0.25, 0, 4)),
    (Prior("triangular", (0, 0, 4), 0, 4), stats.triang(0, 0, 4)),
    (Prior("triangular", (0, 4, 4), 0, 4), stats.triang(1, 0, 4)),
]


@pytest.mark.parametrize(("prior", "scipy"), CASES, ids=lambda p: repr(p) if isinstance(p, Prior) else "")
def test_quantiles_are_those_of_the_truncated_distribution(
    prior: Prior, scipy: stats.distributions.rv_frozen
) -> None:
    p = np.linspace(0.001, 0.999, 41)
    floor, ceiling = scipy.cdf(prior.low), scipy.cdf(prior.high)
    expected = scipy.ppf(floor + p * (ceiling - floor))
    np.testing.assert_allclose(prior.quantile(p), expected, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose([prior.cdf(x) for x in expected], p, rtol=1e-8, atol=1e-10)
    assert prior.mass == pytest.approx(ceiling - floor)
    assert prior.median == pytest.approx(prior.quantile(0.5))
    assert isinstance(prior.quantile(0.3), float)
    assert prior.quantile(p.reshape(1, 41)).shape == (1, 41)


@pytest.mark.parametrize("prior", [p for p, _ in CASES], ids=repr)
def test_an_array_gives_what_single_numbers_give(prior: Prior) -> None:
    p = np.concatenate([[0.0, 1e-12, 1e-6], np.random.default_rng(3).random(500), [1 - 1e-9, 1.0]])
    single = np.array([prior.quantile(float(q)) for q in p])
    np.testing.assert_allclose(prior.quantile(p), single, rtol=1e-12, atol=1e-14)
    with pytest.raises(ValueError, match=r"not 1\.5"):
        prior.quantile(np.array([0.5, 1.5]))
    with pytest.raises(ValueError, match="not nan"):
        prior.quantile(np.array([np.nan]))


def test_the_normal_distribution_of_an_array() -> None:
    p = np.concatenate([np.geomspace(1e-300, 0.4, 300), np.linspace(0.4, 1 - 1e-15, 300)])
    np.testing.assert_allclose(normal_quantiles(p), stats.norm.ppf(p), rtol=1e-12, atol=1e-14)
    z = np.linspace(-8, 8, 81)
    np.testing.assert_allclose(normal_below(z), stats.norm.cdf(z), rtol=1e-13)


@given(st.sampled_from([p for p, _ in CASES]), st.floats(0, 1), st.floats(0, 1))
@settings(deadline=None)
def test_quantiles_never_fall_and_stay_in_range(prior: Prior, p: float, q: float) -> None:
    low, high = prior.quantile(min(p, q)), prior.quantile(max(p, q))
    assert prior.low <= low <= high <= prior.high


EDGES = [
    *(("uniform", (-x, y)) for x in (1e-12, 1e12) for y in (1e-12, 1e12)),
    *(("triangular", (0, mode, 1e12)) for mode in (0, 1e-12, 1e12)),
    *(("normal", (x, sd)) for x in (-1e12, 0, 1e12) for sd in (1e-12, 1e12)),
    *(("lognormal", (median, sigma)) for median in (1e-12, 1e12) for sigma in (1e-12, 10)),
    *(("beta", (a, b)) for a in (0.1, 0.5, 1, 2000) for b in (0.1, 0.5, 1, 2000)),
]


@pytest.mark.parametrize(("name", "numbers"), EDGES)
def test_what_a_case_may_write_can_be_computed(name: str, numbers: tuple[float, ...]) -> None:
    named = dict(zip(SHAPES[name], numbers, strict=True))
    entry = PriorEntry.model_validate({"distribution": name, **named})
    p = np.linspace(0, 1, 101)
    with np.errstate(all="raise", under="ignore"):
        for low, high in ((0, 1), (0, 1e7), (-1, 3.2e-5)):
            prior = Prior.of(entry, low, high)
            if prior.mass < LEAST_MASS:
                continue
            for found in (prior.quantile(p), np.array([prior.quantile(x) for x in p])):
                assert np.isfinite(found).all()
                assert found.min() >= low
                assert found.max() <= high
                assert (np.diff(found) >= -1e-9 * (1 + abs(found[1:]))).all()
