"""The model on a case in a process of its own: ``python -m benchmarks.real_model.year CASE SOLDIERS SEED``.

SOLDIERS 0 takes the case's own strength.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from benchmarks.machine import peak_memory
from benchmarks.workers import Message, serve, timed


def begin(name: str, soldiers: int, seed: int) -> tuple[Message, Callable[[Message], Message]]:
    """Load the case, build its force and run replicate 0; return what each stage took."""
    stages: dict[str, dict[str, float]] = {}
    begun = time.perf_counter()

    def stage(what: str) -> None:
        nonlocal begun
        stages[what] = {"seconds": time.perf_counter() - begun, "peak": peak_memory()}
        begun = time.perf_counter()

    from benchmarks.real_model.shares import watching
    from breakrank.draws import luck_key
    from breakrank.model import Model, build
    from breakrank.runs.cases import load_case

    stage("importing the model")
    luck_key(seed, "run")  # what Numba loads with the first kernel, whichever it is
    stage("first kernel")
    case = load_case(name, "values")
    if soldiers:
        case = case.set({"force.strength": soldiers})
    stage("loading the case")
    force = build(case, seed)
    stage("building the force")
    model = Model(case, force)
    stage("preparing the model")
    model.replicate(seed, 0)
    stage("first replicate")
    watched: list[int] = []
    ready = {
        "case": case.id,
        "days": case.calendar.days,
        "soldiers": force.n,
        "ties": len(force.ties) / force.n,
        "stages": stages,
    }

    def answer(question: Message) -> Message:
        run = int(question["run"])
        if question["how"] == "plain":
            replicate, seconds, processor = timed(lambda: model.replicate(seed, run))
            return {
                "seconds": seconds,
                "processor": processor,
                "moments": int(replicate.series["decision_opportunities"]),
                "peak": peak_memory(),
            }
        if not watched:  # the first time phases of single mechanisms are loaded
            with watching(model):
                model.replicate(seed, run)
            watched.append(run)
        with watching(model) as watch:
            _, _, processor = timed(lambda: model.replicate(seed, run))
        return {"processor": processor, "parts": [[*name, took] for name, took in watch.seconds.items()]}

    return ready, answer


if __name__ == "__main__":
    serve(lambda: begin(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
