"""The model, put together: the list of mechanisms in the order of the day.

This is the one place that names all that are built in. A case may name others beside them, of installed
packages (:mod:`breakrank.plugins`).
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from breakrank import plugins
from breakrank.draws import luck_key
from breakrank.engine.assembly import Assembly
from breakrank.engine.day import Days
from breakrank.engine.observe import Observer, Witness
from breakrank.engine.records import event_columns
from breakrank.engine.replicate import Replicate
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.errors import BreakrankError, UsageError
from breakrank.force import build_force
from breakrank.force.build import force_of_plan
from breakrank.force.establishment import Establishment
from breakrank.mechanisms.asylum import Asylum
from breakrank.mechanisms.belief import Belief
from breakrank.mechanisms.challenger import Challenger
from breakrank.mechanisms.comrades import Comrades
from breakrank.mechanisms.counterintelligence import Counterintelligence
from breakrank.mechanisms.decision import Decision
from breakrank.mechanisms.detection import Detection
from breakrank.mechanisms.diaspora import Diaspora
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
from breakrank.mechanisms.routes import Routes
from breakrank.mechanisms.uprising import Uprising

if TYPE_CHECKING:
    import numpy as np

    from breakrank.case import Case
    from breakrank.engine.mechanism import Mechanism
    from breakrank.force import Force
    from breakrank.outputs import Measure
    from breakrank.spec import Catalogue

BUILT_IN = Assembly(
    (
        Detection,
        Regime,
        Grievance,
        Preference,
        Counterintelligence,
        Comrades,
        Challenger,
        Belief,
        Fear,
        Opportunity,
        HighCommand,
        PlotsMechanism,
        Uprising,
        Decision,
        Routes,
        Asylum,
        Reception,
        Exile,
        Diaspora,
        OpinionSurvey,
    )
)
"""Everything that the model consists of by default. Within a phase of the day they act in this order."""

MECHANISMS = BUILT_IN.mechanisms

Named: TypeAlias = "Iterable[str | type[Mechanism]]"
"""Mechanisms by the names under which installed packages offer them, or as classes that can be imported."""


def assembly(mechanisms: Named = ()) -> Assembly:
    """Return the mechanisms of the model, with others added to the built-in ones.

    Raises
    ------
    UsageError
        for a name that no installed package offers, or a class that cannot be added.
    """
    if isinstance(mechanisms, str):
        raise UsageError(f"mechanisms is a list of names, as in [{mechanisms!r}]")
    names = (one if isinstance(one, str) else plugins.name_of(one) for one in mechanisms)
    return _assembly(tuple(dict.fromkeys(names)))


_ASSEMBLIES: dict[tuple[str, ...], Assembly] = {(): BUILT_IN}


def _assembly(names: tuple[str, ...]) -> Assembly:
    if names not in _ASSEMBLIES:
        _ASSEMBLIES[names] = BUILT_IN.with_others([(name, plugins.class_named(name)) for name in names])
    return _ASSEMBLIES[names]


def known_measures() -> Mapping[str, Measure]:
    """Return what can be asked of the model, and of mechanisms added to any case of this process, by id."""
    found = [one.catalogue.measures for one in _ASSEMBLIES.values()]
    return found[0] if len(found) == 1 else {k: v for each in found for k, v in each.items()}


def catalogue(mechanisms: Named = ()) -> Catalogue:
    """Return every parameter and field that the model reads from a case, with others' mechanisms added."""
    return assembly(mechanisms).catalogue


def build(case: Case, seed: int) -> Force:
    """Return the synthetic force of a case; the same seed gives the same force."""
    return build_force(case, luck_key(seed, "force"))


class Model:
    """A case and its force, ready to run replicates one after the other.

    With `path`, days from which (seed, number) of luck hold, there is one replicate: that world.
    """

    def __init__(self, case: Case, force: Force, path: Sequence[tuple[int, int, int]] = ()) -> None:
        self.path = path
        self.assembly = assembly(case.mechanisms)
        if case.catalogue.code != self.assembly.catalogue.code:
            raise BreakrankError(
                f"here the source of {', '.join(case.mechanisms)} is another than where the case was loaded\n"
                "  Install the same version everywhere, and start Python anew after changing it."
            )
        self.world = World(case, force, self.assembly.options)
        self.days = Days(self.world, self.assembly.mechanisms)

    def replicate(self, seed: int, run: int, *, log: bool = False) -> Replicate:
        """Run replicate number `run` under `seed`; with `log`, keep the event log beside the daily series."""
        state, observer = self.started(seed, run, log), Observer(self.world)
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
        state = self.started(seed, run, True)
        observer = Observer(self.world)
        self.days.live(state, observer, witness)
        witness.close(state.records.fate, margins(state))
        return Replicate(run, observer.series(state), event_columns(state.records, len(self.world.state_ids)))

    def first_key(self, seed: int, run: int) -> np.uint64:
        """Return the random key that a replicate begins with."""
        _, under, number = self.path[0] if self.path else (0, seed, run)
        return luck_key(under, "run", number)

    def started(self, seed: int, run: int, log: bool = False) -> Run:
        """Return a replicate before anything of it is set up."""
        (_, under, number), *later = self.path or [(0, seed, run)]
        turns = [(day, luck_key(s, "run", n)) for day, s, n in later]
        return Run(self.world, under, number, log, self.days.rows, turns)

    def compile(self, part: int) -> None:
        """Compile what the days of a run call; see :meth:`breakrank.engine.day.Days.compile`."""
        state = self.started(0, 0, log=True)
        self.days.begin(state)
        self.days.settle(state)
        self.days.compile(state, part)

    def weighing(self) -> str:
        """Return the pass over deciders as it was generated: Python that calls the mechanisms' formulas."""
        return self.days.weigh.source

    def plan(self) -> str:
        """Return the printable plan of the day."""
        return self.days.plan()


class _PerThread(threading.local):
    """What each thread keeps between calls: a model serves one replicate at a time."""

    model: tuple[Case, Force, Model] | None = None
    force: tuple[Case, int, Force] | None = None
    drawn: tuple[int, int, Case, Model] | None = None
    of_run: tuple[tuple[object, ...], Force] | None = None


_kept = _PerThread()


def replicate(case: Case, force: Force | None, seed: int, run: int, *, log: bool) -> Replicate:
    """Run one replicate; a model of the same case and force is kept between calls of a thread.

    A case with draws is run under this run's row of them, on a force of this run's own instead of `force`,
    which may be left out.
    """
    if case.draws is None and force is not None:
        return kept_model(case, force).replicate(seed, run, log=log)
    return model_of(case, seed, run).replicate(seed, run, log=log)


def model_of(case: Case, seed: int, run: int) -> Model:
    """Return the model that a run is made with: all runs of a case share one, unless it has draws."""
    if case.draws is None:
        return kept_model(case, kept_force(case, seed))
    if _kept.drawn is None or _kept.drawn[:2] != (seed, run) or _kept.drawn[2] is not case:
        drawn, path = case.drawn(seed, run), case.lived(seed, run)
        force = _force_of_run(drawn, luck_key(path[0][1], "force of a run", path[0][2]))
        _kept.drawn = seed, run, case, Model(drawn, force, path)
    return _kept.drawn[3]


def _force_of_run(case: Case, key: np.uint64) -> Force:
    """Return the force of a case and key; each thread keeps its latest, which scenarios of one run share."""
    plan = Establishment.of(case)
    said = key, plan.content
    if _kept.of_run is None or _kept.of_run[0] != said:
        _kept.of_run = said, force_of_plan(plan, key)
    return _kept.of_run[1]


def force_of(case: Case, seed: int, run: int) -> Force:
    """Return the force that a run is made with; see :func:`model_of`."""
    return kept_force(case, seed) if case.draws is None else model_of(case, seed, run).world.force


def kept_model(case: Case, force: Force) -> Model:
    """Return a model of a case and force; each thread keeps its latest."""
    kept = _kept.model
    if kept is None or kept[0] is not case or kept[1] is not force:
        kept = _kept.model = (case, force, Model(case, force))
    return kept[2]


def kept_force(case: Case, seed: int) -> Force:
    """Return the force of a case as :func:`build` does; each thread keeps its latest."""
    kept = _kept.force
    if kept is None or kept[0] is not case or kept[1] != seed:
        kept = _kept.force = (case, seed, build(case, seed))
    return kept[2]
