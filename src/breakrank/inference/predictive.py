"""Posterior predictive check: what runs count under the posterior, beside the observed figures and the prior.

Each draw of the posterior is run twice with other random numbers, so that the spread of an outcome splits
into what is not known of the parameters and chance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from breakrank.inference.observed import ObservedTarget
from breakrank.inference.regression import Array
from breakrank.results.measures import find
from breakrank.results.quantiles import LEVELS
from breakrank.results.scores import brier, crps


def target_row(
    target: ObservedTarget, prior: Array, posterior: Array, pairs: Sequence[tuple[int, int]]
) -> dict[str, Any]:
    """Return one row of the table of targets.

    Parameters
    ----------
    prior, posterior : what is counted on the target's date under each (n,), (m,).
    pairs : positions in `posterior` of two runs under one draw.
    """
    wanted = target.target
    before, after = _finite(prior), _finite(posterior)
    low, high = target.figures[0].low, target.figures[0].high
    q0 = np.quantile(before, LEVELS) if before.size else np.full(5, math.nan)
    q1 = np.quantile(after, LEVELS) if after.size else np.full(5, math.nan)
    widths = [float(np.diff(target.scaled(q[[0, -1]]))[0]) for q in (q0, q1)]
    row: dict[str, Any] = {
        "label": wanted.label,
        "unit": wanted.unit,
        "date": str(wanted.date),
        "kind": _kind(target),
        "figure_low": low,
        "figure_high": high,
        "sources": len(target.figures),
    }
    for name, q in (("prior", q0), ("posterior", q1)):
        row |= {
            f"{name}_{part}": float(x)
            for part, x in zip(("q05", "q25", "median", "q75", "q95"), q, strict=True)
        }
    row |= _places(target, q0, q1, low, high)
    row["prior_agrees"] = float(target.agrees(before).mean()) if before.size else math.nan
    row["posterior_agrees"] = float(target.agrees(after).mean()) if after.size else math.nan
    row["inside"] = _inside(target, q1, after)
    row["width_ratio"] = widths[1] / widths[0] if widths[0] > 0 else math.nan
    row["score"], row["prior_score"] = score(target, after), score(target, before)
    row["score_kind"] = "Brier" if _bound(target) else "CRPS"
    row["chance_share"] = chance_share(target, posterior, pairs)
    row["unanswered"] = int(len(posterior) - after.size)
    row["measure"] = find(wanted.measure).label
    return row


def _places(
    target: ObservedTarget, prior: Array, posterior: Array, low: float, high: float
) -> dict[str, float]:
    """Return where things lie on one scale for all: -1 and 1 are the ends of the prior's 90% interval."""
    ends = target.scaled(prior[[0, -1]])
    half = float(ends[1] - ends[0]) / 2.0
    told = {"figure_low": low, "figure_high": high, "prior_median": prior[2]}
    told |= {f"posterior_{n}": x for n, x in zip(("q05", "median", "q95"), posterior[[0, 2, 4]], strict=True)}
    out = {}
    for name, x in told.items():
        if not math.isfinite(x) or not half > 0:
            out[f"at_{name}"] = float(x) if half > 0 else math.nan
        else:
            out[f"at_{name}"] = (float(target.scaled(np.array(x))) - float(ends[0])) / half - 1.0
    return out


def score(target: ObservedTarget, counts: Array) -> float:
    """Return how far counts (n,) are from the figure, 0 at best.

    For a value or a range (its middle) the continuous ranked probability score on the scale of comparison
    (its fair estimator, since the prior has many more runs than the posterior), the mean over figures in
    conflict by their weight; for at most and at least the Brier score of the share of runs that comply.
    """
    if not counts.size:
        return math.nan
    if _bound(target):
        figure = target.figures[0]
        held = float(((counts >= figure.low) & (counts <= figure.high)).mean())
        return brier(held, True)
    y = target.scaled(counts)
    told = [(f.weight, float(np.mean(target.bounds(f)))) for f in target.figures]
    return float(sum(weight * crps(y, at) for weight, at in told))


def chance_share(target: ObservedTarget, counts: Array, pairs: Sequence[tuple[int, int]]) -> float:
    """Return the share of the variance of counts, on the scale, that runs under one draw still have."""
    if len(pairs) < 2:
        return math.nan
    y = target.scaled(counts)
    a, b = (y[[p[k] for p in pairs]] for k in (0, 1))
    known = np.isfinite(a) & np.isfinite(b)
    if known.sum() < 2:
        return math.nan
    within = float(np.mean((a[known] - b[known]) ** 2)) / 2.0
    whole = float(np.var(np.concatenate([a[known], b[known]])))
    return min(1.0, within / whole) if whole > 0 else math.nan


def summary(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """Return how many targets lie inside, and how much better scores became."""
    inside = [bool(r["inside"]) for r in rows.values()]
    crps_ = [(r["score"], r["prior_score"]) for r in rows.values() if r["score_kind"] == "CRPS"]
    told = [(a, b) for a, b in crps_ if math.isfinite(a) and math.isfinite(b)]
    return {
        "targets": len(inside),
        "inside": sum(inside),
        "crps": float(np.mean([a for a, _ in told])) if told else math.nan,
        "prior_crps": float(np.mean([b for _, b in told])) if told else math.nan,
    }


def _inside(target: ObservedTarget, q: Array, counts: Array) -> bool:
    """Return whether the 90% interval reaches what any source says, its own uncertainty left out.

    Yes or no is inside where at least a tenth of the runs agree: an interval of 0 and 1 says nothing.
    """
    if not counts.size:
        return False
    if target.scale == "plain":
        return bool(target.agrees(counts).mean() >= 0.1)
    return any(q[0] <= f.high and q[-1] >= f.low for f in target.figures)


def _bound(target: ObservedTarget) -> bool:
    return not all(math.isfinite(x) for f in target.figures for x in (f.low, f.high))


def _kind(target: ObservedTarget) -> str:
    for kind in ("value", "range", "at_most", "at_least"):
        if getattr(target.target, kind) is not None:
            return kind
    raise AssertionError("a target has one figure")


def _finite(x: Array) -> Array:
    return np.asarray(x[np.isfinite(x)])
