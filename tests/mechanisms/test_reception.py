"""Reception as a whole: who comes in with whom, what a day is counted as, and how the town takes it."""

from __future__ import annotations

from breakrank.engine.codes import EV_CROSSED
from breakrank.engine.records import record
from breakrank.mechanisms.guest_table import Guests
from breakrank.mechanisms.journeys import FAMILY
from tests.engine.stage import Stage
from tests.mechanisms.plain import set_the_mood
from tests.mechanisms.plain_guests import households


def test_whoever_brings_his_family_brings_somebody() -> None:
    for along in (0.0, 0.01, 0.5, 1.0):
        stage = Stage(4, {"reception.relatives": along}, n=40)
        set_the_mood(stage)
        stage.play["ways_out"].journeys.mode[:] = FAMILY
        for i in range(40):
            record(stage.run.records, stage.run.day, i, EV_CROSSED, 0, -1, 1.0)
        stage.play["reception"].travel(stage.run)
        for h in households(stage.run.view(Guests)):
            behind = int(stage.force.dependants[h.who])
            assert min(1, behind) <= h.relatives <= behind
            assert h.relatives == behind or along < 1
