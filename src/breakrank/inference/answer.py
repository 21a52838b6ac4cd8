"""A calibration as an answer: what the figures inform, and each figure beside the model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from breakrank.answer.answer import Answer, Column, Figure, Provenance, Table
from breakrank.show.words import number, span

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case.ensemble import PosteriorEnsemble

NOTHING = 0.1
"""Bits below which a figure tells next to nothing."""
HARDLY = 0.1
"""Share of members that agree with a figure, below which it is named."""


class Calibrated(Protocol):
    """What the answer of a calibration is made from; see :class:`breakrank.inference.result.Calibration`."""

    @property
    def about(self) -> Mapping[str, Any]:
        """How it was made."""

    @property
    def verdict(self) -> tuple[str, ...]:
        """What was found, in sentences."""

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """Tables by name."""

    @property
    def informed(self) -> tuple[str, ...]:
        """Names of the parameters that the figures inform."""

    @property
    def ensemble(self) -> PosteriorEnsemble | None:
        """The ensemble, where one was made."""


def answer_of(found: Calibrated) -> Answer:
    """Return the answer that a calibration comes to."""
    about, verdict = found.about, found.verdict
    fit = next((line for line in verdict if line.startswith("The model ")), "")
    parameters, targets = _parameter_table(found), _targets(found.tables["targets"])
    tables = [_informed(parameters), targets, parameters]
    tables += [assimilated(found.ensemble)] if found.ensemble is not None else []
    informed, free = len(found.informed), len(found.tables["parameters"])
    inside = int(found.tables["targets"]["inside"].astype(bool).sum())
    of_all, met = f"{informed} of {free} free parameters", f"{inside} of {len(targets.rows)}"
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
            failed=_failed(found.tables["failures"]),
            finished=int(about["simulations"]) - int(about["failed"]),
        ),
    )


def _failed(reasons: pd.DataFrame) -> tuple[str, ...]:
    """Return why simulations failed, one text each."""
    return tuple(str(reason) for reason, n in reasons["simulations"].items() for _ in range(n))


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


def _parameter_table(found: Calibrated) -> Table:
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
        "prior_median": Column(
            name="prior_median", label="Prior", interval="90%", low="prior_q05", high="prior_q95"
        ),
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
        "prior_median": Column(
            name="prior_median", label="Prior", interval="90%", low="prior_q05", high="prior_q95"
        ),
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
            "label": one["label"],
            "allowed": _allowed(*one["error90"]),
            "remark": _remark(one),
            "median": math.nan if one["median"] is None else one["median"],
            **dict(
                zip(("low", "high"), (math.nan if x is None else x for x in one["interval90"]), strict=True)
            ),
            "agree": one["agree"],
            "bits": one["bits"],
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
