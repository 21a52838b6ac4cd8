"""Studies of the made-up case that are kept in a store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from breakrank.results.result import Result
from breakrank.runs.carry_out import Account, carry_out
from breakrank.runs.crew import Backend
from breakrank.runs.identity import code_digest
from breakrank.runs.store import Store, StoredEnsemble
from breakrank.runs.study import Scenario, Study
from breakrank.runs.worker import Simulator
from tests.runs.engines import GOOD, small_case

SEED = 11


def study_of(runs: int, case: Any = None, logged: int = 0) -> Study:
    """Return a study of the made-up case alone."""
    return Study((Scenario(case or small_case()),), runs, SEED, logged)


def kept(
    folder: Path, study: Study, place: Backend | None = None, simulator: Simulator = GOOD, **more: Any
) -> Account:
    """Carry a study out in a store."""
    return carry_out(study, Store(folder), place, simulator=simulator, **more)


def stored_of(folder: Path, study: Study, simulator: Simulator = GOOD) -> StoredEnsemble:
    """Return where the first scenario's runs are."""
    return Store(folder).stored(study.scenarios[0].case, study.seed, code_digest(simulator))


def result_of(folder: Path, study: Study, simulator: Simulator = GOOD, **more: Any) -> Result:
    """Read the first scenario's runs from a store."""
    case, code = study.scenarios[0].case, code_digest(simulator)
    return Store(folder).result(case, study.seed, study.runs, log_runs=study.log_runs, code=code, **more)


def part_folders(folder: Path) -> list[Path]:
    """Return the parts of a store."""
    return sorted(p.parent for p in folder.glob("ensembles/*/*/part.json"))
