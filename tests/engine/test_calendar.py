"""Occasions and the calendar of a run, which looks at no later day."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank import Case
from breakrank.draws import NOBODY, decision, luck_key, uniforms
from breakrank.engine.calendar import Process
from breakrank.engine.replicate import Replicate
from breakrank.model import Model
from breakrank.spec import Field
from tests.engine.worlds import PLOTTING, busy, force_of
from tests.mechanisms.civil_war import civil_war

KEY = luck_key(5, "run")
NAME = int(decision("test.occasion"))


def read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def any_process(seed: int, days: int, size: float = 0.2) -> tuple[Process, np.ndarray]:
    """Return a process of up to three groups, with days without any rate, and identities with gaps."""
    rng = np.random.default_rng(seed)
    n, groups = int(rng.integers(1, 40)), int(rng.integers(1, 4))
    rate = rng.random((groups, days)) * size * (rng.random((groups, days)) < 0.6)
    process = Process(
        occasion=1,
        name=NAME,
        group=rng.integers(-1, groups, n).astype(np.int32),
        factor=(rng.random(n) * 3 * (rng.random(n) < 0.8)).astype(np.float32),
        cumulative=np.cumsum(rate, axis=1),
    )
    return process, read_only(np.sort(rng.choice(1000, n, replace=False)).astype(np.uint32))


def plain_occasions(process: Process, identity: np.ndarray) -> list[tuple[int, int]]:
    """Add up exponential draws for each soldier; each that the cumulated rate passes is a moment."""
    found = []
    for i, who in enumerate(identity.tolist()):
        group, factor = int(process.group[i]), float(process.factor[i])
        if group < 0 or factor <= 0:
            continue
        rate = process.cumulative[group].tolist()
        spent, block = 0.0, 0
        while spent < rate[-1] * factor:
            for u in uniforms(KEY, NAME, who, int(NOBODY), block):
                spent -= math.log(u)
                if spent >= rate[-1] * factor:
                    break
                found.append((next(d for d, level in enumerate(rate) if level > spent / factor), i))
            block += 1
    return found


@given(st.integers(0, 2**32), st.integers(1, 60), st.sampled_from([0.001, 0.2, 3.0]))
def test_occasions_agree_with_one_soldier_after_the_other(seed: int, days: int, size: float) -> None:
    process, identity = any_process(seed, days, size)
    day_of, who = process.draw(KEY, identity)
    assert list(zip(day_of.tolist(), who.tolist(), strict=True)) == plain_occasions(process, identity)


def test_a_moment_at_the_very_end_falls_on_the_last_day() -> None:
    # the cumulated rate is set to where a soldier's first draw falls, so that rounding decides on which side
    factor, found = np.full(1, 0.3, np.float32), 0
    for who in range(50):
        spent = -math.log(uniforms(KEY, NAME, who, int(NOBODY), 0)[0])
        level = spent / float(factor[0])
        process = Process(1, NAME, np.zeros(1, np.int32), factor, np.array([[0.0, 0.0, level]]))
        day_of, _ = process.draw(KEY, read_only(np.array([who], np.uint32)))
        assert set(day_of.tolist()) <= {2}
        found += len(day_of)
    assert found > 0


def test_room_grows_when_luck_exceeds_the_guess() -> None:
    days = 10
    process = Process(
        1, NAME, np.zeros(50, np.int32), np.ones(50, np.float32), np.cumsum(np.full((1, days), 2.0), axis=1)
    )
    process.__dict__["room"] = 3
    identity = read_only(np.arange(50, dtype=np.uint32))
    day_of, who = process.draw(KEY, identity)
    assert len(day_of) == len(who) > 700
    assert list(zip(day_of.tolist(), who.tolist(), strict=True)) == plain_occasions(process, identity)


CASE = busy(500, "2019-03-01", **{name.replace(".", "__"): value for name, value in PLOTTING.items()})
DAY = 30
FELT = ("credibility", "pay", "posting", "call", "host_reputation")
"""Fields whose change shows within three weeks, even in so small a force."""


@pytest.fixture(scope="module")
def war(tmp_path_factory: pytest.TempPathFactory) -> Case:
    case = civil_war(tmp_path_factory.mktemp("montara") / "montara")
    return case.set({"force.strength": 800}).until(case.calendar.date(60))


def changed(case: Case, field: Field) -> Case:
    """Return a case in which a field is far from its usual level from a day on."""
    high = min(field.high, field.low + 40)
    effect = {"field": field.name, "op": "set", "value": field.low + 0.9 * (high - field.low)}
    date = str(case.calendar.date(DAY))
    event = {"id": "change", "date": date, "title": "A change", "assumed": "Invented.", "effects": [effect]}
    return case.with_events([event])


def days(run: Replicate, first: int, end: int) -> list[bytes]:
    """Return the daily counts and the log of some days, as bytes."""
    series = [x[first:end].tobytes() for _, x in sorted(run.series.items()) if x.ndim and len(x) > end]
    rows = (run.events["day"] >= first) & (run.events["day"] < end)
    return series + [column[rows].tobytes() for _, column in sorted(run.events.items())]


def runs(case: Case, name: str) -> tuple[Replicate, Replicate]:
    force, field = force_of(case), case.catalogue.fields[name]
    one, other = (Model(c, force).replicate(1, 3, log=True) for c in (case, changed(case, field)))
    return one, other


@pytest.mark.parametrize("name", sorted(CASE.catalogue.fields))
def test_no_mechanism_reads_a_later_day(name: str) -> None:
    one, other = runs(CASE, name)
    assert days(one, 0, DAY) == days(other, 0, DAY)
    if name in FELT:
        assert days(one, DAY, DAY + 21) != days(other, DAY, DAY + 21)


@pytest.mark.parametrize("name", ["contact", "credibility", "amnesty", "call", "scarcity", "posting", "held"])
def test_nor_does_one_of_a_war(war: Case, name: str) -> None:
    one, other = runs(war, name)
    assert np.array_equal(days(one, 0, DAY), days(other, 0, DAY))
