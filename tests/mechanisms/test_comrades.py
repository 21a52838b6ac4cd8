"""Comrades: news of the day runs along ties to those who serve, adds up, and fades."""

from __future__ import annotations

import numpy as np

from breakrank.mechanisms.learning import OPPOSED, PUNISHED, Expectations, expected, learn, settle


def test_an_expectation_is_a_share_of_evidence_that_fades_to_its_prior() -> None:
    m = Expectations(np.zeros((1, 7), np.float32), np.zeros((3, 2)), np.array([50.0]))
    assert settle(m, OPPOSED, 6.0, 0.2, 2.0, 1.0) == (1.2 + 2) / 9
    assert expected(m, OPPOSED, 0, 0) == m.public[OPPOSED, 0]
    learn(m, OPPOSED, 0, 0, 3.0, 1.0)
    found = [expected(m, OPPOSED, day, 0) for day in (0, 50, 5000)]
    left = np.exp(-1)
    assert np.allclose(found, [6.2 / 13, (3.2 + 3 * left) / (9 + 4 * left), 3.2 / 9])
    learn(m, OPPOSED, 50, 0, 1e9, 0.0)
    assert 0.999 < expected(m, OPPOSED, 50, 0) <= 1.0  # however much happens
    assert expected(m, PUNISHED, 50, 0) == m.public[PUNISHED, 0]
