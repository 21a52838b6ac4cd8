"""Word among comrades: who of those I trust has gone, and who was punished.

News travels along trust ties on the day it happens. What a soldier carries is a sum over his
ties that fades with time; leaving becomes likelier when comrades have left (social proof:
Granovetter 1978; Bearman 1991 and Costa and Kahn 2003 on comrades and desertion).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.books import Books
from breakrank.engine.codes import (
    DESERT,
    EV_ARRESTED,
    EV_CAPTURED,
    EV_CAUGHT_HIDING,
    EV_CROSSED,
    EV_DESERTED,
    EV_DIED,
    EV_ILL_TREATED,
    EV_REPRISAL,
    EV_SHOT,
    EV_SURRENDERED,
    LEAVE,
    LEAVE_WITH_FAMILY,
    SERVING,
)
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.moments import Moments
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.spec import Parameter, switch

PROOF = Parameter(
    "comrades.proof_weight",
    "utility",
    0,
    10,
    1.5,
    "weight of comrades gone, when many have gone lately",
    "Granovetter 1978",
)
HALF = Parameter(
    "comrades.half",
    "comrades",
    0.05,
    100,
    1.0,
    "comrades gone at which their weight is half of its full size",
)
MEMORY = Parameter("comrades.memory", "days", 1, 3650, 60, "time in which news of a comrade fades to 37%")


class Word(NamedTuple):
    """What each soldier has heard of his ties: fading sums and the day they were last brought up to date."""

    gone: NDArray[np.float32]
    gone_day: NDArray[np.int16]
    punished: NDArray[np.float32]
    punished_day: NDArray[np.int16]
    memory: float


@lean
def gone_of(w: Word, day: int, i: int) -> float:
    """Return how many trusted comrades soldier i counts as gone today, the older the less."""
    if w.gone[i] <= 0:
        return 0.0
    return w.gone[i] * np.exp(-(day - w.gone_day[i]) / w.memory)


@lean
def punished_of(w: Word, day: int, i: int) -> float:
    """Return how many comrades, or relatives of theirs, soldier i counts as punished, the older the less."""
    if w.punished[i] <= 0:
        return 0.0
    return w.punished[i] * np.exp(-(day - w.punished_day[i]) / w.memory)


@lean
def _spread(
    books: Books, first: int, day: int, start: NDArray[np.int64], other: NDArray[np.int32], w: Word
) -> None:
    for k in range(first, books.cursor[0]):
        e = books.event[k]
        i = books.who[k]
        left = e in (EV_DESERTED, EV_CROSSED)
        hurt = e in (
            EV_ARRESTED,
            EV_ILL_TREATED,
            EV_DIED,
            EV_CAPTURED,
            EV_SHOT,
            EV_CAUGHT_HIDING,
            EV_REPRISAL,
            EV_SURRENDERED,
        )
        if not (left or hurt):
            continue
        for t in range(start[i], start[i + 1]):
            j = other[t]
            if books.fate[j] != SERVING:
                continue
            if left:
                w.gone[j] = gone_of(w, day, j) + 1.0
                w.gone_day[j] = day
            else:
                w.punished[j] = punished_of(w, day, j) + 1.0
                w.punished_day[j] = day


@lean
def _weigh(
    w: Word, day: int, who: NDArray[np.int32], weight: float, half: float, proof: NDArray[np.float64]
) -> None:
    for j in range(who.shape[0]):
        gone = gone_of(w, day, who[j])
        if gone > 0:
            proof[j] = weight * gone / (half + gone)


class Comrades(Mechanism):
    """Social proof: comrades gone, the recent ones most. Off: no news passes between comrades."""

    name = "comrades"
    subsystem = 6
    parameters = (
        switch("comrades", "news of comrades gone or punished travels along trust ties"),
        PROOF,
        HALF,
        MEMORY,
    )
    terms = (Term("comrades.proof", "comrades have gone", {DESERT: 1, LEAVE: 1, LEAVE_WITH_FAMILY: 1}),)

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.ties = world.force.ties

    def begin(self, run: Run) -> None:
        """Nobody has heard anything yet."""
        heard = {"gone": np.float32, "gone_day": np.int16, "punished": np.float32, "punished_day": np.int16}
        gone, gone_day, punished, punished_day = run.columns({f"comrades.{k}": t for k, t in heard.items()})
        self.word = Word(gone, gone_day, punished, punished_day, self.world[MEMORY.name])
        run.share(self.word)

    def weigh(self, run: Run, moments: Moments) -> None:
        """Comrades who have gone."""
        _weigh(
            self.word,
            run.day,
            moments.who,
            self.world[PROOF.name],
            self.world[HALF.name],
            moments.terms[run.term_row["comrades.proof"]],
        )

    def dusk(self, run: Run) -> None:
        """Tell comrades who left today and who was punished."""
        _spread(run.books, run.mark, run.day, self.ties.start, self.ties.other, self.word)
