"""Screening on functions whose answers are known, with luck among their arguments."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from breakrank.questions.explain.screening import screen

Numbers = NDArray[np.float64]
MANY = 203


def ishigami(x: Numbers) -> Numbers:
    """Ishigami and Homma (1990), a = 7, b = 0.1, on [0, 1]."""
    z = np.pi * (2 * x - 1)
    return np.asarray(np.sin(z[:, 0]) + 7 * np.sin(z[:, 1]) ** 2 + 0.1 * z[:, 2] ** 4 * np.sin(z[:, 0]))


VARIANCE = 13.8446
"""Of Ishigami's function; Sobol and Levitan (1999)."""


@pytest.mark.parametrize("noise", [0.33, 0.8])
def test_screening_finds_the_three_among_two_hundred(noise: float) -> None:
    """The third acts only through the first: it is found by the spread."""
    rng = np.random.default_rng(11)
    x = rng.random((1024, MANY))
    y = ishigami(x) + noise * np.sqrt(VARIANCE) * rng.standard_normal(1024)
    found = screen([f"m.{k}" for k in range(MANY)], x, y, 0)
    assert {s.name for s in found[:3]} == {"m.0", "m.1", "m.2"}
    assert all(s.told for s in found[:3])
    third = next(s for s in found if s.name == "m.2")
    assert third.spread > third.share
    assert sum(s.told for s in found) <= 4


def test_screening_passes_by_chance_as_seldom_as_it_says() -> None:
    rng = np.random.default_rng(2)
    names = [f"m.{k}" for k in range(40)]
    passed = [
        any(s.told for s in screen(names, rng.random((200, 40)), rng.lognormal(size=200), seed))
        for seed in range(40)
    ]
    assert np.mean(passed) <= 0.2


def test_screening_tells_the_share_and_the_way() -> None:
    rng = np.random.default_rng(4)
    x = rng.random((4000, 3))
    found = {s.name: s for s in screen(["a.up", "a.down", "b.none"], x, 2 * x[:, 0] - x[:, 1], 0)}
    assert found["a.up"].share == pytest.approx(0.8, abs=0.05)
    assert found["a.down"].share == pytest.approx(0.2, abs=0.05)
    assert found["a.up"].sign > 0.8
    assert found["a.down"].sign < 0
    assert found["a.up"].told
    assert not found["b.none"].told
    flat = screen(["a"], x[:, :1], np.zeros(4000), 0)
    assert np.isnan(flat[0].share)
    assert not flat[0].told
