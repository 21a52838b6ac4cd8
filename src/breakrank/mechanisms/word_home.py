"""Word home: how those who left were received changes what those still serving expect.

Those abroad get word to trusted comrades at home, and strangers hear of it by its reach (on networks and
feedback in migration: Massey and others 1993; on treatment expected abroad: Nepstad 2013). What is told is
how a guest fares: his treatment times his morale, so that idleness and silence tell; whoever was refused
asylum fares badly. It is evidence for what is expected abroad, and may fall short of it. This closes the
loop from leaving to leaving.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import WORDS, decision, fraction
from breakrank.engine.codes import EV_WORD, LEAVE, LEAVE_WITH_FAMILY, SERVING
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.records import RunRecords, record
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.comrades import MEMORY, PER
from breakrank.mechanisms.comrades import WEIGHT as EVIDENCE
from breakrank.mechanisms.guest_table import REFUSED, Guests, draws_here, in_town
from breakrank.mechanisms.learning import RECEIVED, Expectations, Remembered, learn, settle
from breakrank.mechanisms.word_home_parameters import (
    CONTACT,
    OUTPUTS,
    REACH,
    WEIGHT,
    WORD_HOME_PARAMETERS,
)
from breakrank.spec import Field
from breakrank.table import Table
from breakrank.units import DAYS_A_WEEK

_TELL = int(decision("word_home.tell"))
_GOING_ABROAD = {LEAVE: 1.0, LEAVE_WITH_FAMILY: 1.0}


@lean
def _tell(
    key: np.uint64,
    name: int,
    records: RunRecords,
    day: int,
    g: Guests,
    m: Expectations,
    start: NDArray[np.int64],
    other: NDArray[np.int32],
    chance: float,
    words: NDArray[np.uint32],
    word: NDArray[np.int32],
) -> tuple[float, float]:
    """Let those with the host get word to a trusted comrade: how he is treated, in what heart.

    Ties and comrades lie far apart in memory. They are looked up in a loop of their own, which can wait for
    many of them at once; `word` int32 (2, n) is room for who tells (his place in ``here``) and whom (-1:
    nobody). Returns how well, and how badly, they fare by what was told, both added up.
    """
    well, badly, tell = 0.0, 0.0, 0
    draws_here(key, name, g, day, words)
    for a in range(g.used[1]):
        k = g.here[a]
        if not in_town(g.stay[k]) or g.spy[k]:
            continue
        if fraction(words[0, a]) < chance:
            word[0, tell] = a
            tell += 1
    for w in range(tell):
        a = word[0, w]
        i = g.who[g.here[a]]
        ties = start[i + 1] - start[i]
        word[1, w] = other[start[i] + int(fraction(words[1, a]) * ties)] if ties > 0 else -1
    for w in range(tell):
        friend = word[1, w]
        if friend < 0 or records.fate[friend] != SERVING:
            continue
        k = g.here[word[0, w]]
        lot = lot_of(g, k)
        well += lot
        badly += 1.0 - lot
        learn(m, RECEIVED, day, friend, lot, 1.0 - lot)
        record(records, day, g.who[k], EV_WORD, -1, friend, lot)
    return well, badly


@lean
def lot_of(g: Guests, k: int) -> float:
    """Return how household k fares as its soldier tells it, 0 to 1; badly where asylum was refused."""
    return 0.0 if g.decided[k] == REFUSED else g.quality[k] * g.morale[k]


class Hope(Table):
    """What being received well weighs: ``weight``, utility units."""

    weight: float


@lean
def _everyone(h: Hope, m: Expectations) -> float:
    """The treatment that is publicly expected abroad."""
    return h.weight * m.public[RECEIVED, 0]


@lean
def _from_comrades(h: Hope, m: Expectations, received: float) -> float:
    """How much more or less he expects himself, by what comrades tell."""
    return h.weight * (received - m.public[RECEIVED, 0])


class WordHome(Mechanism):
    """News of how those who left were received. Off: nobody gives a thought to it."""

    name = "word_home"
    subsystem = 14
    parameters = WORD_HOME_PARAMETERS
    outputs = OUTPUTS
    fields = (
        Field(
            "host_word",
            "fraction",
            0,
            1,
            "treatment expected abroad before anything is heard of those who leave",
            (),
            0.0,
        ),
    )
    terms = (
        Term("word_home.public", "treatment expected abroad by all", _GOING_ABROAD, _everyone),
        Term("word_home.comrades", "what comrades abroad tell", _GOING_ABROAD, _from_comrades),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.host_word = world.daily("host_word").tolist()
        self.chance = 1 - math.exp(-world[CONTACT.name] / DAYS_A_WEEK)
        self.given, self.evidence = (Hope(world[WEIGHT.name]),), world[EVIDENCE.name]
        self.reach = world[REACH.name] * PER / world.force.n
        self.telling = world.force.ties.start, world.force.ties.other, self.chance

    def begin(self, run: Run) -> None:
        """Nobody has heard anything."""
        self.told = Remembered(2, self.world[MEMORY.name])
        run.gauge("word_public", float("nan"))

    def dawn(self, run: Run) -> None:
        """What is publicly expected abroad today."""
        prior = self.host_word[run.day]
        public = settle(run.view(Expectations), RECEIVED, self.evidence, prior, *self.told.counts)
        run.gauge("word_public", public)

    def receive(self, run: Run) -> None:
        """Those abroad get word home, and the public channel follows how they are treated."""
        guests = run.view(Guests)
        if not guests.used[0]:
            self.told.add(0.0, 0.0)
            return
        n = int(guests.used[1])
        well, badly = _tell(
            run.key,
            _TELL,
            run.records,
            run.day,
            guests,
            run.view(Expectations),
            *self.telling,
            np.empty((WORDS, n), np.uint32),
            np.empty((2, n), np.int32),
        )
        self.told.add(self.reach * well, self.reach * badly)
