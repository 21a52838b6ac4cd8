"""Screening: when suspects are expelled, and whom the services send."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine.codes import EV_SENT, SERVING
from breakrank.mechanisms.asylum import Asylum
from breakrank.mechanisms.guest_table import EXPELLED, Guests
from breakrank.mechanisms.screening import Screen, _in_days
from tests.engine.stage import Stage
from tests.mechanisms.plain import tier
from tests.mechanisms.plain_guests import some_guests

seeds = st.integers(0, 2**32)
share = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))


def staged(seed: int, n: int | None = None, **values: float) -> Stage:
    stage = Stage(
        seed,
        {f"screening.{k}": v for k, v in values.items()} | {"force.strength": 200},
        {"registration": np.arange(30) % 2},
        n=n,
    )
    stage.play["ways_out"].journeys.route[:] = stage.rng.integers(0, 4, stage.n)
    g = some_guests(stage)
    spies_at_home(stage, g)
    stage.play["reception"].town.registered[0] = (g.registered[: g.used[0]] == stage.run.day).sum()
    return stage


def spies_at_home(stage: Stage, g: Guests) -> None:
    """Let some who were expelled as infiltrators serve again, as those do who are found."""
    records = stage.run.records
    listed = set(g.here[: g.used[1]].tolist())
    for k in range(int(g.used[0])):
        if g.stay[k] == EXPELLED and k not in listed:
            g.spy[k], g.relatives[k], g.children[k] = True, 0, 0
            records.fate[g.who[k]] = SERVING
    g.gone[1, EXPELLED] = 0
    records.stock[:] = 0
    np.add.at(records.stock, (records.fate, records.rank), 1)


@pytest.mark.parametrize("chance", [0.002, 0.05, 0.5])
def test_days_until_something_of_a_daily_chance_happens(chance: float) -> None:
    rng = np.random.default_rng(5)
    found = np.array([_in_days(float(u), chance) for u in rng.random(40_000)])
    assert found.min() >= 1
    # geometric: the mean is 1 / chance, its deviation nearly so
    assert found.mean() == pytest.approx(1 / chance, abs=4 / chance / math.sqrt(len(found)))
    assert (found == 1).mean() == pytest.approx(chance, abs=4 * math.sqrt(chance / len(found)))
    assert _in_days(0.5, 0.0) == -1
    assert _in_days(0.5, 1.0) == 1
    assert _in_days(1e-10, 1e-9) == -1, "never within the run"


@given(seeds, share, share)
def test_a_higher_chance_never_finds_anybody_later(seed: int, a: float, b: float) -> None:
    few, many = (suspected(seed, found=c, wrong=c) for c in sorted((a, b)))
    for who, day in few.items():
        assert day < 0 or 0 <= many[who] <= day


def suspected(seed: int, **values: float) -> dict[int, int]:
    """Return when each who registers, or is sent, would be suspected."""
    stage = staged(seed, sent=0.5, **values)
    stage.play["asylum"].receive(stage.run)
    g = stage.run.view(Guests)
    today = np.flatnonzero(g.registered[: g.used[0]] == stage.run.day)
    return {int(g.who[k]): int(g.suspect[k]) for k in today}


def test_men_of_the_services_are_sent_and_no_officers() -> None:
    stage = Stage(3, n=40)
    stage.world.case.force.branches[0].intelligence = True
    vars(stage.world).pop("intelligence", None)
    agents = Asylum(stage.world).agents
    assert len(agents)
    assert all(stage.force.branch[i] == 0 and tier(stage, i) < 2 for i in agents)
    assert len(agents) == sum(stage.force.branch[i] == 0 and tier(stage, i) < 2 for i in range(40))


def test_without_one_man_of_the_services_all_others_are_picked_as_before() -> None:
    """Whoever was to be sent is; in place of the one who is gone the next of them goes."""
    same = other = 0
    for seed in range(30):
        whole = sent_without(seed, None)
        for position in (-1, 0):
            gone = int(staged(seed, 30).run.view(Screen).agents[position])
            other += gone in whole
            if gone not in whole:
                same += 1
                assert sent_without(seed, position) == whole
    assert same > 20
    assert other > 5


def sent_without(seed: int, position: int | None) -> list[int]:
    """Return whom the services send, in order, without the man at a position of theirs; all of them serve."""
    stage = staged(seed, 30, sent=1, found=0, wrong=0)
    screen = stage.run.view(Screen)
    stage.run.records.fate[screen.agents] = SERVING
    if position is not None:
        screen.agents = np.delete(screen.agents, position)
        screen.identities = np.delete(screen.identities, position)
    stage.play["asylum"].receive(stage.run)
    return [row[1] for row in stage.records.log if row[2] == EV_SENT]
