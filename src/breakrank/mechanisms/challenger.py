"""The challenger and the outside world: what pulls a soldier across.

A challenger's public signals have a strength and decay; his credibility grows with recognition and
success and is spent by failure (here: by the dated effects of events). It pulls the privately opposed
more than the others. What is heard of the treatment of those who crossed pulls too, and an amnesty
counts for those who have most to answer for (Albrecht and Ohl 2016, "Exit, resistance, loyalty";
Nepstad 2013 on defection and outside support).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import LEAVE, LEAVE_WITH_FAMILY
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.moments import Moments
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import kernel
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
HOST = Parameter(
    "challenger.host_weight",
    "utility",
    0,
    20,
    1.0,
    "weight of the treatment expected abroad (0 to 1)",
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


def credibility_by_day(world: World) -> NDArray[np.float64]:
    """Return the challenger's credibility by day, 0 to 1; 0 throughout where there is no challenger."""
    if not world.on("challenger"):
        return np.zeros(world.days)
    recognised = world[RECOGNISED.name] * world.daily("recognition")
    return np.clip(world.daily("credibility") + recognised, 0, 1)


@kernel
def _weigh(
    rank: NDArray[np.uint8],
    margin: NDArray[np.float64],
    pull_today: float,
    host_today: float,
    amnesty_by_rank: NDArray[np.float64],
    pull: NDArray[np.float64],
    host: NDArray[np.float64],
    amnesty: NDArray[np.float64],
) -> None:
    for j in range(rank.shape[0]):
        pull[j] = pull_today if margin[j] > 0 else 0.0
        host[j] = host_today
        amnesty[j] = amnesty_by_rank[rank[j]]


class Challenger(Mechanism):
    """Credibility, recognition, amnesty and word of the host. Off: there is no challenger and no word."""

    name = "challenger"
    subsystem = 12
    parameters = (
        switch("challenger", "a challenger and the outside world pull soldiers across"),
        PULL,
        RECOGNISED,
        HOST,
        AMNESTY,
    )
    fields = (
        Field("credibility", "fraction", 0, 1, "credibility of the challenger", (), 0.0),
        Field("recognition", "states", 0, 300, "states that recognise the challenger", (), 0.0),
        Field("host_word", "fraction", 0, 1, "treatment that those still serving expect abroad", (), 0.0),
        Field("amnesty", "fraction", 0, 1, "amnesty offered, as far as it is believed", (), 0.0),
    )
    terms = (
        Term("challenger.pull", "the challenger is believed in", {LEAVE: 1, LEAVE_WITH_FAMILY: 1}),
        Term("challenger.host", "treatment expected abroad", {LEAVE: 1, LEAVE_WITH_FAMILY: 1}),
        Term("challenger.amnesty", "an amnesty is offered", {LEAVE: 1, LEAVE_WITH_FAMILY: 1}),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.credibility = credibility_by_day(world)
        self.pull = world[PULL.name] * self.credibility
        self.host = world[HOST.name] * world.daily("host_word")
        offered = world.daily("amnesty") * self.credibility
        self.amnesty = world[AMNESTY.name] * offered[:, None] * world.tier[None, :]

    def weigh(self, run: Run, moments: Moments) -> None:
        """The challenger's pull, the host's, and the amnesty's."""
        row = run.term_row
        _weigh(
            moments.rank,
            moments.margin,
            float(self.pull[run.day]),
            float(self.host[run.day]),
            self.amnesty[run.day],
            moments.terms[row["challenger.pull"]],
            moments.terms[row["challenger.host"]],
            moments.terms[row["challenger.amnesty"]],
        )
