"""Reception: who comes in with whom, the table of guests, and the places in which they are."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from breakrank.case.place_codes import places
from breakrank.draws import decision, fraction
from breakrank.engine.codes import EV_CROSSED, EV_LODGED
from breakrank.engine.records import record
from breakrank.mechanisms.journeys import FAMILY
from breakrank.mechanisms.lodging import OF_GUEST, Guests, draws_here, find_sites, funds_by_day, with_room
from tests.engine.stage import Stage
from tests.engine.worlds import live, lively
from tests.mechanisms.plain import four, set_the_mood
from tests.mechanisms.plain_guests import households, some_guests


def test_whoever_brings_his_family_brings_somebody() -> None:
    for along in (0.0, 0.01, 0.5, 1.0):
        stage = Stage(4, {"reception.relatives": along}, n=40)
        set_the_mood(stage)
        stage.play["routes"].journeys.mode[:] = FAMILY
        for i in range(40):
            record(stage.run.records, stage.run.day, i, EV_CROSSED, 0, -1, 1.0)
        stage.play["reception"].travel(stage.run)
        for h in households(stage.run.view(Guests)):
            behind = int(stage.force.dependants[h.who])
            assert min(1, behind) <= h.relatives <= behind
            assert h.relatives == behind or along < 1


seeds = st.integers(0, 2**32)


def test_room_is_made_and_nothing_lost() -> None:
    stage = Stage(1, n=30)
    g = some_guests(stage)
    before = households(g)
    assert with_room(g, len(g.who) - int(g.used[0])) is g
    room = len(g.who)
    larger = with_room(g, room)
    assert len(larger.who) >= int(g.used[0]) + room
    assert households(larger) == before
    assert larger.here[: g.used[1]].tolist() == g.here[: g.used[1]].tolist()
    assert all(getattr(larger, name).dtype == getattr(g, name).dtype for name in OF_GUEST)
    assert larger.row is g.row
    assert larger.used is g.used


@given(seeds, st.integers(0, 3_000_000))
def test_draws_of_those_here_are_their_own(seed: int, when: int) -> None:
    stage = Stage(seed)
    g = some_guests(stage)
    out = np.empty((4, int(g.used[1])), np.uint32)
    draws_here(stage.run.key, int(decision("exile.live")), g, when, out)
    for a, k in enumerate(g.here[: g.used[1]]):
        assert tuple(fraction(word) for word in out[:, a]) == four(
            stage, "exile.live", int(g.who[k]), when=when
        )


def test_places_of_the_log_are_those_of_the_results() -> None:
    case = lively().set({"force.strength": 20_000}).until("2019-03-20")
    replicate = live(case)
    lodged = replicate.events["place"][replicate.events["event"] == EV_LODGED]
    named = {places(case)[k] for k in np.unique(lodged)}
    assert named
    assert named <= {s.id for s in case.sites if s.kind != "embassy"}


def test_a_case_without_sites_or_payers_receives_nobody_in_a_site() -> None:
    stage = Stage(1, n=3, sites=(), payers=())
    assert find_sites(stage.world).share.shape == (0, 0)
    assert funds_by_day(stage.world, 1.0).shape == (stage.world.days, 0)
    stage.run.open_day(0)
    stage.days.phase["receive"](stage.run)
    stage.days.phase["dusk"](stage.run)
    assert stage.run.stocks["site_soldiers"].shape == (0,)
    assert stage.run.tables["cost"].shape == (stage.world.days, 0)
