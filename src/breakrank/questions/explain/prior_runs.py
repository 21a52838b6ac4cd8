"""Prior simulations: those of a calibration's bank, read for other outcomes.

With the same seed and store, what a calibration has simulated is there already, and the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.case.free_parameters import Free, drawable
from breakrank.errors import UsageError
from breakrank.questions.calibrate.bank import Portion, portions

if TYPE_CHECKING:
    from breakrank.case import Case


@dataclass(frozen=True, eq=False)
class PriorRuns:
    """Simulations under independent draws from the priors of a case.

    Attributes
    ----------
    names : the parameters that are drawn.
    values : what they are drawn as, float64 (simulation, parameter).
    portions : the studies that make them; their runs, one after another, are the rows of `values`.
    """

    names: tuple[str, ...]
    values: NDArray[np.float64]
    portions: tuple[Portion, ...]

    def __len__(self) -> int:
        return len(self.values)


def free(case: Case) -> tuple[str, ...]:
    """Return the parameters that can be drawn, in the order of the model."""
    return tuple(drawable(case))


def from_prior(case: Case, rows: int, seed: int) -> PriorRuns:
    """Return so many simulations of the prior, not yet made.

    Row number k is the same for any number of rows; it depends on the seed, k, and each parameter's name and
    prior alone.

    Raises
    ------
    UsageError
        where the case has no parameter with a prior.
    """
    if not free(case):
        raise UsageError(
            f"{case.id} has no parameter with a prior, so there is nothing to screen\n"
            "  Give parameters priors in parameters.yaml, or leave the screening out with --draws 0."
        )
    found = Free.of(case)
    made = tuple(portions(case, found, rows, seed))
    values = np.concatenate([found.values(one.z[: one.study.runs]) for one in made])
    return PriorRuns(found.names, values, made)
