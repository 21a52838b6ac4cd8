"""What resists steps is learned from them, and decides what the next ones change."""

from __future__ import annotations

import numpy as np
import pytest

from breakrank.questions.condition.weights import ALONE, AT_ONCE, Strides


def known(resistance: np.ndarray) -> Strides:
    many = 1e9
    return Strides(resistance * many, np.full(len(resistance), many))


def blocks(strides: Strides, number: int, rng: np.random.Generator) -> np.ndarray:
    out = np.zeros((number, len(strides.stops)), np.bool_)
    for row in out:
        row[strides.block(rng.random(), rng.random(len(strides.stops)))] = True
    return out


def test_a_step_takes_on_as_much_as_it_may_and_what_stops_nothing_always_comes_along() -> None:
    resistance = np.array([8.0, 1.5, 0.6, 0.6, 0.6, 0.3, 0.0, 0.0])
    strides, rng = known(resistance), np.random.default_rng(0)
    cost = strides.far * strides.resistance
    assert cost == pytest.approx(np.minimum(resistance, ALONE), abs=1e-6)
    made = blocks(strides, 400, rng)
    total = made @ cost
    alone = made[:, 0] | made[:, 1]
    assert (total[~alone] <= AT_ONCE).all()
    assert (made[alone][:, 2:6] == False).all()  # noqa: E712 (an array)
    assert made[~alone][:, 6:].all()
    assert made.any(axis=0).all()
    assert made[:, 0].mean() > made[:, 1].mean() > 1 / len(resistance)


def test_a_resistance_that_nobody_told_is_learned_from_what_was_taken() -> None:
    rng = np.random.default_rng(1)
    true = np.concatenate([np.zeros(20), rng.uniform(0.2, 1.0, 15), [2.0, 3.0, 4.0, 6.0]])
    strides = Strides.unknown(len(true))
    for _ in range(15):
        made = blocks(strides, 4_000, rng)
        passes = np.exp(-(made * true * strides.far).sum(axis=1))
        strides = strides.after(made, rng.random(len(made)) < passes)
    learned = strides.resistance
    assert learned[:20].max() < 0.1
    assert learned == pytest.approx(true, rel=0.35, abs=0.15)
    assert strides.far[-1] == pytest.approx(ALONE / 6.0, rel=0.35)
