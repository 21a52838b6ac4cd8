"""The beta distribution against SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from breakrank.case.prior import beta_below, beta_quantile

SHAPES = [(0.5, 0.5), (1, 1), (2, 5), (0.2, 8), (30, 70), (1, 0.1), (400, 3), (2000, 5000), (0.01, 0.02)]


@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_both_directions(a: float, b: float) -> None:
    for x in (1e-6, 0.01, 0.2, 0.5, 0.77, 0.999):
        assert beta_below(x, a, b) == pytest.approx(special.betainc(a, b, x), rel=1e-9, abs=1e-14)
    for p in (1e-6, 0.01, 0.3, 0.5, 0.9, 0.9999):
        assert beta_quantile(p, a, b) == pytest.approx(special.betaincinv(a, b, p), rel=1e-8, abs=1e-12)


@given(st.floats(0.02, 500), st.floats(0.02, 500), st.floats(0.001, 0.999))
@settings(deadline=None)
def test_there_and_back(a: float, b: float, p: float) -> None:
    x = beta_quantile(p, a, b)
    assert 0 <= x <= 1
    if 1e-12 < x < 1 - 1e-9:
        np.testing.assert_allclose(beta_below(x, a, b), p, rtol=1e-7)
