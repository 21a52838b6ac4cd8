"""The patterns of lives abroad, each against a run made by hand."""

import numpy as np

from breakrank.case import Case
from breakrank.engine.codes import EV_LODGED, EV_MOVED_ON, EV_PUT_OUT
from breakrank.force import Force
from tests.lives.abroad import Row, lived
from tests.lives.asked import counted, preferred, whose

HOTEL, CHURCH, ROOMS, BRIDGE = "cucuta-hotel", "church-house", "rented-rooms", "simon-bolivar-bridge"
LODGED, OUT, KIN = "lodged", "evicted from a site", "moved on"
DAY = 119


def ran(who: int, day: int = DAY, morale: float = 0.4) -> list[Row]:
    return [(day, "ran to the border", who, "", morale), (day, "sent back by the host", who, "", 0.0)]


def test_waiting(case: Case, force: Force) -> None:
    rows: list[Row] = [(DAY - 66, LODGED, who, HOTEL, 1.0) for who in range(10)]
    rows += [(DAY - 20, OUT, 1, HOTEL, 1.0), (DAY - 10, LODGED, 1, HOTEL, 1.0)]  # 56 days in two stays
    rows += [(DAY - 30, OUT, 2, HOTEL, 1.0), (DAY - 2, LODGED, 2, HOTEL, 1.0)]  # 38 days
    rows += [(DAY - 1, OUT, 3, HOTEL, 1.0)]  # at no site that day
    rows += [(DAY - 40, "got a permit", 4, "", 0.0), (DAY - 40, LODGED, 4, ROOMS, 1.0)]  # may work
    rows += [(DAY - 44, LODGED, 10, HOTEL, 1.0), (DAY - 45, LODGED, 11, HOTEL, 1.0)]
    rows += [(DAY - 66, LODGED, 12, CHURCH, 1.0)]  # free to go out, forbidden to work by law
    rows += [(DAY - 66, LODGED, 13, CHURCH, 1.0), (DAY - 50, "got a permit", 13, "", 0.0)]
    rows += [(DAY - 66, LODGED, 14, CHURCH, 1.0), (DAY - 50, "granted asylum", 14, "", 0.0)]
    for who in (0, 1, 2, 3, 4, 10, 11, 12, 13, 14):
        rows += ran(who)
    rows += [(DAY, "ran to the border", 5, "", 0.4)]  # not sent back
    rows += [(DAY - 3, "ran to the border", 6, "", 0.4), (DAY, "sent back by the host", 6, "", 0.0)]
    rows += ran(7, DAY - 40)  # too early
    rows += [*ran(8), (DAY + 5, OUT, 8, HOTEL, 1.0), *ran(8, DAY + 30)]  # the last time from no site
    lives = lived(case, force, *rows)
    assert whose(counted(lives, "waiting")) == [0, 1, 8, 11, 12]
    law = {"field": "right_to_work", "op": "set", "value": 1}
    start = case.calendar.start
    event = {"id": "work", "date": start, "title": "Work for all", "assumed": "a test", "effects": [law]}
    free = case.with_events([event])
    assert whose(counted(lived(free, force, *rows), "waiting")) == [0, 1, 8, 11], "12 might work"


def test_infiltrator(case: Case, force: Force) -> None:
    sent, found = "sent across as an infiltrator", "expelled by the host"
    rows: list[Row] = []
    for who in range(5):
        rows += [(60, sent, who, BRIDGE, 0.0), (60, "registered", who, BRIDGE, 1.0)]
    rows += [(61, LODGED, 0, HOTEL, 1.0), (66, found, 0, "", 1.0)]
    rows += [(92, found, 1, "", 1.0)]
    rows += [(50, found, 2, "", 1.0)]  # before he was sent
    rows += [(70, found, 3, "", 0.0)]  # not as what he was
    rows += [(60, "registered", 6, BRIDGE, 1.0), (70, found, 6, "", 0.0)]  # an innocent
    rows += [(60, sent, 7, BRIDGE, 0.0), (70, found, 7, "", 1.0)]  # never registered
    lives = lived(case, force, *rows)
    assert whose(counted(lives, "infiltrator")) == [0, 1]
    score = preferred(lives, "infiltrator")
    assert score[0] > score[1] > 0 == score[2:].sum()


def test_stays_are_those_of_the_log(case: Case, force: Force) -> None:
    rows: list[Row] = [
        (60, LODGED, 7, CHURCH, 2.0),
        (62, LODGED, 7, HOTEL, 2.0),
        (90, OUT, 7, HOTEL, 2.0),
        (90, LODGED, 7, CHURCH, 2.0),
        (61, LODGED, 3, HOTEL, 1.0),
        (75, KIN, 3, "", 0.0),
    ]
    lives = lived(case, force, *rows)
    hotel, church = case.sites.position(HOTEL), case.sites.position(CHURCH)
    last = case.calendar.days
    told = list(zip(*(column.tolist() for column in lives.stays), strict=True))
    assert told == [
        (3, hotel, 61, 75, EV_MOVED_ON),
        (7, church, 60, 62, EV_LODGED),
        (7, hotel, 62, 90, EV_PUT_OUT),
        (7, church, 90, last, -1),
    ]
    where = {60: church, 61: church, 62: hotel, 89: hotel, 90: church, last - 1: church, 59: -1}
    days = np.array(list(where))
    assert lives.at_site(np.full(len(days), 7), days).tolist() == list(where.values())
    assert lives.at_site(np.array([3, 3, 5]), np.array([74, 75, 70])).tolist() == [hotel, -1, -1]
