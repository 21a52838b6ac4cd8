"""Exile: hope and its loss, moving on, work, going back, and taking up arms.

Morale follows how people live: idleness wears it down (Jahoda, Lazarsfeld and Zeisel 1933 on Marienthal), so
do hunger and silence from the challenger, and a family along helps. Those with kin abroad move on to them (on
networks of migration: Massey and others 1993); where work is allowed people settle; some go back. Some would
fight (on armed groups abroad and their hosts: Salehyan 2009): they sign up where the challenger recruits,
until the host stands them down, and run to the border on the day of an uprising that everyone hears of.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, fraction, uniform, uniforms
from breakrank.engine.codes import (
    EV_ENLISTED,
    EV_MOVED_ON,
    EV_RAN,
    EV_SENT_BACK,
    EV_SETTLED,
    EV_STOOD_DOWN,
    EV_WENT_BACK,
    HIDING,
    IMPRISONED,
    TAKEN,
)
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.moments import Soldiers
from breakrank.engine.records import RunRecords, move, record
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.challenger import Credit
from breakrank.mechanisms.comrades import share_noticed
from breakrank.mechanisms.lodging import (
    BACK,
    ELSEWHERE,
    GRANTED,
    IDLE_DAYS,
    IN_SITE,
    MORALE,
    PRIVATE_HOME,
    SETTLED,
    WITH_KIN,
    Exiles,
    Guests,
    Sites,
    Town,
    draws_here,
    in_care,
    in_town,
    leave_site,
)
from breakrank.mechanisms.plots import CALLED
from breakrank.outputs import daily
from breakrank.spec import Field, parameters_of
from breakrank.table import Table, array, number

_NOBODY = int(NOBODY)
_LIVE = int(decision("exile.live"))
_FIGHT = int(decision("exile.fight"))

MORALE_DAYS = 25
"""Days in which morale follows its causes to 63%.

In Venezuela 2019 trust fell with each day of silence and was mostly gone after two months."""
_MORALE_EASE = 1 - math.exp(-1 / MORALE_DAYS)
FOOD = 0.2
"""Morale lost where there is nothing to eat.

Three meals were given in Venezuela 2019; what hunger would have done is carried over from what it did in
barracks."""
MEALS_A_DAY = 3
BREAD = 0.75
"""Weight of three meals a day in how treatment is judged, relative to a roof.

Three meals a day where a month's pay bought little more than nappies. What officials and leavers mention
first is a room, then meals: three quarters of a roof."""
FREEDOM = 0.375
"""Weight of free hours out, and again of the right to work, relative to a roof.

Complaints of being shut in are told, and weigh less with men used to barracks. Those who left families behind
want to send money: the right to work is put at as much."""
HOME = 0.5
"""How much of a roof and of three meals a private home gives: a floor shared with those who have little."""
FREE_HOURS = 8
"""Free hours out a day that count as full freedom, and without which nobody at a site can work outside.

A working day, of eight hours by the International Labour Organization (1919): who is out for that long is as
good as free."""
_WHOLE = 1 + BREAD + 2 * FREEDOM


@lean
def quality_of(
    stay: int, site: int, may_work: bool, hours: NDArray[np.float64], rations: NDArray[np.float64]
) -> tuple[float, float]:
    """Return how someone is treated, 0 to 1, and how they are fed, 0 to 1, by where they live.

    At a site its rules count; a private home gives part of both and full freedom; the street
    only freedom; who may work feeds themselves; who has settled has all of it.
    """
    if stay == IN_SITE:
        fed = min(rations[site] / MEALS_A_DAY, 1.0)
        roof, freedom = 1.0, min(hours[site] / FREE_HOURS, 1.0)
    elif stay >= SETTLED:
        return 1.0, 1.0
    elif stay == PRIVATE_HOME:
        roof, fed, freedom = HOME, HOME, 1.0
    else:
        roof, fed, freedom = 0.0, 0.0, 1.0
    work = 1.0 if may_work else 0.0
    fed = max(fed, work)
    return (roof + BREAD * fed + FREEDOM * (freedom + work)) / _WHOLE, fed


class LifeAbroad(Table):
    """Next steps of those abroad, and the parts of morale.

    By day: ``helped`` ratio of moving on, ``works`` whether those who asked for asylum may work, ``enlists``
    chance, ``arming``, ``call`` how loud a public call is, 0 to 1. ``noticed`` persons in an uprising at home
    of whom half hear.
    """

    helped: NDArray[np.float64] = array("day")
    works: NDArray[np.bool_] = array("day")
    enlists: NDArray[np.float64] = array("day")
    arming: NDArray[np.bool_] = array("day")
    call: NDArray[np.float64] = array("day")
    kin: float = number("exile.onward_kin")
    other: float = number("exile.onward_other")
    settle: float = number("exile.settle")
    back: float = number("exile.return_rate")
    caught: float = number("exile.return_caught")
    idle: float = number("exile.idle")
    news: float = number("exile.news")
    willing: float = number("exile.willing")
    runs: float = number("exile.border_run")
    noticed: float


@lean
def _live(
    now: Now,
    h: LifeAbroad,
    g: Guests,
    town: Town,
    sites: Sites,
    soldiers: Soldiers,
    credit: Credit,
    records: RunRecords,
) -> None:
    """A day abroad for everyone who is with the host: morale, moving on, work, going back."""
    day = now.day
    to_kin, elsewhere = h.kin * h.helped[day], h.other * h.helped[day]
    draws_here(now.key, _LIVE, g, day)
    for a in range(g.used[1]):
        k = g.here[a]
        stay, i = g.stay[k], g.who[k]
        if not in_town(stay) or g.spy[k]:
            continue
        site = int(g.site[k])
        allowed = h.works[day] or g.permit[k] or g.double[k] or g.decided[k] == GRANTED
        may_work = allowed and (stay != IN_SITE or sites.hours[site] >= FREE_HOURS or sites.work[site])
        g.quality[k], fed = quality_of(stay, site, may_work, sites.hours, sites.rations)
        g.idle[k] = 0 if may_work else g.idle[k] + 1
        lost = h.idle * min(g.idle[k] / IDLE_DAYS, 1.0) + FOOD * (1.0 - fed)
        lost += h.news * (1.0 - credit.today[0])
        g.morale[k] += (min(max(MORALE - lost, 0.0), 1.0) - g.morale[k]) * _MORALE_EASE
        despair = 1.0 - g.morale[k]
        if stay == SETTLED or g.registered[k] < 0:  # who waits to be registered stays
            continue
        onward = to_kin if soldiers.kin_abroad[i] else elsewhere * despair
        settle = h.settle if allowed else 0.0
        back = h.back * (1.0 - h.caught) * despair  # nobody goes back to be punished for certain
        total = onward + settle + back
        if total <= 0.0:
            continue
        goes = fraction(g.words[0, a])
        if goes >= total or goes >= 1.0 - np.exp(-total):  # the first spares most of them the second
            continue
        leave_site(g, k, town)
        g.since[k] = day
        pick = fraction(g.words[1, a]) * total
        if pick < onward:
            g.stay[k] = WITH_KIN if soldiers.kin_abroad[i] else ELSEWHERE
            record(records, day, i, EV_MOVED_ON, -1, -1, 0.0 if soldiers.kin_abroad[i] else 1.0)
        elif pick < onward + settle:
            g.stay[k] = SETTLED
            record(records, day, i, EV_SETTLED, -1, -1, 0.0)
        else:
            g.stay[k], g.enlisted[k] = BACK, False
            taken = fraction(g.words[2, a]) < h.caught
            move(
                records, day, i, IMPRISONED if taken else HIDING, EV_WENT_BACK, -1, -1, 1.0 if taken else 0.0
            )


@lean
def _fight(now: Now, h: LifeAbroad, g: Guests, town: Town, exiles: Exiles, records: RunRecords) -> None:
    """Some enlist, or run to the border when they hear of an uprising at home by a call or its size."""
    key, day = now.key, now.day
    heard = max(h.call[day], share_noticed(town.risen[0], h.noticed))
    if h.enlists[day] <= 0.0 and heard <= 0.0 and exiles.enlisted[0] == 0:
        return
    enlisted = ran = 0
    enlists, arming, runs = h.enlists[day], h.arming[day], h.runs * heard
    for a in range(g.used[1]):
        k = g.here[a]
        i = g.who[k]
        here = in_care(g.stay[k]) and not g.spy[k]
        if g.enlisted[k] and not (here or g.stay[k] == SETTLED):
            g.enlisted[k] = False
        if g.enlisted[k] and not arming and enlists == 0.0:
            g.enlisted[k] = False
            record(records, day, i, EV_STOOD_DOWN, -1, -1, 0.0)
        if not here:
            enlisted += g.enlisted[k]
            continue
        signs, goes, taken, _ = uniforms(key, _FIGHT, g.identity[k], _NOBODY, 1 + day)
        may = signs < enlists or goes < runs
        # Who would fight is settled once for each: the same are first to lose heart and last.
        would = may and uniform(key, _FIGHT, g.identity[k], _NOBODY, 0) < h.willing * g.morale[k]
        if would and not g.enlisted[k] and signs < enlists:
            g.enlisted[k] = True
            record(records, day, i, EV_ENLISTED, -1, -1, 0.0)
        if would and goes < runs:
            record(records, day, i, EV_RAN, -1, -1, g.morale[k])
            ran = 1
            if not arming:
                record(records, day, i, EV_SENT_BACK, -1, -1, 0.0)
            elif taken < h.caught:
                leave_site(g, k, town)
                g.stay[k], g.since[k], g.enlisted[k] = BACK, day, False
                move(records, day, i, IMPRISONED, EV_WENT_BACK, -1, -1, TAKEN)
        enlisted += g.enlisted[k]
    town.incidents[0] += ran
    exiles.enlisted[0] = enlisted


class Exile(Mechanism):
    """Morale, moving on, work, return and arms. Off: who came stays where they are, of the same mind."""

    name = "exile"
    subsystem = 14
    parameters = parameters_of(name, "those abroad hope, move on, settle, go back or want to fight")
    outputs = (
        daily("onward_movement", "Onward movement", EV_MOVED_ON, primary=13),
        daily("settled", "Settled and work", EV_SETTLED),
        daily("returned", "Returned", EV_WENT_BACK),
        daily("enlisted", "Enlisted abroad", EV_ENLISTED),
        daily("stood_down", "Stood down by the host", EV_STOOD_DOWN),
        daily("ran_to_border", "Ran to the border", EV_RAN),
    )
    fields = (
        Field("right_to_work", "switch", 0, 1, "those who asked for asylum may work", (), 0.0),
        Field("onward_help", "fraction", 0, 1, "help with reaching kin and third countries", (), 0.0),
        Field("enlistment", "per day", 0, 1, "daily chance that a willing exile signs up", (), 0.0),
        Field("arming", "switch", 0, 1, "the host lets exiles form units and arm", (), 0.0),
        CALLED,
    )

    steps = (Step("receive", _live), Step("receive", _fight))

    def __init__(self, world: World) -> None:
        super().__init__(world)
        abroad = LifeAbroad(
            helped=1 + world["exile.onward_helped"] * world.daily("onward_help"),
            works=world.daily("right_to_work") >= 0.5,
            enlists=world.daily("enlistment"),
            arming=world.daily("arming") >= 0.5,
            call=world.daily("call"),
            noticed=world["uprising.noticed"] * world.scale,
        )
        self.given = (abroad,)

    def begin(self, run: Run) -> None:
        """Nobody has signed up."""
        self.exiles = Exiles(enlisted=np.zeros(1, np.int64))
        run.share(self.exiles)
