"""What came of forecasts of worlds of known truth, as tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from benchmarks.synthetic_forecasts import LEVELS
from benchmarks.tables import markdown
from breakrank.questions.calibrate.arrays import uniform_p
from breakrank.questions.calibrate.regression import Array

Line = dict[str, Any]
TOLD = ("registered", "in_programme", "political_prisoners")
"""Judged counts of which the record spoke before."""


def tables(lines: Sequence[Line]) -> str:
    """Return all tables: how often intervals hold, joint checks, and scores beside naive forecasters."""
    dates = [[line["dates"][k] for line in lines] for k in range(len(lines[0]["dates"]))]
    heads = ["as of", "50% hold", "could", "90% hold", "could", "as shown", "joint p", "power", "draws worth"]
    shares = ["count", "50% hold", "90% hold", "below 5%", "above 95%", "p of ranks", "p in the prior"]
    scores = ["by", "count", "forecaster", "mean CRPS", "worlds better"]
    parts = [
        f"{len(lines)} truths",
        markdown(heads, [_of_date(date) for date in dates]),
        markdown(["as of", *shares], [row for date in dates for row in _of_counts(date)]),
        markdown(["as of", *scores], [row for date in dates for row in _scores(date)]),
    ]
    return "\n\n".join(parts)


def _of_date(date: list[Line]) -> list[str]:
    figures = [one["figures"] for one in date]
    row = [date[0]["as_of"]]
    for k, level in enumerate(LEVELS):
        row.append(held([[abs(f["rank"] - 0.5) <= level / 2 for f in of] for of in figures]))
        row.append(_percent(np.mean([one["could"][k] for one in date])))
    sharp, worth = (np.median([one[key] for one in date]) for key in ("sharp", "effective"))
    return [
        *row,
        " and ".join(_percent(np.mean([f[key] for of in figures for f in of])) for key in ("in50", "in90")),
        f"{uniform_p(np.array([one['joint'] for one in date])):.3f}",
        f"{np.median([one['power'] for one in date]):.2f}",
        f"{worth:.0f}, unsoftened {sharp:.0f}",
    ]


def _of_counts(date: list[Line]) -> Iterable[list[str]]:
    for name in dict.fromkeys(f["measure"] for f in date[0]["figures"]):
        ranks, before = (
            np.array([[f[key] for f in one["figures"] if f["measure"] == name] for one in date])
            for key in ("rank", "in_prior")
        )
        yield [
            date[0]["as_of"],
            name.replace("_", " ") + ("" if name in TOLD else ", never told"),
            *(held((np.abs(ranks - 0.5) <= level / 2).tolist()) for level in LEVELS),
            _percent((ranks < 0.05).mean()),
            _percent((ranks > 0.95).mean()),
            *(f"{_uniform(found):.3f}" for found in (ranks, before)),
        ]


def _scores(date: list[Line]) -> Iterable[list[str]]:
    for k, figure in enumerate(date[0]["figures"]):
        if figure["measure"] not in TOLD:
            continue
        each = [one["figures"][k]["crps"] for one in date]
        for name in each[0]:
            both = [(e["worlds"], e[name]) for e in each if name in e]
            better = np.mean([(mine < other) + 0.5 * (mine == other) for mine, other in both])
            count = figure["measure"].replace("_", " ")
            told = "" if name == "worlds" else _percent(better)
            score = f"{np.mean([other for _, other in both]):.1f}"
            yield [date[0]["as_of"], figure["date"], count, name, score, told]


def held(of_truths: Sequence[Sequence[bool]]) -> str:
    """Return a share with its interval of 95%, all figures of one truth taken as one answer."""
    means = np.array([np.mean(of) for of in of_truths])
    share, n = float(means.mean()), len(means)
    spread = float(means.var())
    # as many independent yes or no answers as have this spread; the interval is that of Wilson (1927)
    worth = float(n) if spread == 0 else max(1.0, share * (1 - share) / (spread / n))
    z = 1.96
    middle = (share + z * z / (2 * worth)) / (1 + z * z / worth)
    half = z / (1 + z * z / worth) * math.sqrt(share * (1 - share) / worth + (z / (2 * worth)) ** 2)
    return f"{_percent(share)} ({_percent(middle - half)} to {_percent(middle + half)})"


def _uniform(ranks: Array) -> float:
    """Return the p-value of ranks (truths, dates) being uniform, allowing for several dates (Bonferroni)."""
    return min(1.0, ranks.shape[1] * min(uniform_p(column) for column in ranks.T))


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"
