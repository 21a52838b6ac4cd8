#!/usr/bin/env python3
"""Let the worlds and posteriors of built-in cases be of today's model, once it is proven that they are.

All worlds are replayed. Where each counts to the bit what it did when it was made, today's code computes the
same runs, and its digest is written. Otherwise nothing is: make them again (`breakrank calibrate`,
`breakrank worlds`). Call it before a release; until then a command that uses them says that they are of
another version of the model.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from breakrank.case.worlds import load_worlds
from breakrank.questions.condition.condition import hashes, known_record

import breakrank
from breakrank.case.draws import FOLDER
from breakrank.case.library import case_folder
from breakrank.runs.identity import source_digest


def main() -> int:
    """Renew what was proven, say which files were written, and return 1 if any world counts otherwise."""
    names = [name for name in breakrank.list_cases() if (case_folder(name) / FOLDER).is_dir()]
    return max(map(_renewed, names), default=0)


def _renewed(name: str) -> int:
    folder, digest = case_folder(name), source_digest()
    case = breakrank.load_case(name, "point")
    found = load_worlds(folder / FOLDER, case)
    luck = found.draws.luck
    assert luck is not None
    record = known_record(case, luck.until, {row["id"] for row in found.figures})
    # in the order of the table: of shuffled draws, the seed would choose another
    mine = case.with_draws(replace(found.draws, shuffled=False))
    runs = breakrank.simulate(mine, runs=len(luck.paths), log_runs=0)
    if record is None or hashes(record.counts(runs.data)) != found.counted:
        sys.stderr.write(f"the worlds of {name} count otherwise today: make them again\n")
        return 1
    with tempfile.TemporaryDirectory() as partial:
        made = replace(found, about={**found.about, "model": digest}).save(Path(partial) / FOLDER)
        shutil.copytree(made, folder / FOLDER, dirs_exist_ok=True)
    about = folder / "posterior" / "about.yaml"
    text = re.sub(r"(?m)^( *)model: [0-9a-f]{64}$", rf"\g<1>model: {digest}", about.read_text("utf-8"))
    about.write_text(text, "utf-8", newline="\n")
    sys.stdout.write(f"{name}: {len(luck.paths)} worlds count as they did; {digest[:12]} is written\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
