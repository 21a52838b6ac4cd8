"""The patterns of lives of those who leave, or stay, on their own account, each a query over one run.

Each function says exactly which lives it takes for the one that a report tells, and which report that is.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from breakrank.engine.codes import ERRAND, EV_SHOCK
from breakrank.force.columns import VEHICLE
from breakrank.lives.columns import Column, Lives, Mask

LOSS_DAYS: Final = 60
"""Days between a loss in the family and leaving, at most, for :func:`child`."""

_ALONE: Final = 0
_FROM_POST: Final = 2


def breadwinner(lives: Lives) -> Mask:
    """Left on an errand, alone, though a family lives on his pay.

    Counts soldiers who were privately opposed, had one dependant or more, and at an errand outside the base
    chose to leave the country without their family, following nobody and followed by nobody.

    From a report of 22 March 2019 (paragraphs 15 to 18): a guard sergeant who had stayed for years for the
    sake of those he fed, said that he was off to buy food for the unit, and drove to the border.
    """
    on_errand: Mask = (lives.occasion == ERRAND) & (lives.mode == _ALONE) & lives.opposed_then
    on_his_own: Mask = (lives.leader < 0) & (lives.followers == 0)
    feeds: Mask = lives.force.dependants > 0
    return on_errand & on_his_own & feeds


def driver(lives: Lives) -> Mask:
    """Posted at a closed crossing, forced it by vehicle with others, and registered.

    Counts soldiers who set out from a posting, through a bridge or road that was closed that day, in a group
    (as leader or follower) in which the leader or he himself has a vehicle at hand, on a day when postings in
    that state stood above their usual rate (the median over the run), and who were registered abroad.

    From a report of 5 March 2019 (paragraphs 1 and 4) and one of 22 March (paragraph 4): guardsmen sent to
    stop the aid who drove through the barriers of a bridge and gave themselves up.
    """
    posted = np.flatnonzero((lives.mode == _FROM_POST) & lives.registered)
    force, route, day = lives.force, lives.route[posted], lives.left[posted]
    head = np.where(lives.leader[posted] >= 0, lives.leader[posted], posted)
    group = (lives.leader[posted] >= 0) | (lives.followers[posted] > 0)
    by_vehicle = ((force.access[posted] | force.access[head]) & VEHICLE) != 0
    closed = lives.case.route_daily("open")[day, route] == 0
    gates = np.isin(route, _kinds(lives, "bridge", "road"))
    posting = lives.case.daily("posting")
    usual = np.median(posting, axis=0)
    busy = (posting > usual)[day, force.state[head]]
    return _mask(lives, posted[group & by_vehicle & closed & gates & busy])


def ditch(lives: Lives) -> Mask:
    """Crossed by a trail or the river beside a bridge that was closed and more violent than usual.

    Counts soldiers who chose their way themselves (no followers of a leader), set out by a trail or river of
    the very state in which they were stationed and in which, that day, a bridge or road was closed and being
    shot there likelier than usual, and got across.

    From a report of 5 March 2019 (paragraphs 12 and 13): a guardsman who kept off the bridge for fear of the
    armed civilians there and crossed by the ditch.
    """
    beside = np.isin(lives.route, _kinds(lives, "trail", "river"))
    chose = np.flatnonzero(beside & (lives.leader < 0) & lives.crossed)
    case, crossings = lives.case, lives.case.crossings
    violence, closed = case.route_daily("violence"), case.route_daily("open") == 0
    shunned = np.zeros((case.calendar.days, len(crossings)), np.bool_)
    for k, crossing in enumerate(crossings):
        gates = [j for j in _kinds(lives, "bridge", "road") if crossings[j].state == crossing.state]
        for j in gates:
            shunned[:, k] |= closed[:, j] & (violence[:, j] > crossings[j].violence)
    home = np.array([case.force.states.position(c.state) for c in crossings])[lives.route[chose]]
    at_hand = lives.force.state[chose] == home
    return _mask(lives, chose[at_hand & shunned[lives.left[chose], lives.route[chose]]])


WEEKS: Final = 14
"""Days before leaving at which the loss that :func:`child` tells of lies at least, where some life has it."""


def child(lives: Lives, days: int = LOSS_DAYS) -> Mask:
    """Left within weeks of a loss in the family.

    Counts soldiers who set out for abroad 1 to `days` days after a family shock; who left on the very day of
    it is not counted.

    From a report of 5 March 2019 (paragraphs 5, 7 and 8): a sergeant whose newborn died for want of oxygen
    two months before he left; another whose daughter's medicine was not to be had.
    """
    return (lives.since_loss > 0) & (lives.since_loss <= days)


def weeks_before(lives: Lives) -> Column:
    """Count two traits of a life told for :func:`child`: weeks between, no other loss on the very day."""
    rows, who = lives.rows(EV_SHOCK)
    again = np.zeros(lives.force.n, np.bool_)
    again[who[lives.left[who] == lives.log["day"][rows]]] = True
    return (lives.since_loss >= WEEKS).astype(np.int64) + ~again


def shot(lives: Lives) -> Mask:
    """Shot while trying another land border than the host's.

    Counts soldiers who were shot on a bridge, road, trail or river that does not lead to the host, whether
    they lived or died.

    From a report of 5 March 2019 (paragraph 19): a guard sergeant shot by other guardsmen at the Brazilian
    border.
    """
    by_land = _kinds(lives, "bridge", "road", "trail", "river")
    other = [k for k in by_land if not lives.case.crossings[k].host]
    return np.isin(lives.shot_on, other) & (lives.shot_on >= 0)


def loyal(lives: Lives) -> Mask:
    """Still serving on the last day, though privately opposed.

    Counts soldiers who serve at the end of the run while their private preference is on the opposed side;
    whether a moment of decision came their way or not.

    From reports of 5 March 2019 (paragraphs 16 and 18) and 22 March (paragraph 7): two men who had left put
    the opposed at nine in ten, held by fear.
    """
    return lives.serving & lives.opposed


def _kinds(lives: Lives, *kinds: str) -> list[int]:
    return [k for k, crossing in enumerate(lives.case.crossings) if crossing.kind in kinds]


def _mask(lives: Lives, positions: npt.NDArray[np.intp]) -> Mask:
    out = np.zeros(lives.force.n, np.bool_)
    out[positions] = True
    return out
