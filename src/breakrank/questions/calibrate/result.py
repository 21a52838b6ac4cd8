"""The result of a calibration: which values agree with the record, and how far that can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal

from breakrank.errors import UsageError, nearest
from breakrank.questions.calibrate.arviz import tree
from breakrank.show.board import board

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd
    import xarray as xr

    from breakrank.case import Case
    from breakrank.case.posterior import Posterior

TABLES = ("parameters", "targets", "rounds", "directions", "coverage", "ranks", "failures")
"""The tables of a calibration."""


@dataclass(frozen=True, eq=False, repr=False)
class Calibration:
    """What the record says about the parameters of a case.

    Attributes
    ----------
    posterior : 256 equally likely draws of the free parameters, and how they were made.
    verdict : what was found, sentence by sentence, each made from numbers.
    about : how it was made: case, settings, seed, simulations, seconds, command, versions, results of tests.
    tables : see :meth:`table`.
    case : as calibrated; ``None`` in one that was read back.
    """

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

    def plot(
        self, name: str | None = None, *, theme: Literal["light", "dark"] = "light"
    ) -> alt.TopLevelMixin:
        """Return an Altair chart by name, or an overview.

        Names are ``contraction``, ``posterior``, ``targets``, ``ranks`` and ``coverage``.
        """
        from breakrank.questions.calibrate.drawings import CHARTS, OVERVIEW

        return board(
            "calibration", CHARTS, OVERVIEW, name, theme, lambda each, look: [([CHARTS[each](self, look)], 1)]
        )

    def to_arviz(self) -> xr.DataTree:
        """Return the calibration as a tree in ArviZ's groups, ready for its functions and for NetCDF.

        ``posterior`` and ``prior`` hold draws of each parameter, ``observed_data`` the record, and
        ``diagnostics`` ranks and checks. ArviZ need not be installed. The tree's
        ``to_netcdf(path, engine="h5netcdf")`` writes a file; it needs the extra ``export``.

        Raises
        ------
        BreakrankError
            if xarray is older than 2024.10.
        """
        return tree(self)

    def save(self, folder: str | PathLike[str]) -> Path:
        """Write the calibration into a new or empty folder, or over an earlier one, and return the folder.

        It holds ``posterior/``, ``calibration.json``, the tables as CSV, and ``report.html`` where the extra
        ``report`` is installed.

        Raises
        ------
        BreakrankError
            if the folder holds something else, or the disk is full or not writable.
        """
        from breakrank.questions.calibrate.folder import save

        return save(self, Path(folder))

    def __repr__(self) -> str:
        about = self.about
        made = f"{about['simulations']:,} simulations in {about['rounds']} rounds, seed {about['seed']}"
        lines = [f"Calibration of {about['case']}: {made}"]
        lines += [f"├── {line}" for line in self.verdict]
        lines.append(f"├── tables: {', '.join(self.tables)}")
        lines.append(f"└── made in {about['seconds']:,.0f} s by {about['command']}")
        return "\n".join(lines)


def rows(table: pd.DataFrame) -> list[Any]:
    """Return the rows of a table in order, each with its cells as attributes and its index as ``id``."""
    found = table.rename_axis("id").reset_index().to_dict("records")
    return [SimpleNamespace(**{str(k): v for k, v in row.items()}) for row in found]
