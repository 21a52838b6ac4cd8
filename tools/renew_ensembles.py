#!/usr/bin/env python3
"""Let the ensembles and posteriors of built-in cases be of today's model, once it is proven that they are.

All members are simulated again. Where each counts to the bit what it did when it was made, today's code
computes the same runs, and its digest is written. Otherwise nothing is: make them again (`breakrank
calibrate`). Call it before a release; until then a command that uses them says that they are of another
version of the model.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import breakrank
from breakrank.case.draws import ENSEMBLE
from breakrank.case.ensemble import load_ensemble
from breakrank.case.library import case_folder
from breakrank.case.posterior import ABOUT, files_of_posterior
from breakrank.inference.calibration import published_targets
from breakrank.inference.ensemble import hashes
from breakrank.runs.identity import source_digest


def main() -> int:
    """Renew what was proven, say which files were written, and return 1 if any member counts otherwise."""
    names = [name for name in breakrank.list_cases() if (case_folder(name) / ENSEMBLE).is_dir()]
    return max(map(_renewed, names), default=0)


def _renewed(name: str) -> int:
    folder, digest = case_folder(name), source_digest()
    case = breakrank.load_case(name, "point")
    found = load_ensemble(folder / ENSEMBLE, case)
    luck = found.draws.luck
    assert luck is not None
    targets = published_targets(case, luck.until, {row["id"] for row in found.figures})
    # in the order of the table: of shuffled draws, the seed would choose another
    mine = case.with_draws(replace(found.draws, shuffled=False))
    runs = breakrank.simulate(mine, runs=len(luck.paths), log_runs=0)
    if targets is None or hashes(targets.counts(runs.data)) != found.counted:
        sys.stderr.write(f"the members of {name} count otherwise today: make them again\n")
        return 1
    with tempfile.TemporaryDirectory() as partial:
        made = replace(found, about={**found.about, "model": digest}).save(Path(partial) / ENSEMBLE)
        shutil.copytree(made, folder / ENSEMBLE, dirs_exist_ok=True)
    posterior = case.posterior
    assert posterior is not None
    made_by_today = {**posterior.about, "made": {**posterior.about["made"], "model": digest}}
    text = files_of_posterior(replace(posterior, about=made_by_today))[ABOUT]
    (folder / "posterior" / ABOUT).write_text(text, "utf-8", newline="\n")
    sys.stdout.write(f"{name}: {len(luck.paths)} members count as they did; {digest[:12]} is written\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
