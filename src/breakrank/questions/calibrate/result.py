"""The result of a calibration: which values agree with the record, and how far that can be trusted.

As ArviZ keeps inference, it is one tree of labelled arrays with its usual groups. The tree is xarray's own,
so that neither making nor reading it needs ArviZ:

* ``posterior``: every free parameter in its own unit (chain, draw). There is one chain, since
  the draws are independent.
* ``prior``: as many draws of the same parameters, spread evenly over each prior (chain, draw). Not in a
  calibration that was read back, which no longer has the priors.
* ``observed_data``: ``low`` and ``high`` of what the record says (target), alike for one figure.
* ``diagnostics``: ranks of the truth in the worlds played (world, parameter), and the checks of each
  parameter.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from breakrank.errors import BreakrankError
from breakrank.questions.calibrate.data import CalibrationData
from breakrank.questions.calibrate.drawings import CHARTS, OVERVIEW
from breakrank.questions.calibrate.folder import save
from breakrank.show.board import board

if TYPE_CHECKING:
    import altair as alt
    import xarray as xr

    from breakrank.case import Case


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

        Names are ``contraction``, ``posterior`` and ``targets``.
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

        It holds ``posterior/``, ``calibration.json``, the tables as CSV, and ``report.html``.

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


CHECKS = ("contraction", "second_contraction", "coverage90", "ranks_p", "recovered")
"""Columns of the table of parameters that go into ``diagnostics``."""


def tree(found: CalibrationData) -> xr.DataTree:
    """Return the tree; see :meth:`~breakrank.questions.calibrate.result.Calibration.to_arviz`."""
    import xarray as xr

    if not hasattr(xr, "DataTree"):
        raise BreakrankError(
            f"xarray {xr.__version__} knows no trees of labelled arrays\n"
            "  Install a newer one: pip install 'xarray>=2024.10'"
        )
    draws = found.posterior.draws
    groups = {"posterior": _parameters(draws.names, draws.values, found)}
    if found.case is not None:
        groups["prior"] = _parameters(draws.names, _prior(found.case, draws.names, len(draws)), found)
    groups["observed_data"] = _record(found)
    groups["diagnostics"] = _diagnostics(found)
    about = found.about
    attributes = {
        "inference_library": "breakrank",
        "inference_library_version": str(about["versions"].get("breakrank", "")),
        "case": str(about["case"]),
        "command": str(about["command"]),
        "verdict": "\n".join(found.verdict),
    }
    for data in groups.values():
        data.attrs.update(attributes)
    return xr.DataTree.from_dict({f"/{name}": data for name, data in groups.items()})


def _parameters(names: tuple[str, ...], values: NDArray[np.float64], found: CalibrationData) -> xr.Dataset:
    import xarray as xr

    units = found.table("parameters")["unit"]
    return xr.Dataset(
        {
            name: (("chain", "draw"), values[None, :, k], {"units": str(units.get(name, ""))})
            for k, name in enumerate(names)
        },
        coords={"chain": [0], "draw": np.arange(len(values))},
    )


def _prior(case: Case, names: tuple[str, ...], rows: int) -> NDArray[np.float64]:
    """Return draws of the priors (rows, parameters): one of each stratum, shuffled by a fixed key."""
    rng = np.random.default_rng(0)
    out = np.empty((rows, len(names)))
    for k, name in enumerate(names):
        prior = case.parameters[name].prior
        assert prior is not None  # free parameters have one
        out[:, k] = prior.quantile((rng.permutation(rows) + 0.5) / rows)
    return out


def _record(found: CalibrationData) -> xr.Dataset:
    import xarray as xr

    table = found.table("targets")
    ends = {end: ("target", table[f"record_{end}"].to_numpy(dtype=float)) for end in ("low", "high")}
    labels = ("target", [str(x) for x in table["label"]])
    return xr.Dataset(ends, coords={"target": [str(x) for x in table.index], "label": labels})


def _diagnostics(found: CalibrationData) -> xr.Dataset:
    import xarray as xr

    table, ranks = found.table("parameters"), found.table("ranks")
    names = [str(x) for x in table.index]
    content: dict[str, Any] = {name: ("parameter", table[name].to_numpy(dtype=float)) for name in CHECKS}
    content["rank"] = (("world", "parameter"), ranks[names].to_numpy(dtype=float))
    content["jointly"] = ("world", ranks["jointly"].to_numpy(dtype=float))
    return xr.Dataset(content, coords={"parameter": names, "world": ranks.index.to_numpy(dtype=np.int64)})
