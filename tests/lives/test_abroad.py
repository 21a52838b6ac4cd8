"""A life abroad in words: what each row of the log says depends on those before it."""

from __future__ import annotations

from typing import Any

from breakrank.case import Case
from breakrank.force import Force
from breakrank.lives.abroad import Abroad
from breakrank.lives.happening import WORDS_HEARD, WORDS_SENT, entries, happenings
from tests.lives.abroad import Row, log

HOTEL, CHURCH, ROOMS, BRIDGE = "cucuta-hotel", "church-house", "rented-rooms", "simon-bolivar-bridge"
LODGED, OUT = "lodged", "evicted from a site"
ME = 7


def told(case: Case, force: Force, *rows: Row) -> list[str]:
    return [e.text for e in happenings(case, force, log(case, *rows), force.position(ME))]


def mine(*rows: tuple[int, str, str, float]) -> list[Row]:
    return [(day, name, ME, place, value) for day, name, place, value in rows]


def test_a_household_moves_from_site_to_site(case: Case, force: Force) -> None:
    rows = mine(
        (55, "found no place", "", 3.0),
        (56, LODGED, CHURCH, 3.0),
        (60, LODGED, HOTEL, 3.0),
        (70, "left a site for an offer", HOTEL, 3.0),
        (140, "got a permit", "", 0.0),
        (141, LODGED, ROOMS, 3.0),
        (150, "settled and works", "", 0.0),
    )
    said = told(case, force, *rows)
    assert said == [
        "they were left on the street with 2 relatives for want of room",
        "they were given a place in the church-run house",
        "they were moved to the hotel in Cúcuta",
        "they took the sum offered to those who would go and left the hotel in Cúcuta with their family",
        "they were given a permit to stay and work",
        "they moved into rented rooms",
        "they left the rented rooms after 9 days and found work and a home for themselves and their family",
    ]
    at = []
    for k in range(len(rows) + 1):
        there = Abroad(case)
        happenings(case, force, log(case, *rows[:k]), force.position(ME), there=there)
        at.append(there.where())
    assert at[:4] == ["", "", "lived in the church-run house", "lived in the hotel in Cúcuta"]
    assert at[4:6] == ["lived in a private home"] * 2
    assert at[6:] == ["lived in the rented rooms", "had work and a home there"]
    places = [e.place for e in happenings(case, force, log(case, *rows), force.position(ME))]
    assert places == ["", CHURCH, HOTEL, HOTEL, "", ROOMS, ""]


def words(*each: tuple[int, int, int, float]) -> tuple[list[Row], dict[int, int]]:
    """Return rows of (day, sender, hearer, treatment)."""
    rows: list[Row] = [(day, "sent word home", who, "", value) for day, who, _, value in each]
    return rows, {k: hearer for k, (_, _, hearer, _) in enumerate(each)}


def heard(case: Case, force: Force, who: int, made: tuple[list[Row], dict[int, int]]) -> list[Any]:
    rows, others = made
    return list(happenings(case, force, log(case, *rows, others=others), force.position(who)))


def test_word_home_is_summed_up_on_both_sides(case: Case, force: Force) -> None:
    made = words(
        *((60 + k, ME, 20 + k % 2, 0.7) for k in range(5)),
        (70, ME, 20, 0.1),
        (80, 9, 20, 0.7),
        (90, ME, 20, 0.1),
    )
    sent = heard(case, force, ME, made)
    assert [e.event for e in sent] == ["sent word home", "sent word home", WORDS_SENT]
    assert "that in treatment and hope they fared fairly well" in sent[0].text
    assert "in treatment and hope they now fared very badly" in sent[1].text
    assert sent[2].text == "they got word home for the last of 7 times, to 2 comrades in all"
    assert (sent[2].value, sent[2].date) == (7, case.calendar.date(90))
    assert all(e.own for e in sent)
    got = heard(case, force, 20, made)
    assert [e.event for e in got] == ["sent word home"] * 3 + [WORDS_HEARD]
    assert [e.other for e in got] == [ME, ME, 9, None]
    assert "abroad, who fared fairly well there" in got[0].text
    assert got[3].text == "word came for the last of 6 times, from 2 comrades abroad"
    assert not any(e.own for e in got)
    assert len(heard(case, force, ME, words((60, ME, 20, 0.7)))) == 1, "one word needs no sum"


def test_life_abroad_does_not_choose_whose_life_is_told(case: Case, force: Force) -> None:
    rows, others = words(*((60 + k, ME, 20, 0.7) for k in range(50)))
    made = log(case, *rows, (55, LODGED, 9, HOTEL, 1.0), (50, "crossed", 9, BRIDGE, 0.0), others=others)
    assert entries(force, made)[[ME, 9]].tolist() == [0, 1]
