"""What a calibration found, in words: every sentence is made from numbers, and none without them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.questions.calibrate.predictive import beside_curve, summary
from breakrank.questions.calibrate.prior_check import ALLOWED
from breakrank.questions.calibrate.record import Aim
from breakrank.questions.calibrate.regression import Array
from breakrank.wording import listed

if TYPE_CHECKING:
    import pandas as pd

EXPECTED = 12.0
"""Simulations that would agree with both of two targets, if to meet one said nothing of the other, from which
none at all is no chance: that has a probability of 6e-6 (Poisson), 0.4% among the 600 pairs of 35 targets."""
NAMED = 3
"""Pairs that a sentence names."""


def contradictions(aims: Sequence[Aim], counts: Sequence[Array]) -> list[tuple[str, str]]:
    """Return the labels of pairs of targets that no simulation agrees with together, the surest pair first.

    Parameters
    ----------
    counts : what simulations of the prior count for each target (n,); not a number without an answer.
    """
    agree = [aim.agrees(c) for aim, c in zip(aims, counts, strict=True)]
    found: list[tuple[float, int, int]] = []
    for a, b in combinations(range(len(aims)), 2):
        both = np.isfinite(counts[a]) & np.isfinite(counts[b])
        mine, other = agree[a][both], agree[b][both]
        expected = mine.sum() * other.sum() / max(both.sum(), 1)
        if expected >= EXPECTED and not np.logical_and(mine, other).any():
            found.append((-float(expected), a, b))
    return [(aims[a].target.label, aims[b].target.label) for _, a, b in sorted(found)]


def told(pairs: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return a sentence on pairs of targets that contradict each other; none without any."""
    every = [f"“{a}” and “{b}”" for a, b in pairs]
    if not every:
        return ()
    more = f" ({len(every) - NAMED} more)" if len(every) > NAMED else ""
    return (
        "Some targets contradict each other in this model: simulations of the prior agree with each, and "
        f"none with both of {listed(every[:NAMED])}{more}. Look at what each counts and when, or at what the "
        "model lacks.",
    )


APART = 0.5
"""Posterior standard deviations by which two methods may differ and still agree."""
WIDE = 4
"""Times the width of what the record says, from which an interval that holds it agrees but weakly."""
FAR = 0.01
"""Share of simulations further out than the record below which it is said not to fit."""
COVERED = (0.83, 0.96)
"""Where the coverage of 90% intervals has to lie for an informed parameter to count as recovered."""
FEW_DRAWS = 60
"""Effective draws below which fewer than three lie beyond each end of a 90% interval."""
RECOVERED = 50
"""Worlds, spread evenly over all, on which recovery is told once more: the fewest that show it at all."""


def verdict(about: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[str, ...]:
    """Return the verdict, sentence by sentence."""
    return (
        _informed(about, tables["parameters"]),
        _prior(about, tables["targets"]),
        _targets(tables["targets"]),
        *_curve(tables["targets"]),
        _neighbours(about),
        _recovery(about, tables["parameters"]),
        _ranks(about, tables["parameters"]),
        _methods(about),
        _misfit(about, tables["targets"]),
        *told(about["contradictions"]),
        *_failed(about),
        *(f"Do not use this posterior for what this concerns: {one}." for one in failures(about, tables)),
    )


def failures(about: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[str, ...]:
    """Return each check that a posterior fails, in words; empty for one that may be used."""
    parameters, targets = tables["parameters"], tables["targets"]
    ranks = list(parameters.index[parameters["ranks_fail"].astype(bool)])
    outside = list(targets["label"][~targets["inside"].astype(bool)])
    apart = about["agreement"].get("most", 0.0)
    few, rare = about["effective"] < FEW_DRAWS, about["misfit"]["posterior"]["p"] < FAR
    narrow = about["joint_p"] < about["level"] / 5 and about["joint_mean"] >= 0.5
    checks = {
        f"the ranks are not uniform for {listed(ranks)}": ranks,
        "the joint posterior is too narrow": narrow,
        f"the two methods differ by up to {apart:.2f} posterior standard deviations": apart > APART,
        f"{about['effective']:.0f} effective draws are too few to tell": few,
        "all targets taken together lie further out than the model reaches": rare,
        f"outside the 90% intervals: {'; '.join(outside)}": outside,
    }
    return tuple(words for words, fails in checks.items() if fails)


def _informed(about: Mapping[str, Any], parameters: pd.DataFrame) -> str:
    informed = parameters[parameters["informed"]].sort_values("contraction", ascending=False)
    if informed.empty:
        return (
            f"The evidence informs none of the {about['free']} free parameters individually: each is left "
            "about as its prior has it. More simulations may tell more."
        )
    some = [f"{name} ({row.contraction:.0%} narrower)" for name, row in informed.head(3).iterrows()]
    rest = about["free"] - len(informed)
    return (
        f"The evidence informs {len(informed)} of {about['free']} free parameters, "
        f"most of all {', '.join(some)}. "
        f"It hardly informs the other {rest} individually."
    )


def _prior(about: Mapping[str, Any], targets: pd.DataFrame) -> str:
    p = about["misfit"]["prior"]["p"]
    together = f"Over all targets, {p:.0%} of prior simulations are further from the middle than the record."
    outside = targets[~(targets["prior_agrees"] >= ALLOWED)]
    if len(outside):
        return (
            f"The prior does not allow {len(outside)} of {len(targets)} targets: fewer than {ALLOWED:.0%} of "
            f"its simulations agree with them ({'; '.join(outside['label'])}). {together}"
        )
    least = targets.sort_values("prior_agrees").iloc[0]
    return (
        f"The prior allows each target in {least.prior_agrees:.1%} of simulations or more "
        f"(least: {least.label}). {together}"
    )


def _targets(targets: pd.DataFrame) -> str:
    told = summary({str(k): dict(v) for k, v in targets.iterrows()})
    outside = targets[~targets["inside"].astype(bool)]
    words = f"{told['inside']:.0f} of {told['targets']:.0f} targets lie inside the 90% interval of runs "
    words += "with parameters from the posterior"
    if len(outside):
        words += f" (outside: {'; '.join(outside['label'])})"
    width = targets["width_ratio"].median()
    if math.isfinite(width):
        words += f"; the intervals are {width:.0%} as wide as the prior's (median)"
    if math.isfinite(told["crps"]):
        words += (
            f", and the mean score (CRPS) is {told['crps']:.2f} against the prior's {told['prior_crps']:.2f}"
        )
    return words + "."


def _curve(targets: pd.DataFrame) -> tuple[str, ...]:
    count, ratio = beside_curve(zip(targets["score"], targets["curve_score"], strict=True))
    if not count:
        return ()
    where = f"{count} figures" if count > 1 else "one figure"
    return (
        f"A saturating curve through earlier figures of the same count forecasts {where}; there, the score "
        f"of the posterior is {ratio:.2f} times the curve's (geometric mean). This comparison is not fair: "
        "the posterior was fitted to these figures, and the curve was not; the curve starts from the earlier "
        "figures, and the runs do not. The forecasts of breakrank hindcast are fair ones.",
    )


def _neighbours(about: Mapping[str, Any]) -> str:
    near = about["near"]
    words = f"{near[-1]:.0f} simulations (an effective number) agree with nine of ten targets"
    if len(near) > 1:
        words += f" ({near[0]:.0f} after the first round)"
    return f"{words}; the posterior consists of {about['effective']:.0f} effective draws."


def _recovery(about: Mapping[str, Any], parameters: pd.DataFrame) -> str:
    informed = parameters[parameters["informed"]]
    worlds = about["worlds"]
    if informed.empty:
        held = parameters["coverage90"].mean()
        return f"In {worlds} simulations with known parameters, 90% intervals contained them in {held:.0%}."
    within = informed["coverage90"].between(*COVERED)
    words = (
        f"In {worlds} simulations with known parameters, 90% intervals of informed ones held the truth in "
        f"{informed['coverage90'].min():.0%} to {informed['coverage90'].max():.0%} "
        f"(standard error {math.sqrt(0.09 / worlds):.1%})"
    )
    due = f"as required ({COVERED[0]:.0%} to {COVERED[1]:.0%})"
    if within.all():
        words += f": every one is recovered {due}."
    else:
        words += f"; not {due}: {', '.join(informed.index[~within])}."
    return words + (_some(informed) if worlds > RECOVERED else "")


def _some(informed: pd.DataFrame) -> str:
    """Return how recovery looks on fewer worlds, where chance has more room."""
    told = informed["coverage90_of_50"]
    outside = informed.index[~told.between(*COVERED)]
    words = (
        f" In {RECOVERED} of these, spread evenly, it was {told.min():.0%} to {told.max():.0%} "
        f"(standard error {math.sqrt(0.09 / RECOVERED):.1%})"
    )
    return f"{words}, outside that range: {listed(list(outside))}." if len(outside) else f"{words}."


def _ranks(about: Mapping[str, Any], parameters: pd.DataFrame) -> str:
    fails = parameters[parameters["ranks_fail"]]
    test = f"Kolmogorov-Smirnov, {about['level']:.0%} over all {about['free']} parameters (Holm)"
    p = about["joint_p"]
    joint = f"for all informed directions together p {f'= {p:.2f}' if p >= 0.01 else '< 0.01'}"
    if fails.empty:
        words = f"The ranks of the known values are uniform for every parameter ({test})"
    else:
        words = f"The ranks of the known values are not uniform for {', '.join(fails.index)} ({test})"
    lasting = ""
    if about["joint_p"] < about["level"] / 5:
        wide = about["joint_mean"] < 0.5
        lasting = (
            "; the joint posterior is too wide"
            if wide
            else "; the joint posterior is too narrow: do not use it"
        )
    return f"{words}; {joint} (TARP){lasting}."


def _methods(about: Mapping[str, Any]) -> str:
    told = about["agreement"]
    if not told["parameters"]:
        return "Regression-adjusted ABC and one linear regression have no informed parameter to compare."
    agree = (
        "agree"
        if told["most"] <= APART
        else "agree on most and differ on some"
        if told["median"] <= APART
        else "differ"
    )
    return (
        f"Regression-adjusted ABC and one linear regression {agree}: their means are {told['median']:.2f} "
        f"posterior standard deviations apart (median of {told['parameters']} informed parameters), "
        f"{told['most']:.2f} at most."
    )


def _misfit(about: Mapping[str, Any], targets: pd.DataFrame) -> str:
    p, effective = about["misfit"]["posterior"]["p"], about["effective"]
    if effective < FEW_DRAWS and about["misfit"]["prior"]["p"] >= FAR:
        return (
            f"{effective:.0f} effective draws do not decide whether the model can produce a record like this "
            f"one, nor where 90% intervals end: with fewer than {FEW_DRAWS} draws, fewer than "
            f"{FEW_DRAWS // 20} lie beyond each end. Use more simulations."
        )
    worst = targets.reindex(targets["pull_posterior"].abs().sort_values(ascending=False).index).iloc[0]
    words = (
        f"{p:.0%} of runs with parameters from the posterior are further from their middle than the record is"
    )
    if p < FAR or about["misfit"]["prior"]["p"] < FAR:
        return f"The model does not produce a record like this one: {words}; the worst fit is {worst.label}."
    outside = targets[~targets["inside"].astype(bool)]
    if len(outside):
        lies = f"{listed(list(outside['label']))} {'lie' if len(outside) > 1 else 'lies'} outside"
        return f"The model produces a record like this one but in part: {lies}. Taken together, {words}."
    said = f"The model can produce a record like this one: {words}; the worst fit is {worst.label}."
    return said + _weak(targets)


def _weak(targets: pd.DataFrame) -> str:
    """Say that agreement is weak where most intervals are far wider than what the record says."""
    said = targets["record_high"] - targets["record_low"]
    ranges = targets[(said > 0) & (said < math.inf)]
    spread = ranges["posterior_q95"] - ranges["posterior_q05"]
    wide = int((spread > WIDE * said[ranges.index]).sum())
    if not wide or 2 * wide <= len(ranges):
        return ""
    return (
        f" That says little: {wide} of {len(ranges)} intervals are more than {WIDE} times as wide as what "
        "the record says."
    )


def _failed(about: Mapping[str, Any]) -> tuple[str, ...]:
    if not about["failed"]:
        return ()
    share = about["failed"] / about["simulations"]
    words = (
        f"{about['failed']:,} of {about['simulations']:,} simulations failed ({share:.1%}) and are left out"
    )
    if about["failed_where"]:
        some = ", ".join(
            f"{name} {'high' if shift > 0 else 'low'}" for name, shift in about["failed_where"][:3]
        )
        return (
            f"{words}; they fail more often with {some}, so the posterior says nothing about such values.",
        )
    return (f"{words}; failure does not depend on any single parameter.",)
