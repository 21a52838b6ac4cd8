"""Composition: a group that the regime rests on, by branch and rank, and how far units are of one group.

Regimes recruit from those whose fate is tied to theirs, and post them where they are needed (Quinlivan 1999,
"Coup-proofing"; McLauchlin 2010, "Loyalty strategies and military defection in rebellion"; Bou Nassif 2015,
"Second-class"). A unit of one group holds together, on whichever side it is (Bearman 1991, "Desertion as
localism"; Costa and Kahn 2003, "Cowards and heroes"). The group is data of a case, with its evidence: a
community, a region of recruitment, a cohort, volunteers among conscripts. Nothing here knows which.

`in_group` is the share of each branch and rank that belongs to it. `clustering` is how far units are of one
group: a soldier belongs to it where

    sqrt(c) * z(unit) + sqrt(1 - c) * e(soldier) < quantile of their branch's and rank's share

with z and e standard normal and c the clustering, so that shares stay what they are on average. Its
members are less opposed by `attachment` standard deviations of dispositions, and the others more, so that
the mean of the force stays. What a unit then thinks together acts through
:mod:`breakrank.mechanisms.civil_war.cohesion`.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, WORDS, decision, gaussian, normal, words_each
from breakrank.engine.codes import EV_CROSSED, EV_DESERTED, EV_REFUSED_ORDER, EV_RESIGNED, EV_WENT_OVER
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.records import RunRecords
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.journeys import CIVILIAN, Journeys
from breakrank.mechanisms.preference import Preference
from breakrank.outputs import daily
from breakrank.spec import Field, parameters_of
from breakrank.table import Table

_NOBODY = int(NOBODY)
_UNIT = int(decision("composition.unit"))
_SOLDIER = int(decision("composition.soldier"))
_FAR = 9.0
"""Standard deviations beyond which nobody is: the quantile of a share of 0 or 1."""


class Groups(Table):
    """Who belongs to the group, bool (soldier,), and who left, by day: of the group, and of the others."""

    member: NDArray[np.bool_]
    left_in: NDArray[np.int32]
    left_out: NDArray[np.int32]


@kernel
def _assign(
    key: np.uint64,
    identity: NDArray[np.uint32],
    unit: NDArray[np.int32],
    of_unit: NDArray[np.float64],
    own: float,
    line: NDArray[np.float64],
    member: NDArray[np.bool_],
) -> None:
    """Write who belongs to the group: those whose share with their unit and own draw lie below their line."""
    words = np.empty((WORDS, identity.shape[0]), np.uint32)
    words_each(key, _SOLDIER, identity, 0, words)
    for i in range(identity.shape[0]):
        member[i] = of_unit[unit[i]] + own * gaussian(words[0, i], words[1, i]) < line[i]


@lean
def _count(now: Now, groups: Groups, journeys: Journeys, records: RunRecords) -> None:
    """Count who left today, by group; whoever deserted or resigned first and crossed later counts once."""
    for k in range(now.first, records.cursor[0]):
        i = records.who[k]
        before = journeys.slips[i] or journeys.mode[i] == CIVILIAN
        later = records.event[k] in (EV_CROSSED, EV_WENT_OVER) and not before
        if later or records.event[k] in (EV_DESERTED, EV_RESIGNED, EV_REFUSED_ORDER):
            if groups.member[i]:
                groups.left_in[now.day] += 1
            else:
                groups.left_out[now.day] += 1


class Composition(Mechanism):
    """A group that the regime rests on. Off: soldiers of a rank and branch are alike in this respect."""

    name = "composition"
    subsystem = 1
    citation = "McLauchlin, T. (2010), Loyalty strategies and military defection in rebellion"
    parameters = parameters_of(name, "soldiers belong to a group that the regime rests on, or do not")
    fields = (
        Field(
            "in_group",
            "fraction",
            0,
            1,
            "share of a branch and rank that belongs to the group that the regime rests on, on the first day",
            ("branch", "rank"),
            0.0,
        ),
    )
    outputs = (
        daily("left_in_group", "Left, of the group that the regime rests on"),
        daily("left_out_group", "Left, of those outside the group that the regime rests on"),
    )
    steps = (Step("dusk", _count),)

    def __init__(self, world: World) -> None:
        super().__init__(world)
        force, shares = world.force, world.daily("in_group")[0]
        standard = NormalDist()
        lines = [
            [-_FAR if s <= 0 else _FAR if s >= 1 else standard.inv_cdf(s) for s in of_branch]
            for of_branch in shares.tolist()
        ]
        self.line = np.array(lines)[force.branch, force.rank]
        self.share = float(shares[force.branch, force.rank].mean())

    def begin(self, run: Run) -> None:
        """Say who belongs to the group, and let its members be less opposed."""
        world, force, days = self.world, self.world.force, self.world.days
        groups = Groups(
            member=np.zeros(force.n, np.bool_),
            left_in=np.zeros(days, np.int32),
            left_out=np.zeros(days, np.int32),
        )
        run.share(groups)
        run.tables["left_in_group"], run.tables["left_out_group"] = groups.left_in, groups.left_out
        if not self.on or not 0 < self.share < 1:
            return
        common = world["composition.clustering"]
        units = range(len(force.units))
        of_unit = np.sqrt(common) * np.array([normal(run.key, _UNIT, u, _NOBODY, 0) for u in units])
        own = float(np.sqrt(1.0 - common))
        _assign(run.key, force.identity, force.unit, of_unit, own, self.line, groups.member)
        if not world.on("preference"):
            return
        disposition = run.hot("preference.disposition", np.float32)
        disposition -= (world["composition.attachment"] * (groups.member - self.share)).astype(np.float32)
        Preference(world).order(disposition, run.hot("preference.zeal", np.float32))
