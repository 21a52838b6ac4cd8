"""Word home: better treatment is never told as worse, and without contact only the field counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.mechanisms.comrades import EXPECTATIONS, RECEIVED, Expectations
from breakrank.mechanisms.lodging import Guests
from tests.engine.stage import Stage
from tests.mechanisms.plain import mind
from tests.mechanisms.plain_guests import some_guests

seeds = st.integers(0, 2**32)
share = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))


def staged(seed: int, word: float = 0.4, n: int | None = None, **values: float) -> Stage:
    stage = Stage(seed, {k.replace("__", "."): v for k, v in values.items()}, {"host_reputation": word}, n=n)
    some_guests(stage)
    own, rng = stage.run.view(Expectations).own, stage.rng
    shape = (stage.n, 2 * EXPECTATIONS)
    own[:, :-1] = rng.integers(0, 3, shape) * rng.random(shape)
    own[:, -1] = rng.integers(0, stage.run.day + 1, stage.n)
    mechanism = stage.play["diaspora"]
    mechanism.told.counts[:] = rng.random(2) * 5
    mechanism.dawn(stage.run)
    return stage


@given(seeds, share, share)
def test_better_treatment_never_makes_anybody_expect_worse(seed: int, a: float, b: float) -> None:
    low, high = sorted((a, b))
    expected = []
    for quality in (low, high):
        stage = staged(seed, diaspora__contact=20)
        stage.run.view(Guests).quality[:] = quality
        mechanism = stage.play["diaspora"]
        mechanism.receive(stage.run)
        stage.run.open_day(stage.run.day + 1)
        mechanism.dawn(stage.run)
        expected.append(np.array([mind(stage, RECEIVED, i) for i in range(stage.n)]))
    assert (expected[0] <= expected[1] + 1e-6).all()


def test_bad_treatment_makes_fewer_come_than_none_at_all() -> None:
    expected: dict[float | None, float] = {}
    for quality in (None, 0.1, 0.9):
        stage = staged(3, 0.45, n=400, diaspora__contact=50, diaspora__reach=5)
        g, mechanism = stage.run.view(Guests), stage.play["diaspora"]
        mechanism.told.counts[:] = 0.0
        if quality is not None:
            g.quality[:], g.morale[:], g.decided[:] = quality, 1.0, 0
            mechanism.receive(stage.run)
        mechanism.dawn(stage.run)
        expected[quality] = float(stage.run.view(Expectations).public[RECEIVED, 0])
    assert expected[None] == pytest.approx(0.45)
    assert expected[0.1] < 0.45 < expected[0.9]


def test_without_contact_only_the_field_counts() -> None:
    stage = staged(3, 0.6, n=40, diaspora__contact=0)
    mechanism = stage.play["diaspora"]
    mechanism.told.counts[:] = 0.0
    before = stage.records
    for _ in range(5):
        mechanism.receive(stage.run)
        mechanism.dawn(stage.run)
    assert stage.run.view(Expectations).public[RECEIVED, 0] == pytest.approx(0.6)
    before.assert_same(stage.run.records)
