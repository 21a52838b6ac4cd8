"""The day, in order. Whoever opens this file reads what happens in a day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.calendar import merge_occasions, once
from breakrank.engine.codes import SERVING
from breakrank.engine.mechanism import PHASES, Mechanism, Term
from breakrank.engine.moments import OCCASIONS, Moments, TrustTies, open_moments, soldiers_of, todays_deciders
from breakrank.engine.observe import Observer, Witness
from breakrank.engine.records import entries_due
from breakrank.engine.rows import Rows
from breakrank.engine.run import Run
from breakrank.engine.steps import RunState
from breakrank.engine.wanted import ask, living
from breakrank.engine.weighing import Phase, Weighing
from breakrank.engine.world import World

_ROOM = 1 << 15
"""Rows of the log and the agenda that are always kept free, beside those that today's numbers ask for."""
_NO_ONE, _NO_OCCASION = np.empty(0, np.int32), np.empty(0, np.uint8)


def _code(world: World, option: int | str) -> int:
    return world.options.index(option) if isinstance(option, str) else option


def _counting(world: World, mechanisms: Sequence[Mechanism], term: Term) -> Term:
    """Return a term with the codes of all options that it counts for."""
    options = {_code(world, option): factor for option, factor in term.options.items()}
    for mechanism in mechanisms:
        for option, like in mechanism.motives:
            if not term.base and all(code in options for code in like):
                options[_code(world, option)] = options[like[0]]
    return replace(term, options=options)


def _line(mechanism: Mechanism, about: str) -> str:
    return f"    {mechanism.name:<20} {about}{'' if mechanism.on else '  (switched off)'}"


def _said(mechanism: Mechanism) -> str:
    """Return the terms of a mechanism, as a line of the plan."""
    about = "; ".join(term.about for term in mechanism.terms)
    return _line(mechanism, f"{about[0].upper()}{about[1:]}.")


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
        self.built = [dict(vars(m)) for m in self.mechanisms]
        for table in (table for mechanism in self.mechanisms for table in mechanism.given):
            table.fill(world)  # a run that goes on from a snapshot shares none
        terms = [_counting(world, self.mechanisms, t) for m in self.mechanisms for t in m.terms]
        self.rows = Rows(world.force.n)
        self.soldiers = soldiers_of(world.force, self.rows)
        self.ties = TrustTies(world.force.ties.start, world.force.ties.other)
        self.term_row = {term.name: row for row, term in enumerate(terms)}
        self.factor = np.zeros((len(terms), len(world.options)))
        for row, term in enumerate(terms):
            for option, factor in term.options.items():
                self.factor[row, option] = world[factor] if isinstance(factor, str) else factor
        self.terms = [
            replace(t, options={o: self.factor[row, o] for o in t.options}) for row, t in enumerate(terms)
        ]
        self.state = RunState()
        self.weigh = Weighing(self.mechanisms, terms, self.factor, self.state)
        self._moments: Moments | None = None
        self.phase = {name: Phase(name, self.mechanisms, self.state) for name in PHASES}

    def begin(self, run: Run) -> None:
        """Set up a replicate: what is given, then what each mechanism keeps."""
        run.share(self.soldiers)
        run.share(self.ties)
        for mechanism in self.mechanisms:
            for table in mechanism.given:
                run.share(table)
            mechanism.begin(run)
        self._give_state(run)

    def compile(self, run: Run, part: int) -> None:
        """Compile the phases for a run that has begun, in an order in which processes, by `part`, part them.

        The first goes forward and the second backward; the next two begin in the middle.
        """
        passes: list[Phase | Weighing] = [*self.phase.values(), self.weigh]
        if part % 2:
            passes.reverse()
        middle = len(passes) // 2 if part // 2 % 2 else 0
        for each in passes[middle:] + passes[:middle]:
            each.compile(run)

    def live(self, run: Run, observer: Observer, witness: Witness | None = None) -> None:
        """Run all days of one replicate; it stands still from the day after the regime falls.

        BrokenOff or KeyboardInterrupt between two days where it is not wanted any more.
        """
        self.begin(run)
        self.go_on(run, observer, 0, self.world.days, witness)

    def go_on(
        self, run: Run, observer: Observer, first: int, end: int, witness: Witness | None = None
    ) -> None:
        """Run the days from `first` on and before `end`, as :meth:`live` does all."""
        self.settle(run)
        if run.state is None:
            self._give_state(run)
        if run.fallen >= 0:
            return
        with living():
            for day in range(first, end):
                ask()
                run.open_day(day)
                self.one_day(run, observer, witness)
                if run.records.cursor[2]:
                    raise RuntimeError(f"day {day}: the log or the agenda ran out of room")
                if run.fallen >= 0:
                    observer.stand_still(run)
                    break

    def settle(self, run: Run) -> None:
        """Make the calendar of what the first day has drawn for all."""
        if run.occasions is None:
            days, processes = self.world.days, run.processes
            given = (days, *(each for process in processes for each in process))
            run.occasions = once("calendar", given, lambda: merge_occasions(days, processes))
            run.processes = []

    def one_day(self, run: Run, observer: Observer, witness: Witness | None) -> None:
        """Dawn; decision opportunities; plots; uprisings; journeys; reception; dusk; observation."""
        run.make_room(8 * entries_due(run.records, run.day) + _ROOM)
        self.phase["dawn"](run)
        assert run.occasions is not None
        who, occasion = todays_deciders(run.now, run.occasions, run.records)
        run.make_room(16 * len(who) + _ROOM)
        self._decide(run, who, occasion, np.full(len(who), -1, np.int32), witness)
        self._answer(run, witness)
        self.phase["conspire"](run)
        self.phase["rise"](run)
        self._answer(run, witness)
        self.phase["travel"](run)
        run.make_room(8 * (int(run.records.cursor[0]) - run.mark) + _ROOM)
        self.phase["receive"](run)
        self.phase["dusk"](run)
        observer.observe(run)

    def _decide(
        self,
        run: Run,
        who: NDArray[np.int32],
        occasion: NDArray[np.uint8],
        leader: NDArray[np.int32],
        witness: Witness | None,
    ) -> None:
        """Let deciders meet, weigh and choose, and carry the choice out."""
        if not len(who):
            return
        watched = witness is not None
        moments = self._open(run, who, occasion, leader, watched)
        run.decisions += moments.n
        self.phase["meet"](run, moments)
        self.weigh(run, watched)
        if witness is not None:
            witness.see(run, moments)
        self.phase["act"](run, moments)

    def _give_state(self, run: Run) -> None:
        """Put all tables of a run behind one address; nobody decides yet."""
        self._open(run, _NO_ONE, _NO_OCCASION, _NO_ONE, False)
        self.state.of(run)

    def _open(
        self,
        run: Run,
        who: NDArray[np.int32],
        occasion: NDArray[np.uint8],
        leader: NDArray[np.int32],
        watched: bool,
    ) -> Moments:
        moments = open_moments(
            run.now, self.soldiers, who, occasion, leader, self.factor.shape, watched, self._moments
        )
        self._moments = None if watched else moments
        run.share(moments)
        return moments

    def _answer(self, run: Run, witness: Witness | None) -> None:
        """Let those decide who were called, then those whom these call, who call nobody on."""
        for _ in range(2):
            if run.calls:
                self._let_called_decide(run, witness)
        run.calls = []

    def _let_called_decide(self, run: Run, witness: Witness | None) -> None:
        """Let each who was called decide once, on the weightiest occasion."""
        who = np.concatenate([c[0] for c in run.calls])
        occasion = np.concatenate([np.full(len(c[0]), c[1], np.uint8) for c in run.calls])
        leader = np.concatenate([c[2] for c in run.calls])
        run.calls = []
        # By soldier, the weightiest occasion first, and among equals whoever was called first.
        weight = who.astype(np.int64) * OCCASIONS + (OCCASIONS - 1 - occasion.astype(np.int64))
        order = np.sort(weight * len(who) + np.arange(len(who))) % len(who)
        called, first = who[order], np.ones(len(who), np.bool_)
        first[1:] = called[1:] != called[:-1]
        order = order[first]
        order = order[run.records.fate[who[order]] == SERVING]
        run.make_room(16 * len(order) + _ROOM)
        self._decide(run, who[order], occasion[order], leader[order], witness)

    def plan(self) -> str:
        """Return the plan of the day: each phase with the mechanisms that act in it, in order."""
        lines = ["The plan of the day"]
        for phase in PHASES:
            if phase == "act":
                lines.append("  weigh")
                lines.extend(_said(m) for m in self.mechanisms if m.terms)
                lines.append("  choose")
                lines.append(
                    "    engine               A multinomial logit over the open options of each decider."
                )
            lines.append(f"  {phase}")
            lines += [_line(m, m.says(phase)) for m in self.mechanisms if m.says(phase)]
        lines.append("  observe")
        lines.append("    engine               Count the day's events and everyone's fate.")
        return "\n".join(lines)
