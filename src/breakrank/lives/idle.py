"""Days that someone lived at sites without leave to work, by its rules or by the law of the host."""

from __future__ import annotations

import numpy as np

from breakrank.engine import codes
from breakrank.lives.columns import Column, Incidents, Lives
from breakrank.lives.places import shut_off


def idle_days(lives: Lives, rows: Incidents) -> Column:
    """Return for each row the days at sites without leave to work before it, int64 (row,).

    The law of the host lets nobody work without a permit or asylum while ``right_to_work`` is below one half.
    """
    stays = lives.stays
    forbidden = np.concatenate(([0], np.cumsum(lives.case.daily("right_to_work") < 0.5)))
    never = lives.case.calendar.days
    papers = [
        np.where(day < 0, never, day) for day in (lives.first(codes.EV_PERMIT), lives.first(codes.EV_GRANTED))
    ]
    allowed = np.minimum(*papers)
    shut = np.array([shut_off(s) for s in lives.case.sites], np.bool_)
    out = np.zeros(len(rows.who), np.int64)
    for k, (who, day) in enumerate(zip(rows.who.tolist(), rows.day.tolist(), strict=True)):
        a, b = np.searchsorted(stays.who, [who, who + 1])
        since = stays.since[a:b][stays.since[a:b] <= day]
        until = np.maximum(np.minimum(stays.until[a:b][: len(since)], day), since)
        without = np.clip(allowed[who], since, until)
        by_law = forbidden[without] - forbidden[since]
        out[k] = (
            np.where(shut[stays.site[a:b][: len(since)]], until - since, by_law).sum() if since.size else 0
        )
    return out
