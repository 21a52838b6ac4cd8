"""Plots and uprisings of one run, read back from its event log.

The log has one row for each thing that happened; here they are put together again: who founded what, who
was asked, who joined, how it ended, and who took part in an uprising.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from breakrank.engine import codes

if TYPE_CHECKING:
    pass

Log = Mapping[str, npt.NDArray[Any]]
"""Columns of one run's event log (see :data:`breakrank.engine.replicate.EVENT_COLUMNS`)."""

_ENDS: Final = {
    codes.EV_PLOT_BROKEN: "broken",
    codes.EV_PLOT_SCATTERED: "scattered",
    codes.EV_PLOT_DISSOLVED: "dissolved",
    codes.EV_LAUNCHED: "launched",
}
_MARKS: Final = {
    codes.EV_DECLINED: "declined",
    codes.EV_PLEDGED: "pledged",
    codes.EV_TAPPED: "wiretapped",
    codes.EV_NAMED: "named",
    codes.EV_WARNED: "warned",
}
OUTCOMES: Final = {
    codes.EV_UPRISING_COLLAPSED: "collapsed",
    codes.EV_UPRISING_STALEMATE: "stalemate",
    codes.EV_UPRISING_WON: "won",
}


@dataclass(slots=True)
class Plot:
    """One plot of a run.

    Attributes
    ----------
    founder, aim, founded : identity of who began it, its aim (a code of
        ``breakrank.engine.codes.AIMS``), the day.
    ended, end : the last day (-1: none) and how, an id of :data:`breakrank.results.measures.PLOT_ENDS`.
    size : the most members it ever had, the founder counted.
    members : day of joining, by identity; the founder first.
    marks : (day, what, identity): ``"declined"``, ``"pledged"``, ``"wiretapped"``, ``"named"``, ``"warned"``,
        ``"arrested"``.
    """

    founder: int
    aim: int
    founded: int
    ended: int = -1
    end: str = "alive"
    size: int = 1
    members: dict[int, int] = field(default_factory=dict)
    marks: list[tuple[int, str, int]] = field(default_factory=list)


@dataclass(slots=True)
class UprisingRecord:
    """One uprising of a run: all plots launched on that day to rise.

    Attributes
    ----------
    day, leader, outcome : ``"collapsed"``, ``"stalemate"`` or ``"won"``.
    size : participants, commanders and followers.
    units : identities of commanders who rose with their units. followers : of those who followed one.
    reneged : identities of those who had pledged and stayed away.
    """

    day: int
    leader: int
    outcome: str
    size: int
    units: tuple[int, ...]
    followers: tuple[int, ...]
    reneged: tuple[int, ...]

    @property
    def participants(self) -> set[int]:
        """Identities of all who took part."""
        return {self.leader, *self.units, *self.followers}


def plots(log: Log) -> list[Plot]:
    """Return the plots of a log, in the order of their founding."""
    found: list[Plot] = []
    of: dict[int, list[Plot]] = {}
    wanted = (codes.EV_FOUNDED, codes.EV_JOINED, codes.EV_ARRESTED, *_ENDS, *_MARKS)
    for k in np.flatnonzero(np.isin(log["event"], wanted)):
        day, event, who = int(log["day"][k]), int(log["event"][k]), int(log["soldier"][k])
        other, value = int(log["other"][k]), float(log["value"][k])
        if event == codes.EV_FOUNDED:
            plot = Plot(who, int(value), day, members={who: day})
            found.append(plot)
            of.setdefault(who, []).append(plot)
        elif event == codes.EV_JOINED:
            into = _alive(of.get(other, ()), int(value))
            if into is not None and who not in into.members:
                into.members[who] = day
                into.size = max(into.size, len(into.members))
                of.setdefault(who, []).append(into)
        elif event in _ENDS:
            ending = next((p for p in reversed(of.get(who, [])) if p.founder == who and p.ended < 0), None)
            if ending is not None:
                ending.ended, ending.end = day, _ENDS[event]
                ending.size = max(
                    ending.size, int(value) % codes.BY_AIM if event == codes.EV_LAUNCHED else int(value)
                )
        elif event == codes.EV_ARRESTED:
            for plot in of.get(who, ()):
                if plot.ended < 0 or day - plot.ended <= 1:
                    plot.marks.append((day, "arrested", who))
        else:
            about = _alive(of.get(other, ())) or _alive(of.get(who, ()))
            if about is not None:
                about.marks.append((day, _MARKS[event], who))
    return found


def uprisings(log: Log) -> list[UprisingRecord]:
    """Return the uprisings of a log, in order."""
    rows = np.flatnonzero(np.isin(log["event"], tuple(OUTCOMES)))
    return [_uprising(log, int(k)) for k in rows]


def _uprising(log: Log, row: int) -> UprisingRecord:
    day, leader = int(log["day"][row]), int(log["soldier"][row])
    today = log["day"] == day

    def of(event: int) -> tuple[int, ...]:
        return tuple(log["soldier"][today & (log["event"] == event)].tolist())

    return UprisingRecord(
        day,
        leader,
        OUTCOMES[int(log["event"][row])],
        int(log["value"][row]),
        of(codes.EV_ROSE),
        of(codes.EV_FOLLOWED),
        of(codes.EV_RENEGED),
    )


def _alive(plots: list[Plot] | tuple[()], aim: int = -1) -> Plot | None:
    """Return the latest of someone's plots that has not ended, of that aim if there is one."""
    going = [p for p in plots if p.ended < 0]
    fitting = [p for p in going if p.aim == aim]
    best = fitting or going
    return best[-1] if best else None
