"""National values and priors of a new case: wide, and such that the built-in cases lie within them."""

from __future__ import annotations

from collections.abc import Collection
from statistics import median

from breakrank.case.case import Case
from breakrank.case.models_parameters import STRENGTH
from breakrank.runs.carried import Entry
from breakrank.runs.wide import rounded, wide
from breakrank.spec import Catalogue


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
