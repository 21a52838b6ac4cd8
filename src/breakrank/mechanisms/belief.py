"""Belief about comrades, and confiding.

Apart from what they think themselves, a soldier has a belief about the share of comrades who are
opposed: a Beta distribution, starting low although most are opposed (pluralistic ignorance:
Kuran 1991; Katz and Allport 1931). An opposed soldier now and then confides in a trusted
comrade; both learn, at the risk that the friend is an informer (ties carry secrets: McAdam 1986).
Public acts of opposition shift everyone's belief at once, and fade as they fall silent (Lohmann
1994 on public signals).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import WORDS, decision, fraction, words_each
from breakrank.engine.codes import AGAINST, DESERT, DUE_CONFIDED, EV_CONFIDED, INVITED, SERVING
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moments, TrustTies
from breakrank.engine.records import RunRecords, record, schedule
from breakrank.engine.run import Now
from breakrank.engine.world import World
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.comrades import (
    GONE,
    OPPOSED,
    PUNISHED,
    ROSE,
    Expectations,
    News,
    expected,
    learn,
    settle,
)
from breakrank.mechanisms.counterintelligence import Informing
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.preference import Preferences, find_opposed, margin_of
from breakrank.outputs import daily
from breakrank.spec import Field, parameters_of
from breakrank.table import Table, array, number

_CONFIDE = int(decision("belief.confide"))


class Trust(Table):
    """Soldiers' reading of news of each other.

    ``weight`` of the believed share of comrades opposed, utility units; ``prior`` that share at the start,
    worth so many comrades' ``evidence``; ``revelation`` (day,) public acts, as comrades' worth; ``confide``
    and ``candour`` chances.
    """

    weight: float = number("belief.weight")
    prior: float = number("belief.prior_mean")
    evidence: float = number("comrades.weight")
    revelation: NDArray[np.float64] = array("day")
    confide: float = number("belief.confide")
    candour: float = number("belief.candour")


@lean
def _hear(now: Now, t: Trust, news: News, m: Expectations) -> None:
    """Public acts, as far as they are still remembered, speak to everyone."""
    shown = t.revelation[now.day] + news.told.counts[GONE] + news.told.counts[ROSE]
    settle(m, OPPOSED, t.evidence, t.prior, shown, 0.0)


@kernel
def _confide(
    now: Now,
    moments: Moments,
    records: RunRecords,
    ties: TrustTies,
    p: Preferences,
    g: Grievances,
    m: Expectations,
    t: Trust,
    informing: Informing,
) -> None:
    """Some of the opposed confide in a trusted comrade; each learns what the other shows."""
    who = moments.who
    words = np.empty((WORDS, who.shape[0]), np.uint32)
    words_each(now.key, _CONFIDE, moments.identity, now.day, words)
    confiding, friends = np.empty(who.shape[0], np.int32), np.empty(who.shape[0], np.int32)
    n = _who_confides(words, now, moments, ties, p, g, m, t, confiding, friends)
    opposed = np.empty(n, np.bool_)
    # Apart from what follows, so that the processor can look up many friends at once.
    find_opposed(p, g, now.day, friends, opposed)
    _tell(words, now, who, records, confiding, friends, opposed, m, t, informing)


@lean
def _who_confides(
    words: NDArray[np.uint32],
    now: Now,
    moments: Moments,
    ties: TrustTies,
    p: Preferences,
    g: Grievances,
    m: Expectations,
    t: Trust,
    confiding: NDArray[np.int32],
    friends: NDArray[np.int32],
) -> int:
    """Write which deciders confide, and in whom (positions); return how many."""
    n = 0
    who, chance, day = moments.who, t.confide, now.day
    for j in range(who.shape[0]):
        dare = fraction(words[0, j])
        if dare >= chance or moments.occasion[j] >= INVITED:
            continue
        i = who[j]
        known = ties.start[i + 1] - ties.start[i]
        if (
            known == 0
            or dare >= chance * (1.0 - expected(m, PUNISHED, day, i))
            or margin_of(p, g, day, i) <= 0
        ):
            continue
        confiding[n], friends[n] = j, ties.other[ties.start[i] + int(fraction(words[1, j]) * known)]
        n += 1
    return n


@lean
def _tell(
    words: NDArray[np.uint32],
    now: Now,
    who: NDArray[np.int32],
    records: RunRecords,
    confiding: NDArray[np.int32],
    friends: NDArray[np.int32],
    opposed: NDArray[np.bool_],
    m: Expectations,
    t: Trust,
    informing: Informing,
) -> None:
    """Carry out what was confided; an informer may report it tomorrow, and other friends keep it."""
    day = now.day
    for k in range(opposed.shape[0]):
        j, friend = confiding[k], friends[k]
        i = who[j]
        if records.fate[friend] != SERVING:
            continue
        record(records, day, i, EV_CONFIDED, -1, friend, 0.0)
        learn(m, OPPOSED, day, friend, 1.0, 0.0)
        informs = informing.informer[friend]
        if (opposed[k] and fraction(words[2, j]) < t.candour) or informs:
            learn(m, OPPOSED, day, i, 1.0, 0.0)
        else:
            learn(m, OPPOSED, day, i, 0.0, 1.0)
        if informs:
            informing.confidant[friend] = i
            schedule(records, day + 1, DUE_CONFIDED, friend)


@lean
def _comrades(t: Trust, believed: float) -> float:
    """The share of comrades that they believe opposed."""
    return t.weight * believed


class Belief(Mechanism):
    """What soldiers believe of each other, and confiding.

    Off: nobody confides, public acts go unheard, and belief weighs nothing in a choice. Plotters' approaches
    still tell, and on the day of an uprising commanders still go by what they believe.
    """

    name = "belief"
    subsystem = 4
    outputs = (daily("confided", "Confided in a comrade", EV_CONFIDED),)
    parameters = parameters_of(
        name, "soldiers confide, and public acts change what they believe of each other"
    )
    fields = (
        Field(
            "revelation",
            "comrades",
            0,
            1000,
            "public acts of opposition, as comrades' worth of evidence that others are opposed",
            (),
            0.0,
        ),
    )
    terms = (
        Term(
            "belief.comrades",
            "comrades are believed opposed",
            {**dict.fromkeys(AGAINST, 1.0), DESERT: "decision.quiet"},
            _comrades,
        ),
    )

    steps = (Step("dawn", _hear), Step("meet", _confide))

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.given = (Trust(revelation=world.daily("revelation")),)
