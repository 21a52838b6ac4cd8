"""Posterior predictive check: what the model gives under the posterior, beside the record and the prior.

Each draw of the posterior is run twice with other luck, so that the spread of an outcome splits into what is
not known of the parameters and what is luck.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from breakrank.questions.calibrate.record import Aim
from breakrank.questions.calibrate.regression import Array
from breakrank.results.measures import find
from breakrank.results.quantiles import LEVELS
from breakrank.results.scores import brier, crps


def target_row(
    aim: Aim, prior: Array, posterior: Array, pairs: Sequence[tuple[int, int]], curve: Array | None = None
) -> dict[str, Any]:
    """Return one row of the table of targets.

    Parameters
    ----------
    prior, posterior : what is counted on the target's date under each (n,), (m,).
    pairs : positions in `posterior` of two runs under one draw.
    curve : draws of the naive forecast from earlier figures (k,), where there is one.
    """
    target = aim.target
    before, after = _finite(prior), _finite(posterior)
    low, high = aim.figures[0].low, aim.figures[0].high
    q0 = np.quantile(before, LEVELS) if before.size else np.full(5, math.nan)
    q1 = np.quantile(after, LEVELS) if after.size else np.full(5, math.nan)
    widths = [float(np.diff(aim.scaled(q[[0, -1]]))[0]) for q in (q0, q1)]
    row: dict[str, Any] = {
        "label": target.label,
        "unit": target.unit,
        "date": str(target.date),
        "kind": _kind(aim),
        "record_low": low,
        "record_high": high,
        "sources": len(aim.figures),
    }
    for name, q in (("prior", q0), ("posterior", q1)):
        row |= {
            f"{name}_{part}": float(x)
            for part, x in zip(("q05", "q25", "median", "q75", "q95"), q, strict=True)
        }
    row |= _places(aim, q0, q1, low, high)
    row["prior_agrees"] = float(aim.agrees(before).mean()) if before.size else math.nan
    row["posterior_agrees"] = float(aim.agrees(after).mean()) if after.size else math.nan
    row["inside"] = _inside(aim, q1, after)
    row["width_ratio"] = widths[1] / widths[0] if widths[0] > 0 else math.nan
    row["score"], row["prior_score"] = score(aim, after), score(aim, before)
    row["curve_score"] = math.nan if curve is None else score(aim, curve)
    row["score_kind"] = "Brier" if _bound(aim) else "CRPS"
    row["luck_share"] = luck_share(aim, posterior, pairs)
    row["unanswered"] = int(len(posterior) - after.size)
    row["measure"] = find(target.measure).label
    return row


def _places(aim: Aim, prior: Array, posterior: Array, low: float, high: float) -> dict[str, float]:
    """Return where things lie on one scale for all: -1 and 1 are the ends of the prior's 90% interval."""
    ends = aim.scaled(prior[[0, -1]])
    half = float(ends[1] - ends[0]) / 2.0
    told = {"record_low": low, "record_high": high, "prior_median": prior[2]}
    told |= {f"posterior_{n}": x for n, x in zip(("q05", "median", "q95"), posterior[[0, 2, 4]], strict=True)}
    out = {}
    for name, x in told.items():
        if not math.isfinite(x) or not half > 0:
            out[f"at_{name}"] = float(x) if half > 0 else math.nan
        else:
            out[f"at_{name}"] = (float(aim.scaled(np.array(x))) - float(ends[0])) / half - 1.0
    return out


def score(aim: Aim, counts: Array) -> float:
    """Return how far counts (n,) are from the record, 0 at best.

    For a value or a range (its middle) the continuous ranked probability score on the scale of comparison
    (its fair estimator, since the prior has many more runs than the posterior), the mean over figures in
    conflict by their weight; for at most and at least the Brier score of the share of runs that comply.
    """
    if not counts.size:
        return math.nan
    if _bound(aim):
        figure = aim.figures[0]
        held = float(((counts >= figure.low) & (counts <= figure.high)).mean())
        return brier(held, True)
    y = aim.scaled(counts)
    told = [(f.weight, float(np.mean(aim.bounds(f)))) for f in aim.figures]
    return float(sum(weight * crps(y, at) for weight, at in told))


def luck_share(aim: Aim, counts: Array, pairs: Sequence[tuple[int, int]]) -> float:
    """Return the share of the variance of counts, on the scale, that runs under one draw still have."""
    if len(pairs) < 2:
        return math.nan
    y = aim.scaled(counts)
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


def beside_curve(scores: Iterable[tuple[float, float]]) -> tuple[int, float]:
    """Return how many targets a curve foretells, and the ratio of scores to the curve's (geometric mean).

    The ratio is below 1 where the posterior is better, and not a number where there is nothing to compare.

    Parameters
    ----------
    scores : of the posterior and of the curve, target by target; not a number where there is none.
    """
    logs = [math.log(own / naive) for own, naive in scores if own > 0 and naive > 0]
    return len(logs), math.exp(sum(logs) / len(logs)) if logs else math.nan


def _inside(aim: Aim, q: Array, counts: Array) -> bool:
    """Return whether the 90% interval reaches what any source says, its own uncertainty left out.

    Yes or no is inside where at least a tenth of the runs agree: an interval of 0 and 1 says nothing.
    """
    if not counts.size:
        return False
    if aim.scale == "plain":
        return bool(aim.agrees(counts).mean() >= 0.1)
    return any(q[0] <= f.high and q[-1] >= f.low for f in aim.figures)


def _bound(aim: Aim) -> bool:
    return not all(math.isfinite(x) for f in aim.figures for x in (f.low, f.high))


def _kind(aim: Aim) -> str:
    for kind in ("value", "range", "at_most", "at_least"):
        if getattr(aim.target, kind) is not None:
            return kind
    raise AssertionError("a target has one figure")


def _finite(x: Array) -> Array:
    return np.asarray(x[np.isfinite(x)])
