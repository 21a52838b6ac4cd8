"""The pass over today's deciders and the phases of a day, written from what mechanisms declare, and compiled.

Of each decider the pass finds out how far they are on the opposed side, the value of every term, which
options are open, the utility of each (the sum of its terms), and the choice: a multinomial logit over the
open options. Terms are the formulas of the mechanisms, called by name.

A mechanism says in :class:`~breakrank.engine.mechanism.Step` what it does in a phase; the phase is written as
one function that calls them in order. All tables of a run stand behind one address, its state. The ``source``
of the pass and of each phase is its text, which can be read.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import STAY
from breakrank.engine.moments import Moment, Moments, Soldiers
from breakrank.engine.rows import AHEAD, fetch
from breakrank.engine.steps import RunState, arguments_of, broken, compiled, is_table
from breakrank.kernel import lean, straight

if TYPE_CHECKING:
    from breakrank.engine.mechanism import Mechanism, Term
    from breakrank.engine.run import Run


_EXP = np.array([float(Decimal(-k).exp()) for k in range(40)])
"""Powers of e, correctly rounded: NumPy's differ by processor, and with them the key of what reads them."""

Utilities = tuple[float, ...]


@lean
def above_exp(x: float) -> float:
    """Return a number that is not below exp(x), at hardly any cost where x is far below zero."""
    if x > -1.0:
        return np.exp(x)
    return _EXP[int(min(-x, _EXP.shape[0] - 1.0))]


@lean
def _highest(utility: Utilities) -> float:
    highest = 0.0
    for o in range(len(utility)):
        highest = max(highest, utility[o])
    return highest


@lean
def pick(utility: Utilities, draw: float) -> int:
    """Return the option that a draw from (0, 1) picks; closed ones have the utility -inf.

    The chance of an option is its softmax among the open ones (McFadden 1974), picked by inverse cumulation,
    staying first.

    Where an upper bound on all other chances settles it (:func:`above_exp`) this need not be asked: most
    stay. The pass has tried one that is cheaper still.
    """
    bound = 0.0
    for o in range(len(utility)):
        bound += above_exp(utility[o])
    if draw * bound < 1.0:
        return STAY
    highest = _highest(utility)
    total = 0.0
    for o in range(len(utility)):
        total += np.exp(utility[o] - highest)
    taken = 0
    passed = 0.0
    for o in range(len(utility)):
        if utility[o] == -np.inf:
            continue
        passed += np.exp(utility[o] - highest)
        taken = o
        if draw * total < passed:
            break
    return taken


@lean
def tell(utility: Utilities, j: int, moments: Moments) -> None:
    """Write the open options of decider `j`, with utility and chance, for a witness."""
    highest = _highest(utility)
    total = 0.0
    for o in range(len(utility)):
        moments.open[o, j] = utility[o] > -np.inf
        moments.utility[o, j] = utility[o]
        moments.chance[o, j] = np.exp(utility[o] - highest)
        total += moments.chance[o, j]
    for o in range(len(utility)):
        moments.chance[o, j] /= total


_LOCALS = ("day", "who", "at")


class Weighing:
    """The pass of one list of mechanisms.

    Parameters
    ----------
    mechanisms : in the order in which they act.
    terms : theirs, in order, with options as codes and factors as numbers or names of parameters.
    factor : (term, option), with which each term counts.
    state : to which the tables are added that formulas take.
    """

    def __init__(
        self,
        mechanisms: Sequence[Mechanism],
        terms: Sequence[Term],
        factor: NDArray[np.float64],
        state: RunState,
    ) -> None:
        self._mechanisms = mechanisms
        self._terms = terms
        self._factor = factor
        self._known: dict[str, Any] = {
            "Moment": Moment,
            "above_exp": above_exp,
            "fetch": fetch,
            "pick": pick,
            "tell": tell,
            "INF": np.inf,
        }
        self._state = state
        self._tables = {state.name_of(Moments), state.name_of(Soldiers)}
        self._quantities: set[str] = set()
        self.on = np.array([m.acts for m in mechanisms], np.bool_)
        names = mechanisms[0].world.options if mechanisms else ()
        self._options = [_word(n) for n in names] or [str(o) for o in range(factor.shape[1])]
        self.source = "\n".join(map(broken, self._lines())) + "\n"

    def _call(self, alias: str, function: Callable[..., Any]) -> str:
        """Return a call of a formula, with all that it takes, and remember both."""
        self._known[alias] = function
        given = []
        for name, kind in arguments_of(function).items():
            if is_table(kind):
                self._tables.add(self._state.name_of(kind))
                given.append(self._state.name_of(kind))
            elif kind is Moment:
                given.append("at")
            elif name in _LOCALS or name in self._quantities:
                given.append(name)
            else:
                raise TypeError(f"{alias}: its argument {name} is neither a moment nor a table of the run")
        return f"{alias}({', '.join(given)})"

    def _lines(self) -> Iterator[str]:
        """Yield the text of the pass."""
        body = list(self._body())
        yield "def weigh(day, watched, on, factor, state) -> None:"
        yield '    """Weigh and choose for each of today\'s deciders."""'
        for name in sorted(self._tables):
            yield f"    {name} = state.{name}"
        for row, term in enumerate(self._terms):
            for option, factor in term.options.items():
                if isinstance(factor, str):
                    name = f"{_local(term.name)}_counts_for_{self._options[option]}"
                    yield f"    {name} = factor[{row}, {option}]  # {factor}"
        yield "    for j in range(moments.who.shape[0]):"
        for line in body:
            yield f"        {line}" if line else ""

    def _body(self) -> Iterator[str]:
        yield f"fetch(soldiers.unit, moments.who[min(j + {AHEAD}, moments.who.shape[0] - 1)])"
        yield "who = int(moments.who[j])"
        margins = [m.margin for m in self._mechanisms if m.margin is not None]
        yield f"margin = {self._call('margin_of', margins[0])}" if margins else "margin = 0.0"
        yield "moments.margin[j] = margin"
        yield "at = Moment("
        yield "    day, who, int(moments.occasion[j]), int(moments.leader[j]), int(soldiers.rank[who]),"
        yield "    int(soldiers.unit[who]), int(soldiers.state[who]), int(soldiers.dependants[who]), margin"
        yield ")"
        mine: dict[int, tuple[list[str], list[str]]] = {}
        for mechanism in self._mechanisms:
            for name, function in mechanism.quantities:
                self._quantities.add(name)
                yield f"{name} = {self._call(f'{name}_expected', function)}"
        for k, mechanism in enumerate(self._mechanisms):
            yield from self._doors(k, mechanism, mine)
        options = self._factor.shape[1]
        for option in range(1, options):
            opens, closes = mine.get(option, ([], []))
            shut = "".join(f" and not {each}" for each in closes)
            anyone = opens[0] if len(opens) == 1 else f"({' or '.join(opens)})"
            opened = f"{anyone}{shut}" if opens else "False"
            yield f"may_{self._options[option]} = {opened}"
        for k, mechanism in enumerate(self._mechanisms):
            yield from self._sayings(k, mechanism)
        yield ""
        for option in range(1, options):
            summed = " + ".join(self._weighted(option))
            name = self._options[option]
            yield f"{name} = -INF"
            yield f"if may_{name}:"
            yield f"    {name} = {summed or '0.0'}"
        best = self._options[-1]
        for name in reversed(self._options[1:-1]):
            best = f"max({name}, {best})"
        yield f"utility = (0.0, {', '.join(self._options[1:])})"
        yield f"best = {best}"
        yield "choice = 0"
        yield f"if not moments.draw[j] * (1.0 + {options - 1} * above_exp(best)) < 1.0:"
        yield "    choice = pick(utility, moments.draw[j])"
        yield "moments.choice[j] = choice"
        yield "moments.count[choice] += 1"
        yield "if watched:"
        for row, term in enumerate(self._terms):
            yield f"    moments.terms[{row}, j] = {_local(term.name)}"
        yield "    tell(utility, j, moments)"

    def _sayings(self, k: int, mechanism: Mechanism) -> Iterator[str]:
        """Yield the terms of one mechanism, each where an option that it counts for is open."""
        terms = [t for t in self._terms if t.name.partition(".")[0] == mechanism.name]
        if terms:
            yield ""
            yield f"# {mechanism.name}"
            for few in range(0, len(terms), 3):
                yield f"{' = '.join(_local(t.name) for t in terms[few : few + 3])} = 0.0"
        for options, counting in groupby(terms, lambda t: sorted(t.options)):
            may = " or ".join(f"may_{self._options[o]}" for o in options)
            yield f"if on[{k}] and {may if len(options) == 1 else f'({may})'}:"
            for term in counting:
                yield f"    {_local(term.name)} = {self._call(f'{_local(term.name)}_of', term.of)}"

    def _doors(
        self, k: int, mechanism: Mechanism, mine: dict[int, tuple[list[str], list[str]]]
    ) -> Iterator[str]:
        """Yield which options one mechanism opens and closes; `mine` notes them by option."""
        assigned = []
        for which, found in enumerate((mechanism.opens, mechanism.closes)):
            for option, function in found:
                code = mechanism.world.options.index(option) if isinstance(option, str) else int(option)
                name = f"{mechanism.name}_{('opens', 'closes')[which]}_{self._options[code]}"
                mine.setdefault(code, ([], []))[which].append(name)
                assigned.append((name, self._call(f"{name}_to", function)))
        for name, call in assigned:
            yield f"{name} = on[{k}] and {call}"

    def _weighted(self, option: int) -> Iterator[str]:
        for term in self._terms:
            factor = term.options.get(option, 0.0)
            name = _local(term.name)
            if isinstance(factor, str):
                yield f"{name}_counts_for_{self._options[option]} * {name}"
            elif factor:
                yield name if factor == 1 else f"{float(factor)} * {name}"

    def formulas(self) -> dict[str, Any]:
        """Return the functions that the pass calls, by their names there: formulas, openers and closers."""
        return {
            name: function
            for name, function in self._known.items()
            if name.endswith(("_of", "_to", "_expected"))
        }

    @cached_property
    def compiled(self) -> Callable[..., None]:
        """The pass, compiled; models of the same mechanisms share it."""
        return straight(self._pass)

    @cached_property
    def _pass(self) -> Any:  # noqa: ANN401 (a compiled function)
        return compiled(self.source, "weigh", self._known, lean)

    def compile(self, run: Run) -> None:
        """Compile the pass for runs with such tables."""
        given = (run.day, False, self.on, self._factor, run.state)
        self._pass.compile(tuple(map(numba.typeof, given)))

    def __call__(self, run: Run, watched: bool) -> None:
        """Weigh and choose for all moments that the run shares."""
        self.compiled(run.day, watched, self.on, self._factor, run.state)


def _word(option: str) -> str:
    """Return an option's name as one word: ``leave_with_family``."""
    return "".join(c if c.isalnum() else "_" for c in option)


def _local(term: str) -> str:
    name = term.replace(".", "_")
    return f"{name}_" if keyword.iskeyword(name) else name


class Phase:
    """What the mechanisms do in one phase, as one compiled function that is left where Python has to do more.

    Parameters
    ----------
    name : of the phase.
    mechanisms : all, in the order in which they act; ``on`` whether each acts.
    state : to which the tables are added that steps take.
    """

    def __init__(self, name: str, mechanisms: Sequence[Mechanism], state: RunState) -> None:
        self.on = np.array([m.acts for m in mechanisms], np.bool_)
        self._methods: list[tuple[Callable[..., None], bool]] = []
        self._known: dict[str, Any] = {}
        lines = list(self._lines(name, mechanisms, state))
        head = f"def {name}(on, state, done) -> int:"
        self.source = "\n".join(map(broken, [head, *lines])) + "\n" if lines else ""
        self._function: Any = compiled(self.source, name, self._known) if lines else None
        self._kind: type | None = None

    def _lines(self, name: str, mechanisms: Sequence[Mechanism], state: RunState) -> Iterator[str]:
        """Yield the text: parts, after each of which there may be something to do that is not compiled."""
        part: list[str] = []

        def end(method: Callable[..., None], takes_more: bool) -> Iterator[str]:
            yield f"    if done < {len(self._methods) + 1}:"
            yield from (f"    {line}" for line in part)
            self._methods.append((method, takes_more))
            part.clear()

        for k, mechanism in enumerate(mechanisms):
            for step in (s for s in mechanism.steps if s.phase == name):
                alias = f"{mechanism.name}_{getattr(step.does, '__name__', 'step').strip('_')}"
                self._known[alias] = step.does
                call = f"{alias}({', '.join(_given(step.does, state))})"
                if step.then:
                    part += [f"    if on[{k}] and {call}:", f"        return {len(self._methods) + 1}"]
                    yield from end(getattr(mechanism, step.then), False)
                else:
                    part += [f"    if on[{k}]:", f"        {call}"]
            if mechanism.has_method(name) and mechanism.acts:
                part.append(f"    return {len(self._methods) + 1}")
                yield from end(getattr(mechanism, name), True)
        if part or self._methods:
            yield from (*part, "    return 0")

    def compile(self, run: Run) -> None:
        """Make ready for runs with such tables; later calls need not look at types."""
        if self._function is not None:
            self._kind = type(run.state)
            self._entry = self._function.compile(tuple(map(numba.typeof, (self.on, run.state, 0))))

    def __call__(self, run: Run, *given: Any) -> None:  # noqa: ANN401 (moments, where the phase has some)
        """Have everyone do what they do."""
        if self._function is None:
            return
        if type(run.state) is not self._kind:
            self.compile(run)
        done = self._entry(self.on, run.state, 0)
        while done:
            method, takes_more = self._methods[done - 1]
            method(run, *(given if takes_more else ()))
            done = self._entry(self.on, run.state, done)


def _given(function: Callable[..., Any], state: RunState) -> Iterator[str]:
    for name, kind in arguments_of(function).items():
        if not is_table(kind):
            raise TypeError(f"{function.__qualname__}: its argument {name} is no table of the run")
        yield f"state.{state.name_of(kind)}"
