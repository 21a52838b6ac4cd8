"""The one contract of every mechanism, and of its named terms."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from breakrank.engine.steps import take
from breakrank.outputs import Measure, Output
from breakrank.spec import Field, Parameter
from breakrank.table import Table

if TYPE_CHECKING:
    from breakrank.engine.moments import Moments
    from breakrank.engine.run import Run
    from breakrank.engine.world import World

PHASES = ("dawn", "meet", "act", "conspire", "rise", "travel", "receive", "dusk")
"""The phases of a day in which a mechanism may do something; ``breakrank.engine.day`` walks them in order."""


@dataclass(frozen=True, slots=True)
class Term:
    """One named part of the utilities, in utility units (log-odds against staying).

    Attributes
    ----------
    name : ``<mechanism>.<what>``; shown by ``trace`` and in the decomposition of results.
    about : what it says, in one line.
    options : factor with which the value enters each option's utility, by option code or, of an option that
        the mechanism brings, by name: a number, or the name of the parameter that holds it.
    of : its formula: a compiled function of one moment that returns its value. What it takes is found by
        the annotations: a :class:`~breakrank.engine.moments.Moment`, and tables that the run shares.
    base : whether it is no motive but how rare the act is: the log-odds with which somebody without cause,
        fear or ties does it at a moment. Motives are compared among each other, beside it.
    """

    name: str
    about: str
    options: Mapping[Any, float | str]
    of: Callable[..., float]
    base: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """Something that a mechanism does in a phase of the day.

    Attributes
    ----------
    phase : one of :data:`PHASES`.
    does : a compiled function of tables that the run shares, found by their annotations.
    then : name of a method that is called afterwards, on days on which `does` returns that it has to be.
    """

    phase: str
    does: Callable[..., Any]
    then: str = ""


class Mechanism:
    """A part of the model that lives in one file.

    A mechanism declares what it reads (`parameters`, `fields`) and says (`terms`), prepares what is the same
    in every replicate in ``__init__`` (tables of it as `given`, which every run shares), sets up a replicate
    in :meth:`begin`, and then does something in any of the :data:`PHASES`: as `steps`, which are compiled
    together with those of others, or in a method of the phase's name. It is used by one replicate at a time.

    Attributes
    ----------
    name : what it is called, the first part of the names of its parameters and terms.
    subsystem : number of the part of the system that it belongs to, 0 for none of the fourteen.
    parameters, fields, terms : what it reads, and what it says.
    options : acts against the regime that it adds to the choice, each as a verb, e.g. ``"spread a leaflet"``;
        their codes are their places in ``world.options``.
    opens : which options it opens for whom: each with a compiled function of one moment that
        returns whether; found out as a term's formula is. An option is open if any mechanism opens it and
        none closes it. ``closes`` : which it closes for whom.
    motives : options of its own that share the motives of built-in ones: each with the codes of these. A term
        that counts for all of them, and is a motive, counts for the option as it does for the first.
    quantities : what several formulas take, by name, with its function; they name it as an argument.
    margin : how far somebody is on the opposed side, as a compiled function of ``day``, ``who`` and tables;
        one mechanism says so.
    steps : what it does in the phases of a day, in order.
    fates : where soldiers may stand whom it moves, beside the built-in ones, as ids of a result;
        ``world.fate(id)`` is the code.
    events : what it adds to the event log, in words; ``world.event(words)`` is the code. The events of the
        built-in mechanisms, which read each other's, stand in :mod:`breakrank.engine.codes`.
    outputs : what it hands back, day by day; those that count events are counted for it.
    measures : what can be asked of its outputs beyond each by itself.
    citation : what to cite for it; mechanisms of other packages need one.
    on : whether its switch is on; ``acts`` whether its phases are walked (by default only then).
    """

    name: ClassVar[str]
    subsystem: ClassVar[int] = 0
    citation: ClassVar[str] = ""
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    fields: ClassVar[tuple[Field, ...]] = ()
    terms: ClassVar[tuple[Term, ...]] = ()
    opens: ClassVar[tuple[tuple[int | str, Callable[..., bool]], ...]] = ()
    closes: ClassVar[tuple[tuple[int | str, Callable[..., bool]], ...]] = ()
    motives: ClassVar[tuple[tuple[str, tuple[int, ...]], ...]] = ()
    quantities: ClassVar[tuple[tuple[str, Callable[..., float]], ...]] = ()
    margin: ClassVar[Callable[..., float] | None] = None
    options: ClassVar[tuple[str, ...]] = ()
    steps: ClassVar[tuple[Step, ...]] = ()
    fates: ClassVar[tuple[str, ...]] = ()
    events: ClassVar[tuple[str, ...]] = ()
    outputs: ClassVar[tuple[Output, ...]] = ()
    measures: ClassVar[tuple[Measure, ...]] = ()

    def __init__(self, world: World) -> None:
        self.world = world
        self.on = world.on(self.name)
        self.acts = self.on
        self.given: tuple[Table, ...] = ()

    @classmethod
    def described(cls) -> str:
        """Return its description in Markdown, from its docstrings and declarations."""
        module = inspect.getdoc(inspect.getmodule(cls)) or ""
        parts = [f"### {cls.name.replace('_', ' ').capitalize()}", module, f"*{inspect.getdoc(cls) or ''}*"]
        if cls.terms:
            parts.append("Terms: " + "; ".join(f"`{t.name}` ({t.about})" for t in cls.terms) + ".")
        if cls.citation:
            parts += [
                *(f"- `{f.name}` ({f.unit}): {f.about}." for f in cls.fields),
                *(f"- `{p.name}` ({p.unit}, {p.low:g} to {p.high:g}): {p.about}." for p in cls.parameters),
                f"Cite: {cls.citation}.",
            ]
        return "\n\n".join(parts)

    def begin(self, run: Run) -> None:
        """Set up one replicate."""

    @classmethod
    def has_method(cls, phase: str) -> bool:
        """Return whether it has a method of its own for a phase."""
        return getattr(cls, phase) is not getattr(Mechanism, phase)

    @classmethod
    def says(cls, phase: str) -> str:
        """Return its part in a phase, in a line; empty if none."""
        told = [_first_line(s.does) for s in cls.steps if s.phase == phase]
        told += [_first_line(getattr(cls, phase))] if cls.has_method(phase) else []
        return " ".join(line for line in told if line and not line.startswith("Return"))

    def take_steps(self, run: Run, phase: str) -> None:
        """Take the steps of one phase one by one, as the day takes them together with those of others."""
        for step in self.steps:
            if step.phase == phase and take(run, step.does) and step.then:
                getattr(self, step.then)(run)

    def dawn(self, run: Run) -> None:
        """Do what happens before anyone decides: what is due today, what the date brings."""
        self.take_steps(run, "dawn")

    def meet(self, run: Run, moments: Moments) -> None:
        """Do what today's deciders do with each other before they choose."""
        run.share(moments)
        self.take_steps(run, "meet")

    def act(self, run: Run, moments: Moments) -> None:
        """Carry out what was chosen."""
        run.share(moments)
        self.take_steps(run, "act")

    def conspire(self, run: Run) -> None:
        """Let plots recruit, be found out, dissolve or launch."""
        self.take_steps(run, "conspire")

    def rise(self, run: Run) -> None:
        """Decide the uprisings launched today."""
        self.take_steps(run, "rise")

    def travel(self, run: Run) -> None:
        """Move what is under way."""
        self.take_steps(run, "travel")

    def receive(self, run: Run) -> None:
        """Receive who has come over today, and let those abroad live."""
        self.take_steps(run, "receive")

    def dusk(self, run: Run) -> None:
        """Do what follows from the day's events."""
        self.take_steps(run, "dusk")


def _first_line(of: object) -> str:
    return (inspect.getdoc(of) or "").strip().partition("\n")[0]
