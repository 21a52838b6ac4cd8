"""A life abroad: where someone lived, and what they let others know of it."""

import numpy as np

from breakrank.case import Case
from breakrank.force import Force
from breakrank.lives.trace import Happening, entries, happenings
from tests.lives.abroad import Row, log

HOTEL, CHURCH, BRIDGE = "cucuta-hotel", "church-house", "simon-bolivar-bridge"
ME = 7


def mine(*rows: tuple[int, str, str, float]) -> list[Row]:
    return [(day, name, ME, place, value) for day, name, place, value in rows]


def heard(
    case: Case, force: Force, who: int, rows: list[Row], others: dict[int, int] | None = None
) -> list[Happening]:
    nobody = np.zeros(force.n, np.bool_)
    return list(happenings(case, force, log(case, *rows, others=others), force.position(who), nobody))


def test_a_household_moves_from_site_to_site(case: Case, force: Force) -> None:
    rows = mine(
        (55, "found no place", "", 3.0),
        (56, "lodged", CHURCH, 3.0),
        (60, "lodged", HOTEL, 1.0),
        (140, "got a permit", "", 0.0),
        (150, "moved on", "", 0.0),
    )
    told = [(e.event, e.place, e.where, e.detail) for e in heard(case, force, ME, rows)]
    assert told == [
        ("found no place", "", "", "with 2 relatives"),
        ("lodged", CHURCH, "Church-run house", "with 2 relatives"),
        ("lodged", HOTEL, case.sites[case.sites.position(HOTEL)].label, ""),
        ("got a permit", "", "", ""),
        ("moved on", "", "", "to kin abroad"),
    ]


def words(*each: tuple[int, int, int, float]) -> tuple[list[Row], dict[int, int]]:
    """Return rows of (day, sender, hearer, treatment)."""
    rows: list[Row] = [(day, "sent word home", who, "", value) for day, who, _, value in each]
    return rows, {k: hearer for k, (_, _, hearer, _) in enumerate(each)}


def test_of_words_home_those_stand_that_say_something_else(case: Case, force: Force) -> None:
    made = words(
        *((60 + k, ME, 20 + k % 2, 0.7) for k in range(5)),
        (70, ME, 20, 0.1),
        (80, 9, 20, 0.7),
        (90, ME, 20, 0.1),
    )
    sent = heard(case, force, ME, *made)
    assert [(e.other, e.detail, e.own) for e in sent] == [
        (20, "faring fairly well", True),
        (20, "faring very badly", True),
    ]
    got = heard(case, force, 20, *made)
    assert [(e.other, e.detail, e.own) for e in got] == [
        (ME, "faring fairly well", False),
        (ME, "faring very badly", False),
        (9, "faring fairly well", False),
    ]
    assert all(e.who.startswith("by ") for e in got)


def test_life_abroad_does_not_choose_whose_life_is_told(case: Case, force: Force) -> None:
    rows, others = words(*((60 + k, ME, 20, 0.7) for k in range(50)))
    made = log(case, *rows, (55, "lodged", 9, HOTEL, 1.0), (50, "crossed", 9, BRIDGE, 0.0), others=others)
    assert entries(force, made)[[ME, 9]].tolist() == [0, 1]
