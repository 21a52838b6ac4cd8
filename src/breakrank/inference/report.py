"""The tables and the verdict of a calibration; every sentence is made from numbers, and none without them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.inference.observed import ObservedTarget, ObservedTargets
from breakrank.inference.posterior import FELT, Fitted
from breakrank.inference.predictive import ALLOWED, Misfit, summary, target_row
from breakrank.inference.reported import Array
from breakrank.inference.simulations import Simulations
from breakrank.results.uncertainty import MEDIAN_AND_ENDS
from breakrank.runs.undated import Remains
from breakrank.wording import listed

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case import Case
    from breakrank.case.ensemble import PosteriorEnsemble
    from breakrank.case.free_parameters import Free

INFORMED = 0.1
"""Share of a parameter's prior variance that the figures take away, at least, to be said to inform it."""
ERRORS = 2.0
"""Monte Carlo standard errors by which it has to exceed none."""
MOST_R_HAT, LEAST_ESS = 1.05, 100.0
"""R-hat and bulk effective sample size that chains must reach: 1.01 and 400 by Vehtari and others (2021)."""
FAR = 0.01
"""Share of simulations further out than the figures, below which the model is said not to reach them."""
EXPECTED = 12.0
"""Simulations that would agree with both of two targets, if to meet one said nothing of the other, from which
none at all is no chance: that has a probability of 6e-6 (Poisson), 0.4% among the 600 pairs of 35 targets."""
UNFIT = "Do not use this posterior for what this concerns"
LITTLE = "To meet the figures confirms little"
LEVEL = "the fit rests on the level"
"""Said where half of the leading count or more remains under the posterior without any dated event."""
NAMED = 3
"""Pairs that a sentence names."""


def parameter_table(case: Case, free: Free, fitted: Fitted, felt: Array) -> pd.DataFrame:
    """Return prior and posterior of each free parameter, and what the figures say of it.

    ``contraction`` is the share of the prior variance that went, in z-space; ``shift`` the posterior mean
    there; ``felt`` what synthetic figures leave of the standard deviation.
    """
    import pandas as pd
    from arviz_stats.base import array_stats

    draws, chains = fitted.chains.draws, {"chain_axis": 0, "draw_axis": 1}
    z = np.quantile(draws, MEDIAN_AND_ENDS, axis=0, method="hazen")
    before = np.array([[prior.quantile(float(p)) for p in MEDIAN_AND_ENDS] for prior in free.priors])
    ess = array_stats.ess(fitted.chains.z, method="bulk", **chains)
    contraction = 1.0 - draws.var(axis=0, ddof=1)
    error = (1.0 - contraction) * np.sqrt(2.0 / ess)
    parameters = [case.parameters[name] for name in free.names]
    columns: dict[str, object] = {
        "mechanism": [name.partition(".")[0] for name in free.names],
        "unit": [one.unit for one in parameters],
        "value": [one.value for one in parameters],
    }
    for name, table in (("prior", before.T), ("posterior", free.values(z)), ("z", z)):
        columns |= {f"{name}_{part}": row for part, row in zip(("q05", "median", "q95"), table, strict=True)}
    columns |= {
        "contraction": contraction,
        "shift": draws.mean(axis=0),
        "informed": (contraction >= INFORMED) & (contraction >= ERRORS * error),
        "sd_on_synthetic": felt,
        "felt": felt < FELT,
        "r_hat": array_stats.rhat(fitted.chains.z, method="rank", **chains),
        "ess": ess,
    }
    return pd.DataFrame(columns, index=pd.Index(free.names, name="parameter"))


def target_table(
    targets: ObservedTargets, prior: Simulations, predictive: Simulations, gaps: Array, after: Misfit
) -> pd.DataFrame:
    """Return each target beside runs of the prior and runs with parameters from the posterior, two a draw."""
    import pandas as pd

    place = {int(n): k for k, n in enumerate(predictive.numbers)}
    pairs = [(k, place[n + 1]) for n, k in place.items() if n % 2 == 0 and n + 1 in place]
    rows = {}
    for k, target in enumerate(targets.targets):
        row = target_row(target, prior.counts[k][:, 0], predictive.counts[k][:, 0], pairs)
        rows[target.id] = row | {"pull_posterior": float(after.pulls[k]), "prior_unanswered": int(gaps[k])}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("target")


def wave_table(fitted: Fitted, sizes: Sequence[int]) -> pd.DataFrame:
    """Return the simulations of each wave."""
    import pandas as pd

    rows = [
        {
            "wave": k + 1,
            "from": "the prior" if k == 0 else "the posterior so far",
            "asked": asked,
            "finished": done,
            "failed": asked - done,
        }
        for k, (asked, done) in enumerate(zip(sizes, fitted.waves, strict=True))
    ]
    return pd.DataFrame(rows).set_index("wave")


def summary_table(targets: ObservedTargets, fitted: Fitted) -> pd.DataFrame:
    """Return the share of each target's variance that parameters explain in the emulator."""
    import pandas as pd

    explained = np.full(len(targets.targets), np.nan)
    explained[fitted.emulator.kept] = fitted.emulator.explained
    ids = pd.Index(targets.ids, name="target")
    return pd.DataFrame(
        {"label": [one.target.label for one in targets.targets], "explained": explained}, index=ids
    )


def failure_table(simulations: Simulations) -> pd.DataFrame:
    """Return simulations that failed, by reason."""
    import pandas as pd

    rows = [{"reason": k, "simulations": n} for k, n in Counter(simulations.reasons).most_common()]
    return pd.DataFrame(rows, columns=["reason", "simulations"]).set_index("reason")


def contradictions(targets: Sequence[ObservedTarget], counts: Sequence[Array]) -> list[tuple[str, str]]:
    """Return the labels of pairs of targets that no simulation agrees with together, the surest pair first.

    Parameters
    ----------
    counts : of simulations of the prior for each target (n,); not a number without an answer.
    """
    agree = [one.agrees(c) for one, c in zip(targets, counts, strict=True)]
    found: list[tuple[float, int, int]] = []
    for a, b in combinations(range(len(targets)), 2):
        both = np.isfinite(counts[a]) & np.isfinite(counts[b])
        mine, other = agree[a][both], agree[b][both]
        expected = mine.sum() * other.sum() / max(both.sum(), 1)
        if expected >= EXPECTED and not np.logical_and(mine, other).any():
            found.append((-float(expected), a, b))
    return [(targets[a].target.label, targets[b].target.label) for _, a, b in sorted(found)]


def verdict(
    about: Mapping[str, Any], tables: Mapping[str, pd.DataFrame], ensemble: PosteriorEnsemble | None
) -> tuple[str, ...]:
    """Return the findings of a calibration, sentence by sentence."""
    parameters, targets = tables["parameters"], tables["targets"]
    return (
        _informed(parameters),
        _prior(about, targets),
        _inside(targets),
        *_members(ensemble),
        _chains(parameters),
        _misfit(about, targets),
        *(one.said for one in _remaining(about)),
        *little_confirmed(len(parameters), int(parameters["informed"].sum())),
        *contradiction_sentences(about["contradictions"]),
        *_failed(about),
        *(f"{UNFIT}: {one}." for one in failures(about, tables)),
    )


def failures(about: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> tuple[str, ...]:
    """Return each check that a posterior fails, in words; empty for one that may be used."""
    parameters, targets, remaining = tables["parameters"], tables["targets"], _remaining(about)
    outside = list(targets["label"][~targets["inside"].astype(bool)])
    checks = {
        "the chains have not mixed": not _mixed(parameters),
        "all targets taken together lie further out than the model reaches": about["misfit"]["posterior"]["p"]
        < FAR,
        f"outside the 90% intervals: {'; '.join(outside)}": outside,
        **{f"{LEVEL}: {one.share:.0%} remains without any dated event": one.is_level for one in remaining},
    }
    return tuple(words for words, fails in checks.items() if fails)


def _remaining(about: Mapping[str, Any]) -> list[Remains]:
    told = about.get("without_events")
    return [Remains(**told)] if told else []


def little_confirmed(count: int, informed: int) -> tuple[str, ...]:
    """Say that a fit confirms little, if the figures leave most parameters as they were."""
    if 2 * informed >= count:
        return ()
    return (f"{LITTLE}: {count - informed} of {count} free parameters are about as their priors have them.",)


def _mixed(parameters: pd.DataFrame) -> bool:
    return bool(parameters["r_hat"].max() < MOST_R_HAT and parameters["ess"].min() >= LEAST_ESS)


def _informed(parameters: pd.DataFrame) -> str:
    informed = parameters[parameters["informed"]].sort_values("contraction", ascending=False)
    felt, count = int(parameters["felt"].sum()), len(parameters)
    can = f"figures of this kind can tell of {felt} of {count} free parameters"
    if informed.empty:
        return f"The figures inform no parameter on its own, each is about as its prior has it; {can}."
    some = ", ".join(f"{name} ({row.contraction:.0%})" for name, row in informed.head(3).iterrows())
    return (
        f"The figures inform {len(informed)} of {count} free parameters, most of all {some} of the prior "
        f"variance; {can}. The rest is left about as its prior has it."
    )


def _prior(about: Mapping[str, Any], targets: pd.DataFrame) -> str:
    p = about["misfit"]["prior"]["p"]
    together = f"Over all targets, {p:.0%} of prior simulations are further from the middle than the figures."
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


def _inside(targets: pd.DataFrame) -> str:
    scores = summary({str(k): dict(v) for k, v in targets.iterrows()})
    outside = targets[~targets["inside"].astype(bool)]
    words = f"{scores['inside']:.0f} of {scores['targets']:.0f} targets lie inside the 90% interval of runs "
    words += "with parameters from the posterior"
    if len(outside):
        words += f" (outside: {'; '.join(outside['label'])})"
    words += "."
    width = targets["width_ratio"].median()
    if math.isfinite(width):
        words += f" The intervals are {width:.0%} as wide as the prior's (median)."
    if math.isfinite(scores["crps"]):
        before = scores["prior_crps"]
        words += f" The mean score (CRPS) is {scores['crps']:.2f}, that of the prior {before:.2f}."
    return words


def _members(ensemble: PosteriorEnsemble | None) -> Iterator[str]:
    if ensemble is None:
        yield "No member was conditioned on single events: runs have random numbers of their own."
        return
    about = ensemble.about
    yield (
        f"The ensemble has {about['members']:,} members; the effective sample size before resampling is "
        f"{about['ess_untempered']:.1f} of {about['filtered']:,} filtered draws with the full likelihood"
        + ("." if about["tempering"] == 1 else f", {about['ess']:.1f} tempered to {about['tempering']:.2f}.")
    )


def _chains(parameters: pd.DataFrame) -> str:
    words = "have mixed" if _mixed(parameters) else "have not mixed"
    return (
        f"The chains {words}: R-hat is {parameters['r_hat'].max():.3f} at most, and the bulk effective "
        f"sample size {parameters['ess'].min():.0f} at least."
    )


def _misfit(about: Mapping[str, Any], targets: pd.DataFrame) -> str:
    p = about["misfit"]["posterior"]["p"]
    worst = targets.reindex(targets["pull_posterior"].abs().sort_values(ascending=False).index).iloc[0]
    words = (
        f"{p:.0%} of runs with parameters from the posterior are further from their middle than the figures"
    )
    if p < FAR or about["misfit"]["prior"]["p"] < FAR:
        return f"The model does not produce figures like these: {words}. The worst fit is {worst.label}."
    outside = targets[~targets["inside"].astype(bool)]
    if len(outside):
        lies = f"{listed(list(outside['label']))} {'lie' if len(outside) > 1 else 'lies'} outside"
        return f"The model produces figures like these but in part: {lies}. Taken together, {words}."
    return f"The model can produce figures like these: {words}. The worst fit is {worst.label}."


def contradiction_sentences(pairs: Iterable[Sequence[str]]) -> tuple[str, ...]:
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


def failing_parameters(simulations: Simulations, names: Sequence[str]) -> list[list[Any]]:
    """Return parameters that differ between simulations that failed and the others: name and shift.

    Their means are compared at 5% over all parameters together (Bonferroni).
    """
    lost = simulations.lost
    if len(lost) < 3:
        return []
    shift = (lost.mean(0) - simulations.z.mean(0)) * np.sqrt(len(lost))
    p = np.array([math.erfc(abs(x) / math.sqrt(2.0)) for x in shift])
    found = np.flatnonzero(p < 0.05 / len(p))
    return [[names[k], float(lost.mean(0)[k])] for k in found[np.argsort(p[found])]]
