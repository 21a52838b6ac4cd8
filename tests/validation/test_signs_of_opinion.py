"""Farther ties lower preference falsification, and a stronger centre raises it.

Makowsky and Rubin 2013, "An agent-based model of centralized institutions, social network technology, and
revolution". Falsifying here is to be opposed and never to show it, in word or deed. The same luck in both
worlds leaves differences of half a percentage point at more than two standard errors.
"""

from tests.validation.sign_worlds import hidden
from tests.validation.signs import SURE, stands_out

NEVER, GAP = 0, 1
RUNS = 12


def test_more_ties_mean_less_falsification() -> None:
    few, some, usual = (hidden(ties=k, runs=RUNS) for k in (0.1, 0.3, 1))
    assert stands_out((few - some)[:, NEVER]) > SURE
    assert stands_out((some - usual)[:, NEVER]) > SURE
    # what a friend has told fades like all evidence, so that over a year ties move belief by little
    assert stands_out((few - usual)[:, GAP]) > SURE


def test_it_is_what_friends_tell_each_other() -> None:
    # where nobody confides, ties tell nobody what others think
    told = hidden(ties=0.1, runs=RUNS) - hidden(ties=1, runs=RUNS)
    untold = hidden(ties=0.1, confide=0, runs=RUNS) - hidden(confide=0, runs=RUNS)
    assert abs(untold[:, NEVER].mean()) < 0.2 * told[:, NEVER].mean()


def test_a_stronger_centre_means_more_falsification() -> None:
    usual, strong = hidden(ties=1, runs=RUNS), hidden(informers=4, watch=4, runs=RUNS)
    assert stands_out((strong - usual)[:, NEVER]) > SURE
