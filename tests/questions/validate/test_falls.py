"""The score of P(fall): what happened, the model's chance, and the share of falls in the other cases."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import breakrank
from breakrank.errors import UsageError
from breakrank.questions.validate import falls

HELD = np.array([1.0, 1.0, 1.0, 0.0])
"""Four runs, in one of which the regime has fallen."""


def test_each_case_is_scored_beside_the_share_of_falls_in_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(falls, "simulate", lambda *_, **__: SimpleNamespace(data=None))
    monkeypatch.setattr(falls, "measure", lambda *_: HELD)
    found = {one.case: one for one in falls.score_falls()}
    assert set(found) == set(breakrank.list_cases())
    assert [name for name, one in found.items() if one.fell] == ["philippines-1986"]
    fallen, held = found["philippines-1986"], found["syria-2011"]
    assert (fallen.date, fallen.chance, fallen.others) == ("1986-02-25", 0.25, 0.0)
    assert (fallen.brier, fallen.brier_others) == (0.75**2, 1.0)
    assert held.brier == 0.25**2
    assert held.brier_others == pytest.approx((len(found) - 1) ** -2)


def test_one_case_alone_has_no_baseline() -> None:
    with pytest.raises(UsageError, match="no others"):
        falls.score_falls(["crimea-2014"])
