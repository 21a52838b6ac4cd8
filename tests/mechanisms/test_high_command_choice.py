"""What a holder of a high position weighs and picks, and what may never move him back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.mechanisms.high_command_choice import (
    DEFECTED,
    HEDGING,
    LOYAL,
    PLEDGED,
    STANCES,
    TERMS,
    Command,
    pick,
    share_not_loyal,
    terms_of,
    threshold_at,
    utilities_of,
)
from breakrank.mechanisms.high_command_parameters import NUMBERS
from tests.mechanisms.command_stage import stage

share = st.floats(0, 1)
weight = st.floats(0, 10)
VALUES = {p.name.partition(".")[2]: p.typical for p in NUMBERS}


@st.composite
def commands(draw: st.DrawFn) -> tuple[Command, dict[str, float]]:
    """Return a high command of two positions in some state, and its parameters by name."""
    values = {name: draw(share if name == "hedged" else weight) for name in VALUES}
    return Command(
        np.array([0, 1], np.int32),
        np.array([draw(st.integers(0, 2)), draw(st.integers(0, 2))], np.uint8),
        np.array([0.3, draw(share)]),
        np.array([-1, 0], np.int16),
        np.array([-1, -1], np.int16),
        np.array([True, False]),
        np.array([draw(st.booleans()), False]),
        np.array([draw(share), 0.5]),
        np.array([draw(st.booleans()), True]),
        np.array([-1, -1], np.int32),
        np.array([0.0, 3.0, 5.0]),
        np.array([0.0, 0.0, draw(share)]),
        np.array([draw(share), draw(share)]),
        np.array([draw(share)]),
        np.array([draw(st.floats(0, 3))]),
        np.array(list(values.values())),
    ), values


def chances_of(c: Command, seen: float, asked: bool) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    terms, utility = np.empty(len(TERMS)), np.empty(len(STANCES))
    terms_of(c, 2, seen, asked, 0, terms)
    utilities_of(c, 0, asked, terms, utility)
    odds = np.exp(utility - utility.max())
    return np.asarray(odds / odds.sum())


@given(
    commands(),
    share,
    st.floats(1e-6, 1 - 1e-6),
    st.sampled_from(["guarantees", "sanctions", "credit", "seen"]),
)
def test_with_the_same_luck_more_reason_never_makes_more_loyal(
    made: tuple[Command, dict[str, float]], seen: float, draw: float, what: str
) -> None:
    c, _ = made
    utility, terms, found = np.empty(4), np.empty(len(TERMS)), []
    for more in (0.0, 0.3):
        richer = c.copy(
            offer=c.offer + more * np.array([what == "guarantees", what == "sanctions"]),
            credit=c.credit + more * (what == "credit"),
        )
        terms_of(richer, 2, seen + more * (what == "seen"), False, 0, terms)
        utilities_of(richer, 0, False, terms, utility)
        found.append(pick(utility, draw))
    assert found[0] <= found[1]


@given(commands(), share, st.floats(1e-6, 1 - 1e-6))
def test_with_the_same_luck_who_went_further_stays_further(
    made: tuple[Command, dict[str, float]], seen: float, draw: float
) -> None:
    c, _ = made
    c.contact[0] = True
    utility, terms, found = np.empty(4), np.empty(len(TERMS)), []
    terms_of(c, 2, seen, False, 0, terms)
    for now in (LOYAL, HEDGING, PLEDGED):
        c.stance[0] = now
        utilities_of(c, 0, False, terms, utility)
        found.append(pick(utility, draw))
    assert found == sorted(found)


@given(commands(), st.floats(0, 1))
def test_the_more_is_offered_the_less_hope_a_holder_needs(
    made: tuple[Command, dict[str, float]], more: float
) -> None:
    c, _ = made
    richer = c.copy(offer=c.offer + more)
    assert 0 <= threshold_at(richer, 2, 0) <= threshold_at(c, 2, 0) + 1e-12 <= 1 + 2e-12


def test_who_is_punished_as_hard_as_he_is_rewarded_needs_an_even_chance() -> None:
    c = stage(values={"rents_weight": 0, "punishment": 3, "credibility_weight": 3}, credibility=1.0).view
    assert threshold_at(c, 2, 0) == pytest.approx(0.5)


def test_hedging_is_cheaper_than_a_promise_and_that_than_changing_sides() -> None:
    c = stage(credibility=0.7).view
    loyal, hedging, pledged, defected = chances_of(c, 0.0, False)
    assert loyal > hedging > pledged > defected > 0
    assert defected < 1e-3


def test_who_has_no_dealings_promises_only_when_asked() -> None:
    c = stage(credibility=0.7).view
    assert not c.contact[2]
    terms, utility = np.empty(len(TERMS)), np.empty(len(STANCES))
    for asked, now in ((False, LOYAL), (True, LOYAL), (False, PLEDGED)):
        c.stance[2] = now
        terms_of(c, 2, 0.0, asked, 2, terms)
        utilities_of(c, 2, asked, terms, utility)
        assert np.isfinite(utility[PLEDGED]) == (asked or now == PLEDGED)


def test_the_share_not_loyal_is_of_the_others_weight() -> None:
    c = stage().view
    assert share_not_loyal(c, -1) == 0
    c.stance[:3] = (HEDGING, LOYAL, PLEDGED)
    assert share_not_loyal(c, -1) == pytest.approx((0.15 + 0.2) / 0.95)
    assert share_not_loyal(c, 0) == pytest.approx(0.2 / 0.8)
    assert share_not_loyal(c, 6) == pytest.approx((0.15 + 0.2) / 0.95)  # the court has no weight
    c.stance[3] = DEFECTED
    assert share_not_loyal(c, 3) == pytest.approx((0.15 + 0.2) / 0.75)
    alone = c.copy(weight=np.array([0.5, 0, 0, 0, 0, 0, 0.0]))
    assert share_not_loyal(alone, 0) == 0
