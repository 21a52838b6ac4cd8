"""The challenger and the outside world: what pulls a soldier across.

A challenger's public signals have a strength and decay; his credibility grows with recognition and
success (dated effects of events), and with exiles under arms where a host allows them. It is spent by failed
risings, which also show everyone that others are opposed (Lohmann 1994), and by the neglect of those who came
over. It pulls the privately opposed more than the others, and an amnesty counts for those who have most to
answer for (Albrecht and Ohl 2016, "Exit, resistance, loyalty"; Nepstad 2013 on defection and outside help).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import (
    EV_RISING_COLLAPSED,
    EV_RISING_STALEMATE,
    JOIN,
    LEAVE,
    LEAVE_WITH_FAMILY,
    PLAN_CROSSING,
    PLAN_RISING,
)
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.moments import Moments
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.exile_parameters import ARMY
from breakrank.mechanisms.guest_table import Exiles
from breakrank.mechanisms.lodging import Town
from breakrank.mechanisms.notice import share_noticed
from breakrank.mechanisms.word_home_parameters import SEEN
from breakrank.spec import Field, Parameter, switch

PULL = Parameter(
    "challenger.pull_weight",
    "utility",
    0,
    20,
    2.5,
    "weight of the challenger's credibility (0 to 1) for the privately opposed",
    "Albrecht and Ohl 2016",
)
RECOGNISED = Parameter(
    "challenger.recognition_weight",
    "credibility per state",
    0,
    0.05,
    0.002,
    "credibility that each recognising state adds",
    "Nepstad 2013",
)
AMNESTY = Parameter(
    "challenger.amnesty_weight",
    "utility per tier",
    0,
    10,
    0.1,
    "weight of a credible amnesty (0 to 1), for each tier of rank",
    "Albrecht and Ohl 2016",
)


SPENT = Parameter(
    "challenger.spent_by_failure",
    "fraction",
    0,
    1,
    0.5,
    "share of the challenger's credibility that a failed rising costs",
    "Lohmann 1994",
)
NEGLECT = Parameter(
    "challenger.spent_by_neglect",
    "fraction",
    0,
    1,
    0.1,
    "share of the challenger's credibility lost when all who came over are put out or left on the street",
    "Nepstad 2013",
)
RECOVERS = Parameter(
    "challenger.recovers", "days", 1, 36500, 365, "time in which what a failure cost comes back to 37%"
)
SHOWN = Parameter(
    "challenger.rising_revelation",
    "comrades",
    0,
    100,
    1.0,
    "public act that a rising is, as comrades' worth of evidence that others are opposed",
    "Lohmann 1994",
)
SHOWN_MEMORY = Parameter(
    "challenger.rising_memory", "days", 1, 3650, 15, "time in which such a public act fades to 37%"
)


class Credit(NamedTuple):
    """What is believed of the challenger today, and what risings have shown; float64 (1,) each.

    ``today`` credibility 0 to 1; ``shown`` comrades' worth of evidence that risings gave.
    """

    today: NDArray[np.float64]
    shown: NDArray[np.float64]


def credibility_by_day(world: World) -> NDArray[np.float64]:
    """Return the challenger's credibility by day, 0 to 1, before any rising (0: there is no challenger)."""
    if not world.on("challenger"):
        return np.zeros(world.days)
    recognised = world[RECOGNISED.name] * world.daily("recognition")
    return np.clip(world.daily("credibility") + recognised, 0, 1)


@lean
def _weigh(
    rank: NDArray[np.uint8],
    margin: NDArray[np.float64],
    pull_today: float,
    amnesty_by_rank: NDArray[np.float64],
    pull: NDArray[np.float64],
    amnesty: NDArray[np.float64],
) -> None:
    for j in range(rank.shape[0]):
        pull[j] = pull_today if margin[j] > 0 else 0.0
        amnesty[j] = amnesty_by_rank[rank[j]]


@lean
def _next_failure(event: NDArray[np.uint8], first: int, last: int) -> int:
    """Return the first row of the log, from `first` on and before `last`, of a failed rising; -1 for none."""
    for k in range(first, last):
        if event[k] == EV_RISING_COLLAPSED or event[k] == EV_RISING_STALEMATE:
            return k
    return -1


class Challenger(Mechanism):
    """Credibility, recognition and amnesty. Off: there is no challenger."""

    name = "challenger"
    subsystem = 12
    parameters = (
        switch("challenger", "a challenger and the outside world pull soldiers across"),
        PULL,
        RECOGNISED,
        AMNESTY,
        SPENT,
        NEGLECT,
        RECOVERS,
        SHOWN,
        SHOWN_MEMORY,
    )
    fields = (
        Field("credibility", "fraction", 0, 1, "credibility of the challenger", (), 0.0),
        Field("recognition", "states", 0, 300, "states that recognise the challenger", (), 0.0),
        Field("amnesty", "fraction", 0, 1, "amnesty offered, as far as it is believed", (), 0.0),
    )
    terms = (
        Term(
            "challenger.pull",
            "the challenger is believed in",
            {LEAVE: 1, LEAVE_WITH_FAMILY: 1, JOIN: 0.5, PLAN_CROSSING: 1, PLAN_RISING: 1},
        ),
        Term("challenger.amnesty", "an amnesty is offered", {LEAVE: 1, LEAVE_WITH_FAMILY: 1}),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.credibility = credibility_by_day(world)
        self.keep_debt = float(np.exp(-1 / world[RECOVERS.name]))
        self.keep_shown = float(np.exp(-1 / world[SHOWN_MEMORY.name]))
        self.army = ((world.daily("arming") >= 0.5) * world[ARMY.name]).tolist()
        self.amnesty = world[AMNESTY.name] * world.daily("amnesty")[:, None] * world.tier[None, :]

    def begin(self, run: Run) -> None:
        """Nothing is spent yet."""
        self.credit = Credit(np.zeros(1), np.zeros(1))
        self.debt = 0.0
        self.care = 0.0
        run.share(self.credit)

    def dawn(self, run: Run) -> None:
        """What is believed of the challenger today, less what failures have cost him."""
        armed = self.army[run.day] * run.view(Exiles).enlisted[0] / 1000
        self.credit.today[0] = min(max(float(self.credibility[run.day]) + armed - self.debt, 0.0), 1.0)

    def weigh(self, run: Run, moments: Moments) -> None:
        """The challenger's pull, and the amnesty's."""
        row, today = run.term_row, float(self.credit.today[0])
        _weigh(
            moments.rank,
            moments.margin,
            self.world[PULL.name] * today,
            self.amnesty[run.day] * today,
            moments.terms[row["challenger.pull"]],
            moments.terms[row["challenger.amnesty"]],
        )

    def dusk(self, run: Run) -> None:
        """A failed rising costs credibility, and so does neglect; what risings have shown fades."""
        world, books, last = self.world, run.books, int(run.books.cursor[0])
        self.debt *= self.keep_debt
        self.credit.shown[0] *= self.keep_shown
        town = run.view(Town)
        neglected = float(town.neglected[0])
        self.care = max(self.care, float(town.care[0]), neglected)
        if neglected:
            share = neglected / (self.care + world[SEEN.name])  # where few are in care, few look
            self.debt += world[NEGLECT.name] * share * float(self.credit.today[0])
        row = _next_failure(books.event, run.mark, last)
        while row >= 0:
            size = float(books.value[row])
            noticed = share_noticed(size, world["rising.noticed"])
            self.debt += world[SPENT.name] * noticed * float(self.credit.today[0])
            self.credit.shown[0] += world[SHOWN.name] * noticed
            row = _next_failure(books.event, row + 1, last)
