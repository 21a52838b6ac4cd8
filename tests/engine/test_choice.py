"""The choice is a multinomial logit, written out slowly, and the generated pass asks every formula."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.draws import NOBODY, decision, draw_moments, luck_key, uniform
from breakrank.engine.codes import OCCASIONS, OPTIONS
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.moments import OCCASIONS as ROOM
from breakrank.engine.moments import Moment, Moments, open_moments, soldiers_of
from breakrank.engine.rows import Rows
from breakrank.engine.run import Now
from breakrank.engine.steps import RunState
from breakrank.engine.weighing import Weighing, pick, tell
from breakrank.kernel import lean
from breakrank.model import MECHANISMS
from tests.engine.stage import Stage, random_force
from tests.mechanisms.plain import set_the_mood

KEY = luck_key(3, "run")
NAME = int(decision("test.choice"))
FORCE = random_force(np.random.default_rng(9), 1000)
SOLDIERS = soldiers_of(FORCE, Rows(FORCE.n))


def decide(moments: Moments, factor: np.ndarray, day: int) -> Moments:
    """Let everyone choose by the utilities that terms and factors make, as the pass over deciders does."""
    draw_moments(KEY, NAME, moments.identity, day * ROOM, moments.occasion, moments.draw)
    for j in range(moments.n):
        utility = tuple(utilities(moments, factor, j))
        moments.choice[j] = pick(utility, float(moments.draw[j]))
        tell(utility, j, moments)
        moments.count[moments.choice[j]] += 1
    return moments


def utilities(moments: Moments, factor: np.ndarray, j: int) -> list[float]:
    found = []
    for o in range(len(OPTIONS)):
        u = 0.0 if moments.open[o, j] else -math.inf
        for k in range(len(moments.terms)):
            if factor[k, o] != 0:
                u += float(factor[k, o] * moments.terms[k, j])
        found.append(u)
    return found


def any_moments(seed: int, day: int) -> tuple[Moments, np.ndarray]:
    rng = np.random.default_rng(seed)
    n, terms = int(rng.integers(1, 60)), 6
    who = np.sort(rng.choice(1000, n, replace=False)).astype(np.int32)
    occasion = rng.integers(0, len(OCCASIONS), n).astype(np.uint8)
    nobody, shape = np.full(n, -1, np.int32), (terms, len(OPTIONS))
    moments = open_moments(Now(KEY, day, 0, False), SOLDIERS, who, occasion, nobody, shape, watched=True)
    moments.terms[:] = rng.normal(0, 3, (terms, n)) * (rng.random((terms, n)) < 0.7)
    moments.open[0] = True
    moments.open[1:] = rng.random((len(OPTIONS) - 1, n)) < 0.6
    factor = rng.choice([0.0, 0.25, 0.5, 1.0], (terms, len(OPTIONS)))
    factor[:, 0] = 0
    return moments, factor


def plain_choice(moments: Moments, factor: np.ndarray, j: int, day: int) -> tuple[list, list, int]:
    """Return utilities, chances and the option taken of decider j."""
    utility = utilities(moments, factor, j)
    highest = max(utility)
    weight = [math.exp(u - highest) if u > -math.inf else 0.0 for u in utility]
    total = 0.0
    for w in weight:
        total += w
    when = day * 16 + int(moments.occasion[j])
    draw = uniform(KEY, NAME, int(FORCE.identity[moments.who[j]]), int(NOBODY), when) * total
    passed, taken = 0.0, 0
    for o in range(len(OPTIONS)):
        if moments.open[o, j]:
            passed += weight[o]
            taken = o
            if draw < passed:
                break
    return utility, [w / total for w in weight], taken


@given(st.integers(0, 2**32), st.integers(0, 3659))
def test_choices_agree_with_a_plain_logit(seed: int, day: int) -> None:
    moments, factor = any_moments(seed, day)
    decide(moments, factor, day)
    for j in range(moments.n):
        utility, chance, taken = plain_choice(moments, factor, j, day)
        assert moments.utility[:, j].tolist() == utility
        assert moments.chance[:, j].tolist() == chance
        assert moments.choice[j] == taken
    assert moments.count.tolist() == np.bincount(moments.choice, minlength=len(OPTIONS)).tolist()


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
