"""Events that are put together from several rows of the log: parts in risings, plans found out, friends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np

from breakrank.engine import codes
from breakrank.force.columns import CLASSMATE, GUARDS_POLITICIAN
from breakrank.lives.columns import Column, Incidents, Lives

_Found = tuple[int, int, int, int, dict[str, bool]]
"""Position of a soldier, day, position of another (-1: none), value, and facts."""


def _took_part(lives: Lives) -> Iterator[_Found]:
    for one in lives.risings:
        facts = {"failed": one.outcome != "won", "pledge not kept": bool(one.reneged)}
        for who in one.participants:
            yield lives.at(who), one.day, -1, one.size, facts


def _found_out(lives: Lives) -> Iterator[_Found]:
    for plot in lives.plots:
        if plot.end == "launched":
            continue
        found = [m for m in plot.marks if m[1] == "tapped" or (m[2] == plot.founder and m[1] != "pledged")]
        days = {day for day, _, _ in found} | ({plot.ended} if plot.end == "scattered" else set())
        facts = {
            "to cross": plot.aim == codes.CROSS,
            "warned": any(what == "warned" and who == plot.founder for _, what, who in plot.marks),
            "overheard": any(what == "tapped" for _, what, _ in plot.marks),
        }
        for day in sorted(days):
            yield lives.at(plot.founder), day, -1, plot.size, facts


def _beside_a_friend(lives: Lives) -> Iterator[_Found]:
    risen = {one.day: one.participants for one in lives.risings if one.outcome != "won"}
    middle = officers(lives, 1, -1)
    helped = lives.trained | ((lives.force.access & GUARDS_POLITICIAN) != 0)
    inside = lives.first(codes.EV_EMBASSY)
    ties = lives.force.ties
    for plot in lives.plots:
        if plot.aim != codes.RISE or plot.end != "launched" or plot.ended not in risen:
            continue
        members = {lives.at(i) for i in plot.members if middle[lives.at(i)]}
        for a in sorted(members):
            if int(lives.force.identity[a]) not in risen[plot.ended]:
                continue
            row = slice(int(ties.start[a]), int(ties.start[a + 1]))
            for b, kind in zip(ties.other[row].tolist(), ties.kind[row].tolist(), strict=True):
                if b in members and (helped[a] or helped[b]):
                    facts = {"classmate": kind == CLASSMATE, "friend in an embassy": inside[b] >= plot.ended}
                    yield a, plot.ended, b, len(plot.members), facts


def officers(lives: Lives, first: int, last: int | None) -> Column:
    """Return who is of the rank groups of officers from the first to before the last, bool (soldier,).

    Where a case has too few of them to tell them apart, all officers are taken.
    """
    ranks = lives.case.force.ranks
    groups = [k for k, r in enumerate(ranks) if r.school == "officer"]
    return np.isin(lives.force.rank, groups[first:last] or groups)


_MAKERS: Final[Mapping[str, Callable[[Lives], Iterator[_Found]]]] = {
    "took part in a rising": _took_part,
    "his plan was found out": _found_out,
    "rose beside a friend": _beside_a_friend,
}


def put_together(lives: Lives, event: str) -> Incidents:
    """Return all of an event that is no row of the log, with the facts that belong to it."""
    found = list(_MAKERS[event](lives))
    who, day, other, value = np.array([f[:4] for f in found], np.int64).reshape(-1, 4).T
    names = found[0][4] if found else {}
    facts = {name: np.array([f[4][name] for f in found], np.bool_) for name in names}
    return Incidents(event, who, day, np.full(len(who), -1, np.int64), other, value, facts)
