"""What a calibration keeps beside its simulations: where they are, and proposals of later rounds.

A proposal follows from the simulations before it; another machine may round the last digit differently and so
make another one. So it is written down once, and what goes on after an interruption goes on with the same.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from breakrank.errors import BreakrankError
from breakrank.questions.calibrate.proposal import ParameterProposal
from breakrank.results.folder import explain
from breakrank.runs.atomic_file import write_whole


def identity(*parts: str | int | float) -> str:
    """Return a short name of everything that a proposal follows from."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]


def kept_proposal(store: Path, name: str, number: int) -> ParameterProposal | None:
    """Return the proposal of a round that was begun before; ``None`` if none was."""
    try:
        told: dict[str, Any] = json.loads(_path(store, name, number).read_text("utf-8"))
        return ParameterProposal.from_json(told)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep_proposal(store: Path, name: str, number: int, proposal: ParameterProposal) -> None:
    """Write the proposal of a round into the store; BreakrankError if the disk refuses."""
    path = _path(store, name, number)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(proposal.as_json()) + "\n")
    except OSError as error:
        raise BreakrankError(explain(error, path)) from error


def _path(store: Path, name: str, number: int) -> Path:
    return store / "calibrations" / name / f"round-{number}.json"
