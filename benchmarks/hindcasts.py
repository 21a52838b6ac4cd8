"""Scores of past forecasts of the built-in cases: the page ``docs/explanation/hindcasts.md``.

``python benchmarks/hindcasts.py FOLDER`` reads what ``breakrank hindcast --out FOLDER`` wrote for all cases.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cyclopts

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    ROOT = Path(__file__).resolve().parents[1]
    sys.path[0:1] = [str(ROOT), str(ROOT / "src")]

import breakrank
from benchmarks.calibrations import shown
from benchmarks.machine import ROOT as PROJECT
from benchmarks.machine import processor
from benchmarks.tables import markdown
from breakrank.questions.hindcast import FILES

PAGE = PROJECT / "docs" / "explanation" / "hindcasts.md"
STATIC = PROJECT / "docs" / "_static"
TABLE, _, CHART = FILES
INTRODUCTION = """# Hindcasts of the built-in cases

What would have been forecast on each day on which a figure was published, scored on the figures that came
later ([how it is done](../how-to/hindcast.md)). Calibration on the whole record has no part in it.
"""
HEADS = (
    "case",
    "forecaster",
    "figures",
    "compared",
    "CRPS / pool",
    "in 50%",
    "in 90%",
    "yes or no, bounds",
    "Brier",
)
READING = """Few figures decide here, and they are of few cases. Where the pool's intervals hold less than
they say, as in Syria, they are too narrow. The ratios of cases left out lie on both sides of 1: **these
results do not show that psychological parameters transfer between countries.** Calibrate a case on its own
record.
"""
EXPLANATION = """"Compared" are the figures at which forecaster and pool differ: at most figures only the
model speaks, and the pool is the model. Below 1 a forecaster is nearer than the pool.
"""


def score(value: float | None, form: str) -> str:
    """Return a score as text; nothing where there is none."""
    return "" if value is None else format(value, form)


def row(title: str, one: Mapping[str, Any]) -> list[str]:
    """Return the row of one forecaster of a case."""
    return [
        title,
        one["forecaster"],
        str(one["figures"]),
        str(one["compared"] or ""),
        score(one["crps"], ".2f"),
        score(one["in50"], ".0%"),
        score(one["in90"], ".0%"),
        str(one["chances"]),
        score(one["brier"], ".3f"),
    ]


def page(found: Mapping[str, Any]) -> str:
    """Return the page of a hindcast, as its file of values has it."""
    titles = {one["case"]: breakrank.load_case(one["case"]).title for one in found["summary"]}
    days: dict[str, list[str]] = {}
    for name, ess in found["ess"].items():
        case, _, day = name.partition(" ")
        days.setdefault(case, []).append(f"{day} ({ess:.0f})")
    took = f"{found['seconds'] / 60:.0f} minutes on {os.cpu_count()} cores, {processor()}"
    parts = [INTRODUCTION, f"`{shown(found['command'])}`, {took}.\n"]
    parts += [f"- {line}" for line in found["verdict"]]
    parts += ["", READING, f"![CRPS of each forecast beside that of the pool](../_static/{CHART})\n"]
    parts += [markdown(HEADS, [row(titles[one["case"]], one) for one in found["summary"]]), "", EXPLANATION]
    parts.append("Days, with the effective number of the model's runs:\n")
    parts += [f"- {titles[case]}: {', '.join(told)}" for case, told in days.items()]
    parts += [f"- {line}" for line in found["skipped"]]
    parts.append(f"\nEvery forecast of every figure: {{download}}`{TABLE} <../_static/{TABLE}>`.")
    return "\n".join(parts).rstrip() + "\n"


def main(folder: Path) -> None:
    """Write the page, its chart and its table, from the result of a hindcast."""
    PAGE.write_text(page(json.loads((folder / FILES[1]).read_text("utf-8"))), encoding="utf-8", newline="\n")
    for name in (TABLE, CHART):
        shutil.copyfile(folder / name, STATIC / name)


if __name__ == "__main__":
    cyclopts.run(main)
