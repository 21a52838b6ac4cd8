"""What a posterior was fitted to: the priors and the record of a case."""

from __future__ import annotations

import hashlib
import json

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
