"""An uprising among commanders who are all alike falls short, or not, where the theory says.

Commanders with the same stakes, who all believe that all are opposed, and who see the regime's strength
almost without error, bring it down if and only if its strength is below 1 − c, c being what they stand to
lose as a share of what is at stake (Morris and Shin 1998): not 1, as if they could agree, nor 0, as if nobody
trusted anybody. The threshold is found here by playing uprisings against ever closer strengths, and compared
with the formula.
"""

from dataclasses import replace

import numpy as np
import pytest

from tests.mechanisms.plain_uprising import alike

PLAYERS = 2_000
COSTS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
TOLERANCE = 0.01


def falls(
    strength: float, cost: float, error: float, rounds: int, launch: float = 0.0, belief: float = 1.0
) -> bool:
    """Play one uprising; `error` is the standard deviation of a round's signal."""
    game = alike(PLAYERS, threshold=cost, precision=error**-2, belief=belief)
    game.launch[: round(launch * PLAYERS)] = True
    return replace(game, strength=strength, refusal=1.0, rounds=rounds).play().fell


def found(cost: float, error: float, rounds: int, launch: float = 0.0, belief: float = 1.0) -> float:
    """Return the strength up to which uprisings succeed, to 0.0005."""
    low, high = 0.0, 1.2
    while high - low > 0.0005:
        middle = (low + high) / 2
        low, high = (middle, high) if falls(middle, cost, error, rounds, launch, belief) else (low, middle)
    return (low + high) / 2


def agrees(threshold: float, theory: float) -> bool:
    return abs(threshold - theory) <= TOLERANCE


@pytest.mark.parametrize(("error", "rounds"), [(0.001, 1), (0.003, 1), (0.001, 8), (0.002, 8)])
@pytest.mark.parametrize("cost", COSTS)
def test_uprisings_succeed_below_1_less_the_cost(cost: float, error: float, rounds: int) -> None:
    assert agrees(found(cost, error, rounds), 1 - cost)


@pytest.mark.parametrize("cost", COSTS)
def test_there_is_one_threshold_and_no_island_beyond_it(cost: float) -> None:
    for gap in np.linspace(0.0125, 0.3, 24):
        assert falls(1 - cost - gap, cost, 0.001, 8)
        assert not falls(1 - cost + gap, cost, 0.001, 8)


@pytest.mark.parametrize(("launch", "belief"), [(0.2, 1.0), (0.0, 0.5), (0.1, 0.3)])
@pytest.mark.parametrize("cost", COSTS[::2])
def test_who_launches_and_what_is_believed_move_the_threshold(
    cost: float, launch: float, belief: float
) -> None:
    # the uprising succeeds up to J + (1 − J) b (1 − c), though all would in fact join
    theory = launch + (1 - launch) * belief * (1 - cost)
    assert agrees(found(cost, 0.001, 1, launch, belief), theory)
