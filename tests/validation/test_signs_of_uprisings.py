"""Uprisings led from the top succeed more often, and a protest helps plotters where the press tells of it.

Who leads: Singh 2014, "Seizing power". Protest and press: Casper and Tyson 2014, "Popular protest and elite
coordination in a coup d'état". Each sign has to stand out by 2.3 standard errors; without any difference a
test passes once in a hundred times.
"""

import pytest

from tests.validation.sign_worlds import (
    BOTTOM,
    COUNTED,
    MIDDLE,
    STAFF,
    TOP,
    after_a_protest,
    uprisings_led_by,
)
from tests.validation.signs import SURE, likelier, stands_out, trend

LAUNCHED, UNITS, PEOPLE, WON = range(len(COUNTED))
RUNS = 40


@pytest.mark.slow
@pytest.mark.xfail(
    strict=True, reason="a plot from below gathers more members, and does as well as one under a unit's head"
)
@pytest.mark.thorough
def test_the_higher_who_leads_the_likelier_success() -> None:
    groups = [uprisings_led_by(who) for who in (BOTTOM, MIDDLE, TOP)]
    won, launched = zip(*groups, strict=True)
    assert min(launched) > 60
    assert 0.02 < won[0] / launched[0] < won[1] / launched[1] < won[2] / launched[2] < 0.98
    assert trend(won, launched) > SURE
    assert likelier(groups[0], groups[1]) > SURE
    assert likelier(groups[1], groups[2]) > SURE


@pytest.mark.slow
@pytest.mark.xfail(
    strict=True, reason="a plot from below gathers more members than one of an officer without a unit"
)
@pytest.mark.thorough
def test_it_is_the_command_and_not_the_rank() -> None:
    # officers of the middle who lead no unit do no better than anybody else
    assert likelier(uprisings_led_by(STAFF), uprisings_led_by(MIDDLE)) > SURE
    assert abs(likelier(uprisings_led_by(BOTTOM), uprisings_led_by(STAFF))) < SURE


@pytest.mark.thorough
def test_a_protest_helps_plotters_the_more_the_press_may_tell() -> None:
    quiet = after_a_protest(False, 0, runs=RUNS)
    silent, partial, free = (after_a_protest(True, press, runs=RUNS) - quiet for press in (0.0, 0.25, 1.0))
    for what in (LAUNCHED, UNITS, PEOPLE, WON):
        assert stands_out((free - silent)[:, what]) > SURE, COUNTED[what]
    for what in (UNITS, PEOPLE, WON):
        assert stands_out((free - partial)[:, what]) > SURE, COUNTED[what]


def test_a_protest_that_nobody_hears_of_changes_little() -> None:
    # the same protest, the same orders to repress: without a public signal no sign is left to find
    unheard = after_a_protest(True, 0, runs=RUNS) - after_a_protest(False, 0, runs=RUNS)
    assert abs(stands_out(unheard[:, LAUNCHED])) < SURE
    assert abs(stands_out(unheard[:, UNITS])) < SURE
