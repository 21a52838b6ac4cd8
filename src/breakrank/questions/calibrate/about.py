"""What a calibration says about itself: settings, tests and how it was made."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.case.fitting import fitted_to
from breakrank.questions.calibrate.checks import LEVEL, rejected, uniform_p
from breakrank.questions.calibrate.contradictions import contradictions
from breakrank.questions.calibrate.verdict import failures
from breakrank.runs.ceiling import held_back
from breakrank.runs.versions import versions

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.questions.calibrate.arrays import CalibrationArrays


def about_of(
    work: CalibrationArrays, parameters: pd.DataFrame, seconds: float, command: str, store: Path
) -> dict[str, Any]:
    """Return everything a calibration says of itself as plain values by name."""
    joint = uniform_p(work.checks.joint, work.checks.bank)
    settings = work.settings
    return {
        "case": work.case.id,
        "title": work.case.title,
        "digest": work.case.digest,
        "seed": settings.seed,
        "simulations": len(work.bank) + len(work.bank.lost),
        "finished": len(work.bank),
        "failed": len(work.bank.lost),
        "failed_where": _failing(work),
        "rounds": int(work.bank.rounds.max()) + 1,
        "fixed": list(settings.fixed),
        "free": len(work.free),
        "worlds": len(work.checks.worlds),
        "predictive": len(work.predictive),
        "near": [round(x, 1) for x in work.near],
        "effective": work.posterior.effective,
        "explained": work.learned.directions.explained.tolist(),
        "contradictions": contradictions(
            work.record.aims, [c[work.bank.rounds == 0, 0] for c in work.bank.counts]
        ),
        "ceiling": _ceiling(work),
        "joint_p": joint,
        "joint_mean": float(work.checks.joint.mean()),
        "level": LEVEL,
        "misfit": {
            name: {"distance": one.distance, "typical": one.typical, "p": one.p}
            for name, one in (("prior", work.misfit_prior), ("posterior", work.misfit_posterior))
        },
        "agreement": _agreement(work, parameters),
        "seconds": seconds,
        "command": command,
        "store": str(store),
        "versions": versions(work.case),
        "model": work.model,
    }


def _ceiling(work: CalibrationArrays) -> str:
    """Return what the ceiling of acts does at the posterior's medians; empty where it does not bind."""
    middle = np.median(work.free.values(work.draws), axis=0)
    changed = {name: float(f"{x:.6g}") for name, x in zip(work.free.names, middle, strict=True)}
    found = held_back(work.case.set(changed))
    return found.words if found.binds else ""


def _agreement(work: CalibrationArrays, parameters: pd.DataFrame) -> dict[str, float]:
    """Return how far apart the two methods are on informed parameters, in posterior standard deviations."""
    informed = parameters["informed"].to_numpy(dtype=bool)
    if not informed.any():
        return {"parameters": 0}
    sd = np.sqrt(np.maximum(1.0 - parameters["contraction"].to_numpy(dtype=float), 0.01))
    apart = np.abs(work.posterior.mean - work.second.mean)[informed] / sd[informed]
    return {"parameters": int(informed.sum()), "median": float(np.median(apart)), "most": float(apart.max())}


def _failing(work: CalibrationArrays) -> list[list[Any]]:
    """Return parameters that differ between simulations that failed and the others: name and shift."""
    lost = work.bank.lost
    if len(lost) < 3:
        return []
    shift = (lost.mean(0) - work.bank.z.mean(0)) * np.sqrt(len(lost))
    p = np.array([math.erfc(abs(x) / math.sqrt(2.0)) for x in shift])
    found = np.flatnonzero(rejected(p))
    return [[work.free.names[k], float(lost.mean(0)[k])] for k in found[np.argsort(p[found])]]


def making_of(
    work: CalibrationArrays, about: dict[str, Any], tables: dict[str, pd.DataFrame], lines: tuple[str, ...]
) -> dict[str, Any]:
    """Return what ``about.yaml`` of the posterior says."""
    parameters = tables["parameters"]
    informed = parameters[parameters["informed"]].sort_values("contraction", ascending=False)
    kept = ("command", "seconds", "versions", "model", "digest")
    settings = ("seed", "simulations", "finished", "failed", "rounds", "fixed", "worlds", "predictive")
    return {
        "case": work.case.id,
        "fitted_to": fitted_to(work.case),
        "verdict": list(lines),
        "fails": list(failures(about, tables)),
        "made": {k: about[k] for k in kept},
        "settings": {k: about[k] for k in settings},
        "targets": list(work.record.ids),
        "record": work.record.digest,
        "informed": {str(name): round(float(x), 3) for name, x in informed["contraction"].items()},
        "tests": {"joint_p": about["joint_p"], "misfit": about["misfit"], "agreement": about["agreement"]},
    }
