"""The result of a calibration: posterior, ensemble, verdict and tables.

As an answer: what the figures inform, and each figure beside the model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank.answer.answer import Answer, Column, Figure, Provenance, Table
from breakrank.case.draws import ENSEMBLE
from breakrank.case.ensemble import PosteriorEnsemble
from breakrank.case.files import Files
from breakrank.case.posterior import FOLDER, files_of_posterior, read_posterior
from breakrank.errors import BreakrankError, UsageError, nearest
from breakrank.model import catalogue
from breakrank.results.files import (
    check_seal,
    intact,
    json_ready,
    says_format,
    sealed,
    whole_folder,
    write_json,
)
from breakrank.show.words import number, span

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case.posterior import Posterior
    from breakrank.show.vegalite import Chart


NOTHING = 0.1
"""Bits below which a figure tells next to nothing."""
HARDLY = 0.1
"""Share of members that agree with a figure, below which it is named."""
_PRIOR = Column(name="prior_median", label="Prior", interval="90%", low="prior_q05", high="prior_q95")


def answer_of(found: Calibration) -> Answer:
    """Return the answer that a calibration comes to."""
    about, verdict = found.about, found.verdict
    fit = next((line for line in verdict if line.startswith("The model ")), "")
    parameters, targets = _parameter_table(found), _targets(found.tables["targets"])
    tables = [_informed(parameters), targets, parameters]
    tables += [assimilated(found.ensemble)] if found.ensemble is not None else []
    informed, free = len(found.informed), len(found.tables["parameters"])
    inside = int(found.tables["targets"]["inside"].astype(bool).sum())
    of_all, met = f"{informed} of {free} free parameters", f"{inside} of {len(targets.rows)}"
    failures = found.tables["failures"]["simulations"]
    dots: dict[str, Any] = {"kind": "dots", "table": "informed", "x": "parameter"}
    figures = (
        Figure(
            name="targets",
            title=f"{met} observed figures lie in the 90% interval of runs under the posterior",
            kind="strips",
            table="targets",
            x="label",
            y=("median",),
            low="q05",
            high="q95",
            inner=("q25", "q75"),
            note="Tick: median; bands: 50% and 90% of runs; ink: what was observed. Scales differ by row.",
        ),
        Figure(
            name="contraction",
            title=f"The figures inform {of_all}",
            y=("contraction",),
            low="contraction",
            high="contraction",
            note="Share of the prior variance that the figures take away; 0% says nothing.",
            **dots,
        ),
        Figure(
            name="posterior",
            title="Where the posterior of informed parameters lies, in units of the prior's spread",
            y=("z_median",),
            low="z_q05",
            high="z_q95",
            note="Dot: median; line: 90% of the posterior. 90% of the prior reach from −1.6 to 1.6.",
            **dots,
        ),
    )
    return Answer(
        question="calibrate",
        title=f"Calibration of {about['title']}",
        finding=f"The figures inform {of_all}; the posterior's 90% intervals hold {met} observed figures.",
        doubt=fit,
        tables=tuple(tables),
        figures=figures,
        notes=tuple(line for line in verdict if line != fit),
        provenance=Provenance(
            case=str(about["case"]),
            title=str(about["title"]),
            ensemble=f"simulations in {about['waves']} waves",
            runs=int(about["simulations"]),
            seed=int(about["seed"]),
            digest=str(about.get("digest", "")),
            command=str(about.get("command", "")),
            versions=dict(about.get("versions", {})),
            failed=tuple(str(one) for one, n in failures.items() for _ in range(n)),
            finished=int(about["simulations"]) - int(about["failed"]),
        ),
    )


def _columns(frame: pd.DataFrame, shown: dict[str, Column]) -> tuple[Column, ...]:
    """Return a column for each of a frame: those that are shown first, as they are described."""
    rest = [
        Column(name=name, label=name.replace("_", " "), kind=_kind(frame[name]), shown=False)
        for name in map(str, frame.columns)
        if name not in shown
    ]
    return (*shown.values(), *rest)


def _kind(values: Any) -> Any:  # noqa: ANN401 (a column)
    return "flag" if values.dtype == bool else "number" if values.dtype.kind in "fiu" else "text"


def _parameter_table(found: Calibration) -> Table:
    """Return all free parameters, those that the figures inform first."""
    frame = (
        found.tables["parameters"]
        .rename_axis("parameter")
        .sort_values(["informed", "contraction"], ascending=False)
        .reset_index()
    )
    frame = frame.astype({"informed": bool, "felt": bool})
    shown = {
        "parameter": Column(name="parameter", label="Parameter", kind="text"),
        "informed": Column(name="informed", label="Informed", kind="flag", shown=False),
        "contraction": Column(name="contraction", label="Contraction", kind="share"),
        "prior_median": _PRIOR,
        "posterior_median": Column(
            name="posterior_median",
            label="Posterior",
            interval="90%",
            low="posterior_q05",
            high="posterior_q95",
        ),
    }
    columns = _columns(frame, shown)
    return Table("parameters", "All free parameters", columns, frame[[c.name for c in columns]], detail=True)


def _informed(parameters: Table) -> Table:
    """Return the parameters that the figures inform, which documents show."""
    rows = parameters.rows[parameters.rows["informed"]]
    note = "Contraction: share of the prior variance that the figures take away."
    return replace(
        parameters, name="informed", title="Informed parameters", rows=rows, note=note, detail=False
    )


def _targets(targets: pd.DataFrame) -> Table:
    """Return each observed figure beside runs under the prior and under the posterior."""
    names = {f"posterior_{q}": q for q in ("q05", "q25", "median", "q75", "q95")}
    frame = targets.rename(columns={**names, "figure_low": "observed_low", "figure_high": "observed_high"})
    frame = frame.rename_axis("target").reset_index()
    frame = frame.assign(
        inside=frame["inside"].astype(bool),
        observed=[
            span(low, high) for low, high in zip(frame["observed_low"], frame["observed_high"], strict=True)
        ],
        compared=["met" if inside else "missed" for inside in frame["inside"].astype(bool)],
        source=["" if many == 1 else f"{many} sources" for many in frame["sources"]],
    )
    shown = {
        "label": Column(name="label", label="Figure", kind="text"),
        "observed": Column(name="observed", label="Observed", kind="text"),
        "compared": Column(name="compared", label="Compared", kind="text"),
        "prior_median": _PRIOR,
        "median": Column(name="median", label="Posterior", interval="90%", low="q05", high="q95"),
    }
    columns = _columns(frame, shown)
    return Table("targets", "Observed figures", columns, frame[[c.name for c in columns]])


def assimilated(ensemble: PosteriorEnsemble) -> Table:
    """Return the figures that an ensemble assimilated, and how well each is met."""
    columns = (
        Column(name="label", label="Assimilated figure", kind="text"),
        Column(name="allowed", label="Observed, 90%", kind="text"),
        Column(name="remark", label="Remark", kind="text"),
        Column(name="median", label="Median", low="low", high="high", interval="90%"),
        *(Column(name=name, label=name, shown=False) for name in ("low", "high")),
        Column(name="agree", label="Agree", kind="share", meaning="members that agree with it"),
        Column(name="bits", label="Bits", meaning="how much it tells"),
    )
    rows = [
        {
            "allowed": _allowed(*one["error90"]),
            "remark": _remark(one),
            "low": one["interval90"][0],
            "high": one["interval90"][1],
            **{name: one[name] for name in ("label", "median", "agree", "bits")},
        }
        for one in ensemble.figures
    ]
    note = (
        "expected: nearly all runs agreed with it beforehand, so that members do is no success. left out: it "
        "counts what another figure of its date counts."
    )
    return Table.of("assimilated", "Figures that the ensemble assimilated", columns, rows, note=note)


def _remark(one: dict[str, Any]) -> str:
    if not one["used"]:
        return "left out"
    return "expected" if one["bits"] < NOTHING else "hardly met" if one["agree"] < HARDLY else ""


def _allowed(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f"{number(low)} to {number(high)}"
    if low is not None:
        return f"{number(low)} or more"
    return "" if high is None else f"{number(high)} or less"


FORMAT = 2
"""Version of the folder's layout, under ``breakrank_calibration`` in ``calibration.json``."""
NAME = "calibration.json"
OWN = frozenset({NAME, FOLDER, ENSEMBLE, "tables"})
"""What the folder consists of."""
TABLES = ("parameters", "targets", "failures")
"""The tables of a calibration."""


@dataclass(frozen=True, eq=False, repr=False)
class Calibration:
    """What the observed figures say about the parameters of a case.

    Attributes
    ----------
    posterior : 256 equally likely draws of the free parameters, and how they were made.
    ensemble : members with parameters and seed paths; ``None`` if none were asked, or where it was read back.
    verdict : what was found, sentence by sentence, each made from numbers.
    about : how it was made: case, settings, seed, simulations, seconds, command, versions, results of checks.
    tables : see :meth:`table`.
    chains : of each parameter in its own unit (chains, draws), as ArviZ takes them; empty in one that was
        read back.
    """

    posterior: Posterior
    ensemble: PosteriorEnsemble | None
    verdict: tuple[str, ...]
    about: Mapping[str, Any]
    tables: Mapping[str, pd.DataFrame]
    chains: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    def table(self, name: str = "parameters") -> pd.DataFrame:
        """Return one table by name.

        ``parameters``: prior and posterior of each free parameter, how much of its prior variance went
        (contraction), whether it is informed, whether synthetic figures can tell of it (felt), and how its
        chains mixed. ``targets``: each figure beside prior and posterior, and how much of it parameters
        explain. ``failures``: simulations that failed.

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
        """The parameters that the figures inform, most informed first."""
        table = self.tables["parameters"]
        return tuple(table[table["informed"]].sort_values("contraction", ascending=False).index)

    @cached_property
    def answer(self) -> Answer:
        """The answer that a calibration comes to."""
        return answer_of(self)

    def plot(self, name: str = "") -> Chart:
        """Return a chart by name (``targets``, ``contraction``, ``posterior``), by default all."""
        return self.answer.plot(name)

    def as_json(self) -> dict[str, object]:
        """Return the findings, ready for JSON."""
        tables = {name: table.reset_index().to_dict("records") for name, table in self.tables.items()}
        ensemble = None if self.ensemble is None else dict(self.ensemble.about)
        return json_ready({"verdict": self.verdict, **self.about, "ensemble": ensemble, "tables": tables})

    def save(self, folder: str | PathLike[str]) -> Path:
        """Write the calibration into a new or empty folder, or over an earlier one, and return the folder.

        It holds ``posterior/``, ``ensemble/`` if there is one, ``calibration.json`` and the tables as CSV.

        Raises
        ------
        BreakrankError
            if the folder holds something else, or the disk is full or not writable.
        """
        folder = Path(folder)
        with whole_folder(folder, is_calibration, OWN) as staging:
            (staging / "tables").mkdir()
            for name, frame in self.tables.items():
                frame.to_csv(staging / "tables" / f"{name}.csv", lineterminator="\n")
            content = {"breakrank_calibration": FORMAT, "verdict": list(self.verdict), "about": self.about}
            tables = [f"tables/{name}.csv" for name in self.tables]
            write_json(staging / NAME, sealed(json_ready(content), staging, tables))
            for part, files in self.files().items():
                (staging / part).mkdir()
                for name, text in files.items():
                    (staging / part / name).write_text(text, "utf-8", newline="\n")
        return folder

    def put_into(self, home: Path) -> None:
        """Put posterior and ensemble into the folder of a case, each whole or not at all."""
        files = Files(home)
        with files.locked():
            for part, texts in self.files().items():

                def ours(folder: Path, names: frozenset[str] = frozenset(texts)) -> bool:
                    return all((folder / name).is_file() for name in names)

                with whole_folder(files.path(part), ours) as staging:
                    for name, text in texts.items():
                        (staging / name).write_text(text, "utf-8", newline="\n")

    def files(self) -> dict[str, dict[str, str]]:
        """Return the text of the files of the posterior and of the ensemble, by folder and name."""
        files = {FOLDER: files_of_posterior(self.posterior)}
        if self.ensemble is not None:
            files[ENSEMBLE] = self.ensemble.files()
        return files

    def __repr__(self) -> str:
        about = self.about
        made = f"{about['simulations']:,} simulations in {about['waves']} waves, seed {about['seed']}"
        lines = [f"Calibration of {about['case']}: {made}"]
        lines += [f"├── {line}" for line in self.verdict]
        lines.append(f"├── tables: {', '.join(self.tables)}")
        lines.append(f"└── made in {about['seconds']:,.0f} s by {about['command']}")
        return "\n".join(lines)


def is_calibration(folder: Path) -> bool:
    """Say whether a folder is that of a calibration."""
    return says_format(folder / NAME, "breakrank_calibration")


def load_calibration(folder: str | PathLike[str]) -> Calibration:
    """Read a calibration from its folder; its ensemble is read by ``load_ensemble``.

    Raises
    ------
    BreakrankError
        if the folder holds none, or one of another format.
    """
    folder = Path(folder)
    if not is_calibration(folder):
        raise BreakrankError(f"{folder} is no calibration of Breakrank's: it has no readable {NAME}")
    with intact(folder / NAME, "a calibration"):
        content = json.loads((folder / NAME).read_text("utf-8"))
        check_seal(content, folder)
        if content["breakrank_calibration"] != FORMAT:
            raise BreakrankError(
                f"{folder} has calibration format {content['breakrank_calibration']}, "
                f"this Breakrank reads {FORMAT}"
            )
        about = {k: float("nan") if v is None else v for k, v in content["about"].items()}
        verdict = tuple(content["verdict"])
    tables = {name: _table(folder / "tables" / f"{name}.csv") for name in TABLES}
    posterior = load_posterior(folder / FOLDER, content["about"].get("mechanisms", ()))
    return Calibration(posterior, None, verdict, about, tables)


def load_posterior(folder: str | PathLike[str], mechanisms: Sequence[str] = ()) -> Posterior:
    """Read the posterior in a folder: of a calibration, of a case, or anywhere else.

    `mechanisms` are those that its case names, as in ``case.mechanisms``: it may hold parameters of theirs.

    Raises
    ------
    UsageError
        when there is no such folder.
    CaseError
        for a file that cannot be used, or a parameter that the model does not have.
    """
    if not Path(folder).is_dir():
        raise UsageError(f"there is no folder {folder}")
    return read_posterior(Path(folder), catalogue(tuple(mechanisms)))


def _table(path: Path) -> pd.DataFrame:
    import pandas as pd

    with intact(path, "a table of a calibration"):
        return pd.read_csv(path, index_col=0)
