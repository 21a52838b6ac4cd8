"""Compile the kernels that a wheel brings; its build calls this (``hatch_build.py``).

They land in the folder of the user's that ``BREAKRANK_CACHE_DIR`` names. Prints the name of the folder under
which the wheel holds them.
"""

from __future__ import annotations

import sys
from typing import Any

import numba
import numpy as np

import breakrank
from breakrank import model
from breakrank.engine.observe import Witness
from breakrank.kernel_files import COMMON_LEVEL, shipped_folder
from breakrank.lives.trace import informers
from breakrank.runs.compiling import compilation_told, compile_together
from breakrank.runs.worker import standard_simulator

RUNS = 6
"""Runs of each case: what happens seldom is compiled too where it happens in one of them."""


def main() -> None:
    """Run a year of each built-in case, with its parameters fixed and drawn, with and without a log."""
    config: Any = numba.config
    if config.CPU_NAME != COMMON_LEVEL:
        sys.exit(f"kernels for other machines need a processor of the level {COMMON_LEVEL}")
    with compilation_told():
        for name in breakrank.list_cases():
            for case in (breakrank.load_case(name, "point"), breakrank.load_case(name)):
                compile_together(case, standard_simulator())
                for run in range(RUNS):
                    model.replicate(case, None, 0, run, log=run % 2 == 1)
            ready = model.model_of(case, 0, 0)
            ready.witnessed(0, 0, Witness([0, 1, 2]))
            informers(case, ready.world.force, np.uint64(0))  # asked where a life is told
    sys.stdout.write(f"{shipped_folder().name}\n")


if __name__ == "__main__":
    main()
