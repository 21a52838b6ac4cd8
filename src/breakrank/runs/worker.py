"""The making of a run, and the record of one that fails."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import breakrank

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.replicate import Replicate
    from breakrank.force import Force


class Simulator(NamedTuple):
    """The functions an ensemble is made with, and the names of the event codes they log.

    Both functions have to be found by name in another process (no lambdas, no inner functions).

    Attributes
    ----------
    build : makes the force of a case under a seed.
    replicate : makes one run of a case, with its force, a seed, its number, and its event log if ``log``;
        with draws, each run makes its own force.
    events : names of the event codes, in order of code.
    """

    build: Callable[[Case, int], Force]
    replicate: Callable[..., Replicate]
    events: tuple[str, ...]


def standard_simulator() -> Simulator:
    """Return the model as assembled in :mod:`breakrank.model`."""
    from breakrank import model
    from breakrank.engine.codes import EVENTS

    return Simulator(model.build, model.replicate, EVENTS)


def event_names(simulator: Simulator, case: Case) -> tuple[str, ...]:
    """Return the names of events in a case's log, in order of code: with those of added mechanisms."""
    return (*simulator.events, *case.catalogue.events)


def shared_force(simulator: Simulator, case: Case, seed: int) -> Force | None:
    """Return the force that all runs of a case share; ``None`` for a case with draws."""
    return simulator.build(case, seed) if getattr(case, "draws", None) is None else None


def reason(error: BaseException) -> str:
    """Return an error in one line."""
    first = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def whereabouts(error: BaseException) -> str:
    """Return file, line and function of the innermost frame in this package, or else of the innermost."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return "an unknown place"
    root = Path(breakrank.__file__).parent
    callers = {Path(__file__), Path(__file__).with_name("batch.py")}
    mine = [f for f in frames if Path(f.filename).is_relative_to(root) and Path(f.filename) not in callers]
    frame = (mine or list(frames))[-1]
    path = Path(frame.filename)
    name = path.relative_to(root).as_posix() if mine else path.name
    return f"{name}:{frame.lineno} in {frame.name}"
