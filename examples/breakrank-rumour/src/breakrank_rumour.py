"""A rumour that comrades are about to leave, passed on by word of mouth.

A soldier has not heard the rumour, tells it, or has heard it and keeps it to himself. At a moment of
decision he may hear it from outside the force. Whoever tells it may tell it to one trusted comrade. A
comrade who has not heard it tells it from then on. One who knows it already puts the teller off, who then
falls silent for good. This is the chain of Maki and Thompson (1973, "Mathematical models and
applications"), a directed form of Daley and Kendall (1965, "Stochastic rumours"), on ties of trust instead
of among strangers. Having heard it weighs for leaving by any way, as news that others go does (Kuran 1991).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import WORDS, decision, fraction, words_each
from breakrank.engine.codes import DESERT, INVITED, LEAVE, LEAVE_WITH_FAMILY, SERVING
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.moments import Moment, Moments
from breakrank.engine.records import RunRecords, record
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import kernel, lean
from breakrank.outputs import daily, stock
from breakrank.spec import Field, Parameter, switch
from breakrank.table import Table

_TELL = int(decision("rumour.tell"))
HEARD = "heard the rumour"
"""What it adds to the event log."""
NOT_HEARD, TELLS, SILENT = range(3)
"""What a soldier does with the rumour, in the column ``rumour.state``."""

TELL = Parameter(
    "rumour.tell",
    "probability",
    0,
    1,
    0.5,
    "chance that whoever spreads the rumour tells a trusted comrade at a moment of decision",
    "Maki and Thompson 1973",
    assumed="half of those who spread it find an occasion; nothing was counted",
    prior=("triangular", 0, 0.5, 1),
)
WEIGHT = Parameter(
    "rumour.weight",
    "utility",
    0,
    5,
    0.5,
    "what having heard the rumour weighs for leaving",
    "Kuran 1991",
    assumed="weaker than what a soldier sees for himself; nothing was counted",
    prior=("triangular", 0, 0.5, 2),
)
OUTSIDE = Field(
    "rumour",
    "probability",
    0,
    1,
    "chance that a moment of decision brings the rumour from outside the force",
    base=0.005,
)


@kernel
def spread(
    key: np.uint64,
    name: int,
    records: RunRecords,
    day: int,
    who: NDArray[np.int32],
    identity: NDArray[np.uint32],
    occasion: NDArray[np.uint8],
    start: NDArray[np.int64],
    other: NDArray[np.int32],
    outside: float,
    tell: float,
    heard: int,
    state: NDArray[np.uint8],
) -> None:
    """Let today's deciders (positions `who`) hear the rumour and pass it on; `state` is changed in place.

    `start` and `other` are the ties of trust, `outside` and `tell` probabilities, `heard` the code of the
    event. Those who are called to decide by others on the same day have no time for it.
    """
    words = np.empty((WORDS, who.shape[0]), np.uint32)
    words_each(key, name, identity, day, words)
    for j in range(who.shape[0]):
        i = who[j]
        if occasion[j] >= INVITED:
            continue
        if state[i] == NOT_HEARD and fraction(words[0, j]) < outside:
            state[i] = TELLS
            record(records, day, i, heard, -1, -1, 0.0)
        ties = start[i + 1] - start[i]
        if state[i] != TELLS or ties == 0 or fraction(words[1, j]) >= tell:
            continue
        comrade = other[start[i] + int(fraction(words[2, j]) * ties)]
        if records.fate[comrade] != SERVING:
            continue
        if state[comrade] == NOT_HEARD:
            state[comrade] = TELLS
            record(records, day, comrade, heard, -1, i, 0.0)
        else:
            state[i] = SILENT


class Rumours(Table):
    """What soldiers do with the rumour (soldier,), and what having heard it weighs, utility units."""

    state: NDArray[np.uint8]
    weight: float


@lean
def having_heard(at: Moment, r: Rumours) -> float:
    """He has heard that others go."""
    return r.weight if r.state[at.who] != NOT_HEARD else 0.0


class Rumour(Mechanism):
    """A rumour spreads along trust ties and weighs for leaving. Off: there is none."""

    name = "rumour"
    subsystem = 4
    citation = "Maki and Thompson 1973; Daley and Kendall 1965"
    parameters = (switch("rumour", "a rumour spreads along trust ties and weighs for leaving"), TELL, WEIGHT)
    fields = (OUTSIDE,)
    terms = (
        Term(
            "rumour.heard",
            "he has heard the rumour",
            {DESERT: 1, LEAVE: 1, LEAVE_WITH_FAMILY: 1},
            having_heard,
        ),
    )
    events = (HEARD,)
    outputs = (
        daily("rumour_heard", "Heard the rumour", HEARD),
        stock("rumour_tellers", "Tell the rumour at dusk"),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.outside = world.daily(OUTSIDE.name)

    def begin(self, run: Run) -> None:
        """Nobody has heard it."""
        self.state = run.column("rumour.state", np.uint8)
        run.share(Rumours(self.state, self.world[WEIGHT.name]))
        run.stocks["rumour_tellers"] = np.zeros((), np.int32)

    def meet(self, run: Run, moments: Moments) -> None:
        """Some hear it from outside; some of those who tell it find a comrade who listens."""
        spread(
            run.key,
            _TELL,
            run.records,
            run.day,
            moments.who,
            moments.identity,
            moments.occasion,
            self.world.force.ties.start,
            self.world.force.ties.other,
            float(self.outside[run.day]),
            self.world[TELL.name],
            self.world.event(HEARD),
            self.state,
        )

    def dusk(self, run: Run) -> None:
        """Count who tells it."""
        run.stocks["rumour_tellers"][()] = np.count_nonzero(self.state == TELLS)
