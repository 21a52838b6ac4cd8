"""The result of a calibration: which values agree with the record, and how far that can be trusted."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from breakrank.questions.calibrate.arviz import tree
from breakrank.questions.calibrate.data import CalibrationData
from breakrank.questions.calibrate.drawings import CHARTS, OVERVIEW
from breakrank.questions.calibrate.folder import save
from breakrank.show.board import board

if TYPE_CHECKING:
    import altair as alt
    import xarray as xr


class Calibration(CalibrationData):
    """What the record says about the parameters of a case.

    Attributes
    ----------
    posterior : 256 equally likely draws of the free parameters, and how they were made.
    verdict : what was found, sentence by sentence, each made from numbers.
    about : how it was made: case, settings, seed, simulations, seconds, command, versions, results of tests.
    tables : see :meth:`table`.
    case : as calibrated; ``None`` in one that was read back.
    """

    def plot(
        self, name: str | None = None, *, theme: Literal["light", "dark"] = "light"
    ) -> alt.TopLevelMixin:
        """Return an Altair chart by name, or an overview.

        Names are ``contraction``, ``posterior``, ``targets``, ``ranks`` and ``coverage``.
        """
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
        return save(self, Path(folder))

    def __repr__(self) -> str:
        about = self.about
        made = f"{about['simulations']:,} simulations in {about['rounds']} rounds, seed {about['seed']}"
        lines = [f"Calibration of {about['case']}: {made}"]
        lines += [f"├── {line}" for line in self.verdict]
        lines.append(f"├── tables: {', '.join(self.tables)}")
        lines.append(f"└── made in {about['seconds']:,.0f} s by {about['command']}")
        return "\n".join(lines)
