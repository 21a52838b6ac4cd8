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
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moment, Moments, TrustTies
from breakrank.engine.records import RunRecords, record
from breakrank.engine.run import Now, Run
from breakrank.kernel import kernel, lean
from breakrank.outputs import daily, stock
from breakrank.spec import Field, Parameter, switch
from breakrank.table import Table, array

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
    "chance that whoever spreads the rumour tells a trusted comrade at a decision opportunity",
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
    "chance that a decision opportunity brings the rumour from outside the force",
    base=0.005,
)


class Rumours(Table):
    """What soldiers do with the rumour, and how it travels.

    ``state`` (soldier,) NOT_HEARD, TELLS or SILENT; ``outside`` (day,) and ``tell`` probabilities; ``weight``
    what having heard it weighs, utility units; ``heard`` the code of the event.
    """

    state: NDArray[np.uint8]
    outside: NDArray[np.float64] = array("day")
    tell: float
    weight: float
    heard: int


@kernel
def spread(now: Now, moments: Moments, records: RunRecords, ties: TrustTies, r: Rumours) -> None:
    """Let today's deciders hear the rumour and pass it on.

    Those who are called to decide by others on the same day have no time for it.
    """
    who, state = moments.who, r.state
    words = np.empty((WORDS, who.shape[0]), np.uint32)
    words_each(now.key, _TELL, moments.identity, now.day, words)
    for j in range(who.shape[0]):
        i = who[j]
        if moments.occasion[j] >= INVITED:
            continue
        if state[i] == NOT_HEARD and fraction(words[0, j]) < r.outside[now.day]:
            state[i] = TELLS
            record(records, now.day, i, r.heard, -1, -1, 0.0)
        known = ties.start[i + 1] - ties.start[i]
        if state[i] != TELLS or known == 0 or fraction(words[1, j]) >= r.tell:
            continue
        comrade = ties.other[ties.start[i] + int(fraction(words[2, j]) * known)]
        if records.fate[comrade] != SERVING:
            continue
        if state[comrade] == NOT_HEARD:
            state[comrade] = TELLS
            record(records, now.day, comrade, r.heard, -1, i, 0.0)
        else:
            state[i] = SILENT


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
    steps = (Step("meet", spread),)
    events = (HEARD,)
    outputs = (
        daily("rumour_heard", "Heard the rumour", HEARD),
        stock("rumour_tellers", "Tell the rumour at dusk"),
    )

    def begin(self, run: Run) -> None:
        """Nobody has heard it."""
        world = self.world
        self.state = run.column("rumour.state", np.uint8)
        run.share(
            Rumours(
                state=self.state,
                outside=world.daily(OUTSIDE.name),
                tell=world[TELL.name],
                weight=world[WEIGHT.name],
                heard=world.event(HEARD),
            )
        )
        run.stocks["rumour_tellers"] = np.zeros((), np.int32)

    def dusk(self, run: Run) -> None:
        """Count who tells it."""
        run.stocks["rumour_tellers"][()] = np.count_nonzero(self.state == TELLS)
