"""Word home: how those who left were received changes what those still serving expect.

Those abroad get word to trusted comrades at home, and a public channel passes on the rest (on networks and
feedback in migration: Massey and others 1993; on treatment expected abroad: Nepstad 2013). What a soldier
expects is the mean of what is publicly known, which counts for so many comrades, and of what comrades told
him, which fades. This closes the loop from leaving to leaving.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import decision, fraction
from breakrank.engine.books import Books, record
from breakrank.engine.codes import EV_WORD, LEAVE, LEAVE_WITH_FAMILY, SERVING
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.moments import Moments
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.guest_table import Guests, draws_here, in_care, in_town
from breakrank.mechanisms.notice import share_noticed
from breakrank.mechanisms.word_home_parameters import (
    CONTACT,
    FEEDBACK,
    MEMORY,
    PRIOR,
    PUBLIC_DAYS,
    SEEN,
    WEIGHT,
    WORD_HOME_PARAMETERS,
)
from breakrank.spec import Field

_TELL = int(decision("word_home.tell"))


class Heard(NamedTuple):
    """What comrades told each soldier, as on the day ``on`` (int16); it fades from then on.

    ``told`` float32 treatment (0 to 1), added up; ``counts`` float32 how many told. ``anything`` uint8, a bit
    for each soldier who has been told anything: all of it fits where the processor has it at hand.
    """

    told: NDArray[np.float32]
    counts: NDArray[np.float32]
    on: NDArray[np.int16]
    anything: NDArray[np.uint8]


@lean
def _tell(
    key: np.uint64,
    name: int,
    books: Books,
    day: int,
    g: Guests,
    heard: Heard,
    start: NDArray[np.int64],
    other: NDArray[np.int32],
    chance: float,
    memory: float,
    words: NDArray[np.uint32],
    word: NDArray[np.int32],
) -> tuple[int, float]:
    """Let those with the host get word to a trusted comrade.

    Ties and comrades lie far apart in memory. They are looked up in a loop of their own, which can wait for
    many of them at once; `word` int32 (2, n) is room for who tells (his place in ``here``) and whom (-1:
    nobody). Returns how many are in care, and their treatment added up.
    """
    care, treated, tell = 0, 0.0, 0
    draws_here(key, name, g, day, words)
    for a in range(g.used[1]):
        k = g.here[a]
        if not in_town(g.stay[k]) or g.spy[k]:
            continue
        if in_care(g.stay[k]):
            care += 1
            treated += g.quality[k]
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
        if friend < 0 or books.fate[friend] != SERVING:
            continue
        k = g.here[word[0, w]]
        fade = np.exp(-(day - heard.on[friend]) / memory)
        heard.told[friend] = heard.told[friend] * fade + g.quality[k]
        heard.counts[friend] = heard.counts[friend] * fade + 1.0
        heard.on[friend] = day
        heard.anything[friend >> 3] |= np.uint8(1 << (friend & 7))
        record(books, day, g.who[k], EV_WORD, -1, friend, g.quality[k])
    return care, treated


@lean
def _weigh(
    who: NDArray[np.int32],
    day: int,
    heard: Heard,
    public: float,
    counts: float,
    memory: float,
    weight: float,
    everyone: NDArray[np.float64],
    comrades: NDArray[np.float64],
) -> None:
    everyone[:] = weight * public
    for j in range(who.shape[0]):
        i = who[j]
        if heard.anything[i >> 3] >> (i & 7) & 1:
            n = float(heard.counts[i])
            fade = np.exp(-(day - heard.on[i]) / memory)
            expected = (counts * public + heard.told[i] * fade) / (counts + n * fade)
            comrades[j] = weight * (expected - public)


class WordHome(Mechanism):
    """News of how those who left were received. Off: nobody gives a thought to it."""

    name = "word_home"
    subsystem = 14
    parameters = WORD_HOME_PARAMETERS
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
        Term("word_home.public", "treatment expected abroad by all", {LEAVE: 1, LEAVE_WITH_FAMILY: 1}),
        Term("word_home.comrades", "what comrades abroad tell", {LEAVE: 1, LEAVE_WITH_FAMILY: 1}),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.host_word = world.daily("host_word").tolist()
        self.chance = 1 - math.exp(-world[CONTACT.name] / 7)
        self.rate = 1 - math.exp(-1 / world[PUBLIC_DAYS.name])
        self.feedback = world[FEEDBACK.name] >= 0.5
        self.memory, self.seen = world[MEMORY.name], world[SEEN.name]
        self.reckoning = world[PRIOR.name], self.memory, world[WEIGHT.name]
        self.telling = world.force.ties.start, world.force.ties.other, self.chance, self.memory

    def begin(self, run: Run) -> None:
        """Nobody has heard anything."""
        kinds = {"told": np.float32, "counts": np.float32, "on": np.int16}
        told, counts, on = run.columns({f"word_home.{name}": kind for name, kind in kinds.items()})
        self.heard = Heard(told, counts, on, np.zeros(len(on) // 8 + 1, np.uint8))
        self.learnt = 0.0
        run.gauge("word_public", float("nan"))

    def public(self, day: int) -> float:
        """Return the treatment abroad as publicly expected, 0 to 1."""
        return min(max(self.host_word[day] + self.learnt, 0.0), 1.0)

    def weigh(self, run: Run, moments: Moments) -> None:
        """The treatment that each expects abroad, from the public channel and from comrades."""
        row = run.term_row
        _weigh(
            moments.who,
            run.day,
            self.heard,
            self.public(run.day),
            *self.reckoning,
            moments.terms[row["word_home.public"]],
            moments.terms[row["word_home.comrades"]],
        )

    def receive(self, run: Run) -> None:
        """Those abroad get word home, and the public channel follows how they are treated."""
        public = self.public(run.day)
        run.gauge("word_public", public)
        guests = run.view(Guests)
        if not guests.used[0] or not self.feedback:
            return
        n = int(guests.used[1])
        care, treated = _tell(
            run.key,
            _TELL,
            run.books,
            run.day,
            guests,
            self.heard,
            *self.telling,
            np.empty((4, n), np.uint32),
            np.empty((2, n), np.int32),
        )
        if care:
            looks = share_noticed(care, self.seen)
            self.learnt += (treated / care - public) * self.rate * looks
