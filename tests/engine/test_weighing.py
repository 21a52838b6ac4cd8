"""The generated pass over deciders is every formula asked one by one, and its sums."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine.codes import OCCASIONS
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.moments import Moment, Moments
from breakrank.engine.steps import RunState
from breakrank.engine.weighing import Weighing, pick
from breakrank.kernel import lean
from breakrank.model import MECHANISMS
from tests.engine.stage import Stage
from tests.mechanisms.plain import set_the_mood

NAMES = [m.name for m in MECHANISMS if m.terms]


def both(stage: Stage, off: str = "") -> tuple[Moments, Moments]:
    """Return the same moments weighed formula by formula, and by the pass, one mechanism switched off."""
    acting = [m.name for m in stage.days.mechanisms if m.acts and m.name != off]
    stage.days.weigh.on[:] = [m.name in acting for m in stage.days.mechanisms]
    who = stage.some(0.7)
    occasion = stage.rng.integers(0, len(OCCASIONS), len(who))
    leader = np.where(stage.rng.random(len(who)) < 0.5, 0, -1).astype(np.int32)
    leader[occasion == OCCASIONS.index("invited by a leader")] = 0
    plain, passed = (stage.moments(who, None, leader) for _ in range(2))
    for moments in (plain, passed):
        moments.occasion[:] = occasion
    stage.play["routes"].journeys.route[0] = 0
    stage.weigh(plain, *acting)
    stage.run.share(passed)
    stage.days.weigh(stage.run, watched=True)
    return plain, passed


@given(st.integers(0, 2**32), st.sampled_from(["", *NAMES]))
def test_it_agrees_with_every_formula_asked_one_by_one(seed: int, off: str) -> None:
    fields = {"credibility": 0.5, "host_reputation": 0.5, "amnesty": 0.5, "revelation": 1, "call": 0.5}
    stage = Stage(seed, fields=fields)
    set_the_mood(stage)
    plain, passed = both(stage, off)
    factor = stage.days.factor
    assert passed.margin.tolist() == plain.margin.tolist()
    assert passed.open.tolist() == plain.open.tolist()
    for j in range(plain.n):
        utility = []
        for o in range(len(factor[0])):
            u = 0.0
            for k in np.flatnonzero(factor[:, o]).tolist():
                u += float(factor[k, o] * plain.terms[k, j])
            utility.append(u if plain.open[o, j] else -math.inf)
        assert passed.utility[:, j].tolist() == utility
        assert passed.choice[j] == pick(tuple(utility), float(passed.draw[j]))
        for k, term in enumerate(stage.days.terms):
            heard = any(plain.open[o, j] for o in term.options)
            assert passed.terms[k, j] == (plain.terms[k, j] if heard else 0.0)
    assert passed.count.sum() == plain.n


@lean
def _odd(at: Moment, wind: float) -> float:
    return at.margin * wind


def _slow(at: Moment) -> float:
    return at.margin


@pytest.mark.parametrize(
    ("formula", "why"), [(_odd, "its argument wind is neither"), (_slow, "has to be compiled")]
)
def test_a_formula_that_cannot_be_asked_is_refused(formula: object, why: str) -> None:
    stage = Stage(1)
    kind = type("Odd", (Mechanism,), {"name": "odd", "__doc__": "Odd."})
    term = Term("odd.term", "odd", {1: 1.0}, formula)
    with pytest.raises(TypeError, match=why):
        Weighing([kind(stage.world)], [term], np.ones((1, 8)), RunState())
