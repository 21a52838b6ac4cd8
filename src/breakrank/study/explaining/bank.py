"""Prior simulations: runs of a case under independent draws of every parameter that has a prior."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

from breakrank.case.check_parameters import STRENGTH
from breakrank.case.draws import Draws
from breakrank.errors import UsageError

if TYPE_CHECKING:
    from breakrank.case import Case


def free(case: Case) -> tuple[str, ...]:
    """Return the parameters that can be drawn: those with a prior that is no single value."""
    return tuple(
        p.name
        for p in case.parameters.values()
        if p.prior is not None and p.name != STRENGTH and p.low < p.high
    )


def from_prior(case: Case, rows: int, seed: int) -> Draws:
    """Return independent draws from the priors of a case.

    The column of a parameter depends on the seed, its name and its prior alone.

    Raises
    ------
    UsageError
        where the case has no parameter with a prior.
    """
    names = free(case)
    if not names:
        raise UsageError(
            f"{case.id} has no parameter with a prior, so there is nothing to share variance out between\n"
            "  Give parameters priors in parameters.yaml, or leave the sensitivity out with --draws 0."
        )
    columns = []
    for name in names:
        prior = case.parameters[name].prior
        assert prior is not None
        rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
        columns.append(prior.quantile(rng.random(rows)))
    return Draws(names, np.stack(columns, axis=1))
