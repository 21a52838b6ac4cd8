"""What events after the last told day do, drawn from the prior: no figure that worlds were told knew it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from breakrank.case.draws import Draws
from breakrank.case.free_parameters import Free, drawable
from breakrank.case.normal import Array

if TYPE_CHECKING:
    from breakrank.case import Case


def with_later_events(draws: Draws, case: Case) -> Draws:
    """Return worlds with draws of what events of a case do that came after the last day they were told of.

    Each world has its own, the same whenever it goes on; what it draws already stays.
    """
    luck = draws.luck
    assert luck is not None
    later = {n for n, f in case.forcing.items() if case.content.events[f.event].date > luck.until}
    priors = {n: p for n, p in drawable(case).items() if n in later and n not in draws.names}
    if not priors:
        return draws
    free = Free(tuple(priors), tuple(priors.values()))
    z = free.drawn(luck.seed, "later events", np.arange(len(draws)))
    values = np.concatenate([draws.values, as_written(free.values(z), free.names, case)], axis=1)
    return Draws((*draws.names, *free.names), values, draws.each, draws.shuffled, luck)


def as_written(values: Array, names: tuple[str, ...], case: Case) -> Array:
    """Return values of parameters (n, p) with six digits, as in a table, and within what is allowed."""
    told = np.array([[float(f"{x:.6g}") for x in row] for row in values.tolist()]).reshape(values.shape)
    declared = [case.declared[name] for name in names]
    return np.asarray(np.clip(told, [p.low for p in declared], [p.high for p in declared]))
