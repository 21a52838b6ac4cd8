"""What the machine itself allows: the same runs made alone, and beside others that share nothing with them.

Two processes on two cores still share a cache, the way to the memory and the processor's clock. What a run
loses to these no study can give back, so that an efficiency is to be read against this figure.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

from benchmarks.tables import median
from benchmarks.workers import Message, Worker, note, serve

ROUNDS, RUNS = 6, 10
"""How often alone and together take turns, and the runs that each process makes in a turn."""


def beside(case: str, seed: int, processes: int, rounds: int = ROUNDS) -> dict[str, Any]:
    """Return seconds a run alone, seconds a run beside others, and the median ratio of a round.

    Parameters
    ----------
    case, seed : what is run; every process makes the same runs, so that a ratio compares equal work.
    processes : how many run side by side.
    rounds : pairs of turns.
    """
    note(f"{processes} processes that share nothing: {rounds} turns alone and together")
    alone, together = [], []
    with ExitStack() as stack, ThreadPoolExecutor(processes) as asking:
        crew = [stack.enter_context(Worker("benchmarks.beside", case, str(seed))) for _ in range(processes)]
        for _ in range(rounds):
            alone.append(crew[0].ask(runs=RUNS)["seconds"] / RUNS)
            answers = list(asking.map(lambda one: one.ask(runs=RUNS), crew))
            together.append(sum(a["seconds"] for a in answers) / RUNS / processes)
    ratios = [a / t for a, t in zip(alone, together, strict=True)]
    return {"alone": median(alone), "together": median(together), "ratio": median(ratios), "rounds": rounds}


def _begin() -> tuple[Message, Any]:
    from breakrank import load_case, model

    parser = argparse.ArgumentParser()
    parser.add_argument("case")
    parser.add_argument("seed", type=int)
    asked = parser.parse_args(sys.argv[1:])
    case = load_case(asked.case, "values")
    force = model.force_of(case, asked.seed, 0)
    model.replicate(case, force, asked.seed, 0, log=False)

    def answer(question: Message) -> Message:
        begun = time.perf_counter()
        for run in range(question["runs"]):
            model.replicate(case, force, asked.seed, run, log=False)
        return {"seconds": time.perf_counter() - begun}

    return {}, answer


if __name__ == "__main__":
    serve(_begin)
