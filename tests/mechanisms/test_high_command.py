"""The high command: who holds what, what makes holders pledge and go back on it, and how the regime falls."""

from __future__ import annotations

import math

import numpy as np
import pytest

from breakrank.draws import decision
from breakrank.engine.codes import DETAINED, EV_ARRESTED, OF_THE_HIGH_COMMAND, SERVING
from breakrank.engine.records import move
from breakrank.mechanisms.high_command import (
    LOYAL,
    PLEDGED,
    calls_raised,
    let_go,
    pull,
    seek_pledge,
)
from tests.mechanisms.command_stage import POSITIONS, Stage, force_of, made_up, stage

EVERYONE = POSITIONS.replace("contact: true,", "").replace("weight:", "contact: true, weight:")
ABOVE = int(decision("plots.above"))


def test_each_position_has_a_holder_of_its_own_who_fits() -> None:
    s = stage()
    c, force = s.view, s.run.world.force
    assert len(set(c.holder.tolist())) == 7
    assert (force.rank[c.holder] == len(force.labels.ranks) - 1).all()
    branch = [force.labels.branches[b] for b in force.branch[c.holder]]
    state = [force.labels.states[k] for k in force.state[c.holder]]
    assert branch[2:5] == ["army", "guard", "guard"]
    assert [state[k] for k in (0, 1, 2, 3, 6)] == ["XX-A"] * 5
    assert state[4] == "XX-B"
    assert (c.stance == LOYAL).all()


def test_another_position_leaves_the_others_draws_alone() -> None:
    without = "".join(line + "\n" for line in POSITIONS.splitlines() if "spies" not in line)
    for number in range(5):
        more, fewer = stage(number), stage(number, positions=without)
        kept = [k for k in range(7) if k != 5]
        assert more.view.holder[kept].tolist() == fewer.view.holder.tolist()
        assert (more.view.opportunity[:, kept] == fewer.view.opportunity).all()


@pytest.mark.parametrize("branch", ["army", "guard"])
def test_a_force_too_small_takes_whom_it_has(branch: str) -> None:
    many = "".join(
        f"- {{id: p{k}, label: P, weight: 0, branch: {branch}, capital: true, rents: 1, assumed: made up}}\n"
        for k in range(60)
    )
    s = stage(positions=many)
    holder, force = s.view.holder, s.run.world.force
    assert len(set(holder.tolist())) == 60
    assert (force.branch[holder] == force.labels.branches.index(branch)).all()
    assert (np.diff(force.rank[holder].astype(int)) <= 0).all(), "the highest ranks first"


def test_who_has_dealings_decides_once_a_month_and_the_others_never() -> None:
    many = np.array([stage(number).view.opportunity.mean(axis=0) for number in range(60)])
    contact = stage().view.contact
    assert many[:, contact].mean() == pytest.approx(-math.expm1(-12 / 365.25), rel=0.1)
    assert not many[:, ~contact].any()


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
    contact = stage().view.contact
    decided = [stage(number, world=world).view.opportunity[59][contact] for number in range(300)]
    assert np.mean(decided) == pytest.approx(0.8, abs=0.05)


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


def _pull(values: dict[str, float] | None = None, pledged: tuple[int, ...] = (), **world: float) -> float:
    s = stage(0, values, **world)
    s.dawn(120)
    s.view.stance[list(pledged)] = PLEDGED
    return pull(s.run, 0)


@pytest.mark.parametrize(
    ("more", "less"),
    [
        (_pull(credibility=0.6), _pull(credibility=0.3)),
        (_pull(guarantees=1.0), _pull()),
        (_pull(sanctions=1.0), _pull()),
        (_pull(pledged=(1, 2)), _pull()),
        (_pull(), _pull(watch=1.5)),
        (_pull({"rents_weight": 0.0}), _pull()),
        (_pull({"reluctance": 1.0}), _pull()),
    ],
)
def test_what_speaks_for_a_pledge_and_against_it(more: float, less: float) -> None:
    assert more > less


def test_a_promise_is_mostly_kept_at_the_next_opportunity() -> None:
    stood_by = promised = 0
    for number in range(60):
        s = stage(number, {"reluctance": 1.0}).live()
        stood_by += len(s.events("returned to the regime's side"))
        promised += len(s.events("pledged to a plot"))
    assert 0 < stood_by < promised


def _asked() -> Stage:
    s = stage(1, {"reluctance": 0.0, "response": 20.0}, credibility=1.0)
    s.dawn(0)
    return s


def test_a_plot_asks_who_has_dealings_or_commands_its_branch() -> None:
    s = _asked()
    force, c = s.run.world.force, s.view
    founder = int(np.flatnonzero(force.branch == force.labels.branches.index("army"))[0])
    assert seek_pledge(s.run, founder, ABOVE)
    (row,) = s.events("pledged to a plot")
    position = int(row[4]) - OF_THE_HIGH_COMMAND
    assert (row[1], row[3]) == (c.holder[position], founder)
    assert c.contact[position] or c.branch[position] == force.branch[founder]
    assert c.pledged_to[position] == founder
    let_go(s.run, np.array([founder], np.int32))
    assert c.pledged_to[position] == -1
    assert c.stance[position] == PLEDGED


def test_half_of_the_command_together_ends_the_regime() -> None:
    fell = 0
    for number in range(20):
        s = stage(number, {"reluctance": 0.0}, credibility=1.0, guarantees=1.0, positions=EVERYONE).live()
        partners = s.events("joined a pact against the regime")
        fallen = s.events("regime fell")
        assert bool(partners) == bool(fallen) == (s.run.fallen >= 0)
        if fallen:
            fell += 1
            weight = sum(s.view.weight[int(row[4])] for row in partners)
            assert weight >= 0.5 * s.view.weight.sum() - 1e-9
            assert fallen[0][1] in {row[1] for row in partners}
    assert fell > 10


def test_without_a_high_command_nobody_is_there() -> None:
    for s in (stage(positions="[]\n"), stage(0, {"on": 0.0})):
        assert s.live().events() == []
