"""Belief about comrades, and confiding.

Apart from what he thinks himself, a soldier has a belief about the share of comrades who are
opposed: a Beta distribution, starting low although most are opposed (pluralistic ignorance:
Kuran 1991; Katz and Allport 1931). An opposed soldier now and then confides in a trusted
comrade; both learn, at a risk. Public acts of opposition shift everyone's belief at once, and
fade as they fall silent (Lohmann 1994 on public signals).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import WORDS, decision, fraction, words_each
from breakrank.engine.codes import (
    AGAINST,
    DESERT,
    DUE_CONFIDED,
    EV_CONFIDED,
    INVITED,
    SERVING,
)
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.moments import Moments
from breakrank.engine.records import RunRecords, record, schedule
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.comrades import WEIGHT as EVIDENCE
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.learning import OPPOSED, PUNISHED, Expectations, News, expected, learn, settle
from breakrank.mechanisms.preference import Preferences, margin_of
from breakrank.mechanisms.quiet_desertion import QUIET
from breakrank.outputs import daily
from breakrank.spec import Field, Parameter, switch
from breakrank.table import Table

_CONFIDE = int(decision("belief.confide"))

PRIOR = Parameter(
    "belief.prior_mean",
    "fraction",
    0.001,
    0.999,
    0.2,
    "share of comrades believed opposed at the start",
    "Kuran 1991",
)
WEIGHT = Parameter(
    "belief.weight",
    "utility",
    0,
    10,
    4.0,
    "weight of the believed share of comrades opposed (0 to 1)",
    "Granovetter 1978; Kuran 1991",
)
CONFIDE = Parameter(
    "belief.confide",
    "probability",
    0,
    1,
    0.15,
    "chance that an opposed soldier confides at a moment of decision",
)
CANDOUR = Parameter(
    "belief.candour",
    "probability",
    0,
    1,
    0.7,
    "chance that an opposed soldier who is confided in shows himself too",
)


@kernel
def _confide(
    key: np.uint64,
    name: int,
    records: RunRecords,
    day: int,
    who: NDArray[np.int32],
    identity: NDArray[np.uint32],
    occasion: NDArray[np.uint8],
    start: NDArray[np.int64],
    other: NDArray[np.int32],
    p: Preferences,
    g: Grievances,
    m: Expectations,
    chance: float,
    candour: float,
    informer: NDArray[np.bool_],
    confidant: NDArray[np.int32],
) -> None:
    """Let some of the opposed confide in a comrade; each learns what the other shows."""
    words = np.empty((WORDS, who.shape[0]), np.uint32)
    words_each(key, name, identity, day, words)
    confiding, friends = np.empty(who.shape[0], np.int32), np.empty(who.shape[0], np.int32)
    n = _who_confides(words, day, who, occasion, start, other, p, g, m, chance, confiding, friends)
    opposed = np.empty(n, np.bool_)
    # Apart from what follows, so that the processor can look up many friends at once.
    _who_is_opposed(p, g, day, friends, opposed)
    _tell(words, records, day, who, confiding, friends, opposed, m, candour, informer, confidant)


@lean
def _who_confides(
    words: NDArray[np.uint32],
    day: int,
    who: NDArray[np.int32],
    occasion: NDArray[np.uint8],
    start: NDArray[np.int64],
    other: NDArray[np.int32],
    p: Preferences,
    g: Grievances,
    m: Expectations,
    chance: float,
    confiding: NDArray[np.int32],
    friends: NDArray[np.int32],
) -> int:
    """Write which deciders confide, and in whom (positions); return how many."""
    n = 0
    for j in range(who.shape[0]):
        dare = fraction(words[0, j])
        if dare >= chance or occasion[j] >= INVITED:
            continue
        i = who[j]
        ties = start[i + 1] - start[i]
        if (
            ties == 0
            or dare >= chance * (1.0 - expected(m, PUNISHED, day, i))
            or margin_of(p, g, day, i) <= 0
        ):
            continue
        confiding[n], friends[n] = j, other[start[i] + int(fraction(words[1, j]) * ties)]
        n += 1
    return n


@lean
def _who_is_opposed(
    p: Preferences, g: Grievances, day: int, who: NDArray[np.int32], opposed: NDArray[np.bool_]
) -> None:
    for k in range(opposed.shape[0]):
        opposed[k] = margin_of(p, g, day, who[k]) > 0


@lean
def _tell(
    words: NDArray[np.uint32],
    records: RunRecords,
    day: int,
    who: NDArray[np.int32],
    confiding: NDArray[np.int32],
    friends: NDArray[np.int32],
    opposed: NDArray[np.bool_],
    m: Expectations,
    candour: float,
    informer: NDArray[np.bool_],
    confidant: NDArray[np.int32],
) -> None:
    """Carry out what was confided; whoever is loyal, or informs, may report it tomorrow."""
    for k in range(opposed.shape[0]):
        j, friend = confiding[k], friends[k]
        i = who[j]
        if records.fate[friend] != SERVING:
            continue
        record(records, day, i, EV_CONFIDED, -1, friend, 0.0)
        learn(m, OPPOSED, day, friend, 1.0, 0.0)
        if (opposed[k] and fraction(words[2, j]) < candour) or informer[friend]:
            learn(m, OPPOSED, day, i, 1.0, 0.0)
        else:
            learn(m, OPPOSED, day, i, 0.0, 1.0)
        if informer[friend] or not opposed[k]:
            confidant[friend] = i
            schedule(records, day + 1, DUE_CONFIDED, friend)


class Trust(Table):
    """What the believed share of comrades opposed weighs: ``weight``, utility units."""

    weight: float


@lean
def _comrades(t: Trust, believed: float) -> float:
    """The share of comrades that he believes opposed."""
    return t.weight * believed


class Belief(Mechanism):
    """What soldiers believe of each other, and confiding.

    Off: nobody confides, public acts go unheard, and belief weighs nothing in a choice. Plotters' approaches
    still tell, and on the day of a rising commanders still go by what they believe.
    """

    name = "belief"
    subsystem = 4
    outputs = (daily("confided", "Confided in a comrade", EV_CONFIDED),)
    parameters = (
        switch("belief", "soldiers confide, and public acts change what they believe of each other"),
        PRIOR,
        WEIGHT,
        CONFIDE,
        CANDOUR,
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
            {**dict.fromkeys(AGAINST, 1.0), DESERT: QUIET.name},
            _comrades,
        ),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.revelation, self.weight = world.daily("revelation"), world[EVIDENCE.name]
        self.ties = world.force.ties
        self.given = (Trust(world[WEIGHT.name]),)

    def begin(self, run: Run) -> None:
        """Nobody has confided in anyone."""
        self.informer = run.hot("counterintelligence.informer", np.bool_)
        self.confidant = run.hot("belief.confidant", np.int32, -1)

    def dawn(self, run: Run) -> None:
        """Public acts, as far as they are still remembered, speak to everyone."""
        shown = float(self.revelation[run.day] + run.view(News).counts[0] + run.view(News).counts[2])
        settle(run.view(Expectations), OPPOSED, self.weight, self.world[PRIOR.name], shown, 0.0)

    def meet(self, run: Run, moments: Moments) -> None:
        """Some of the opposed confide in a trusted comrade."""
        _confide(
            run.key,
            _CONFIDE,
            run.records,
            run.day,
            moments.who,
            moments.identity,
            moments.occasion,
            self.ties.start,
            self.ties.other,
            run.view(Preferences),
            run.view(Grievances),
            run.view(Expectations),
            self.world[CONFIDE.name],
            self.world[CANDOUR.name],
            self.informer,
            self.confidant,
        )
