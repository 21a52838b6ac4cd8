"""A new case as tests want it."""

from __future__ import annotations

import re
from pathlib import Path

from breakrank import new_case


def without_priors(folder: Path) -> Path:
    """Write a new case whose parameters have no priors, and return its folder."""
    path = new_case(folder) / "parameters.yaml"
    path.write_text(re.sub(r"\n  prior: .*(\n    .*)*", "", path.read_text("utf-8")), "utf-8")
    return folder
