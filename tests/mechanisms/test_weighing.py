"""Terms of mechanisms: each is named after its own, and speaks for or against going as it says."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine.codes import AGAINST, DESERT, OPTIONS
from tests.engine.stage import Stage
from tests.mechanisms.plain import set_the_mood

seeds = st.integers(0, 2**32)


SIGNS = {
    "grievance": (1, set(AGAINST)),
    "belief": (1, set(AGAINST)),
    "fear": (-1, set(AGAINST)),
    "challenger": (1, set(AGAINST) - {DESERT}),
}


@given(seeds)
def test_terms_speak_for_or_against_going_as_their_mechanism_says(seed: int) -> None:
    stage = Stage(seed, fields={"credibility": 0.5, "host_reputation": 0.5, "amnesty": 0.5, "revelation": 1})
    set_the_mood(stage)
    moments = stage.moments(stage.some())
    stage.weigh(moments)
    for term in stage.days.terms:
        assert all(0 < factor <= 1 for factor in term.options.values())
    for mechanism in stage.days.mechanisms:
        for term in mechanism.terms:
            assert set(term.options) <= set(range(1, len(OPTIONS))), "staying is what all is measured against"
            if mechanism.name in SIGNS:
                sign, options = SIGNS[mechanism.name]
                assert set(term.options) <= options
                assert all(sign * value >= 0 for value in stage.term(moments, term.name))
    assert np.isfinite(moments.terms).all()


def test_each_term_is_named_after_its_mechanism_and_only_once() -> None:
    stage = Stage(1)
    names = [(m.name, term.name) for m in stage.days.mechanisms for term in m.terms]
    assert all(term.startswith(f"{mechanism}.") for mechanism, term in names)
    assert len({term for _, term in names}) == len(names) == len(stage.days.terms)
