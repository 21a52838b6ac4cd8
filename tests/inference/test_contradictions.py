"""Targets that no simulation meets together are named; those that only seldom meet are not."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from breakrank.inference.report import contradiction_sentences, contradictions


@dataclass
class Between:
    """A target that agrees with counts between two numbers."""

    label: str
    low: float
    high: float

    @property
    def target(self) -> Any:
        return SimpleNamespace(label=self.label)

    def agrees(self, counts: np.ndarray) -> np.ndarray:
        return (counts >= self.low) & (counts <= self.high)


def test_what_excludes_each_other_is_named() -> None:
    x = np.linspace(0, 1, 400)
    other = np.random.default_rng(1).random(400)
    targets: Any = [Between("early", 0, 0.3), Between("late", 0.7, 1), Between("apart", 0, 0.3)]
    assert contradictions(targets, [x, x, other]) == [("early", "late")]
    assert contradictions(targets[:2], [x, np.where(x < 0.5, np.nan, x)]) == []  # without an answer
    assert contradictions(targets[:2], [x[::10], x[::10]]) == []  # 3.6 expected: none may be chance
    (sentence,) = contradiction_sentences([("early", "late")])
    assert "none with both of “early” and “late”." in sentence
    assert contradiction_sentences([]) == ()
