"""Worlds gone on with: told of figures that came after theirs, without starting over."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import numpy as np

from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.condition.choose import FoundWorlds, ToldFigure, chosen
from breakrank.questions.condition.filter import FilteredDraw, told_on
from breakrank.questions.condition.lives import LivedWorlds
from breakrank.questions.condition.worlds import Worlds


def further(lives: LivedWorlds, worlds: Worlds, record: TargetRecord, given: dt.date) -> FoundWorlds | None:
    """Return worlds told of the figures of a record that came after theirs; ``None`` if none did.

    Raises
    ------
    BreakrankError
        if no world could be lived.
    """
    draws = replace(worlds.draws, shuffled=False)
    assert draws.luck is not None
    after, n = draws.luck.until, len(draws)
    aims = record.aims
    fresh = [(date, k) for date, here in told_on(record, after, given) for k in here]
    if not fresh:
        return None
    places = [k for _, k in fresh]
    twice = {k: next((j for j in places[:at] if _same(record, j, k)), k) for at, k in enumerate(places)}
    told = replace(record, aims=tuple(aims[k] for k in places if twice[k] == k))
    found = lives.filtered(draws, given, told, f"worlds gone on with until {given}")
    order = [k for _, here in told_on(told, after, given) for k in here]
    alone = {told.aims[k].id: _alone(list(found.values()), row) for row, k in enumerate(order)}
    figures = [_earlier(row) for row in worlds.figures]
    for date, k in fresh:
        before, bits = alone[aims[twice[k]].id]
        figures.append(ToldFigure(aims[k].id, date, before, bits, "" if twice[k] == k else aims[twice[k]].id))
    flat = np.zeros(n)
    made = chosen(draws, found, told, given, n, tuple(figures), flat, flat)
    return replace(made, effective=made.effective * worlds.about["effective"] / n)


def _same(record: TargetRecord, one: int, other: int) -> bool:
    """Return whether two figures count the same thing on one date."""
    a, b = record.aims[one].target, record.aims[other].target
    return (a.measure, a.date, a.by, a.against) == (b.measure, b.date, b.by, b.against)


def _alone(found: list[FilteredDraw], row: int) -> tuple[float, float]:
    """Return the share of lives that agreed with a figure, and the bits that it alone tells them."""
    agreed, mean, curved = np.mean([one.alone[row] for one in found], axis=0).tolist()
    return agreed, max(0.0, (curved / mean - np.log(mean)) / np.log(2))


def _earlier(row: dict[str, object]) -> ToldFigure:
    date, again = dt.date.fromisoformat(str(row["date"])), str(row.get("counts_again", ""))
    return ToldFigure(str(row["id"]), date, float(str(row["agree_before"])), float(str(row["bits"])), again)
