"""What a calibration is asked for is checked at once, and all of it."""

from __future__ import annotations

import pytest

from breakrank.errors import UsageError
from breakrank.questions.calibrate.arrays import checked


def test_all_that_is_wrong_is_told_together() -> None:
    with pytest.raises(UsageError) as raised:
        checked(12, 1, 0, 5, 3, ())
    told = str(raised.value)
    assert "simulations must be from 100" in told
    assert "worlds must be from 20" in told
    assert "predictive must be from 20" in told
    assert checked(120, 1, 0, 50, 20, ("b", "a")).fixed == ("a", "b")
