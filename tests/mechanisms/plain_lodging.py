"""Lodging, bills and counting told plainly: the reference that the compiled loops have to meet exactly."""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace

from breakrank.engine.codes import EV_LODGED, EV_NO_PLACE, EV_PUT_OUT, EV_RELOCATED, EV_TOOK_OFFER
from breakrank.mechanisms.lodging import ELSEWHERE, EVICTION, IN_SITE, NOT_PLACED, PRIVATE_HOME, STREET
from tests.engine.stage import CROSSINGS, SITES
from tests.mechanisms.plain_guests import EMBASSY, Host

PLACES = {s.id: len(CROSSINGS) + k for k, s in enumerate(SITES)}


def is_open(host: Host, s: int) -> bool:
    """Whether people can be lodged at a site today: an embassy takes in nobody from here."""
    today = dt.date(2019, 1, 1) + dt.timedelta(host.day)
    site = SITES[s]
    return not EMBASSY[s] and site.opens <= today and (site.closes is None or today <= site.closes)


def clear_out(host: Host) -> None:
    """Put out who has to go; let go who takes an offer; move elsewhere whom the authorities pick."""
    world, day = host.stage.world, host.day
    offered = float(world.daily("departure_offer")[day])
    tempted = 1 - (1 - world["reception.offer"]) ** (offered / 100)
    tense = host.town.tension[0] > 1
    moved_on = float(world.daily("dispersal")[day]) if tense else 0.0
    put_out = False
    for h in host.here:
        if h.stay != IN_SITE:
            continue
        s, site = h.site, SITES[h.site]
        evicted, accepts, picked, _ = host.four("reception.lodge", h)
        patient = host.town.unpaid[s] == 0
        broke = not patient and evicted < EVICTION * host.town.owed[s]
        over = site.stay_limit is not None and day - h.since >= site.stay_limit
        if over:
            h.served = True
        dropped = over or broke or not is_open(host, s)
        if dropped or not host.may_stay(h, site.admits):
            event, stay, put_out = EV_PUT_OUT, NOT_PLACED, True
            host.town.neglected[0] += dropped * (1 + h.relatives)
        elif accepts < tempted:
            event, stay, h.left, h.since = EV_TOOK_OFFER, PRIVATE_HOME, True, day
        elif picked < moved_on and site.admits != "permit":
            event, stay, h.since = EV_RELOCATED, ELSEWHERE, day
        else:
            continue
        host.leave_site(h)
        h.stay = stay
        host.record(h, event, PLACES[site.id], 1 + h.relatives)
    host.town.incidents[0] += put_out


def suits(host: Host, h: SimpleNamespace, s: int) -> bool:
    """Whether a household can go to a site today: whole, admitted, and no worse than where it is."""
    site, places = SITES[s], int(SITES[s].capacity * host.stage.world["reception.places"])
    room = host.town.persons[s] + 1 + h.relatives <= places
    again = h.served and site.stay_limit is not None
    better = h.site < 0 or site.admits != "anyone"
    return is_open(host, s) and room and not host.town.unpaid[s] and not again and better and not h.left


def find_places(host: Host) -> None:
    """Lodge one household after the other at the first site; the others at home with somebody, or nowhere."""
    week = 1_000_000 + host.day // 7
    for h in host.here:
        if h.stay > STREET or (h.site >= 0 and SITES[h.site].admits != "anyone"):
            continue
        fits = [s for s in range(len(SITES)) if suits(host, h, s) and host.may_stay(h, SITES[s].admits)]
        if fits:
            host.leave_site(h)
            h.stay, h.site, h.since = IN_SITE, fits[0], host.day
            host.town.persons[fits[0]] += 1 + h.relatives
            host.record(h, EV_LODGED, PLACES[SITES[fits[0]].id], 1 + h.relatives)
        elif h.stay in (NOT_PLACED, STREET):
            if host.one("reception.lodge", h, week) < host.stage.world["reception.private"]:
                h.stay, h.since = PRIVATE_HOME, host.day
            elif h.stay == NOT_PLACED:
                h.stay, h.since = STREET, host.day
                host.record(h, EV_NO_PLACE, value=1 + h.relatives)
                host.town.neglected[0] += (h.came == host.day) * (1 + h.relatives)
