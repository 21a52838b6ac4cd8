"""The day, in order. Whoever opens this file reads what happens in a day."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import decision
from breakrank.engine.calendar import merge_occasions
from breakrank.engine.choice import choose
from breakrank.engine.codes import CONFIDED_TO, DUE_CONFIDED, INVITED, OPTIONS
from breakrank.engine.mechanism import PHASES, Mechanism
from breakrank.engine.moments import Desk, Moments, deciders, open_moments
from breakrank.engine.observe import Observer
from breakrank.engine.run import Run
from breakrank.engine.witness import Witness
from breakrank.engine.world import World

_CHOICE = int(decision("engine.choice"))


class Days:
    """The model of one world, day by day.

    Parameters
    ----------
    world : case and force.
    kinds : the mechanisms in the order in which they act within a phase.
    """

    def __init__(self, world: World, kinds: Sequence[type[Mechanism]]) -> None:
        self.world = world
        self.mechanisms = [kind(world) for kind in kinds]
        terms = [term for m in self.mechanisms for term in m.terms]
        self.terms = terms
        self.desk = Desk()
        self.term_row = {term.name: row for row, term in enumerate(terms)}
        self.factor = np.zeros((len(terms), len(OPTIONS)))
        for row, term in enumerate(terms):
            for option, factor in term.options.items():
                self.factor[row, option] = factor
        acting = [m for m in self.mechanisms if m.acts]
        self.phase = {
            name: [m for m in acting if getattr(type(m), name) is not getattr(Mechanism, name)]
            for name in PHASES
        }

    def live(self, run: Run, observer: Observer, witness: Witness | None = None) -> None:
        """Run all days of one replicate."""
        for mechanism in self.mechanisms:
            mechanism.begin(run)
        run.occasions = merge_occasions(self.world.days, run.processes)
        for day in range(self.world.days):
            run.open_day(day)
            self.one_day(run, observer, witness)
            if run.books.cursor[2]:
                raise RuntimeError(f"day {day}: the log or the agenda ran out of room")

    def one_day(self, run: Run, observer: Observer, witness: Witness | None) -> None:
        """Dawn; moments of decision; those who are invited along; journeys; dusk; observation."""
        who, occasion = self._today(run)
        run.make_room(16 * len(who) + 4096)
        for mechanism in self.phase["dawn"]:
            mechanism.dawn(run)
        self._decide(run, *self._serving(run, who, occasion), witness)
        if len(run.invited):
            self._invite(run, witness)
        for mechanism in self.phase["travel"]:
            mechanism.travel(run)
        for mechanism in self.phase["dusk"]:
            mechanism.dusk(run)
        observer.observe(run)

    def _decide(
        self, run: Run, who: NDArray[np.int32], occasion: NDArray[np.uint8], witness: Witness | None
    ) -> Moments:
        """Let today's deciders meet, weigh and choose, and carry the choice out."""
        moments = open_moments(who, occasion, self.world.force, len(self.terms), self.desk)
        if not moments.n:
            return moments
        run.decisions += moments.n
        for mechanism in self.phase["meet"]:
            mechanism.meet(run, moments)
        for mechanism in self.phase["weigh"]:
            mechanism.weigh(run, moments)
        choose(
            run.key,
            _CHOICE,
            run.day,
            moments.identity,
            moments.occasion,
            moments.terms,
            self.factor,
            moments.open,
            moments.utility,
            moments.chance,
            moments.choice,
            moments.count,
            witness is not None,
        )
        if witness is not None:
            witness.see(run, moments)
        for mechanism in self.phase["act"]:
            mechanism.act(run, moments)
        return moments

    def _invite(self, run: Run, witness: Witness | None) -> None:
        """Let those whom a leader asked today decide; nobody is asked by someone who was asked himself."""
        order = np.argsort(run.invited, kind="stable")
        invited, first = np.unique(run.invited[order], return_index=True)
        leaders = run.leaders[order][first]
        kept = run.books.fate[invited] == 0
        run.leaders = leaders[kept]
        run.invited = invited[kept]
        who = run.invited
        run.make_room(16 * len(who) + 4096)
        self._decide(run, who, np.full(len(who), INVITED, np.uint8), witness)
        run.invited = run.invited[:0]
        run.leaders = run.leaders[:0]

    def _today(self, run: Run) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        calendar = run.occasions
        assert calendar is not None
        first, last = calendar.start[run.day], calendar.start[run.day + 1]
        return calendar.who[first:last], calendar.occasion[first:last]

    def _serving(
        self, run: Run, who: NDArray[np.int32], occasion: NDArray[np.uint8]
    ) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        return deciders(who, occasion, run.due(DUE_CONFIDED), CONFIDED_TO, run.books.fate)

    def plan(self) -> str:
        """Return the plan of the day: each phase with the mechanisms that act in it, in order."""
        lines = ["The plan of the day"]
        for phase in PHASES:
            if phase == "act":
                lines.append("  choose")
                lines.append(
                    "    engine               A multinomial logit over the open options of each decider."
                )
            lines.append(f"  {phase}")
            for m in self.mechanisms:
                hook = getattr(type(m), phase)
                if hook is getattr(Mechanism, phase):
                    continue
                about = (hook.__doc__ or "").strip().splitlines()[0]
                mark = "" if m.on else "  (switched off)"
                lines.append(f"    {m.name:<20} {about}{mark}")
        lines.append("  observe")
        lines.append("    engine               Count the day's events and everyone's fate.")
        return "\n".join(lines)
