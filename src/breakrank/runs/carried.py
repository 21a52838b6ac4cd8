"""What a new case has from others: psychological values with their priors, and wide national ones."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.case.case import Case
from breakrank.case.files import Files, to_yaml, with_entry
from breakrank.case.fitting import fits
from breakrank.case.models_parameters import SHAPES, STRENGTH, PriorEntry
from breakrank.case.prior import Prior
from breakrank.spec import Catalogue, Parameter

Entry = dict[str, Any]
"""An entry of parameters.yaml as plain values."""
UNPROVEN = (
    "That psychological values travel is assumed: with those of the other built-in cases, forecasts of some "
    "cases were better than with their own prior, and of others worse."
)
"""What is said wherever psychological values of another case are taken."""


def carried(origin: Case, *, fitted: bool = True) -> dict[str, Entry]:
    """Return the psychological entries that a case passes on.

    Parameters
    ----------
    origin : the case they come from.
    fitted : as its posterior leaves them: the median of the draws, and of its prior and a normal and a
        lognormal distribution the one nearest to them (Kolmogorov's distance). Otherwise, or where the case
        has no posterior of its present priors and record, as they were before. What the origin leaves out (0,
        without a prior) has the model's typical value.
    """
    posterior = origin.posterior
    draws = posterior.draws if fitted and posterior is not None and fits(posterior, origin) else None
    out: dict[str, Entry] = {}
    for name, declared in origin.catalogue.parameters.items():
        if declared.scope != "psychological":
            continue
        mine = origin.parameters[name]
        if mine.value == 0 and mine.prior is None and declared.typical:
            out[name] = _typical(declared, origin)
            continue
        value, prior, how = mine.value, mine.prior, "as it was before any fit to a record"
        if draws is not None and name in draws.names and prior is not None:
            column = draws.values[:, draws.names.index(name)]
            value, prior = float(np.clip(np.median(column), mine.low, mine.high)), _nearest(column, prior)
            how = "as its posterior leaves it"
        entry: Entry = {"value": rounded(value)}
        if prior is not None:
            entry["prior"] = _plain(prior)
        entry |= {"unit": mine.unit, "range": [mine.low, mine.high]}
        entry["assumed"] = f"Psychological; carried over from {origin.title}, {how}."
        out[name] = entry
    return out


def _typical(declared: Parameter, origin: Case) -> Entry:
    """Return the entry of what the origin knows nothing of."""
    entry: Entry = {"value": declared.typical}
    prior = wide(declared, declared.typical)
    entry |= {} if prior is None else {"prior": prior}
    entry |= {"unit": declared.unit, "range": [declared.low, declared.high]}
    return entry | {"assumed": f"Psychological; typical value of the model, as {origin.title} leaves it out."}


def carry(folder: Path, entries: Mapping[str, Entry]) -> tuple[str, ...]:
    """Write entries over those of the same name in a folder's parameters.yaml; return the names that changed.

    Everything else in the file stays as it is, comments too.

    Raises
    ------
    CaseFileError
        when the file is a link, or cannot be read or written.
    """
    files, changed = Files(folder), []
    with files.locked():
        text = files.read("parameters.yaml").removeprefix("\ufeff")
        for name, entry in entries.items():
            new = with_entry(text, name, to_yaml({name: entry}))
            if new != text:
                changed.append(name)
            text = new
        files.write("parameters.yaml", text)
    return tuple(changed)


def _nearest(column: NDArray[np.float64], prior: Prior) -> Prior:
    """Return of some distributions the one whose probabilities are nearest to a sample's."""
    low, high = prior.low, prior.high
    found = [prior]
    sd = float(column.std())
    if sd > 0:
        found.append(Prior("normal", (rounded(float(column.mean())), rounded(sd)), low, high))
        if column.min() > 0:
            logs = np.log(column)
            numbers = (rounded(float(np.exp(logs.mean()))), rounded(min(float(logs.std()), 10.0)))
            found.append(Prior("lognormal", numbers, low, high))
    rows = np.sort(column)
    steps = np.arange(len(rows) + 1) / len(rows)

    def off(one: Prior) -> float:
        below = np.array([one.cdf(float(x)) for x in rows])
        return float(max(np.abs(below - steps[:-1]).max(), np.abs(below - steps[1:]).max()))

    return min(found, key=off)


def _plain(prior: Prior) -> dict[str, Any]:
    named = dict(zip(SHAPES[prior.distribution], prior.numbers, strict=True))
    PriorEntry.model_validate({"distribution": prior.distribution, **named})
    return {"distribution": prior.distribution, **named}


END = 1.64
"""Standard deviations from the median of a normal distribution to its upper twentieth."""
WIDEST = 2.0
"""Widest standard deviation of a logarithm: nine of ten draws lie within a factor of 27."""


def wide(declared: Parameter, value: float, known: Sequence[float] = ()) -> dict[str, Any] | None:
    """Return a wide prior around a value of a parameter; ``None`` where it is 0 or an end.

    A share of a tenth or more gets a beta distribution of that mean, as wide as one with a single peak can
    be, and no wider than four observations make it. Anything else gets a lognormal one. The standard
    deviation of its logarithm is 1 (nine of ten draws lie within a factor of 5), or what it takes for the
    known values to lie within nine of ten draws, at most :data:`WIDEST`. A triangular prior that the model
    declares reaches beyond the known values.
    """
    if declared.prior is not None and declared.prior[0] == "triangular":
        least, _, most = declared.prior[1:]
        named = {
            "low": max(declared.low, min(least, value / 2, *(k / 2 for k in known))),
            "mode": value,
            "high": min(declared.high, max(most, 2 * value, *(2 * k for k in known))),
        }
        return {"distribution": "triangular", **named}
    if not max(0.0, declared.low) < value < declared.high:
        return None
    if declared.high <= 1 and value >= 0.1:
        weight = max(4.0, 1 / value, 1 / (1 - value))
        return {"distribution": "beta", "a": rounded(weight * value), "b": rounded(weight * (1 - value))}
    far = max((abs(math.log(k / value)) / END for k in known if k > 0), default=0.0)
    return {"distribution": "lognormal", "median": value, "sigma": rounded(min(WIDEST, max(1.0, far)))}


def rounded(value: float) -> float:
    """Return a number with four significant digits."""
    return float(f"{value:.4g}")


def national(catalogue: Catalogue, origin: Case, others: Collection[Case]) -> dict[str, Entry]:
    """Return an entry for every national parameter that a prior can be given for.

    Where the model's typical value, the origin's, and those of other countries that repeat neither are three
    or more, the middle one is taken; a case that knows nothing of its country repeats one of the first two.
    Otherwise it is the typical value.

    Parameters
    ----------
    catalogue : the parameters that the model reads.
    origin : the case that passes its values on to others. others : the other built-in cases.
    """
    out: dict[str, Entry] = {}
    unchecked = "not yet checked against the country."
    for name, declared in catalogue.parameters.items():
        if declared.scope != "national" or name == STRENGTH:
            continue
        first = [declared.typical, *(c.parameters[name].value for c in (origin,) if name in c.parameters)]
        known = (c.parameters[name].value for c in others if name in c.parameters)
        every = sorted({*first, *known})
        pooled = len(every) > 2
        value = rounded(median(every)) if pooled else declared.typical
        prior = wide(declared, value, every)
        if prior is None:
            continue
        entry: Entry = {"value": value, "prior": prior, "unit": declared.unit}
        entry["range"] = [declared.low, declared.high]
        span = f"Middle of the built-in cases and the model, {every[0]:g} to {every[-1]:g}"
        entry["assumed"] = f"{span if pooled else 'Typical value of the model'}; {unchecked}"
        out[name] = entry
    return out
