"""Reception: who comes in with whom, the table of guests, and the places in which they are."""

from __future__ import annotations

import numpy as np

from breakrank.case.place_codes import places
from breakrank.engine.codes import EV_CROSSED, EV_LODGED
from breakrank.engine.records import record
from breakrank.mechanisms.journeys import FAMILY
from breakrank.mechanisms.lodging import Guests, find_sites, funds_by_day
from tests.engine.stage import Stage
from tests.engine.worlds import live, lively
from tests.mechanisms.plain import set_the_mood
from tests.mechanisms.plain_guests import households


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
