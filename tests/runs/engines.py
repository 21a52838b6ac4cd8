"""Engines that behave and engines that do not, found by name in worker processes; and studies of theirs."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from breakrank.engine.replicate import Replicate
from breakrank.engine.wanted import ask
from breakrank.errors import UsageError
from breakrank.results.result import Result
from breakrank.runs.carry_out import Account, carry_out
from breakrank.runs.crew import Backend
from breakrank.runs.identity import code_digest
from breakrank.runs.store import Store, StoredEnsemble
from breakrank.runs.study import Scenario, Study
from breakrank.runs.worker import Simulator
from tests.results.fake import EVENTS, fake_build, fake_replicate
from tests.results.fake_case import FakeCase


def small_case(note: str = "") -> Any:
    """Return the made-up case over 30 days; `note` reaches the engine as its summary."""
    return FakeCase(summary=note).until("2019-01-30")


def die() -> None:
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))


def deadly(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Replicate:
    """Run 5 always kills its process; 7 does so once (the case's summary is where it leaves a mark)."""
    mark = Path(case.summary) / "killed" if case.summary else None
    if run == 5:
        die()
    if run == 7 and mark is not None and not mark.exists():
        mark.touch()
        die()
    return fake_replicate(case, force, seed, run, log=log)


def broken(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Replicate:
    """Runs 2 and 3 raise."""
    if run in (2, 3):
        raise ZeroDivisionError(f"nothing to divide by in run {run}\nsecond line")
    return fake_replicate(case, force, seed, run, log=log)


def always_broken(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Replicate:
    raise UsageError(f"no luck in run {run}")


def unbuilt(case: Any, seed: int) -> Any:
    raise UsageError("no force")


def slow(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Replicate:
    time.sleep(0.05)
    return fake_replicate(case, force, seed, run, log=log)


def endless(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Replicate:
    """Runs from 3 on take minutes; the case's summary is where they leave a mark when they begin."""
    if run >= 3:
        (Path(case.summary) / f"began-{run}").touch()
        for _ in range(6_000):
            ask()  # as the model does, once a day
            time.sleep(0.02)
    return fake_replicate(case, force, seed, run, log=log)


def deaf(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Replicate:
    """Runs from 2 on take a minute and never ask whether anyone still waits; they leave a mark as above."""
    if run >= 2:
        (Path(case.summary) / f"began-{run}").touch()
        time.sleep(60)
    return fake_replicate(case, force, seed, run, log=log)


def unreturnable(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Any:
    """Run 1 cannot be sent back."""
    return (lambda: run) if run == 1 else fake_replicate(case, force, seed, run, log=log)


GOOD = Simulator(fake_build, fake_replicate, EVENTS)
DEADLY = Simulator(fake_build, deadly, EVENTS)
BROKEN = Simulator(fake_build, broken, EVENTS)
ALWAYS_BROKEN = Simulator(fake_build, always_broken, EVENTS)
UNBUILT = Simulator(unbuilt, fake_replicate, EVENTS)
SLOW = Simulator(fake_build, slow, EVENTS)
ENDLESS = Simulator(fake_build, endless, EVENTS)
DEAF = Simulator(fake_build, deaf, EVENTS)
UNRETURNABLE = Simulator(fake_build, unreturnable, EVENTS)


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
