"""The verdict of a comparison in words."""

from __future__ import annotations

import numpy as np

from breakrank.questions.compare.document import verdict
from breakrank.results.paired import Difference, difference


def _one(label: str, apart: list[float]) -> Difference:
    before = np.array([100.0, 900.0, 400.0, 250.0])
    return difference(label, label, "people", before, before + np.array(apart))


def test_the_first_outcome_comes_first_and_then_what_differs_clearly() -> None:
    left, registered = _one("Left", [-50, 60, -40, 30]), _one("Registered", [150, 160, 140, 150])
    told = verdict([left, registered], 4)
    assert told.startswith(
        "4 pairs of runs show no clear difference in “Left” (0, −85 to +85); Registered rises by 150 ("
    )
    assert "1 of 2 outcomes looked at differ clearly" in told
    assert verdict([registered, left], 4).startswith("In 4 pairs of runs: Registered rises by 150 (")


def test_it_says_that_nothing_differs_clearly() -> None:
    left = _one("Left", [-50, 60, -40, 30])
    assert verdict([left, left], 4) == (
        "4 pairs of runs show no clear difference in “Left” (0, −85 to +85), "
        "nor in any other of 2 outcomes looked at."
    )
    assert verdict([_one("Left", [5, 5, 5, 5])], 1).startswith("One pair")


def test_a_difference_that_is_the_same_in_every_pair_is_clear() -> None:
    assert "Left rises by 5 (in every pair)" in verdict([_one("Left", [5, 5, 5, 5])], 4)


def test_a_fall_is_told_by_its_size_and_outcomes_by_their_labels() -> None:
    fewer, same = _one("Serving", [-150, -160, -140, -150]), _one("In the register", [-50, 60, -40, 30])
    told = verdict([same, fewer], 4)
    assert told.startswith(
        "4 pairs of runs show no clear difference in “In the register” (0, −85 to +85); Serving falls by 150"
    )
