"""From the arrays of a calibration to its tables, its posterior and its verdict.

A naive forecast stands beside each count: a saturating curve through its earlier figures. It is fitted to the
figures of the same count before the target's date and to nothing else, so it has seen neither this figure nor
a later one. The posterior has seen them all; runs under it do not start from the earlier figures.
"""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.case.draws import Draws
from breakrank.case.fitting import fitted_to
from breakrank.case.posterior import Posterior
from breakrank.questions.calibrate.arrays import LEVEL, rejected, uniform_p
from breakrank.questions.calibrate.methods import Learned, Weighted
from breakrank.questions.calibrate.predictive import target_row
from breakrank.questions.calibrate.regression import Array, effective, weighted_quantiles
from breakrank.questions.calibrate.reported import alike, counts, cumulative, inside, origin, saturating_curve
from breakrank.questions.calibrate.result import Calibration
from breakrank.questions.calibrate.verdict import RECOVERED, contradictions, failures, verdict
from breakrank.results.quantiles import MEDIAN_AND_ENDS
from breakrank.runs.versions import versions

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case import Case, Target
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


def curve_before(case: Case, target: Target) -> Array | None:
    """Return draws (400,) of a target by a curve through the earlier figures of its count.

    ``None`` for what is no cumulative count, and where the record has no earlier figure of it that began on
    the same day.
    """
    if not cumulative(target) or target.unit == "1 or 0":
        return None
    told = [t for t in alike(target, inside(case)) if t.date < target.date and t.start == target.start]
    if not told:
        return None
    return saturating_curve(counts(case, told), float((target.date - origin(case, told[0])).days))


INFORMED = 0.1
"""Contraction of the variance, in z-space, above which the evidence is said to inform a parameter."""
LEVELS = (0.5, 0.8, 0.9, 0.95)
"""Levels of intervals whose coverage is told."""
_TOLD = np.array(MEDIAN_AND_ENDS)


def told(work: CalibrationArrays, store: Path, seconds: float, command: str) -> Calibration:
    """Return a calibration as a result."""
    import pandas as pd

    tables = {
        "parameters": _parameters(work),
        "targets": _targets(work),
        "rounds": _rounds(work),
        "directions": _directions(work),
    }
    tables["coverage"] = _coverage(work, tables["parameters"])
    columns = {name: work.checks.ranks[:, k] for k, name in enumerate(work.free.names)}
    tables["ranks"] = pd.DataFrame({"world": work.checks.worlds, "jointly": work.checks.joint, **columns})
    tables["ranks"] = tables["ranks"].set_index("world")
    tables["failures"] = _failures(work)
    about = about_of(work, tables["parameters"], seconds, command, store)
    lines = verdict(about, tables)
    values = np.array([[float(f"{x:.6g}") for x in row] for row in work.free.values(work.draws)])
    draws = Draws(work.free.names, values, shuffled=True)
    return Calibration(
        Posterior(draws, making_of(work, about, tables, lines)), lines, about, tables, work.case
    )


def contraction(learned: Learned, found: Weighted) -> Array:
    """Return by how much the variance of each parameter shrank from prior to posterior, in z-space (p,).

    Only what happens along the informed directions counts: across them draws keep the prior, and a variance
    of a few hundred draws would be told as news.
    """
    axes = learned.axes
    if axes.shape[0] == axes.shape[1]:
        return np.asarray(1.0 - found.variance)
    a = found.z @ axes
    centred = a - found.weights @ a
    n = found.effective
    spread = (found.weights * centred.T) @ centred * n / max(n - 1.0, 1.0)
    return np.asarray((axes * axes).sum(1) - np.einsum("ij,jk,ik->i", axes, spread, axes))


def _parameters(work: CalibrationArrays) -> pd.DataFrame:
    import pandas as pd

    checks, free = work.checks, work.free
    z = weighted_quantiles(work.posterior.z, work.posterior.weights, _TOLD)
    after = free.values(z)
    before = np.array([[prior.quantile(float(p)) for p in _TOLD] for prior in free.priors])
    own, other = contraction(work.learned, work.posterior), contraction(work.other, work.second)
    informed = (own >= INFORMED) & (other >= INFORMED / 2)
    p = np.array([uniform_p(checks.ranks[:, k], checks.bank) for k in range(len(free))])
    worlds = min(RECOVERED, len(checks.ranks))
    some = checks.ranks[np.arange(worlds) * len(checks.ranks) // worlds]
    given = [work.case.parameters[name] for name in free.names]
    parts = ("q05", "median", "q95")
    columns: dict[str, object] = {
        "mechanism": [name.partition(".")[0] for name in free.names],
        "unit": [one.unit for one in given],
        "value": [one.value for one in given],
    }
    for name, table in (("prior", before.T), ("posterior", after), ("z", z)):
        columns |= {f"{name}_{part}": row for part, row in zip(parts, table, strict=True)}
    columns |= {
        "contraction": own,
        "shift": work.posterior.mean,
        "informed": informed,
        "second_contraction": other,
        "second_shift": work.second.mean,
        "recovered": checks.recovered,
        "coverage90": checks.coverage(0.9),
        "coverage90_of_50": (np.abs(some - 0.5) <= 0.45).mean(0),
        "ranks_p": p,
        "ranks_fail": rejected(p),
    }
    return pd.DataFrame(columns, index=pd.Index(free.names, name="parameter"))


def _targets(work: CalibrationArrays) -> pd.DataFrame:
    import pandas as pd

    prior = work.bank.rounds == 0
    numbers = {int(n): k for k, n in enumerate(work.predictive.numbers)}
    pairs = [(k, numbers[n + 1]) for n, k in numbers.items() if n % 2 == 0 and n + 1 in numbers]
    rows = {}
    for k, aim in enumerate(work.record.aims):
        before, after = work.bank.counts[k][prior, 0], work.predictive.counts[k][:, 0]
        row = target_row(aim, before, after, pairs, curve_before(work.case, aim.target))
        rows[aim.id] = row | {
            "pull_prior": float(work.misfit_prior.pulls[k]),
            "pull_posterior": float(work.misfit_posterior.pulls[k]),
            "prior_unanswered": int(work.unanswered[k]),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("target")


def _rounds(work: CalibrationArrays) -> pd.DataFrame:
    import pandas as pd

    sizes = work.settings.sizes()
    rows = []
    for k in range(len(work.near)):
        here = work.bank.rounds == k
        upto = work.bank.rounds <= k
        rows.append(
            {
                "round": k + 1,
                "from": "the prior" if k == 0 else "around the posterior",
                "asked": sizes[k],
                "finished": int(here.sum()),
                "failed": sizes[k] - int(here.sum()),
                "effective": effective(np.where(upto, work.weights, 0.0)),
                "neighbours": work.near[k],
            }
        )
    return pd.DataFrame(rows).set_index("round")


def _directions(work: CalibrationArrays) -> pd.DataFrame:
    """Return the directions of the default method, with the parameters that weigh most in each."""
    import pandas as pd

    found, rows = work.learned.directions, []
    for k in range(found.count):
        axis = found.axes[:, k]
        top = np.argsort(-np.abs(axis), kind="stable")[:5]
        words = ", ".join(f"{axis[i]:+.2f} {work.free.names[i]}" for i in top)
        rows.append({"direction": k + 1, "explained": float(found.explained[k]), "mostly": words})
    return pd.DataFrame(rows).set_index("direction")


def _coverage(work: CalibrationArrays, parameters: pd.DataFrame) -> pd.DataFrame:
    import pandas as pd

    informed = parameters["informed"].to_numpy(dtype=bool)
    rows = []
    for level in LEVELS:
        each = work.checks.coverage(level)
        rows.append(
            {
                "level": level,
                "informed": float(each[informed].mean()) if informed.any() else math.nan,
                "informed_least": float(each[informed].min()) if informed.any() else math.nan,
                "informed_most": float(each[informed].max()) if informed.any() else math.nan,
                "all": float(each.mean()),
                "jointly": float((work.checks.joint <= level).mean()),
            }
        )
    return pd.DataFrame(rows).set_index("level")


def _failures(work: CalibrationArrays) -> pd.DataFrame:
    import pandas as pd

    told = Counter(f"{one.where}: {one.why}".splitlines()[0] for one in work.bank.failures)
    rows = [{"reason": reason, "simulations": count} for reason, count in told.most_common()]
    return pd.DataFrame(rows, columns=["reason", "simulations"]).set_index("reason")
