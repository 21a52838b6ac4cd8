"""Diaspora information: how those who left were received changes what those still serving expect.

Those abroad get word to trusted comrades at home, and strangers hear of it by its reach (on networks and
feedback in migration: Massey and others 1993; on treatment expected abroad: Nepstad 2013). What is told is
how a guest fares: their treatment times their morale, so that idleness and silence tell; whoever was refused
asylum fares badly. It is evidence for what is expected abroad, and may fall short of it. This closes the
loop from leaving to leaving.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import decision, fraction
from breakrank.engine.codes import EV_WORD, LEAVE, LEAVE_WITH_FAMILY, SERVING
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import TrustTies
from breakrank.engine.records import RunRecords, record
from breakrank.engine.run import Now, Run, hold
from breakrank.kernel import lean
from breakrank.mechanisms.comrades import (
    PER,
    RECEIVED,
    Expectations,
    Remembered,
    learn,
    nothing_heard,
    remember,
    settle,
)
from breakrank.mechanisms.lodging import REFUSED, Guests, draws_here, in_town
from breakrank.outputs import daily, level
from breakrank.spec import Field, parameters_of
from breakrank.table import Table, number
from breakrank.units import DAYS_A_WEEK

_TELL = int(decision("word_home.tell"))
_GOING_ABROAD = {LEAVE: 1.0, LEAVE_WITH_FAMILY: 1.0}


class Hope(Table):
    """What is expected abroad, and heard of it.

    ``weight`` of being received well, utility units; ``host`` (day,) treatment expected before anything is
    heard, 0 to 1, worth so many comrades' ``evidence``; ``chance`` a day that somebody abroad gets word home;
    ``reach`` of their word, comrades; ``told`` how well and how badly they fare; ``public`` what is expected.
    """

    weight: float = number("diaspora.weight")
    host: NDArray[np.float64]
    evidence: float = number("comrades.weight")
    chance: float
    reach: float
    told: Remembered
    public: NDArray[np.float32]


@lean
def _expect(now: Now, h: Hope, m: Expectations) -> None:
    """What is publicly expected abroad today."""
    told = h.told.counts
    hold(h.public, now.day, settle(m, RECEIVED, h.evidence, h.host[now.day], told[0], told[1]))


@lean
def _tell(now: Now, h: Hope, g: Guests, m: Expectations, records: RunRecords, ties: TrustTies) -> None:
    """Those with the host get word to a trusted comrade: how they are treated, in what heart.

    The public channel follows what is told.
    """
    day, well, badly = now.day, 0.0, 0.0
    draws_here(now.key, _TELL, g, day)
    for a in range(g.used[1]):
        if fraction(g.words[0, a]) >= h.chance:
            continue
        k = g.here[a]
        i = g.who[k]
        known = ties.start[i + 1] - ties.start[i]
        if not in_town(g.stay[k]) or g.spy[k] or known == 0:
            continue
        friend = ties.other[ties.start[i] + int(fraction(g.words[1, a]) * known)]
        if records.fate[friend] != SERVING:
            continue
        lot = 0.0 if g.decided[k] == REFUSED else g.quality[k] * g.morale[k]
        well += lot
        badly += 1.0 - lot
        learn(m, RECEIVED, day, friend, lot, 1.0 - lot)
        record(records, day, i, EV_WORD, -1, friend, lot)
    remember(h.told, 0, h.reach * well)
    remember(h.told, 1, h.reach * badly)


@lean
def _everyone(h: Hope, m: Expectations) -> float:
    """The treatment that is publicly expected abroad."""
    return h.weight * m.public[RECEIVED, 0]


@lean
def _from_comrades(h: Hope, m: Expectations, received: float) -> float:
    """How much more or less they expect themselves, by what comrades tell."""
    return h.weight * (received - m.public[RECEIVED, 0])


class Diaspora(Mechanism):
    """News of how those who left were received. Off: nobody gives a thought to it."""

    name = "diaspora"
    subsystem = 14
    parameters = parameters_of(name, "soldiers hear how those who left were received")
    outputs = (
        daily("diaspora_messages", "Diaspora information sent home", EV_WORD, unit="messages"),
        level("expected_treatment", "Treatment abroad as publicly expected", "fraction"),
    )
    fields = (
        Field(
            "host_reputation",
            "fraction",
            0,
            1,
            "treatment expected abroad before anything is heard of those who leave",
            (),
            0.0,
        ),
    )
    terms = (
        Term("diaspora.public", "treatment expected abroad by all", _GOING_ABROAD, _everyone),
        Term("diaspora.comrades", "what comrades abroad tell", _GOING_ABROAD, _from_comrades),
    )

    steps = (Step("dawn", _expect), Step("receive", _tell))

    def begin(self, run: Run) -> None:
        """Nobody has heard anything."""
        world = self.world
        self.told = nothing_heard(2, world["comrades.memory"])
        run.share(
            Hope(
                host=world.daily("host_reputation"),
                chance=1 - math.exp(-world["diaspora.contact"] / DAYS_A_WEEK),
                reach=world["diaspora.reach"] * PER / world.force.n,
                told=self.told,
                public=run.gauge("expected_treatment"),
            )
        )
