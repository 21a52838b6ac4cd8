"""Private preference: what a soldier thinks of the regime and does not show.

Each soldier has a lasting political disposition; with their grievance of the day, less the rents of their
rank, it makes them privately opposed or not (preference falsification: Kuran 1991, "Now out of never"). The
share opposed at the start is a parameter of its own: the line between the opposed and the loyal is where it
has to be for that share under the case's own fields of the first day, whatever events or a question change,
so that better pay makes fewer opposed. There is one distribution of dispositions: the more of the force are
opposed, the farther from the line are those who are, and the keener (thresholds: Kuran 1991). An opposed
soldier counts how far they are beyond it; a loyal one is held by their loyalty, the more the farther they are
on the other side, and neither challenger nor exile draws them.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import CHUNK, WORDS, decision, gaussian, gaussian_nearly, words_each
from breakrank.draws import NEARLY as DRAWN_NEARLY
from breakrank.engine.calendar import once
from breakrank.engine.codes import AGAINST
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moment, Soldiers
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.errors import UsageError
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.grievance import (
    Grievances,
    bought_here,
    by_cell,
    cell_of_units,
    differs_here,
    grievance_of,
    grievance_stated,
)
from breakrank.mechanisms.regime import Watch
from breakrank.spec import Field, parameters_of
from breakrank.table import Table, array

_DISPOSITION = int(decision("preference.disposition"))


_AGAINST = dict.fromkeys(AGAINST, 1.0)


OPINION = Field(
    "opinion",
    "standard deviations",
    -10,
    10,
    "how far soldiers of a state and branch are more opposed than the force, by what they think",
    ("state", "branch"),
    0.0,
)
_MOST = 256
"""Rows that a soldier's place among them, a byte, can name."""


class Preferences(Table):
    """What makes a soldier opposed: see :func:`margin_of`.

    ``numbers`` is (weight, threshold, weight of loyalty).

    ``zeal`` (soldier,), how far they were beyond the line on the first day, utility: 0 for the loyal.
    ``rents_by_day`` (day, rank) rents by the case, and ``perks_weight`` of what the regime adds.
    """

    rank: NDArray[np.uint8] = array("soldier", strided=True)
    disposition: NDArray[np.float32] = array("soldier", strided=True)
    zeal: NDArray[np.float32] = array("soldier", strided=True)
    rents: NDArray[np.float64]
    numbers: NDArray[np.float64]
    rents_by_day: NDArray[np.float64] = array("day", "rank")
    perks_weight: float


@lean
def margin_of(p: Preferences, g: Grievances, day: int, who: int) -> float:
    """Return how far a soldier is on the opposed side today (utility units; above 0: opposed)."""
    own = p.numbers[0] * p.disposition[who]
    return grievance_of(g, day, who) + own - p.rents[p.rank[who]] - p.numbers[1]


@lean
def _margins(p: Preferences, g: Grievances, day: int, out: NDArray[np.float64]) -> None:
    for i in range(out.shape[0]):
        out[i] = margin_of(p, g, day, i)


@lean
def find_opposed(
    p: Preferences, g: Grievances, day: int, who: NDArray[np.int32], opposed: NDArray[np.bool_]
) -> None:
    """Write which of some soldiers (positions) are on the opposed side today."""
    for k in range(opposed.shape[0]):
        opposed[k] = margin_of(p, g, day, who[k]) > 0


def margins(run: Run) -> NDArray[np.float64]:
    """Return how far everyone is on the opposed side today, float64 (soldier,); see :func:`margin_of`."""
    out = np.empty(run.world.force.n)
    _margins(run.view(Preferences), run.view(Grievances), run.day, out)
    return out


@kernel
def _dispose(
    key: np.uint64,
    name: int,
    identity: NDArray[np.uint32],
    rank: NDArray[np.uint8],
    mean: NDArray[np.float64],
    out: NDArray[np.float32],
) -> None:
    words, nearly = np.empty((WORDS, CHUNK), np.uint32), np.empty(CHUNK)
    for first in range(0, identity.shape[0], CHUNK):
        some = identity[first : first + CHUNK]
        words_each(key, name, some, 0, words)
        for c in range(some.shape[0]):  # apart from what follows, so that it vectorises
            nearly[c] = gaussian_nearly(words[0, c], words[1, c])
        for c in range(some.shape[0]):
            i, z = first + c, nearly[c]
            m = mean[rank[i]]
            out[i] = m + (z - DRAWN_NEARLY)
            if out[i] != np.float32(m + (z + DRAWN_NEARLY)):  # more digits would show
                out[i] = m + gaussian(words[0, c], words[1, c])


@lean
def _disillusion(at: Moment, p: Preferences) -> float:
    """How far they are beyond the line between the loyal and the opposed."""
    return p.zeal[at.who]


@lean
def _rents(at: Moment, p: Preferences) -> float:
    """Less the perks of their rank."""
    return -p.rents[at.rank]


@lean
def _loyalty(at: Moment, p: Preferences) -> float:
    """Less how far they are on the loyal side."""
    return p.numbers[2] * min(at.margin, 0.0)


@lean
def _pay_out(now: Now, p: Preferences, w: Watch) -> None:
    """Pay out today's rents."""
    for rank in range(p.rents.shape[0]):
        p.rents[rank] = p.rents_by_day[now.day, rank] + p.perks_weight * w.perks[rank]


def stated_here(
    world: World, usual: NDArray[np.float64], weight: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.uint8]]:
    """Return grievance and opinion on the first day, shares of the strength, and the row of each soldier.

    Parameters
    ----------
    usual : grievance on the first day by the case's own fields, float64 (branch, rank), as if pay were alike.
    weight : of a standard deviation of what soldiers think, utility units.

    The first two are float64 (row, rank); cells in which nothing differs share a row.
    """
    force, states = world.case.force, len(world.state_ids)
    level = np.tile(usual, (states, 1))
    bought = bought_here(world, stated=True)
    if bought is not None:
        alike = world.case.stated("pay")[0] / world.case.stated("basket")[0]
        level += world["grievance.hardship_weight"] * (1 / (1 + bought[0]) - 1 / (1 + alike[None, :]))
    level += weight * by_cell(world.case.stated(OPINION.name))[0][:, None]
    share = (force.stations[:, :, None] * world.rank_shares[None, :, :]).reshape(level.shape)
    rows, row_of = np.unique(level, axis=0, return_inverse=True)
    weights = np.zeros_like(rows)
    np.add.at(weights, row_of, share)
    if len(rows) > _MOST:
        raise UsageError(f"opinion and pay tell {len(rows)} states and branches apart, and {_MOST} is most")
    return rows, weights, row_of.astype(np.uint8)[cell_of_units(world)[world.force.unit]]


class Preference(Mechanism):
    """A lasting disposition, less the rents of rank. Off: all are alike and nobody draws rents."""

    name = "preference"
    subsystem = 4
    parameters = parameters_of(
        name, "soldiers differ in what they think of the regime, and rank brings rents"
    )
    fields = (Field("rents", "fraction", 0, 1, "perks beside pay, by rank", ("rank",)),)
    terms = (
        Term("preference.disillusion", "lasting disposition", _AGAINST, _disillusion),
        Term("preference.rents", "perks to lose", _AGAINST, _rents),
        Term("preference.loyalty", "loyal at heart", _AGAINST, _loyalty),
    )
    margin = staticmethod(margin_of)
    steps = (Step("dawn", _pay_out),)

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.acts = True  # even where all are alike, everyone has a margin: his grievance alone
        strength = 1.0 if self.on else 0.0
        self.weight, self.loyalty = (
            world["preference.weight"] * strength,
            world["preference.loyalty_weight"] * strength,
        )
        self.mean = -world["preference.rank_loyalty"] * world.tier
        self.rents_weight = world["preference.rents_weight"] * strength
        self.rents = world.daily("rents") * self.rents_weight
        self.level, weight, self.row = grievance_stated(world), world.rank_shares, world.force.branch
        if differs_here(world):
            self.level, weight, self.row = stated_here(world, self.level, self.weight)
        self.level = self.level - world.case.stated("rents")[0][None, :] * self.rents_weight
        self.threshold = self._threshold(self.level, weight)

    def _threshold(self, usual: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """Return the line below which the loyal share lies on the first day, by the case's own fields."""
        world = self.world
        level = usual + self.weight * self.mean[None, :]
        spread = max(self.weight, 1e-9)
        loyal = 1 - world["preference.opposed_at_start"]
        standard = NormalDist()
        low, high = float(level.min()) - 9 * spread, float(level.max()) + 9 * spread
        for _ in range(80):
            middle = (low + high) / 2
            share = 0.0  # `sum` rounds differently from Python 3.12 on
            for w, m in zip(weight.ravel(), level.ravel(), strict=True):
                share += float(w) * standard.cdf((middle - float(m)) / spread)
            low, high = (middle, high) if share < loyal else (low, middle)
        return (low + high) / 2

    def begin(self, run: Run) -> None:
        """Draw everyone's disposition."""
        force = self.world.force
        disposition = run.hot("preference.disposition", np.float32, None)
        zeal = run.hot("preference.zeal", np.float32, None)
        if self.on:
            numbers = self.mean, self.level, self.weight, self.threshold
            given = run.key, force.identity, force.rank, force.branch, *numbers
            disposition[:], zeal[:] = once("dispositions", given, lambda: self._drawn(run.key))
        else:
            disposition[:], zeal[:] = self.mean[force.rank], 0.0
        self.view = Preferences(
            rank=run.view(Soldiers).rank,
            disposition=disposition,
            zeal=zeal,
            rents=self.rents[0].copy(),
            numbers=np.array([self.weight, self.threshold, self.loyalty]),
            rents_by_day=self.rents,
            perks_weight=self.rents_weight,
        )
        run.share(self.view)

    def _drawn(self, key: np.uint64) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Draw everyone's disposition, and return it with their zeal."""
        force = self.world.force
        disposition, zeal = np.empty(force.n, np.float32), np.empty(force.n, np.float32)
        _dispose(key, _DISPOSITION, force.identity, force.rank, self.mean, disposition)
        self.order(disposition, zeal)
        return disposition, zeal

    def order(self, disposition: NDArray[np.float32], zeal: NDArray[np.float32]) -> None:
        """Write how far everyone is beyond the line between opposed and loyal on the first day, utility."""
        line = (self.threshold - self.level) / max(self.weight, 1e-9)
        beyond = disposition - line[self.row, self.world.force.rank]
        zeal[:] = self.weight * np.maximum(beyond, 0.0)
