"""What a calibration is asked for is checked at once, and all of it."""

from __future__ import annotations

import pytest

import breakrank
from breakrank.errors import UsageError
from breakrank.inference.question import Calibrate


def test_all_that_is_wrong_is_told_together() -> None:
    with pytest.raises(UsageError) as raised:
        Calibrate(simulations=12, waves=0, members=-1, predictive=3)
    told = str(raised.value)
    assert "simulations must be from 100" in told
    assert "waves must be from 1" in told
    assert "members must be from 0" in told
    assert "predictive must be from 20" in told
    with pytest.raises(UsageError, match="not a text"):
        Calibrate(fixed="fear.on")


def test_the_call_is_told_without_what_goes_without_saying() -> None:
    case = breakrank.load_case("crimea-2014", "point")
    asked = Calibrate(waves=1, members=0, predictive=20, seed=5, fixed=["a", "b"], workers=2)
    assert asked.call(case) == (
        "calibrate('crimea-2014', waves=1, members=0, predictive=20, fixed=['a', 'b'], seed=5)"
    )
