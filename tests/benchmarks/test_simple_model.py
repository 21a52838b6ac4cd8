"""The implementations that the benchmark compares are one and the same model. Nothing is timed here."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.simple_model import NAMES, Inputs, Outcome, Parameters, implementation, make_inputs

SOLDIERS, DAYS = 2_000, 60
LIVELY = Parameters(rate=12, confide=0.5, constant=-4.0, belief_weight=2.0, gone_weight=3.0, memory=20)
"""Much happens within these days, so that a wrong step anywhere shows."""
OTHERS = [name for name in NAMES if name != "engine"]
WIDTH = 4.0
"""Standard errors that two means may lie apart: one comparison in 16,000 would fail by chance."""


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    return make_inputs(SOLDIERS, 1)


def replicates(
    key: str, inputs: Inputs, parameters: Parameters, count: int, days: int = DAYS
) -> list[Outcome]:
    if key == "mesa":
        pytest.importorskip("mesa", reason="Mesa is not installed (pip install 'breakrank[benchmark]')")
    begin = implementation(key, inputs, parameters, days)
    return [begin(seed)() for seed in range(count)]


def apart(key: str, inputs: Inputs, parameters: Parameters, declared: Parameters) -> dict[str, float]:
    """Return by measure how many standard errors an implementation's mean lies from that of the engine.

    The engine runs under the `declared` parameters. If both are one model, all replicates have the same
    standard deviation, which is estimated within each and pooled.
    """
    count = 5 if key == "mesa" else 30
    both = [replicates(key, inputs, parameters, count), replicates("engine", inputs, declared, 30)]
    found = {}
    for measure in both[0][0].measures():
        values = [np.array([one.measures()[measure] for one in ones]) for ones in both]
        squares = sum(v.var() * len(v) for v in values)
        spread = math.sqrt(squares / sum(len(v) - 1 for v in values))
        error = spread * math.sqrt(sum(1 / len(v) for v in values))
        found[measure] = abs(values[0].mean() - values[1].mean()) / error
    return found


@pytest.mark.parametrize("parameters", [Parameters(), LIVELY], ids=["declared", "lively"])
@pytest.mark.parametrize("key", OTHERS)
def test_all_agree(key: str, parameters: Parameters, inputs: Inputs) -> None:
    found = apart(key, inputs, parameters, parameters)
    assert len(found) == 5
    assert {measure: errors for measure, errors in found.items() if errors > WIDTH} == {}


@pytest.mark.parametrize("key", NAMES)
def test_without_influence_leaving_is_a_known_chance(key: str, inputs: Inputs) -> None:
    alone = Parameters(rate=12, confide=0, constant=-2, belief_weight=0, gone_weight=0)
    found = replicates(key, inputs, alone, 4)
    leave = alone.chance / (1 + math.exp(-alone.constant))
    share = 1 - (1 - leave) ** DAYS
    trials = SOLDIERS * len(found)
    exits = sum(o.exits.sum() for o in found)
    assert abs(exits / trials - share) <= WIDTH * math.sqrt(share * (1 - share) / trials)
    assert sum(o.confidings.sum() for o in found) == 0
    belief = alone.prior_opposed / (alone.prior_opposed + alone.prior_loyal)
    assert [o.belief for o in found] == pytest.approx([belief] * len(found), rel=1e-6)
