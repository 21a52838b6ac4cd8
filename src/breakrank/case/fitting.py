"""What a posterior was fitted to: the priors and the record of a case, and the case as it was then."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace

from breakrank.case.case_data import CaseData
from breakrank.case.posterior import Posterior

_WORDS = ("label", "about", "assumed", "evidence")
"""What of a target is words, and moves no figure."""


def fitted_to(case: CaseData) -> str:
    """Return the SHA-256 (hexadecimal) of what a calibration of a case rests on: priors and targets."""
    priors = {
        name: [p.prior.distribution, *p.prior.numbers, p.prior.low, p.prior.high]
        for name, p in case.parameters.items()
        if p.prior is not None
    }
    said = case.content.plain()["targets.yaml"]
    targets = [{k: v for k, v in one.items() if k not in _WORDS} for one in said]
    text = json.dumps([priors, targets], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def fits(posterior: Posterior, case: CaseData) -> bool:
    """Return whether a posterior was fitted to the priors and the record that a case has now."""
    return bool(posterior.about.get("fitted_to") == fitted_to(case))


OTHER_FIGURES = "of other priors or other figures than the case has"
EARLIER = "of an earlier state of the case"
"""What is said of an ensemble or a posterior that was made before its case was changed."""
CHANGED = "changed_since"
"""Says in what is told of a posterior that the case it comes with is another now than when it was made."""


def compared(posterior: Posterior, case: CaseData) -> Posterior:
    """Return a posterior that says whether the case it comes with was changed since it was made."""
    made = posterior.about.get("made")
    then = made.get("digest") if isinstance(made, Mapping) else None
    if not then or then == case.digest:
        return posterior
    return replace(posterior, about={**posterior.about, CHANGED: True})
