"""What taking out each mechanism changes, mechanism by outcome, as the terminal and the page show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from breakrank.questions.explain.phrases import called, signed

if TYPE_CHECKING:
    from breakrank.questions.explain.effects import PairedEffect
    from breakrank.questions.explain.result import Explanation

UNCLEAR = "·"
"""Stands where an effect cannot be told from zero."""


def heads(found: Explanation) -> tuple[str, ...]:
    """Return what the columns of outcomes are called."""
    return tuple(
        f"{a.measure.replace('_', ' ')}{'' if a.date is None else f' {a.date}'}" for a in found.asked
    )


def lines(found: Explanation) -> list[tuple[str, ...]]:
    """Return a row for each mechanism: its name, what it does, and its effect on each outcome."""
    return [
        (
            called(s.mechanism),
            s.about,
            *(
                _cell(one, asked.unit)
                for one, asked in zip(found.removal.single[s.mechanism], found.asked, strict=True)
            ),
        )
        for s in found.removal.switches
    ]


def _cell(found: PairedEffect, unit: str) -> str:
    if not found.runs:
        return "no runs"
    if not found.told:
        return UNCLEAR
    number, _, points = signed(found.mean, unit).partition(" ")
    return f"{number} {points}" if points == "points" else number
