"""What soldiers expect, and how they learn it: from comrades, and from what is publicly known.

A soldier expects that so many comrades are opposed, that so many of those who try are punished, that
those who get out are received so well, and that so many of their families are harmed. Each expectation is
the mean of a Beta distribution (a rate learnt from counts: DeGroot 1970, "Optimal statistical decisions";
soldiers as such learners: Kuran 1991, Lohmann 1994):

    (weight * prior + yes) / (weight + yes + no)

`yes` and `no` add up what they have seen themselves, among those they trust, and what is publicly known,
which counts by its reach. All evidence fades over one memory, so that an expectation goes back to its prior
when nothing happens, and none can leave 0 to 1, however much happens.

Who deserts, crosses or rises shows that comrades are opposed; who deserts or crosses, that one can get
away; who is arrested, ill-treated, caught, discharged or killed shows that whoever tries is punished, and
a reprisal on relatives that families are (social proof: Granovetter 1978, and Bearman 1991 on comrades
and desertion; deterrence as what is perceived: Apel 2013). News runs along trust ties on the day it
happens and counts fully there; what happens in the country counts by its reach, and an uprising, as far as
it is noticed, like a few comrades who show themselves opposed (Lohmann 1994).

Who resigns in the open shows less than who flees, since an act tells of its motive what it costs (Lohmann
1994), and nothing of what happens to those who flee unless it risks the same. So it counts by
``decision.open_risk``.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import (
    EV_ARRESTED,
    EV_CAPTURED,
    EV_CAUGHT_HIDING,
    EV_CROSSED,
    EV_DESERTED,
    EV_DIED,
    EV_DISCHARGED,
    EV_FOLLOWED,
    EV_ILL_TREATED,
    EV_REFUSED_ORDER,
    EV_REPRISAL,
    EV_RESIGNED,
    EV_ROSE,
    EV_SHOT,
    EV_SURRENDERED,
    EV_WENT_OVER,
    SERVING,
)
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.moments import Moment, TrustTies
from breakrank.engine.records import RunRecords
from breakrank.engine.rows import fetch
from breakrank.engine.run import Now, Run
from breakrank.kernel import lean
from breakrank.spec import parameters_of
from breakrank.table import Table, array, number

PER = 1e5
"""Public news counts by share: the reach of one event is that in a force of so many."""
OPPOSED, PUNISHED, RECEIVED, HARMED = range(4)
"""What is expected: comrades are opposed; whoever tries is punished; who gets out is received well; the
relatives of whoever tries are harmed."""
EXPECTATIONS = 4
GONE, HURT, ROSE, FAMILIES = range(4)
"""What the country hears of: those gone, those hurt, those who rose, and families harmed."""
KINDS_OF_NEWS = 4


class Expectations(Table):
    """What everyone expects.

    ``own`` (soldier, 9): yes and no of each expectation in turn, as on the day in the last column. ``public``
    (expectation, 2): what those expect who have seen nothing themselves, and the weight of it. ``fade``
    (day,) is what is left of evidence after so many days.
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

    ``today`` how many; ``told`` comrades' worth of evidence. ``reach`` of one soldier gone, or one hurt or
    family harmed, comrades; ``shown`` comrades' worth of an uprising that everyone hears of, ``noticed``
    persons of whom half hear.
    """

    today: NDArray[np.float64]
    told: Remembered
    reach: NDArray[np.float64]
    shown: float = number("uprising.shown")
    open_risk: float = number("decision.open_risk")
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


@lean
def share_noticed(size: float, half: float) -> float:
    """Return how far `size` people (0 or more) are noticed, 0 to 1; `half` people (above 0) are by half."""
    return size / (half + size)


@lean
def _tell(now: Now, records: RunRecords, ties: TrustTies, m: Expectations, news: News) -> None:
    """Tell comrades who left today and who was punished, and everyone a little."""
    day, happened = now.day, news.today
    happened[:] = 0.0
    for k in range(now.first, records.cursor[0]):
        e = records.event[k]
        i = records.who[k]
        left = e in (EV_DESERTED, EV_CROSSED, EV_WENT_OVER, EV_RESIGNED, EV_REFUSED_ORDER)
        hurt = e in (
            EV_ARRESTED,
            EV_ILL_TREATED,
            EV_DIED,
            EV_CAPTURED,
            EV_SHOT,
            EV_CAUGHT_HIDING,
            EV_SURRENDERED,
            EV_DISCHARGED,
        )
        rose = e in (EV_ROSE, EV_FOLLOWED)
        harmed = e == EV_REPRISAL
        if not (left or hurt or rose or harmed):
            continue
        weight = news.open_risk if e == EV_RESIGNED else 1.0
        happened[GONE if left else HURT if hurt else ROSE if rose else FAMILIES] += weight
        for t in range(ties.start[i], ties.start[i + 1]):
            fetch(m.own, ties.other[t])
        for t in range(ties.start[i], ties.start[i + 1]):
            j = ties.other[t]
            if records.fate[j] != SERVING:
                continue
            if hurt or left:
                learn(m, PUNISHED, day, j, 1.0 if hurt else 0.0, weight if left else 0.0)
            if harmed or left:
                learn(m, HARMED, day, j, 1.0 if harmed else 0.0, weight if left else 0.0)
            if left or rose:
                learn(m, OPPOSED, day, j, weight, 0.0)
    remember(news.told, GONE, news.reach[0] * happened[GONE])
    remember(news.told, HURT, news.reach[1] * happened[HURT])
    remember(news.told, ROSE, news.shown * share_noticed(happened[ROSE], news.noticed))
    remember(news.told, FAMILIES, news.reach[1] * happened[FAMILIES])


@lean
def _believed(at: Moment, m: Expectations) -> float:
    """The share of comrades that they believe opposed."""
    return expected(m, OPPOSED, at.day, at.who)


@lean
def _punished(at: Moment, m: Expectations) -> float:
    """The share of those who try that they expect to be punished."""
    return expected(m, PUNISHED, at.day, at.who)


@lean
def _harmed(at: Moment, m: Expectations) -> float:
    """The share of those who try whose relatives they expect to be harmed."""
    return expected(m, HARMED, at.day, at.who)


@lean
def _received(at: Moment, m: Expectations) -> float:
    """How well they expect those who get out to be received."""
    return expected(m, RECEIVED, at.day, at.who)


class Comrades(Mechanism):
    """News of comrades gone or punished. Off: nobody hears of it, neither from comrades nor in public."""

    name = "comrades"
    subsystem = 6
    quantities = (
        ("believed", _believed),
        ("punished", _punished),
        ("harmed", _harmed),
        ("received", _received),
    )
    parameters = parameters_of(name, "soldiers learn from what happens to comrades and in the country")
    steps = (Step("dusk", _tell),)

    def begin(self, run: Run) -> None:
        """Of those who were arrested before the first day it is known as far as it is remembered."""
        world = self.world
        own = run.hot("learning.own", np.float32, width=2 * EXPECTATIONS + 1)
        public = np.full((EXPECTATIONS, 2), world["comrades.weight"])
        public[OPPOSED, 0] = world["belief.prior_mean"]
        public[[PUNISHED, HARMED], 0] = world["fear.prior_mean"] if world.on("fear") else 0.0
        public[RECEIVED, 0] = world.daily("host_reputation")[0]
        run.share(Expectations(own=own, public=public, fade=fading(world["comrades.memory"], world.days)))
        self.news = News(
            today=np.zeros(KINDS_OF_NEWS),
            told=nothing_heard(KINDS_OF_NEWS, world["comrades.memory"]),
            reach=np.array([world["comrades.reach"], world["fear.reach"]]) * PER / world.force.n,
            noticed=world["uprising.noticed"] * world.scale,
        )
        if world.on("counterintelligence"):
            # Prisoners at the start were taken evenly over the time that a sentence takes; such news fades.
            sentence, memory = world["counterintelligence.sentence_days"], world["comrades.memory"]
            taken_a_day = world["counterintelligence.prisoners_at_start"] * world.scale / sentence
            remembered = float(taken_a_day * memory * -np.expm1(-sentence / memory))
            self.news.told.counts[HURT] = self.news.reach[1] * remembered
        run.share(self.news)
