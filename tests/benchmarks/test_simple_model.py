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


@pytest.mark.parametrize(
    ("wrong", "shown"),
    [
        ({"rate": 11}, "moments"),
        ({"confide": 0.45}, "confidings"),
        ({"prior_loyal": 4.6}, "belief at the end"),
        ({"belief_weight": 1.0}, "exits"),
        ({"gone_weight": 1.5}, "exits"),
        ({"memory": 5}, "exits, second half"),
    ],
    ids=lambda x: next(iter(x)) if isinstance(x, dict) else None,
)
def test_a_small_departure_is_seen(wrong: dict[str, float], shown: str, inputs: Inputs) -> None:
    lively = {name: getattr(LIVELY, name) for name in Parameters.__dataclass_fields__}
    found = apart("masked", inputs, Parameters(**{**lively, **wrong}), LIVELY)
    assert found[shown] > WIDTH


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


@pytest.mark.parametrize("key", NAMES)
def test_what_everyone_learns_adds_up(key: str) -> None:
    """If all are opposed and nobody leaves, each confiding adds one opposed count to two beliefs."""
    drawn = make_inputs(200, 2)
    frank = Inputs(drawn.start, drawn.other, np.ones(200, np.bool_))
    still = Parameters(rate=30, confide=1, constant=-60, prior_opposed=1, prior_loyal=1000)
    one = replicates(key, frank, still, 1, days=20)[0]
    assert np.diff(frank.start).min() > 0  # everyone has someone to confide in
    assert one.exits.sum() == 0
    assert one.confidings.tolist() == one.moments.tolist()
    counts = 2 * int(one.confidings.sum()) / 200  # (1 + c) / (1001 + c) is nearly straight for small c
    assert one.belief == pytest.approx((1 + counts) / (1001 + counts), rel=2e-3)


def test_inputs_are_symmetric_simple_and_as_many_as_declared(inputs: Inputs) -> None:
    who = np.repeat(np.arange(SOLDIERS), np.diff(inputs.start))
    pairs = [*zip(who.tolist(), inputs.other.tolist(), strict=True)]
    assert len({*pairs}) == len(pairs) == 6 * SOLDIERS
    assert pairs == sorted(pairs) == sorted((b, a) for a, b in pairs)
    assert all(a != b for a, b in pairs)
    assert abs(inputs.opposed.mean() - 0.8) < 0.04
