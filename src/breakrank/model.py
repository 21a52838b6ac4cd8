"""The model, put together: the list of mechanisms in the order of the day.

This is the one place that names them all.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from breakrank.draws import luck_key
from breakrank.engine.day import Days
from breakrank.engine.observe import Observer
from breakrank.engine.records import event_columns
from breakrank.engine.replicate import Replicate
from breakrank.engine.run import Run
from breakrank.engine.witness import Witness
from breakrank.engine.world import World
from breakrank.force import build_force
from breakrank.force.parameters import PARAMETERS as FORCE_PARAMETERS
from breakrank.mechanisms.asylum import Asylum
from breakrank.mechanisms.belief import Belief
from breakrank.mechanisms.challenger import Challenger
from breakrank.mechanisms.cohesion import Cohesion
from breakrank.mechanisms.comrades import Comrades
from breakrank.mechanisms.counterintelligence import Counterintelligence
from breakrank.mechanisms.decision import Decision
from breakrank.mechanisms.detection import Detection
from breakrank.mechanisms.exile import Exile
from breakrank.mechanisms.fear import Fear
from breakrank.mechanisms.grievance import Grievance
from breakrank.mechanisms.high_command import HighCommand
from breakrank.mechanisms.opinion_survey import OpinionSurvey
from breakrank.mechanisms.opportunity import Opportunity
from breakrank.mechanisms.plots import PlotsMechanism
from breakrank.mechanisms.preference import Preference, margins
from breakrank.mechanisms.reception import Reception
from breakrank.mechanisms.regime import Regime
from breakrank.mechanisms.rising import Rising
from breakrank.mechanisms.screening import Screening
from breakrank.mechanisms.ways_out import WaysOut
from breakrank.mechanisms.word_home import WordHome
from breakrank.spec import Catalogue

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.mechanism import Mechanism
    from breakrank.force import Force

MECHANISMS: tuple[type[Mechanism], ...] = (
    Detection,
    Regime,
    Grievance,
    Preference,
    Cohesion,
    Counterintelligence,
    Comrades,
    Challenger,
    Belief,
    Fear,
    Opportunity,
    HighCommand,
    PlotsMechanism,
    Rising,
    Decision,
    WaysOut,
    Screening,
    Reception,
    Asylum,
    Exile,
    WordHome,
    OpinionSurvey,
)
"""Everything the model consists of. Within a phase of the day they act in this order."""


@cache
def catalogue() -> Catalogue:
    """Return every parameter and field the model reads from a case."""
    parameters = [p for kind in MECHANISMS for p in kind.parameters]
    fields = [f for kind in MECHANISMS for f in kind.fields]
    return Catalogue.of([*FORCE_PARAMETERS, *parameters], fields)


def build(case: Case, seed: int) -> Force:
    """Return the synthetic force of a case; the same seed gives the same force."""
    return build_force(case, luck_key(seed, "force"))


class Model:
    """A case and its force, ready to run replicates one after the other."""

    def __init__(self, case: Case, force: Force) -> None:
        self.world = World(case, force)
        self.days = Days(self.world, MECHANISMS)

    def replicate(self, seed: int, run: int, *, log: bool = False) -> Replicate:
        """Run replicate number `run` under `seed`; with `log`, keep the event log beside the daily series."""
        state = Run(self.world, seed, run, self.days.term_row, log)
        observer = Observer(self.world)
        self.days.live(state, observer)
        return Replicate(
            run,
            observer.series(state),
            event_columns(state.records, len(self.world.state_ids)) if log else None,
        )

    def live(self, seed: int, run: int, watch: Iterable[int]) -> tuple[Replicate, Witness]:
        """Run a replicate with its whole log and a witness of the soldiers at `watch` (positions)."""
        witness = Witness(watch)
        return self.witnessed(seed, run, witness), witness

    def witnessed(self, seed: int, run: int, witness: Witness) -> Replicate:
        """Run replicate number `run` with its whole log; `witness` sees every moment and how all end."""
        state = Run(self.world, seed, run, self.days.term_row, True)
        observer = Observer(self.world)
        self.days.live(state, observer, witness)
        witness.close(state.records.fate, margins(state))
        return Replicate(run, observer.series(state), event_columns(state.records, len(self.world.state_ids)))

    def plan(self) -> str:
        """Return the printable plan of the day."""
        return self.days.plan()


class _PerThread(threading.local):
    """What each thread keeps between calls: a model serves one replicate at a time."""

    model: tuple[Case, Force, Model] | None = None
    force: tuple[Case, int, Force] | None = None
    drawn: tuple[Case, int, int, Model] | None = None


_standing = _PerThread()


def replicate(case: Case, force: Force | None, seed: int, run: int, *, log: bool) -> Replicate:
    """Run one replicate; a model of the same case and force is kept between calls of a thread.

    A case with draws is run under this run's row of them, on a force of this run's own instead of `force`,
    which may be left out.
    """
    if case.draws is not None or force is None:
        model = model_of(case, seed, run)
    else:
        model = standing(case, force)
    return model.replicate(seed, run, log=log)


def model_of(case: Case, seed: int, run: int) -> Model:
    """Return the model that a run is made with: all runs of a case share one, unless it has draws."""
    if case.draws is None:
        return standing(case, standing_force(case, seed))
    kept = _standing.drawn
    if kept is None or kept[0] is not case or kept[1:3] != (seed, run):
        lived = case.drawn(seed, run)
        model = Model(lived, build_force(lived, luck_key(seed, "force of a run", run)))
        kept = _standing.drawn = (case, seed, run, model)
    return kept[3]


def force_of(case: Case, seed: int, run: int) -> Force:
    """Return the force that a run is made with; see :func:`model_of`."""
    return standing_force(case, seed) if case.draws is None else model_of(case, seed, run).world.force


def standing(case: Case, force: Force) -> Model:
    """Return a model of a case and force; each thread keeps its latest."""
    kept = _standing.model
    if kept is None or kept[0] is not case or kept[1] is not force:
        kept = _standing.model = (case, force, Model(case, force))
    return kept[2]


def standing_force(case: Case, seed: int) -> Force:
    """Return the force of a case as :func:`build` does; each thread keeps its latest."""
    kept = _standing.force
    if kept is None or kept[0] is not case or kept[1] != seed:
        kept = _standing.force = (case, seed, build(case, seed))
    return kept[2]
