"""What a calibration is asked for is checked at once, and all of it."""

from __future__ import annotations

import pytest

from breakrank.errors import UsageError
from breakrank.inference.calibration import Settings


def test_all_that_is_wrong_is_told_together() -> None:
    with pytest.raises(UsageError) as raised:
        Settings.checked(12, 0, -1, 3, 0, ())
    told = str(raised.value)
    assert "simulations must be from 100" in told
    assert "waves must be from 1" in told
    assert "members must be from 0" in told
    assert "predictive must be from 20" in told
    with pytest.raises(UsageError, match="not a text"):
        Settings.checked(120, 1, 0, 20, 0, "fear.on")
    settings = Settings.checked(120, 1, 0, 20, 5, ("b", "a"))
    assert settings.fixed == ("a", "b")
    assert settings.call("x") == (
        "calibrate(\"x\", simulations=120, waves=1, members=0, predictive=20, seed=5, fixed=['a', 'b'])"
    )
