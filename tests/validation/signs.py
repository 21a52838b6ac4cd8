"""Whole worlds in which to ask for a sign that the literature knows, and what counts as an answer.

Every world here is the full model: all built-in mechanisms are on, in the order of the day. What a study of
armies would vary (who founds a plot, who serves with whom) is set on the first day by a mechanism that exists
only here; from then on the model is left to itself.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from breakrank.case import Case
from breakrank.draws import decision, uniform_each
from breakrank.engine.codes import RISE
from breakrank.engine.day import Days
from breakrank.engine.mechanism import Mechanism
from breakrank.engine.observe import Observer, Witness
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.force import Force
from breakrank.mechanisms.journeys import days_to_capital
from breakrank.mechanisms.plot_life import Plots, found
from breakrank.mechanisms.preference import Preference, margins
from breakrank.model import assembly
from breakrank.runs.cases import as_case
from tests.engine.worlds import force_of, lively

M = TypeVar("M", bound=Mechanism)
SURE = 2.326
"""Standard errors by which a sign has to stand out: by luck alone it would once in a hundred times."""


@cache
def country() -> Case:
    """Return the built-in country with typical parameters and none of the record's calls to rise."""
    case = lively()
    loud = [e.id for e in case.events if any(x.field in ("call", "revelation") for x in e.effects)]
    for event in loud:
        case = case.without_event(event)
    return case


def land(strength: int, until: str, values: Mapping[str, float], *mechanisms: str) -> Case:
    """Return the country with a force of another size, other values, an earlier end, and mechanisms added."""
    return as_case(country(), mechanisms).set({"force.strength": strength, **values}).until(until)


class Scene:
    """The full model of a case, and what it names, with staging right after the mechanisms it builds on."""

    def __init__(
        self, case: Case, *staging: tuple[type[Mechanism], type[Mechanism]], force: Force | None = None
    ) -> None:
        kinds: list[type[Mechanism]] = []
        whole = assembly(case.mechanisms)
        for kind in whole.mechanisms:
            kinds += [kind, *(new for new, after in staging if after is kind)]
        self.world = World(case, force or force_of(case), whole.options)
        self.days = Days(self.world, kinds)

    def the(self, kind: type[M]) -> M:
        """Return the mechanism of a kind."""
        return next(m for m in self.days.mechanisms if isinstance(m, kind))

    def live(self, number: int, witness: Witness | None = None) -> Run:
        """Live run `number` to its end, with its whole log."""
        run = Run(self.world, 1, number, True)
        self.days.live(run, Observer(self.world), witness)
        return run


def told(run: Run, *events: int) -> NDArray[np.bool_]:
    """Return which rows of the log tell one of these events."""
    return np.isin(run.records.event[: run.records.cursor[0]], events)


def by_whom(run: Run, *events: int) -> NDArray[np.bool_]:
    """Return whom one of these events has befallen, bool (soldier,)."""
    befallen = np.zeros(run.world.force.n, np.bool_)
    befallen[run.records.who[: run.records.cursor[0]][told(run, *events)]] = True
    return befallen


def likelier(rare: tuple[int, int], often: tuple[int, int]) -> float:
    """Return by how many standard errors the second share (successes, trials) is above the first."""
    (a, n), (b, m) = rare, often
    pooled = (a + b) / (n + m)
    spread = math.sqrt(max(pooled * (1 - pooled), 1e-12) * (1 / n + 1 / m))
    return (b / m - a / n) / spread


def trend(successes: Sequence[int], trials: Sequence[int]) -> float:
    """Return by how many standard errors shares rise from group to group (Cochran 1954; Armitage 1955)."""
    s, n, x = np.array(successes, float), np.array(trials, float), np.arange(len(trials))
    pooled = s.sum() / n.sum()
    slope = float((x * (s - n * pooled)).sum())
    spread = float((n * x**2).sum() - (n * x).sum() ** 2 / n.sum())
    return slope / math.sqrt(max(pooled * (1 - pooled), 1e-12) * spread)


def stands_out(differences: Sequence[float] | NDArray[np.float64]) -> float:
    """Return by how many of its standard errors the mean of paired differences is above nothing."""
    d = np.asarray(differences, float)
    spread = d.std(ddof=1)
    if spread == 0:
        return 0.0 if d[0] == 0 else math.copysign(math.inf, d[0])
    return float(d.mean() / spread * math.sqrt(len(d)))


class Founder(Mechanism):
    """Somebody of given tiers, stationed at the seat, has founded a plot to rise; it goes on a set date.

    He is as opposed as founders of any other tier. Whom he wins over, and who promises to come, is for the
    model to say.
    """

    name = "founder"
    subsystem = 8
    tiers: tuple[int, ...] = ()
    leads: bool | None = None
    """Whether he leads a unit; None: either may be."""

    def dawn(self, run: Run) -> None:
        """Found the plot on the first day."""
        if run.day:
            return
        world, force = self.world, self.world.force
        fit = np.isin(world.tier[force.rank], self.tiers) & (days_to_capital(world)[force.state] < 0.3)
        if self.leads is not None:
            fit &= np.isin(np.arange(force.n), force.leader) == self.leads
        able = np.flatnonzero(fit).astype(np.int32)
        lots = uniform_each(run.key, _LOT, force.identity[able], np.zeros(len(able), np.int64))
        who = int(able[np.argmin(lots)])
        disposition = run.column("preference.disposition", np.float32)
        disposition[who] += (OPPOSED - margins(run)[who]) / world["preference.weight"]
        Preference(world).order(disposition, run.column("preference.zeal", np.float32))
        found(run.view(Plots), run.records, 0, who, RISE, LAUNCH)


_LOT = int(decision("test.founder"))
OPPOSED = 1.0
"""How far a founder is on the opposed side, utility units."""
LAUNCH = 60
"""Day on which his plot goes, if it still exists."""


class Companies(Mechanism):
    """Units are made up of conscripts and volunteers: none, a quarter, half, three quarters or all of them.

    A conscript is a little on the opposed side, a volunteer as little on the other, whatever his rank.
    """

    name = "companies"
    subsystem = 4
    shares: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
    apart = 0.4
    """How far conscripts are from volunteers, utility units."""

    def dawn(self, run: Run) -> None:
        """Make the companies up on the first day."""
        if run.day:
            return
        force, world = self.world.force, self.world
        rng = np.random.default_rng(run.number)
        share = rng.permutation(np.resize(self.shares, len(force.units)))
        self.conscript = rng.random(force.n) < share[force.unit]
        size = np.bincount(force.unit, minlength=len(force.units))
        self.share = np.bincount(force.unit, self.conscript, len(force.units)) / np.maximum(size, 1)
        wanted = np.where(self.conscript, 0.5, -0.5) * self.apart
        disposition = run.column("preference.disposition", np.float32)
        disposition += ((wanted - margins(run)) / world["preference.weight"]).astype(np.float32)
        Preference(world).order(disposition, run.column("preference.zeal", np.float32))
