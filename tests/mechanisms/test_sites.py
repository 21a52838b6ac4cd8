"""Sites as arrays: open on their dates, paid for by shares, embassies apart, and money as it comes in."""

from __future__ import annotations

import numpy as np

from breakrank.case.place_codes import places
from breakrank.engine.codes import EV_LODGED
from breakrank.mechanisms.sites import find_sites, funds_by_day
from tests.engine.stage import CROSSINGS, SITES, Stage, site
from tests.engine.worlds import live, lively, record


def test_an_embassy_that_has_the_name_of_its_crossing_is_one_place_with_it() -> None:
    inside = site("embassy", 1, None, {"church": 1}, kind="embassy", crossing="embassy")
    stage = Stage(1, n=3, sites=(inside, *(s for s in SITES if s.kind != "embassy")))
    codes = find_sites(stage.world).code.tolist()
    assert codes == [[c.id for c in CROSSINGS].index("embassy"), *range(4, 4 + len(SITES) - 1)]


def test_places_of_the_log_are_those_of_the_results() -> None:
    case = record()
    replicate = live(lively().set({"force.strength": 20_000}).until("2019-03-20"))
    assert replicate.events is not None
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
