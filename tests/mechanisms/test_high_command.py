"""The high command as a whole: who holds what, what the log says, replacement, pacts and their signs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from breakrank.engine.codes import DETAINED, EV_ARRESTED, SERVING
from breakrank.engine.records import move
from breakrank.mechanisms.high_command import STANCES, calls_raised
from breakrank.mechanisms.high_command_choice import DEFECTED, LOYAL, PLEDGED
from tests.mechanisms.command_stage import POSITIONS, force_of, made_up, stage

FREE = {"hedging": 0.5, "pledging": 1.0, "fear_weight": 0.0, "rents_weight": 0.5}
"""A high command that wavers a lot."""


def test_each_position_has_a_holder_of_its_own_who_fits() -> None:
    s = stage()
    c, force = s.view, s.run.world.force
    assert len(set(c.holder.tolist())) == 7
    assert (force.rank[c.holder] == len(force.rank_ids) - 1).all()
    branch = [force.branch_ids[b] for b in force.branch[c.holder]]
    state = [force.state_ids[k] for k in force.state[c.holder]]
    assert branch[2:5] == ["army", "guard", "guard"]
    assert [state[k] for k in (0, 1, 2, 3, 6)] == ["XX-A"] * 5
    assert state[4] == "XX-B"
    assert (c.stance == LOYAL).all()


def test_another_position_leaves_the_others_luck_alone() -> None:
    without = "".join(line + "\n" for line in POSITIONS.splitlines() if "spies" not in line)
    for number in range(5):
        more, fewer = stage(number), stage(number, positions=without)
        kept = [k for k in range(7) if k != 5]
        assert more.view.holder[kept].tolist() == fewer.view.holder.tolist()
        assert (more.command.by_day.moments[:, kept] == fewer.command.by_day.moments).all()


@pytest.mark.parametrize("branch", ["army", "guard"])
def test_a_force_too_small_takes_whom_it_has(branch: str) -> None:
    many = "".join(
        f"- {{id: p{k}, label: P, weight: 0, branch: {branch}, capital: true, rents: 1, assumed: made up}}\n"
        for k in range(60)
    )
    world = stage(positions=many)
    holder = world.view.holder
    assert len(set(holder.tolist())) == 60
    force = world.run.world.force
    assert (force.branch[holder] == force.branch_ids.index(branch)).all()
    assert (np.diff(force.rank[holder].astype(int)) <= 0).all(), "the highest ranks first"


def test_moments_come_as_often_as_said() -> None:
    many = [stage(number, {"moments": 24.0}).command.by_day.moments.mean(axis=0) for number in range(60)]
    rate = -math.expm1(-24 / 365.25)
    assert np.mean(many) == pytest.approx(rate, rel=0.05)
    assert not stage(0, {"moments": 0.0}).command.by_day.moments.any()


def test_a_call_makes_holders_decide_the_likelier_the_louder_it_is() -> None:
    case, loud = made_up(), stage().run.world
    event = {
        "id": "call",
        "date": "2025-03-01",
        "title": "A call",
        "assumed": "made up",
        "effects": [{"field": "call", "op": "add", "value": 0.8, "half_life": 3}],
    }
    world = type(loud)(case.with_events(event), force_of(case))
    called = calls_raised(world)
    assert np.flatnonzero(called).tolist() == [59]
    assert called[59] == pytest.approx(0.8)
    decided = [stage(number, world=world).command.by_day.moments[59] for number in range(100)]
    assert np.mean(decided) == pytest.approx(0.8, abs=0.05)


def test_every_day_every_position_has_one_stance() -> None:
    for number in range(10):
        s = stage(number, FREE, credibility=0.8)
        for _ in s.days():
            counts, stock = s.by_day[-1], s.run.records.stock
            assert counts.sum() == 7
            assert counts.dtype == np.int32
            assert counts.shape == (len(STANCES),)
            assert stock.sum() == s.run.world.force.n
            assert stock.min() >= 0


def test_who_is_gone_is_replaced_by_a_loyal_one() -> None:
    s = stage()
    c, run = s.view, s.run
    s.dawn(0)
    gone = int(c.holder[2])
    c.stance[2], c.pledged_to[2] = PLEDGED, 7
    move(run.records, 0, gone, DETAINED, EV_ARRESTED, -1, -1, 0.0)
    s.dawn(1)
    assert c.holder[2] != gone
    assert run.records.fate[c.holder[2]] == SERVING
    assert (c.stance[2], c.pledged_to[2]) == (LOYAL, -1)
    run.records.fate[gone] = SERVING  # let free: the place is taken
    run.records.fate[c.holder[2]] = DETAINED
    s.dawn(2)
    assert c.holder[2] != gone


def test_a_defector_is_counted_on_his_day() -> None:
    s = stage(3, {**FREE, "defecting": 0.0}, credibility=1.0)
    for day in s.days():
        if defected := s.events("declared for the challenger"):
            assert s.by_day[-1][DEFECTED] == len(defected)
            s.dawn(day + 1)
            assert s.command.stances(s.run)[DEFECTED] == 0
            return
    pytest.fail("nobody changed sides")


READY = {"pact_quorum": 0.3, "moments": 60.0, "defecting": 60.0}


def test_a_pact_ends_the_regime() -> None:
    found = 0
    for number in range(20):
        s = stage(number, READY, guarantees=1.0, credibility=1.0, sanctions=1.0).live()
        partners = s.events("joined a pact against the regime")
        fell = s.events("regime fell")
        assert bool(partners) == bool(fell) == (s.run.fallen >= 0)
        if not fell:
            continue
        found += 1
        (day, who, _, other, value) = fell[0]
        assert (day, value, other) == (s.run.fallen, 1.0, -1)
        assert all(row[0] == day for row in partners)
        assert who == partners[0][1]
        weight = sum(s.view.weight[int(row[4])] for row in partners)
        assert weight >= 0.5 * s.view.weight.sum() - 1e-9
        assert all(s.view.holder[int(row[4])] == row[1] for row in partners)
        assert all(s.view.stance[int(row[4])] != LOYAL for row in partners)
    assert found > 10


def test_a_failed_pact_exposes_those_who_joined() -> None:
    values = {**READY, "pact_strength": 1.0, "sight": 0.6, "exposure": 0.8}
    fates: dict[str, int] = {}
    for number in range(20):
        s = stage(number, values, guarantees=1.0, credibility=1.0)
        for _ in s.days():
            pass
        assert s.run.fallen < 0 or s.events("joined a pact against the regime")
        for row in s.events("arrested", "discharged in a purge"):
            fates[row[2]] = fates.get(row[2], 0) + 1
        assert (s.run.records.fate == DETAINED).sum() == len(s.events("arrested"))
    assert set(fates) == {"arrested"}
    assert fates["arrested"] > 5


def test_nobody_is_exposed_where_nothing_is_found() -> None:
    values = {**READY, "pact_strength": 1.0, "sight": 0.6, "exposure": 0.0}
    for number in range(5):
        s = stage(number, values, guarantees=1.0, credibility=1.0).live()
        assert not s.events("arrested", "discharged in a purge")


RUNS = range(200)
FREED = {"credibility": 0.6, "guarantees": 1.0}


def falls(values: dict[str, float] | None = None, **world: float) -> np.ndarray:
    """Return in which of 200 runs a pact ends the regime."""
    return np.array([stage(number, values, **world).live().run.fallen >= 0 for number in RUNS])  # type: ignore[arg-type]


def test_without_guarantees_a_pact_is_rare() -> None:
    assert falls(credibility=0.6).mean() <= 0.03
    assert falls(credibility=0.3).mean() <= 0.01


@pytest.mark.parametrize(
    ("rarer", "commoner", "values"),
    [
        ({"credibility": 0.6}, FREED, {}),
        ({"credibility": 0.6, "guarantees": 0.5}, FREED, {}),
        # the typical weight is small, so the sign is asked with a large one
        ({"credibility": 0.6}, {"credibility": 0.6, "sanctions": 1.0}, {"sanctions_weight": 4.0}),
        ({**FREED, "watch": 2.0}, FREED, {}),
    ],
)
def test_guarantees_and_sanctions_make_pacts_commoner_and_watching_rarer(
    rarer: dict[str, float], commoner: dict[str, float], values: dict[str, float]
) -> None:
    few, many = falls(values, **rarer), falls(values, **commoner)
    ups, downs = int((many & ~few).sum()), int((few & ~many).sum())
    chance = sum(math.comb(ups + downs, k) for k in range(ups, ups + downs + 1)) / 2 ** (ups + downs)
    assert chance < 0.001, "were both ways alike"


def test_guarantees_nobody_believes_change_nothing() -> None:
    for number in range(5):
        one = stage(number, FREE, credibility=0.0).live()
        other = stage(number, FREE, credibility=0.0, guarantees=1.0).live()
        assert one.events() == other.events()


def test_without_a_high_command_nobody_is_there() -> None:
    for s in (stage(positions="[]\n"), stage(0, {"on": 0.0})):
        assert not s.command.acts
        assert s.live().events() == []
        assert [counts.sum() for counts in s.by_day] == [0] * 181
