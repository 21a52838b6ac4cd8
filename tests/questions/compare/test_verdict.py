"""The verdict of a comparison in words."""

from __future__ import annotations

import numpy as np

from breakrank.questions.compare import verdict
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
