"""Whole worlds to run the model in: the built-in case at any size, busier than the record, and its log."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from breakrank.case import Case, load_case
from breakrank.case.models_routes import Stay
from breakrank.draws import NOBODY
from breakrank.engine.codes import EVENTS
from breakrank.engine.moments import Moments
from breakrank.engine.observe import Witness
from breakrank.engine.run import Run
from breakrank.force import Force
from breakrank.force.force import Ties
from breakrank.model import Model, Replicate, build, catalogue

NO = int(NOBODY)

BUSY: Mapping[str, float] = {
    "decision.baseline_desert": 5,
    "decision.baseline_leave": 10,
    "fear.risk_weight": 1,
    "fear.prior_mean": 0.2,
    "fear.reprisal_weight": 0.2,
    "belief.confide": 0.7,
    "counterintelligence.informers": 0.1,
    "counterintelligence.reluctance": 1,
    "counterintelligence.death_in_custody": 0.05,
    "counterintelligence.capture_rate": 3,
    "counterintelligence.reprisals": 0.1,
    "routes.risk_weight": 1,
    "routes.checkpoint_risk": 0.05,
}
"""So much happens that a small force sees everything; far from the record on purpose."""

PLOTTING: Mapping[str, float] = {
    "plots.baseline_plan": 6.5,
    "plots.baseline_join": 1.5,
    "plots.approaches": 40,
    "plots.planned_strength": 4,
    "plots.from_start": 300,
    "detection.wiretaps": 1,
    "high_command.reluctance": 0,
}
"""Plots all over the force, most of them found out or given up; what is launched fails."""

TORN: Mapping[str, float] = {
    **PLOTTING,
    "preference.opposed_at_start": 0.95,
    "preference.rents_weight": 0,
    "preference.rank_loyalty": 0,
    "belief.prior_mean": 0.9,
    "grievance.hardship_weight": 4,
    "uprising.loss": 0.5,
    "uprising.noise": 0.3,
    "uprising.noticed": 0.1,
    "uprising.strength": 0.7,
    "uprising.strength_spread": 0.3,
}
"""The first uprising tears the force apart: commanders join it, or refuse to march against it; it
succeeds."""

HELD: Mapping[str, float] = {
    **PLOTTING,
    "uprising.strength": 0.15,
    "uprising.strength_spread": 0.001,
    "uprising.loss": 100,
    "uprising.gain": 0,
}
"""Nobody joins, and a few commanders who plot are half of what it takes: some uprisings hold out."""

AGREED: Mapping[str, float] = {
    **PLOTTING,
    "plots.from_start": 0,
    "plots.planned_strength": 40,
    "preference.rents_weight": 0,
    "high_command.response": 20,
}
"""The high command agrees on a pact."""

Row = tuple[int, int, str, int, int, float]
"""Day, soldier, event by name, place, other, value; soldiers by identity, `NO` for nobody."""


@cache
def record() -> Case:
    """Return the built-in case as it is."""
    return load_case("venezuela-2019", catalogue())


def with_crossings(case: Case, kinds: Iterable[str], **changes: Any) -> Case:
    """Return the case with something else about its crossings of some kinds."""
    routes = case.content.routes
    changed = tuple(c.model_copy(update=changes) if c.kind in kinds else c for c in routes.crossings)
    content = replace(case.content, routes=routes.model_copy(update={"crossings": changed}))
    return Case(content, case.catalogue)


@cache
def lively() -> Case:
    """Return the built-in country with typical parameters, so that tuning the case does not move the tests.

    Its embassy takes in soldiers at any time, for a few weeks, and its regime is strong enough to last.
    """
    typical = {
        name: declared.typical
        for name, declared in catalogue().parameters.items()
        if name != "force.strength" and not name.endswith(".on")
    }
    typical["uprising.strength"] = 0.35
    return with_crossings(
        record().set(typical), {"embassy"}, schedule=(), stay=Stay(days=20), hardship=0.0, capture=0.1
    )


def openly(case: Case, resigns: bool = True, refuses: bool = True) -> Case:
    """Return the case with all branches free to resign, to refuse an order, or both."""
    force = case.content.force
    ranks = tuple(rank.id for rank in force.ranks)
    may = {"resigns": ranks if resigns else (), "refuses": ranks if refuses else ()}
    branches = tuple(branch.model_copy(update=may) for branch in force.branches)
    content = replace(case.content, force=force.model_copy(update={"branches": branches}))
    return Case(content, case.catalogue)


def in_full(case: Case) -> Case:
    """Return a small case as a country of its own: what it counts in heads is for this force."""
    force = case.content.force
    strength = force.strength.model_copy(update={"stands_for": None})
    content = replace(case.content, force=force.model_copy(update={"strength": strength}))
    return Case(content, case.catalogue)


@cache
def busy(strength: int = 1_000, until: str = "2019-04-30", **values: float) -> Case:
    """Return the lively case, small and busy; names of `values` have ``__`` for the dot."""
    dotted = {name.replace("__", "."): value for name, value in values.items()}
    return in_full(lively().set({**BUSY, "force.strength": strength, **dotted})).until(until)


@cache
def force_of(case: Case, seed: int = 1) -> Force:
    """Return the force of a case; cases that differ in other things than the force share nothing here."""
    return build(case, seed)


def live(case: Case, force: Force | None = None, seed: int = 1, run: int = 0) -> Replicate:
    """Run a case once, with its whole log."""
    return Model(case, force or force_of(case)).replicate(seed, run, log=True)


def rows(replicate: Replicate) -> list[Row]:
    """Return the log as rows."""
    events: Any = replicate.events
    columns = {name: column.tolist() for name, column in events.items()}
    columns["event"] = [EVENTS[code] for code in columns["event"]]
    return list(zip(*columns.values(), strict=True))


def lives(replicate: Replicate) -> dict[int, list[Row]]:
    """Return each soldier's rows of the log, in order."""
    found: dict[int, list[Row]] = {}
    for row in rows(replicate):
        found.setdefault(row[1], []).append(row)
    return found


def count(replicate: Replicate, *events: str) -> int:
    """Return how often these events stand in the log."""
    codes = [EVENTS.index(event) for event in events]
    return int(np.isin(replicate.events["event"], codes).sum())


def assert_same_bits(one: Replicate, other: Replicate, but: Iterable[str] = ()) -> None:
    """Assert that two replicates are the same to the last bit (`but` some series), logs included if kept."""
    assert one.series.keys() == other.series.keys()
    for name in one.series:
        a, b = np.asarray(one.series[name]), np.asarray(other.series[name])
        if name not in but:
            assert (a.dtype, a.shape) == (b.dtype, b.shape), name
            assert a.tobytes() == b.tobytes(), name
    if one.events is not None and other.events is not None:
        for name in one.events:
            assert one.events[name].tobytes() == other.events[name].tobytes(), name


@dataclass(frozen=True)
class Seen:
    """All moments of one day and occasion, with the fates at the time of choosing."""

    day: int
    moments: Moments
    fate: np.ndarray


class Spy(Witness):
    """A witness of everyone's moments."""

    def __init__(self, watch: Iterable[int] = ()) -> None:
        super().__init__(watch)
        self.all: list[Seen] = []

    def see(self, run: Run, moments: Moments) -> None:
        self.all.append(Seen(run.day, moments.copy(), run.records.fate[moments.who].copy()))


def spied(case: Case, force: Force | None = None, seed: int = 1, run: int = 0) -> tuple[Replicate, Spy]:
    """Run a case once, with its whole log and a witness of every moment."""
    spy = Spy()
    return Model(case, force or force_of(case)).witnessed(seed, run, spy), spy


def with_ties(force: Force, keep: np.ndarray) -> Force:
    """Return the force with only some of its ties; `keep` is bool (tie,) and symmetric."""
    start = np.concatenate(([0], np.cumsum(keep)))[force.ties.start].astype(np.int64)
    return replace(force, ties=Ties(start, force.ties.other[keep], force.ties.kind[keep]))


def pairs(ties: Ties) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends of every tie (each tie twice)."""
    return np.repeat(np.arange(len(ties.start) - 1), np.diff(ties.start)), ties.other
