"""A day abroad, and word home: treatment, hope, who fights, who goes on, and what home is told."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine.codes import EV_RAN, EV_WENT_BACK, IMPRISONED
from breakrank.mechanisms.comrades import EXPECTATIONS, RECEIVED, Expectations
from breakrank.mechanisms.exile import quality_of
from breakrank.mechanisms.lodging import IN_SITE, PRIVATE_HOME, SETTLED, STREET, Guests
from tests.engine.plain_books import rows
from tests.engine.stage import Stage
from tests.mechanisms.plain import mind
from tests.mechanisms.plain_guests import some_guests

seeds = st.integers(0, 2**32)
share = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))


@given(st.sampled_from(range(-1, 4)), st.booleans(), seeds)
def test_treatment_is_a_share_and_no_worse_for_more(stay: int, works: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    hours, rations = rng.uniform(0, 24, 3), rng.uniform(0, 5, 3)
    quality, fed = quality_of(stay, 1, works, hours, rations)
    assert -1e-12 <= quality <= 1 + 1e-12
    assert 0 <= fed <= 1
    for more in (
        quality_of(stay, 1, True, hours, rations),
        quality_of(stay, 1, works, hours + 1, rations),
        quality_of(stay, 1, works, hours, rations + 1),
    ):
        assert more[0] >= quality - 1e-12
        assert more[1] >= fed


def test_a_roof_is_better_than_none_and_settling_is_best() -> None:
    hours, rations = np.array([24.0]), np.array([3.0])
    ranked = [quality_of(stay, 0, False, hours, rations)[0] for stay in (STREET, PRIVATE_HOME, IN_SITE)]
    assert ranked == sorted(ranked)
    assert quality_of(SETTLED, -1, False, hours, rations) == (1.0, 1.0)
    assert ranked[-1] == pytest.approx(17 / 20), "all but the right to work"


@given(seeds, st.sampled_from(["idle", "news"]), share, share)
def test_what_wears_down_hope_never_lifts_it(seed: int, name: str, a: float, b: float) -> None:
    light, heavy = (morale_after(seed, **{name: x}) for x in sorted((a, b)))
    assert (heavy <= light + 1e-12).all()


@given(seeds, share, share)
def test_credit_lifts_hope(seed: int, a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert (morale_after(seed, low) <= morale_after(seed, high) + 1e-12).all()


def morale_after(seed: int, credit: float = 0.5, **values: float) -> np.ndarray:
    """Return everybody's morale after a day on which nobody goes anywhere."""
    still = dict.fromkeys(("onward_kin", "onward_other", "settle", "return_rate"), 0.0)
    stage = Stage(seed, {f"exile.{k}": v for k, v in (still | values).items()})
    g = some_guests(stage)
    stage.play["challenger"].credit.today[0] = credit
    stage.play["exile"].receive(stage.run)
    morale = g.morale[: g.used[0]].copy()
    assert ((morale >= 0) & (morale <= 1)).all()
    return morale


def test_who_would_fight_at_low_hope_would_at_high() -> None:
    for seed in range(20):
        fighters = []
        for hope in (0.3, 0.6, 0.95):
            stage = Stage(seed, {"exile.willing": 0.8}, {"enlistment": 1}, n=40)
            g = some_guests(stage)
            g.morale[:], g.enlisted[:], g.spy[:] = hope, False, False
            g.registered[:] = -1  # nobody moves on
            stage.play["exile"].receive(stage.run)
            fighters.append({int(g.who[k]) for k in range(int(g.used[0])) if g.enlisted[k]})
        assert fighters[0] <= fighters[1] <= fighters[2]


@pytest.mark.parametrize("caught", [0, 1])
def test_who_runs_to_the_border_under_arms_is_taken_as_often_as_said(caught: int) -> None:
    values = {
        "exile.return_caught": caught,
        "exile.border_run": 1,
        "exile.willing": 1,
        "exile.return_rate": 0,
    }
    stage = Stage(3, values, {"call": 1, "arming": 1}, n=40)
    some_guests(stage)
    stage.play["exile"].receive(stage.run)
    told = rows(stage.run.records, stage.run.mark)
    ran = {row[1] for row in told if row[2] == EV_RAN}
    taken = {row[1] for row in told if row[2] == EV_WENT_BACK}
    assert len(ran) > 3
    assert taken == (ran if caught else set())
    assert all(stage.run.records.fate[i] == IMPRISONED for i in taken)


def test_who_waits_to_be_registered_goes_nowhere() -> None:
    chances = dict.fromkeys(("onward_kin", "onward_other", "settle", "return_rate"), 1.0)
    stage = Stage(2, {f"exile.{k}": v for k, v in chances.items()}, {"right_to_work": 1}, n=40)
    g = some_guests(stage)
    before = g.stay[: g.used[0]].copy()
    waits = g.registered[: g.used[0]] < 0
    stage.play["exile"].receive(stage.run)
    after = g.stay[: g.used[0]]
    assert (after[waits] == before[waits]).all()
    assert (after[~waits] != before[~waits]).sum() > 5


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
