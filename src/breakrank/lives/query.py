"""Whose lives a pattern of a case means, in one run: its query over the event log, soldier by soldier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from breakrank.case.models_patterns import Incident, Pattern, Query
from breakrank.case.pattern_words import PUT_TOGETHER
from breakrank.engine import codes
from breakrank.lives.columns import Column, Incidents, Lives, Mask
from breakrank.lives.facts import OF_A_SOLDIER, fact
from breakrank.lives.idle import idle_days
from breakrank.lives.together import put_together

_SPAN: Final = 1 << 13
"""More days than a run can have."""


def whose(lives: Lives, query: Query) -> Mask:
    """Return whose lives a query means, bool (soldier,)."""
    mask = np.ones(lives.force.n, np.bool_)
    for names, holds in ((query.having, True), (query.lacking, False)):
        for name in names:
            mask &= OF_A_SOLDIER[name](lives) == holds
    force, case = lives.force, lives.case
    fates = (*codes.FATES, *case.catalogue.fates)
    for chosen, known, column in (
        (query.ranks, case.force.ranks.ids, force.rank),
        (query.branches, case.force.branches.ids, force.branch),
        (query.states, case.force.states.ids, force.state),
        (query.fates, fates, lives.fate),
    ):
        if chosen:
            mask &= np.isin(column, [k for k, name in enumerate(known) if name in chosen])
    if query.events and mask.any():
        low, high = query.times or (1, np.inf)
        many = np.bincount(_happened(lives, query.events), minlength=force.n)
        mask &= (many >= low) & (many <= high)
    for one in query.every:
        mask &= whose(lives, one)
    if query.some:
        mask &= np.logical_or.reduce([whose(lives, one) for one in query.some])
    for one in query.none:
        mask &= ~whose(lives, one)
    return mask


def points(lives: Lives, pattern: Pattern) -> Column:
    """Return how good an example each life is, by the traits that the pattern prefers, int64 (soldier,)."""
    score = np.zeros(lives.force.n, np.int64)
    for trait in pattern.prefer:
        score += trait.points * whose(lives, trait)
    return score


def _happened(lives: Lives, steps: Sequence[Incident]) -> Column:
    """Return the soldier of each row of the last step that the steps before it lead to."""
    before: Column | None = None
    who: Column = np.zeros(0, np.int64)
    for step in steps:
        who, day = _rows(lives, step)
        key = who * _SPAN + day
        if before is not None:
            fewest, most = step.after or (0, _SPAN - 1)
            first = np.maximum(key - int(min(most, _SPAN - 1)), who * _SPAN)
            led = np.searchsorted(before, key - int(fewest), "right") > np.searchsorted(before, first)
            who, key = who[led], key[led]
        before = np.sort(key)
    return who


def _rows(lives: Lives, step: Incident) -> tuple[Column, Column]:
    """Return soldier and day of the rows that one step means."""
    rows = put_together(lives, step.event) if step.event in PUT_TOGETHER else lives.rows_of(step.event)
    for names, holds in ((step.having, True), (step.lacking, False)):
        for name in names:
            rows = rows.only(fact(lives, rows, name) == holds)
    case = lives.case
    if step.occasions:
        wanted = [k for k, name in enumerate(codes.OCCASIONS) if name in step.occasions]
        rows = rows.only(np.isin(lives.occasion[rows.who], wanted))
    if step.ways:
        wanted = [k for k, c in enumerate(case.crossings) if {c.id, c.kind} & {*step.ways}]
        rows = rows.only(np.isin(rows.way, wanted))
    if step.sites:
        wanted = [k for k, s in enumerate(case.sites) if {s.id, s.kind} & {*step.sites}]
        rows = rows.only(np.isin(lives.at_site(rows.who, rows.day), wanted))
    measured: tuple[tuple[tuple[float, float] | None, Callable[[], Column]], ...] = (
        (step.value, lambda: rows.value),
        (step.stay, lambda: lives.stayed(rows)),
        (step.idle, lambda: idle_days(lives, rows)),
    )
    for range_, column in measured:
        if range_ is not None:
            value = column()
            rows = rows.only((value >= range_[0]) & (value <= range_[1]))
    for name in step.high:
        rows = rows.only(_high(lives, rows, name))
    return rows.who, rows.day


def _high(lives: Lives, rows: Incidents, name: str) -> Mask:
    field = lives.case.daily(name)
    high: Mask = field > np.median(field, axis=0)
    state = lives.force.state[np.where(rows.other >= 0, rows.other, rows.who)]
    return high[rows.day, state] if high.ndim > 1 else high[rows.day]
