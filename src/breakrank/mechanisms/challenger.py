"""The challenger and the outside world: what pulls a soldier across.

How likely it is that the challenger wins is a share of evidence (see :mod:`breakrank.mechanisms.comrades`):
each appeal, each state that recognises them and exiles under arms take away a part of what doubt there is,
so that another adds less than the one before. Failed uprisings, the neglect of those who came over and each
day on which they have not won are evidence against them, and the more so the more was hoped; it fades like
all evidence, and never leaves them nothing. The challenger pulls the privately opposed; an amnesty counts as
far as they are believed, and the more the higher the rank (Albrecht and Ohl 2016, "Exit, resistance,
loyalty"; Nepstad 2013 on defection and outside help; Lohmann 1994 on public signals).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import AGAINST, EV_UPRISING_COLLAPSED, EV_UPRISING_STALEMATE
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moment
from breakrank.engine.records import RunRecords
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.comrades import Remembered, nothing_heard, remember, share_noticed
from breakrank.mechanisms.lodging import Exiles, Town
from breakrank.spec import Field, parameters_of
from breakrank.table import Table, array, number

AMNESTY = 1.0
"""Weight of an amnesty that is wholly believed, utility, for the lowest tier, and as much again for each
tier above: a third of what punishment weighs at even odds. Theory only: Albrecht and Ohl 2016, by whom the
higher ranks have more to answer for; size assumed."""
ARMY = 0.1
"""Part of the doubt in the challenger that a thousand armed exiles take away, where the host allows them.

Set for Venezuela 2019, where nobody armed them: a thousand men against 160,000 win nothing alone, and show
that somebody backs them. Theory only: Salehyan 2009, on armed groups abroad."""


class Credit(Table):
    """``today`` float64 (1,), how likely the challenger is thought to win, 0 to 1."""

    today: NDArray[np.float64]


class Offer(Table):
    """What a challenger sure to win offers: ``pull``, and ``amnesty`` (day, rank), utility units."""

    pull: float = number("challenger.credibility_weight")
    amnesty: NDArray[np.float64] = array("day", "rank")


@lean
def _pull(at: Moment, o: Offer, credit: Credit) -> float:
    """The challenger's pull on the opposed, as far as they are believed to win."""
    return o.pull * credit.today[0] if at.margin > 0 else 0.0


@lean
def _amnesty(at: Moment, o: Offer, credit: Credit) -> float:
    """Value of an amnesty to the opposed of a rank, as far as the challenger is believed to win."""
    return o.amnesty[at.day, at.rank] * credit.today[0] if at.margin > 0 else 0.0


class Appeal(Table):
    """What speaks for the challenger and against them; see the parameters above.

    ``given`` (day,) how likely they would be thought to win, 0 to 1, if nothing had disappointed; ``army``
    (day,) part of the doubt that a thousand exiles under arms take away, ``thousand`` soldiers that stand for
    so many; ``against`` evidence; ``care`` most people in the host's care so far; ``noticed`` persons in an
    uprising of whom half hear. The others are weights.
    """

    given: NDArray[np.float64] = array("day")
    army: NDArray[np.float64] = array("day")
    thousand: float
    against: Remembered
    care: float
    noticed: float
    spent: float = number("challenger.spent_by_failure")
    neglect: float = number("challenger.spent_by_neglect")
    waiting: float = number("challenger.spent_by_waiting")


@lean
def _believe(now: Now, a: Appeal, credit: Credit, exiles: Exiles) -> None:
    """What is believed of the challenger today."""
    doubt = (1.0 - a.army[now.day]) ** (exiles.enlisted[0] / a.thousand)
    credit.today[0] = (1.0 - (1.0 - a.given[now.day]) * doubt) / (1.0 + a.against.counts[0])


@lean
def _disappoint(now: Now, a: Appeal, credit: Credit, town: Town, records: RunRecords) -> None:
    """A failed uprising is evidence against them, and so is neglect."""
    against, neglected = a.waiting, town.neglected[0]
    a.care = max(a.care, town.care[0], neglected)
    if neglected > 0.0:
        against += a.neglect * (neglected / (a.care + a.noticed))  # where few are in care, few look
    for k in range(now.first, records.cursor[0]):
        if records.event[k] == EV_UPRISING_COLLAPSED or records.event[k] == EV_UPRISING_STALEMATE:
            against += a.spent * share_noticed(records.value[k], a.noticed)
    remember(a.against, 0, against * credit.today[0])


class Challenger(Mechanism):
    """Credibility, recognition and amnesty. Off: there is no challenger."""

    name = "challenger"
    subsystem = 12
    parameters = parameters_of(name, "a challenger and the outside world pull soldiers across")
    fields = (
        Field(
            "credibility",
            "fraction",
            0,
            1,
            "chance given to the challenger to win",
            (),
            0.0,
            True,
            ("state", "branch"),
        ),
        Field("recognition", "states", 0, 300, "states that recognise the challenger", (), 0.0),
        Field("amnesty", "fraction", 0, 1, "amnesty offered, as far as it is believed", (), 0.0),
    )
    terms = (
        Term("challenger.pull", "the challenger is believed in", dict.fromkeys(AGAINST[1:], 1), _pull),
        Term("challenger.amnesty", "an amnesty is offered", dict.fromkeys(AGAINST[1:], 1), _amnesty),
    )

    steps = (Step("dawn", _believe), Step("dusk", _disappoint))

    def __init__(self, world: World) -> None:
        super().__init__(world)
        recognised = (1 - world["challenger.recognition_weight"]) ** world.daily("recognition")
        appeal = 1 - (1 - world.daily("credibility")) * recognised
        self.appeal = appeal if self.on else np.zeros(world.days)
        self.army = np.where(world.daily("arming") >= 0.5, ARMY, 0.0)
        amnesty = AMNESTY * world.daily("amnesty")[:, None] * (1 + world.tier)[None, :]
        self.given = (Offer(amnesty=amnesty),)

    def begin(self, run: Run) -> None:
        """Nothing is spent yet."""
        world = self.world
        self.credit = Credit(today=np.zeros(1))
        run.share(self.credit)
        run.share(
            Appeal(
                given=self.appeal,
                army=self.army,
                thousand=1000 * world.scale,
                against=nothing_heard(1, world["comrades.memory"]),
                care=0.0,
                noticed=world["uprising.noticed"] * world.scale,
            )
        )
