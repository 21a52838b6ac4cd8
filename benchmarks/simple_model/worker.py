"""One implementation in a process of its own: ``python -m benchmarks.simple_model.worker KEY FOLDER DAYS``.

With ``inputs SOLDIERS SEED FOLDER`` it writes the shared inputs instead.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.machine import peak_memory
from benchmarks.workers import Message, serve, timed

WARM_UP = 100
"""Soldiers of the small, lively run that compiles or loads everything before anything is timed."""


def write_inputs(soldiers: int, seed: int, folder: Path) -> None:
    """Draw the shared inputs and write them to `folder`."""
    from benchmarks.simple_model.declaration import make_inputs

    make_inputs(soldiers, seed).save(folder)


def begin(key: str, folder: Path, days: int) -> tuple[Message, Callable[[Message], Message]]:
    """Import, warm up and load; return what that took and the function that makes replicates."""
    begun = time.perf_counter()
    from benchmarks.simple_model.declaration import Inputs, Parameters, make_inputs
    from benchmarks.simple_model.implementations import implementation

    make = implementation(key)
    imported = time.perf_counter()
    lively = Parameters(rate=100, confide=0.5, constant=-2)
    make(make_inputs(WARM_UP, 1), lively, 20).begin(1)()
    ready = {"import": imported - begun, "warm_up": time.perf_counter() - imported, "peak": peak_memory()}
    model = make(Inputs.load(folder), Parameters(), days)

    def answer(question: Message) -> Message:
        live, setup, _ = timed(lambda: model.begin(int(question["seed"])))
        outcome, seconds, processor = timed(live)
        return {
            "setup": setup,
            "seconds": seconds,
            "processor": processor,
            "peak": peak_memory(),
            "measures": outcome.measures(),
        }

    return ready, answer


if __name__ == "__main__":
    if sys.argv[1] == "inputs":
        write_inputs(int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
    else:
        serve(lambda: begin(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))
