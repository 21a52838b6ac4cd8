"""Screening: when suspects are expelled, and whom the services send."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine.codes import EV_EXPELLED, EV_SENT, SERVING
from breakrank.mechanisms.asylum import Asylum, Screen
from breakrank.mechanisms.lodging import EXPELLED, SETTLED, Guests
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
    stage.play["routes"].journeys.route[:] = stage.rng.integers(0, 4, stage.n)
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


@given(seeds, share, share)
def test_a_higher_chance_expels_all_whom_a_lower_does(seed: int, a: float, b: float) -> None:
    few, many = (expelled(seed, found=c, wrong=c) for c in sorted((a, b)))
    assert few <= many


def expelled(seed: int, **values: float) -> set[int]:
    """Return who is expelled today."""
    stage = staged(seed, sent=0, **values)
    stage.play["asylum"].receive(stage.run)
    return {row[1] for row in stage.records.log if row[2] == EV_EXPELLED}


def test_nobody_is_suspected_before_he_is_registered_and_in_the_end_everybody_can_be() -> None:
    stage = staged(4, sent=0, found=1, wrong=1)
    g = stage.run.view(Guests)
    registered = g.registered[: g.used[0]].copy()
    before = g.stay[: g.used[0]].copy()
    stage.play["asylum"].receive(stage.run)
    known = (registered >= 0) & (registered < stage.run.day) & (before <= SETTLED)
    listed = np.isin(np.arange(len(known)), g.here[: g.used[1]])
    assert (g.stay[: g.used[0]][known & listed] == EXPELLED).all()
    assert (g.stay[: g.used[0]][~known] == before[~known]).all()
    assert (known & listed).sum() > 3


def test_men_of_the_services_are_sent_and_no_officers() -> None:
    stage = Stage(3, n=40)
    stage.world.case.force.branches[0].intelligence = True
    for name in ("intelligence", "intelligence_units"):
        vars(stage.world).pop(name, None)
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
