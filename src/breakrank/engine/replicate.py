"""What one run hands back: plain arrays, light enough to cross from a worker process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

EVENT_COLUMNS: dict[str, str] = {
    "day": "int16",
    "soldier": "uint32",
    "event": "uint8",
    "place": "int16",
    "other": "uint32",
    "value": "float32",
}
"""Columns of one run's event log and their types, in order.

``place`` counts through the case's states, then its crossings, then its sites; -1 is no place.
``event`` counts through ``breakrank.engine.codes.EVENTS``; ``soldier`` and ``other`` are identities,
4294967295 is nobody.
"""


@dataclass(frozen=True)
class Replicate:
    """One finished run.

    Attributes
    ----------
    run : index of the run under its seed, from 0.
    series : arrays by name; names, shapes and types as the model's catalogue of outputs has them,
        without the run dimension.
    events : columns of the event log (see :data:`EVENT_COLUMNS`), all of one length, in the order
        things happened; ``None`` where no log was kept.
    """

    run: int
    series: Mapping[str, npt.NDArray[np.generic]]
    events: Mapping[str, npt.NDArray[np.generic]] | None = None


@dataclass(frozen=True)
class Failure:
    """One run that did not finish: a record, not a crash.

    Attributes
    ----------
    run : index of the run.
    where : file, line and function in which it failed, or what was under way.
    why : the error, in one line.
    """

    run: int
    where: str
    why: str

    def __str__(self) -> str:
        return f"run {self.run}: {self.why} (at {self.where})"
