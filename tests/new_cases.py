"""A new case as tests want it."""

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from breakrank import new_case
from breakrank.case.content import Content
from breakrank.case.models_evidence import Observation, Source, Target


@cache
def _files(name: str) -> dict[str, bytes]:
    """Return the files of a full new case of this name, which take a third of a second to make."""
    with TemporaryDirectory() as home:
        made = new_case(Path(home) / name, full=True)
        return {
            path.relative_to(made).as_posix(): path.read_bytes() for path in made.rglob("*") if path.is_file()
        }


def full_case(folder: Path) -> Path:
    """Write what ``new_case`` writes in full into a new folder, and return it.

    For tests that add nothing to the model: it is made once for each name, and not asked again.
    """
    for name, content in _files(folder.name).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def without_priors(folder: Path) -> Path:
    """Write a new case whose parameters have no priors, and return its folder."""
    path = full_case(folder) / "parameters.yaml"
    path.write_text(re.sub(r"\n  prior: .*(\n    .*)*", "", path.read_text("utf-8")), "utf-8")
    return folder


def with_three_priors(folder: Path) -> Path:
    """Give three parameters of a case priors as wide as their ranges, and return its folder."""
    path = folder / "parameters.yaml"
    entries: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    for name in ("decision.baseline_leave", "fear.risk_weight", "grievance.hardship_weight"):
        low, high = entries[name]["range"]
        entries[name]["prior"] = {"distribution": "uniform", "low": low, "high": high}
    path.write_text(yaml.safe_dump(entries), "utf-8")
    return folder


def printed(content: Content, *targets: Target, on: Mapping[str, dt.date] | None = None) -> Content:
    """Return a case's content with these targets only, each printed by a source of its own.

    It is published on the day up to which the target counts, or `on` another day, by id.
    """
    days = {t.id: str((on or {}).get(t.id, t.date)) for t in targets}
    sources = tuple(
        Source.model_validate(
            {
                "id": f"paper-{t.id}",
                "publisher": "A paper",
                "title": "A report (made up)",
                "date": days[t.id],
                "kind": "report",
                "reliability": "medium",
            }
        )
        for t in targets
    )
    observations = tuple(
        Observation.model_validate(
            {
                "id": f"count-{t.id}",
                "source": f"paper-{t.id}",
                "says": "the paper",
                "what": "What the target counts",
                "value": 1.0,
                "unit": t.unit,
                "date": str(t.date),
                "paragraph": "1",
                "confidence": "low",
            }
        )
        for t in targets
    )
    cited = tuple(t.model_copy(update={"evidence": (f"count-{t.id}",)}) for t in targets)
    return replace(
        content,
        targets=cited,
        sources=(*content.sources, *sources),
        observations=(*content.observations, *observations),
    )
