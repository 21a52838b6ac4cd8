"""Weighing without the generated pass: every formula asked for every decider, one by one."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, get_type_hints

from breakrank.engine.day import Days
from breakrank.engine.moments import Moment, Moments
from breakrank.engine.run import Run


def asked(function: Any, run: Run, known: dict[Any, Any]) -> Any:
    """Return what a formula says; it is given what it names."""
    hints = get_type_hints(function.py_func)
    names = function.py_func.__code__.co_varnames[: function.py_func.__code__.co_argcount]
    keys = [name if name in known else hints[name] for name in names]
    return function(*(known[key] if key in known else run.view(key) for key in keys))


def weigh_plainly(
    days: Days, run: Run, moments: Moments, mechanisms: Collection[str] = (), margin: float | None = None
) -> None:
    """Write margins, terms and what is open; of these mechanisms alone, if any are named.

    A `margin` that is given is everybody's.
    """
    mine = [m for m in days.mechanisms if (m.name in mechanisms if mechanisms else m.acts)]
    force = run.world.force
    moments.open[0] = True
    for j, i in enumerate(moments.who.tolist()):
        known: dict[Any, Any] = {"day": run.day, "who": i}
        own = [asked(m.margin, run, known) for m in days.mechanisms if m.margin is not None]
        moments.margin[j] = margin if margin is not None else own[0] if own else 0.0
        known[Moment] = Moment(
            run.day,
            i,
            int(moments.occasion[j]),
            int(moments.leader[j]),
            int(force.rank[i]),
            int(force.unit[i]),
            int(force.state[i]),
            int(force.dependants[i]),
            float(moments.margin[j]),
        )
        for m in days.mechanisms:
            known |= {name: asked(function, run, known) for name, function in m.quantities}
        for m in mine:
            for term in m.terms:
                moments.terms[days.term_row[term.name], j] = asked(term.of, run, known)
            for option, function in m.opens:
                code = run.world.options.index(option) if isinstance(option, str) else option
                moments.open[code, j] |= asked(function, run, known)
        for m in mine:
            for option, function in m.closes:
                moments.open[option, j] &= not asked(function, run, known)
