"""A protest helps plotters where the press tells of it.

Casper and Tyson 2014, "Popular protest and elite coordination in a coup d'état". Each sign has to stand out
by 2.3 standard errors; without any difference a test passes once in a hundred times.
"""

import pytest

from tests.validation.sign_worlds import COUNTED, after_a_protest
from tests.validation.signs import SURE, stands_out

LAUNCHED, UNITS, PEOPLE, WON = range(len(COUNTED))
RUNS = 40


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
