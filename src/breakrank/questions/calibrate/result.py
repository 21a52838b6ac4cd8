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

import json
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from breakrank.case.posterior import files_of_posterior, read_posterior
from breakrank.errors import BreakrankError, UsageError
from breakrank.model import catalogue
from breakrank.questions.calibrate.data import TABLES, CalibrationData
from breakrank.questions.calibrate.drawings import CHARTS, OVERVIEW
from breakrank.results.folder import whole_folder
from breakrank.results.json_files import intact, json_ready, says_format, write_json
from breakrank.show.board import board

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from breakrank.case import Case
    from breakrank.case.posterior import Posterior
    from breakrank.show.vegalite import Chart

FORMAT = 1
"""Version of the folder's layout, under ``breakrank_calibration`` in ``calibration.json``."""
NAME = "calibration.json"
OWN = frozenset({NAME, "posterior", "tables"})
"""What the folder consists of."""


def save(calibration: CalibrationData, folder: Path) -> Path:
    """Write a calibration; see :meth:`~breakrank.questions.calibrate.result.Calibration.save`."""
    with whole_folder(folder, is_calibration, OWN) as staging:
        told = {
            "breakrank_calibration": FORMAT,
            "verdict": calibration.verdict,
            "about": calibration.about,
        }
        write_json(staging / NAME, json_ready(told))
        (staging / "tables").mkdir()
        for name, frame in calibration.tables.items():
            frame.to_csv(staging / "tables" / f"{name}.csv", lineterminator="\n")
        (staging / "posterior").mkdir()
        for name, text in files_of_posterior(calibration.posterior).items():
            (staging / "posterior" / name).write_text(text, "utf-8", newline="\n")
    return folder


def as_json(calibration: CalibrationData) -> dict[str, object]:
    """Return what is found, ready for JSON."""
    names = ("parameters", "targets", "rounds", "directions", "coverage")
    tables = {name: calibration.tables[name].reset_index().to_dict("records") for name in names}
    return json_ready({"verdict": calibration.verdict, **calibration.about, "tables": tables})


def is_calibration(folder: Path) -> bool:
    """Say whether a folder is that of a calibration."""
    return says_format(folder / NAME, "breakrank_calibration")


def load_calibration(folder: str | PathLike[str]) -> Calibration:
    """Read a calibration from its folder.

    Raises
    ------
    BreakrankError
        if the folder holds none, or one of another format.
    """
    folder = Path(folder)
    if not is_calibration(folder):
        raise BreakrankError(f"{folder} is no calibration of Breakrank's: it has no readable {NAME}")
    with intact(folder / NAME, "a calibration"):
        told = json.loads((folder / NAME).read_text("utf-8"))
        if told["breakrank_calibration"] != FORMAT:
            raise BreakrankError(
                f"{folder} has calibration format {told['breakrank_calibration']}, "
                f"this Breakrank reads {FORMAT}"
            )
        about = {k: float("nan") if v is None else v for k, v in told["about"].items()}
        verdict = tuple(told["verdict"])
    tables = {name: _table(folder / "tables" / f"{name}.csv") for name in TABLES}
    return Calibration(load_posterior(folder / "posterior"), verdict, about, tables)


def load_posterior(folder: str | PathLike[str]) -> Posterior:
    """Read the posterior in a folder: of a calibration, of a case, or anywhere else.

    Raises
    ------
    UsageError
        when there is no such folder.
    CaseError
        for a file that cannot be used, or a parameter that the model does not have.
    """
    if not Path(folder).is_dir():
        raise UsageError(f"there is no folder {folder}")
    return read_posterior(Path(folder), catalogue())


def _table(path: Path) -> pd.DataFrame:
    import pandas as pd

    with intact(path, "a table of a calibration"):
        return pd.read_csv(path, index_col=0)


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

    def plot(self, name: str | None = None, *, theme: Literal["light", "dark"] = "light") -> Chart:
        """Return a chart by name, or an overview.

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

        It holds ``posterior/``, ``calibration.json`` and the tables as CSV.

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
