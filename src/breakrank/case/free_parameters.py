"""The free parameters of a case, and z-space, in which their prior is standard normal.

z is the standard normal quantile of the prior's distribution function: whatever is done to z, a value stays
within the range of its prior. Every draw is a pure function of seed, round, number and the name that the
parameter was first declared with, so that a parameter that is added or taken away moves no draw of another.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.case.draws import Draws
from breakrank.case.models_parameters import STRENGTH
from breakrank.case.prior import Array, Prior, normal_below, normal_quantiles
from breakrank.draws import decision, luck_key, uniform_each
from breakrank.errors import UsageError, nearest
from breakrank.old_names import first_name

if TYPE_CHECKING:
    from breakrank.case.case_data import CaseData


def drawable(case: CaseData) -> dict[str, Prior]:
    """Return the priors of the parameters that can be drawn: all with a prior that is no single value.

    What was set by hand is not drawn.
    """
    return {
        name: p.prior
        for name, p in case.parameters.items()
        if p.prior is not None and p.low < p.high and name != STRENGTH and name not in case.by_hand
    }


@dataclass(frozen=True)
class Free:
    """The parameters that a calibration may move: `names` and `priors`, in the order of the model."""

    names: tuple[str, ...]
    priors: tuple[Prior, ...]

    @classmethod
    def of(cls, case: CaseData, fixed: Collection[str] = ()) -> Free:
        """Return every parameter of a case that has a prior, but those `fixed` at the case's value.

        Raises
        ------
        UsageError
            for a name that is no parameter, or if none is left.
        """
        for name in fixed:
            if name not in case.parameters:
                raise UsageError(f"there is no parameter {name!r}{nearest(name, case.parameters)}")
        found = {name: prior for name, prior in drawable(case).items() if name not in fixed}
        if not found:
            raise UsageError(
                f"{case.id} gives no parameter a prior, so there is nothing to calibrate\n"
                "  Write a prior for what is not known, e.g. prior: {distribution: uniform, low: 0, high: 1}."
            )
        return cls(tuple(found), tuple(found.values()))

    def values(self, z: Array) -> Array:
        """Return parameter values (n, p) of points in z-space (n, p)."""
        u = normal_below(z)
        return np.stack([prior.quantile(u[:, k]) for k, prior in enumerate(self.priors)], axis=1)

    def drawn(self, seed: int, what: str, numbers: NDArray[np.int64]) -> Array:
        """Return standard normal draws (n, p) of these whole numbers (n,), one for each parameter.

        Parameters
        ----------
        what : names the purpose, e.g. ``"prior"``; other purposes are other draws.
        """
        key = luck_key(seed, f"calibrate.{what}")
        who = np.asarray(numbers).astype(np.uint32)
        when = np.zeros(len(who), np.int64)
        u = [uniform_each(key, int(decision(first_name(name))), who, when) for name in self.names]
        return normal_quantiles(np.stack(u, axis=1))

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hexadecimal) of the names and priors."""
        told = [
            [n, p.distribution, *p.numbers, p.low, p.high]
            for n, p in zip(self.names, self.priors, strict=True)
        ]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    def __len__(self) -> int:
        return len(self.names)


def purpose(name: str) -> int:
    """Return the code of a purpose within a key of its own: such names are short, and clash with no other."""
    return int(decision(name))


def with_later_events(draws: Draws, case: CaseData) -> Draws:
    """Return members with draws of what events of a case do that came after their last observed figure.

    Each member has its own, the same whenever it goes on; what it draws already stays.
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


def as_written(values: Array, names: tuple[str, ...], case: CaseData) -> Array:
    """Return values of parameters (n, p) with six digits, as in a table, and within what is allowed."""
    told = np.array([[float(f"{x:.6g}") for x in row] for row in values.tolist()]).reshape(values.shape)
    declared = [case.declared[name] for name in names]
    return np.asarray(np.clip(told, [p.low for p in declared], [p.high for p in declared]))
