"""Which mechanisms get an index of their own: those of which screening found a parameter that matters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from breakrank.questions.explain.screening import Screened
from breakrank.questions.explain.sobol import Group

OTHERS = "all others"
"""The group of every parameter of a mechanism without an index of its own."""


def mechanism(parameter: str) -> str:
    """Return the mechanism that reads a parameter."""
    return parameter.partition(".")[0]


def groups(names: Sequence[str], screened: Sequence[Sequence[Screened]], number: int) -> tuple[Group, ...]:
    """Return the groups between which variance is shared out; together they hold every parameter once.

    Parameters
    ----------
    names : the parameters drawn, in the order of their columns.
    screened : by outcome, what screening found. A mechanism counts with the largest sum, over the outcomes,
        of the shares of its parameters that can be told from chance; where there are too few of those, with
        its largest share.
    number : of mechanisms with a group of their own; the rest makes up one more.
    """
    sums: dict[str, list[float]] = {mechanism(name): [0.0, 0.0] for name in names}
    for outcome in screened:
        mine: dict[str, float] = {}
        for one in outcome:
            group = mechanism(one.name)
            if one.told:
                mine[group] = mine.get(group, 0.0) + one.most
            if np.isfinite(one.most):  # else the outcome does not vary
                sums[group][1] = max(sums[group][1], one.most)
        for group, value in mine.items():
            sums[group][0] = max(sums[group][0], value)
    order = sorted(sums, key=lambda g: (-sums[g][0], -sums[g][1]))
    own = order[:number]
    if len(order) == number + 1:  # a rest of one is no rest
        own = order
    found = [Group(g, tuple(k for k, n in enumerate(names) if mechanism(n) == g)) for g in own]
    rest = tuple(k for k, n in enumerate(names) if mechanism(n) not in own)
    return (*found, Group(OTHERS, rest)) if rest else tuple(found)
