"""Worlds gone on with: told of figures that came after theirs, without starting over."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from breakrank.case.free_parameters import with_later_events
from breakrank.case.worlds import Worlds
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.calibrate.regression import Array
from breakrank.questions.condition.choose import FoundWorlds, ToldFigure, apart, chosen
from breakrank.questions.condition.filter import FEW, FilteredDraw, told_on
from breakrank.questions.condition.lives import LivedWorlds

if TYPE_CHECKING:
    from breakrank.case import Case


def further(
    lives: LivedWorlds, worlds: Worlds, record: TargetRecord, given: dt.date, late: tuple[str, ...] = ()
) -> tuple[FoundWorlds, list[Array]] | None:
    """Return worlds told of the figures of a record that were published after theirs; ``None`` if none were.

    Figures of days that worlds have lived already, by id, are `late`.

    With them, what each figure of the record counts in them, (n, lag + 1) each: their filters have lived
    them, so nobody has to live them again for it.

    Raises
    ------
    BreakrankError
        if no world could be lived.
    """
    draws = replace(with_later_events(worlds.draws, lives.case), shuffled=False)
    assert draws.luck is not None
    after, n = draws.luck.until, len(draws)
    aims = record.aims
    fresh = [(date, k) for date, here in told_on(record, after, given, late) for k in here]
    if not fresh:
        return None
    places = [k for _, k in fresh]
    twice = {k: next((j for j in places[:at] if _same(record, j, k)), k) for at, k in enumerate(places)}
    once = [k for k in range(len(aims)) if twice.get(k, k) == k]
    told = replace(record, aims=tuple(aims[k] for k in once))
    found = lives.filtered(draws, given, told, f"worlds gone on with until {given}", FEW._replace(late=late))
    order = [k for _, here in told_on(told, after, given, late) for k in here]
    alone = {told.aims[k].id: _alone(list(found.values()), row) for row, k in enumerate(order)}
    figures = [earlier(row) for row in worlds.figures]
    for date, k in fresh:
        before, bits = alone[aims[twice[k]].id]
        figures.append(ToldFigure(aims[k].id, date, before, bits, "" if twice[k] == k else aims[twice[k]].id))
    flat = np.zeros(n)
    dates = [date for date, _ in told_on(told, after, given, late)]
    made = chosen(draws, found, dates, given, n, tuple(figures), flat, flat)
    made = replace(made, effective=made.effective * worlds.about["effective"] / n)
    ends = np.cumsum([told.width(k) for k in range(len(once))])
    by = dict(zip(once, np.split(made.counts, ends[:-1], axis=1), strict=True))
    return made, [by[twice.get(k, k)] for k in range(len(aims))]


def lived_on(worlds: Worlds, case: Case, given: dt.date) -> Worlds:
    """Return worlds that live on to a later day, of which no figure tells.

    What events until then do is drawn, where it has a prior; random draws go on as each world's own.
    """
    assert worlds.draws.luck is not None
    before = worlds.draws.luck.until
    if given <= before:
        return worlds
    draws = with_later_events(worlds.draws, case)
    assert draws.luck is not None
    paths = apart(list(draws.luck.paths), [before], given)
    luck = replace(draws.luck, paths=paths, until=given)
    about = {**worlds.about, "given": str(given), "gone_on_from": str(before)}
    return replace(worlds, draws=replace(draws, luck=luck), about=about)


def _same(record: TargetRecord, one: int, other: int) -> bool:
    """Return whether two figures count the same thing, of the same days."""
    a, b = (record.aims[k].target for k in (one, other))
    return (a.measure, a.date, a.start, a.lag, a.by, a.against) == (
        b.measure,
        b.date,
        b.start,
        b.lag,
        b.by,
        b.against,
    )


def _alone(found: list[FilteredDraw], row: int) -> tuple[float, float]:
    """Return the share of lives that agreed with a figure, and the bits that it alone tells them."""
    agreed, mean, curved = np.mean([one.alone[row] for one in found], axis=0).tolist()
    return agreed, max(0.0, (curved / mean - np.log(mean)) / np.log(2))


def earlier(row: dict[str, object]) -> ToldFigure:
    """Return a figure that kept worlds were told, as their folder tells it."""
    date, again = dt.date.fromisoformat(str(row["date"])), str(row.get("counts_again", ""))
    return ToldFigure(str(row["id"]), date, float(str(row["agree_before"])), float(str(row["bits"])), again)
