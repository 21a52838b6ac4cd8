"""The regime-change game against its analytic answers, an integration of its own, and simulated players."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from breakrank_classics.morris_shin import RegimeGame

COSTS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
TWO = RegimeGame(cost=0.5, private=10, public=5, seen=0.4)
STRONG = RegimeGame(cost=0.3, private=10, public=5, seen=0.6)
THREE = RegimeGame(cost=0.5, private=10, public=10, seen=0.5)
KNOWN = [(TWO, (0.65881,)), (STRONG, (0.85041,)), (THREE, (0.10694, 0.5, 0.89306))]
WRONG = 0.02
"""An error in θ* that has to be noticed."""


def success(game: RegimeGame, strength: float, signal: float) -> float:
    """Return the chance of a fall as seen by whoever has this signal: Bayes' rule, integrated numerically."""
    reach = 9 / math.sqrt(game.private)

    def mass(low: float, high: float) -> float:
        theta = np.linspace(low, high, 4001)
        log = norm.logpdf(signal, theta, 1 / math.sqrt(game.private))
        if game.public:
            log = log + norm.logpdf(game.seen, theta, 1 / math.sqrt(game.public))
        return float(np.trapezoid(np.exp(log), theta))

    middle = (game.private * signal + game.public * game.seen) / (game.private + game.public)
    low, high = min(middle - reach, strength), max(middle + reach, strength)
    falls, holds = mass(low, strength), mass(strength, high)
    return falls / (falls + holds)


def attacking(game: RegimeGame, strength: float, signal: float) -> float:
    """Return the share of people whose signals tell them to attack a regime of this strength."""
    return float(norm.cdf(signal, strength, 1 / math.sqrt(game.private)))


@pytest.mark.parametrize(("game", "thresholds"), KNOWN)
def test_known_thresholds(game: RegimeGame, thresholds: tuple[float, ...]) -> None:
    # five decimals: catches a lost √, α and β exchanged, and a sign of the public signal
    assert game.thresholds == pytest.approx(thresholds, abs=0.5e-5)


@pytest.mark.parametrize("cost", COSTS[::4])
@pytest.mark.parametrize("private", [0.01, 10, 1e6])
def test_without_a_public_signal_the_threshold_is_one_less_the_cost(cost: float, private: float) -> None:
    (found,) = RegimeGame(cost=cost, private=private).equilibria
    assert found.strength == pytest.approx(1 - cost, abs=1e-12)
    assert found.stable


@pytest.mark.parametrize("cost", COSTS[::4])
def test_ever_sharper_private_signals_drown_the_public_one(cost: float) -> None:
    for seen in (-1, 0.3, 2):
        game = RegimeGame(cost=cost, private=1e14, public=10, seen=seen)
        assert game.thresholds == pytest.approx((1 - cost,), abs=1e-4)


@settings(max_examples=60, deadline=None)
@given(st.floats(0.02, 0.98), st.floats(0.5, 200), st.floats(0, 30), st.floats(-0.5, 1.5))
def test_every_equilibrium_satisfies_both_conditions(
    cost: float, private: float, public: float, seen: float
) -> None:
    game = RegimeGame(cost, private, public, seen)
    for found in game.equilibria:
        if 1e-9 < found.strength < 1 - 1e-9:
            assert attacking(game, found.strength, found.signal) == pytest.approx(found.strength, abs=1e-9)
            assert success(game, found.strength, found.signal) == pytest.approx(cost, abs=1e-5)


@pytest.mark.parametrize("private", [0.5, 10, 1000])
def test_uniqueness_ends_where_it_should(private: float) -> None:
    # where all are of two minds (cost 0.5, signal 0.5) the condition is not only sufficient but sharp
    edge = math.sqrt(2 * math.pi * private)
    for public, unique in ((edge * 0.999, True), (edge, True), (edge * 1.001, False), (edge * 3, False)):
        game = RegimeGame(0.5, private, public, 0.5)
        assert game.unique == unique or public == edge
        assert len(game.equilibria) == (1 if unique else 3)
    # beyond the edge a public signal that is clear enough leaves one all the same
    assert len(RegimeGame(0.5, private, edge * 3, 3).equilibria) == 1


@settings(max_examples=100, deadline=None)
@given(st.floats(0.05, 0.95), st.floats(1, 100), st.floats(0.1, 50), st.floats(0.01, 0.99))
def test_the_public_signal_behind_a_threshold_leads_back_to_it(
    cost: float, private: float, public: float, strength: float
) -> None:
    seen = RegimeGame(cost, private, public).seen_for(strength)
    found = RegimeGame(cost, private, public, seen).thresholds
    assert min(abs(t - strength) for t in found) < 1e-6


@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("game", [TWO, STRONG, THREE, RegimeGame(0.1), RegimeGame(0.2, 1000)])
def test_simulated_people_find_the_same_equilibrium(game: RegimeGame, start: float) -> None:
    # they know neither formula; from the lowest and the highest hopes they come to the lowest and highest θ*
    learned = game.learn(start=start, seed=3)
    true = game.thresholds[0 if start == 0 else -1]
    assert learned.strength == pytest.approx(true, abs=0.002)
    for wrong in (true - WRONG, true + WRONG):
        assert learned.strength != pytest.approx(wrong, abs=0.002)
