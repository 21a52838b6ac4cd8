"""What a calibration consists of: posterior, verdict, how it was made, and tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from breakrank.errors import UsageError, nearest

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case import Case
    from breakrank.case.posterior import Posterior

TABLES = ("parameters", "targets", "rounds", "directions", "coverage", "ranks", "failures")
"""The tables of a calibration."""


@dataclass(frozen=True, eq=False, repr=False)
class CalibrationData:
    """The data of a calibration; :class:`~breakrank.questions.calibrate.result.Calibration` names them."""

    posterior: Posterior
    verdict: tuple[str, ...]
    about: Mapping[str, Any]
    tables: Mapping[str, pd.DataFrame]
    case: Case | None = None

    def table(self, name: str = "parameters") -> pd.DataFrame:
        """Return one table by name.

        ``parameters``: prior and posterior of each free parameter, how much narrower it became (contraction),
        whether it is informed, and how the method fared on it. ``targets``: the record beside prior and
        posterior. ``rounds``: simulations by round. ``directions``: the informed directions and what they
        consist of. ``coverage``: how often intervals held the truth, by level. ``ranks``: of the truth in its
        posterior, one row for each world played. ``failures``: simulations that failed, by reason.

        Raises
        ------
        UsageError
            for a name that is none of these.
        """
        if name not in self.tables:
            raise UsageError(f"no table {name!r}{nearest(name, TABLES)} (known: {', '.join(TABLES)})")
        return self.tables[name]

    @property
    def informed(self) -> tuple[str, ...]:
        """The parameters that the evidence says something about, most informed first."""
        table = self.tables["parameters"]
        return tuple(table[table["informed"]].sort_values("contraction", ascending=False).index)


def rows(table: pd.DataFrame) -> list[Any]:
    """Return the rows of a table in order, each with its cells as attributes and its index as ``id``."""
    found = table.rename_axis("id").reset_index().to_dict("records")
    return [SimpleNamespace(**{str(k): v for k, v in row.items()}) for row in found]
