"""The patterns of lives abroad: waiting, arms, suspicion and moving on, each a query over one run.

As in :mod:`breakrank.lives.exit_patterns`, each function says exactly which lives it takes for the one that a
report tells, and a second function counts the traits that choose the example.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from breakrank.engine import codes
from breakrank.lives.columns import Column, Lives, Mask
from breakrank.lives.places import shut_off

WAITED: Final = 45
"""Days at sites without leave to work from which :func:`waiting` counts a life."""
TWO_MONTHS: Final = 60
"""Days from which :func:`traits_waiting` calls it the two months of the report."""
FIRST_DAYS: Final = 14
"""Days within which infiltrators are soon found and people move on soon."""
LOW: Final = 0.5
"""Morale (0 to 1) below which :func:`traits_waiting` calls it low."""
SOME_DAYS: Final = 3
"""Days at a site from which :func:`traits_onward` calls it a stay."""
_TO_KIN: Final = 0


def waiting(lives: Lives) -> Mask:
    """Waited for weeks at a site without work, ran to the border to join a rising, and was sent back.

    Counts soldiers who ran to the border on the day of a rising at home or of a call to rise, were sent back
    by the host that day, and lived at a site, where they had no leave to work for 45 days or more in all: by
    its rules (out for less than eight hours a day, and no work inside), or by the law of the host, which let
    nobody work without a permit or asylum.

    From a report of 2 May 2019 (paragraphs 1, 2, 4, 14 and 15): exiles who had lived in hotels for two
    months, forbidden to work; some fifty of them ran to the bridge when they heard of the rising, got no
    orders, and were sent back.
    """
    return _waited(lives)[0] >= WAITED


def traits_waiting(lives: Lives) -> Column:
    """Count: two months, a hotel, low morale on the day, one site all the while, asylum asked for."""
    days, site, morale = _waited(lives)
    hotels = [k for k, s in enumerate(lives.case.sites) if s.kind == "hotel"]
    stays = np.bincount(lives.stays.who, minlength=lives.force.n)
    score = 3 * (days >= TWO_MONTHS) + 2 * (morale < LOW) + 2 * np.isin(site, hotels) + (stays == 1)
    return np.where(days >= WAITED, 1 + score + (lives.first(codes.EV_FILED) >= 0), 0)


def escort(lives: Lives) -> Mask:
    """Signed up abroad to take up arms and was stood down by the host.

    Counts soldiers who enlisted abroad and were stood down afterwards, because the host lets no exiles fight
    and recruiting had ended.

    From a report of 22 March 2019 (paragraph 26): two hundred exiles whom the challenger had signed up to
    escort the aid over the border; the host, fearing violence, called it off.
    """
    signed, down = lives.first(codes.EV_ENLISTED), lives.last(codes.EV_STOOD_DOWN)
    return (signed >= 0) & (down >= signed)


def traits_escort(lives: Lives) -> Column:
    """Count: declared for the challenger, soon stood down, lodged at a site."""
    signed, down = lives.first(codes.EV_ENLISTED), lives.last(codes.EV_STOOD_DOWN)
    declared = lives.first(codes.EV_DECLARED) >= 0
    soon = down - signed <= FIRST_DAYS
    lodged = lives.first(codes.EV_LODGED) >= 0
    score: Column = 2 * declared + soon + lodged.astype(np.int64)
    return np.where(escort(lives), 1 + score, 0)


def infiltrator(lives: Lives) -> Mask:
    """Sent by the services among those who left, registered as one of them, found out and expelled.

    Counts soldiers whom the services sent across, who were registered then or afterwards, and whom the host
    expelled as what they were; innocents who were taken for infiltrators are not counted.

    From a report of 5 March 2019 (paragraph 31): a woman who gave herself out as a member of the guard and
    was expelled, on suspicion of gathering information on the exiles for the police.
    """
    sent = lives.first(codes.EV_SENT)
    there = lives.last(codes.EV_REGISTERED) >= sent
    return (sent >= 0) & there & (_found_out(lives) >= sent)


def traits_infiltrator(lives: Lives) -> Column:
    """Count: lived among the others at a site, soon found, sent only once, expelled at once and not held."""
    sent, found = lives.first(codes.EV_SENT), _found_out(lives)
    lodged = (lives.stays.since >= sent[lives.stays.who]) & (sent[lives.stays.who] >= 0)
    among = np.zeros(lives.force.n, np.bool_)
    among[lives.stays.who[lodged]] = True
    once = np.bincount(lives.rows(codes.EV_SENT)[1], minlength=lives.force.n) == 1
    at_once = lives.first(codes.EV_HELD) < 0
    score: Column = 3 * among + 2 * (found - sent <= FIRST_DAYS) + once + at_once.astype(np.int64)
    return np.where(infiltrator(lives), 1 + score, 0)


def onward(lives: Lives) -> Mask:
    """Lived at a site for a while and moved on to kin abroad.

    Counts soldiers who came over to the host, lived at a site for a day or more, and left it for relatives
    abroad who could take them in.

    From a report of 2 May 2019 (paragraph 14): in the first days officials helped many to reach relatives
    abroad and to go on to them; most of those who stayed had nobody.
    """
    return _mask(lives, _to_kin(lives)[0])


def traits_onward(lives: Lives) -> Column:
    """Count: while help was at its best, in the first days but not at once, no asylum asked for, one site."""
    who, stayed, day = _to_kin(lives)
    score = np.zeros(lives.force.n, np.int64)
    asked = lives.first(codes.EV_FILED)
    stays = np.bincount(lives.stays.who, minlength=lives.force.n)
    soon = 3 * (stayed <= FIRST_DAYS) + (stayed >= SOME_DAYS)
    on_offer = lives.case.daily("onward_help")
    helped = (on_offer > 0) & (on_offer >= on_offer.max() / 2)
    score[who] = 1 + 3 * helped[day] + soon + (asked[who] < 0) + (stays[who] == 1)
    return score


def _waited(lives: Lives) -> tuple[Column, Column, npt.NDArray[np.float64]]:
    """Return for each who ran and was sent back: days without leave to work, site, and morale that day.

    -1 (and morale 1) for everyone else, and for those who lived at no site that day. Who ran more than once
    is taken as on the last of those days.
    """
    n, stays = lives.force.n, lives.stays
    rows, who = lives.rows(codes.EV_RAN)
    day = lives.log["day"][rows].astype(np.int64)
    back = lives.rows(codes.EV_SENT_BACK)
    returned = set(zip(back[1].tolist(), lives.log["day"][back[0]].tolist(), strict=True))
    sent_back = np.array(
        [pair in returned for pair in zip(who.tolist(), day.tolist(), strict=True)], np.bool_
    )
    site = lives.at_site(who, day)
    ran = np.flatnonzero(sent_back & (site >= 0))
    on, where = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    morale = np.ones(n)
    on[who[ran]], where[who[ran]] = day[ran], site[ran]
    morale[who[ran]] = lives.log["value"][rows][ran]
    days = np.where(on >= 0, 0, -1)
    begun = (stays.since <= on[stays.who]) & (on[stays.who] >= 0)
    idle = _idle(lives, on)
    np.add.at(days, stays.who[begun], idle[begun])
    return days, where, morale


def _idle(lives: Lives, on: Column) -> Column:
    """Return the days without leave to work in each stay, up to a day `on` (soldier,), shape (stay,)."""
    stays, sites = lives.stays, lives.case.sites
    end = np.minimum(stays.until, on[stays.who])
    length = np.maximum(end - stays.since, 0)
    forbidden = np.concatenate(([0], np.cumsum(lives.case.daily("right_to_work") < 0.5)))
    never = lives.case.calendar.days
    papers = [
        np.where(day < 0, never, day) for day in (lives.first(codes.EV_PERMIT), lives.first(codes.EV_GRANTED))
    ]
    without = np.clip(np.minimum(*papers)[stays.who], stays.since, stays.since + length)
    by_law = forbidden[without] - forbidden[stays.since]
    shut = np.array([shut_off(s) for s in sites], np.bool_)
    by_rules = shut[stays.site] if len(sites) else np.zeros(len(stays.site), np.bool_)
    idle: Column = np.where(by_rules, length, by_law)
    return idle


def _to_kin(lives: Lives) -> tuple[npt.NDArray[np.intp], Column, Column]:
    """Return who moved on from a site to kin, after how many days there (1 or more), and on which day."""
    rows, who = lives.rows(codes.EV_MOVED_ON)
    to_kin = lives.log["value"][rows] == _TO_KIN
    went = set(zip(who[to_kin].tolist(), lives.log["day"][rows][to_kin].tolist(), strict=True))
    stays = lives.stays
    stayed = stays.until - stays.since
    moved = (stays.end == codes.EV_MOVED_ON) & (stayed >= 1)
    moved &= np.array(
        [pair in went for pair in zip(stays.who.tolist(), stays.until.tolist(), strict=True)], np.bool_
    )
    return stays.who[moved].astype(np.intp), stayed[moved], stays.until[moved]


def _found_out(lives: Lives) -> Column:
    """Return the last day on which each was expelled as the infiltrator he was, -1 if never."""
    rows, who = lives.rows(codes.EV_EXPELLED)
    rightly = lives.log["value"][rows] >= 1
    out = np.full(lives.force.n, -1, np.int64)
    out[who[rightly]] = lives.log["day"][rows][rightly]
    return out


def _mask(lives: Lives, positions: npt.NDArray[np.intp]) -> Mask:
    out = np.zeros(lives.force.n, np.bool_)
    out[positions] = True
    return out
