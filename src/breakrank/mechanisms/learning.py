"""One rule of learning: what a soldier expects is a share with a weight of evidence.

A soldier expects that so many comrades are opposed, that so many of those who try are punished, that
those who get out are received so well, and that so many of their families are harmed. Each expectation is
the mean of a Beta distribution (a rate learnt from counts: DeGroot 1970, "Optimal statistical decisions";
soldiers as such learners: Kuran 1991, Lohmann 1994):

    (weight * prior + yes) / (weight + yes + no)

`yes` and `no` add up what they have seen themselves, among those they trust, and what is publicly known,
which counts by its reach. All evidence fades over one memory, so that an expectation goes back to its prior
when nothing happens, and none can leave 0 to 1, however much happens.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from breakrank.kernel import lean
from breakrank.table import Table, array, number

OPPOSED, PUNISHED, RECEIVED, HARMED = range(4)
"""What is expected: comrades are opposed; whoever tries is punished; who gets out is received well; the
relatives of whoever tries are harmed."""
EXPECTATIONS = 4
GONE, HURT, ROSE, FAMILIES = range(4)
"""What the country hears of: those gone, those hurt, those who rose, and families harmed."""
KINDS_OF_NEWS = 4


class Expectations(Table):
    """What everyone expects.

    ``own`` float32 (soldier, 9): yes and no of each expectation in turn, as on the day in the last column.
    ``public`` float64 (expectation, 2): what those expect who have seen nothing themselves, and the weight
    of it. ``fade`` float64 (day,) is what is left of evidence after so many days.
    """

    own: NDArray[np.float32] = array("soldier", "evidence", strided=True)
    public: NDArray[np.float64] = array("expectation", "share and weight")
    fade: NDArray[np.float64]


@lean
def expected(m: Expectations, what: int, day: int, i: int) -> float:
    """Return the expectation of soldier i today, 0 to 1."""
    yes, no = np.float64(m.own[i, 2 * what]), np.float64(m.own[i, 2 * what + 1])
    share, weight = m.public[what, 0], m.public[what, 1]
    if yes + no <= 0.0:
        return share
    fade = m.fade[day - int(m.own[i, 2 * m.public.shape[0]])]
    return (weight * share + yes * fade) / (weight + (yes + no) * fade)


@lean
def learn(m: Expectations, what: int, day: int, i: int, yes: float, no: float) -> None:
    """Add what soldier i has seen, counts of at least 0, to what they had seen before, which has faded."""
    kinds = 2 * m.public.shape[0]
    if m.own[i, kinds] != day:
        fade = m.fade[day - int(m.own[i, kinds])]
        for k in range(kinds):
            m.own[i, k] *= fade
        m.own[i, kinds] = day
    m.own[i, 2 * what] += yes
    m.own[i, 2 * what + 1] += no


def fading(memory: float, days: int) -> NDArray[np.float64]:
    """Return the remainder on each day, from 0 on, of something that fades to 37% in `memory` days."""
    return np.array([math.exp(-day / memory) for day in range(days)])


class Remembered(Table):
    """Public evidence: ``counts`` (kind,) in comrades' worth, of which ``keep`` is left a day later."""

    counts: NDArray[np.float64]
    keep: float


class News(Table):
    """What is publicly known, a number for each kind of news (:data:`GONE` to :data:`FAMILIES`).

    ``today`` how many; ``told`` comrades' worth of evidence. ``reach`` of one soldier gone, or one hurt
    or family harmed, comrades; ``shown`` comrades' worth of an uprising that everyone hears of, ``noticed``
    persons of whom half hear.
    """

    today: NDArray[np.float64]
    told: Remembered
    reach: NDArray[np.float64]
    shown: float = number("uprising.shown")
    noticed: float


def nothing_heard(kinds: int, memory: float) -> Remembered:
    """Return public evidence of a number of kinds, none so far, that fades to 37% in `memory` days."""
    return Remembered(counts=np.zeros(kinds), keep=math.exp(-1 / memory))


@lean
def remember(told: Remembered, kind: int, today: float) -> None:
    """Let a day pass for one kind of evidence, and add what it has brought."""
    told.counts[kind] = told.counts[kind] * told.keep + today


@lean
def settle(m: Expectations, what: int, weight: float, prior: float, yes: float, no: float) -> float:
    """Set what is publicly expected from a prior with a weight, and public evidence; return it, 0 to 1."""
    m.public[what, 1] = weight + yes + no
    m.public[what, 0] = (weight * prior + yes) / (weight + yes + no)
    return m.public[what, 0]
