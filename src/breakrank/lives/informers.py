"""Who was an informer in a run: drawn again, as counter-intelligence drew it when the run began."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from breakrank.draws import uniform_each
from breakrank.mechanisms.counterintelligence import INFORMER_DRAW

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.force import Force

Mask = npt.NDArray[np.bool_]


def informers(case: Case, force: Force, key: np.uint64) -> Mask:
    """Return who of a force is an informer under the luck that a run begins with, bool (soldier,)."""
    if not case.value("counterintelligence.on"):
        return np.zeros(force.n, np.bool_)
    draws = uniform_each(key, INFORMER_DRAW, force.identity, np.zeros(force.n, np.int64))
    found: Mask = draws < case.value("counterintelligence.informers")
    return found
