#!/usr/bin/env python3
"""Let the ensembles and posteriors of built-in cases be of today's model, once it is proven that they are.

What remains of a posterior's leading count without dated events is told anew as well.

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
from typing import Any

import breakrank
from breakrank.case.ensemble import ENSEMBLE, load_ensemble
from breakrank.case.library import case_folder
from breakrank.case.posterior import ABOUT, files_of_posterior
from breakrank.inference.calibration import published_targets, remaining
from breakrank.inference.ensemble import hashes
from breakrank.inference.report import LEVEL, LITTLE, UNFIT, little_confirmed
from breakrank.runs.carry_out import Making
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
    about = folder / "posterior" / "about.yaml"
    about.write_text(_posterior(case, digest), "utf-8", newline="\n")
    sys.stdout.write(f"{name}: {len(luck.paths)} members count as they did; {digest[:12]} is written\n")
    return 0


def _posterior(case: breakrank.Case, digest: str) -> str:
    """Return about.yaml of the posterior of a case, of today's model."""
    posterior = case.posterior
    assert posterior is not None
    about: dict[str, Any] = dict(posterior.about)
    about["made"] = {**about["made"], "model": digest}
    fails = [one for one in about["fails"] if not one.startswith(LEVEL)]
    lines = [one for one in about["verdict"] if LEVEL not in one]
    lines = [one for one in lines if not one.startswith((LITTLE, "Without any dated"))]
    lines += little_confirmed(len(posterior.draws.names), len(about["informed"]))
    kind = case.until(about["settings"]["as_of"]).with_draws(posterior.draws)
    found = remaining(kind, about["settings"]["seed"], Making().carry)
    if found is not None:
        lines.append(found.said)
    if found is not None and found.is_level:
        fails.append(f"{LEVEL}: {found.share:.0%} remains without any dated event")
        lines.append(f"{UNFIT}: {fails[-1]}.")
    about |= {"verdict": lines, "fails": fails, "without_events": found and found._asdict()}
    return files_of_posterior(replace(posterior, about=about))[ABOUT]


if __name__ == "__main__":
    sys.exit(main())
