"""Workers come from a server that has loaded the model, and share what it has."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.programs import python

ROOT = Path(__file__).parents[2]
SCRIPT = """
import numpy as np
from breakrank.engine.calendar import Process, occasions_of_rate
from breakrank.runs.start_process import CONTEXT, start

SOLDIER = np.zeros(1, np.int32), np.ones(1, np.float32), np.ones((1, 1))
GIVEN = np.uint64(1), 1, np.zeros(1, np.uint32), Process(1, 1, *SOLDIER).reached, 9

def tell(pipe):
    pipe.send(bool(occasions_of_rate.overloads))

if __name__ == "__main__":
    occasions_of_rate(*GIVEN)  # so that it is compiled and kept
    pipe, theirs = CONTEXT.Pipe()
    process = CONTEXT.Process(target=tell, args=(theirs,))
    start(process)
    print(pipe.recv())
    process.join()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere workers are started afresh")
def test_a_worker_finds_kernels_loaded(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    assert python(script, folder=ROOT).strip() == "True"
