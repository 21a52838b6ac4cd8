"""What a run is: its code, its scenario, its seed and its number, and nothing else.

Two runs of one identity are the same bits, whoever made them and when. Work that is finished is found by it.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable
from functools import cache
from pathlib import Path

import breakrank
from breakrank.runs.worker import Simulator, standard_simulator

MODEL = (
    "case",
    "draws.py",
    "units.py",
    "wording.py",
    "engine",
    "force",
    "kernel.py",
    "kernel_files.py",
    "kernel_key.py",
    "mechanisms",
    "model.py",
    "plugins.py",
    "labels.py",
    "outputs.py",
    "spec.py",
    "table.py",
    "table_type.py",
)
"""The files and folders of the package that a run's numbers come from."""


@cache
def model_digest() -> str:
    """Return the SHA-256 of the model's source, the package's version, and the libraries that calculate.

    Charts, words and commands are no part of it: to change them makes no finished run stale. The machine's
    kind is, because another processor may round the last digit differently.
    """
    import numba
    import numpy as np

    calculates = (breakrank.__version__, np.__version__, numba.__version__, platform.machine())
    return hashlib.sha256(_sources() + json.dumps(calculates).encode()).hexdigest()


def source_digest(simulator: Simulator | None = None, added: str = "") -> str:
    """Return the SHA-256 of the source of what makes a run, and of nothing else.

    `added` is that of the mechanisms that a case adds to the model (``case.catalogue.code``).
    What was learned from runs, as a posterior is, bears on those of another version of NumPy or another kind
    of machine too: their last digits may differ, what they tell does not.
    """
    sources = hashlib.sha256(_sources()).hexdigest()
    if simulator is None or simulator == standard_simulator():
        return _digest(sources, added) if added else sources
    return _digest(sources, added, _name(simulator.build), _name(simulator.replicate), *simulator.events)


def code_digest(simulator: Simulator | None = None) -> str:
    """Return what stands for the code that makes a run; functions that are not the model's, by name.

    The source of the mechanisms that a case adds is part of the case's digest.
    """
    if simulator is None or simulator == standard_simulator():
        return model_digest()
    return _digest(model_digest(), _name(simulator.build), _name(simulator.replicate), *simulator.events)


def ensemble_identity(code: str, scenario: str, seed: int) -> str:
    """Return the identity (SHA-256, hexadecimal) of all runs of a scenario under a seed.

    Parameters
    ----------
    code : from :func:`code_digest`.
    scenario : digest of the case as the scenario has it.
    seed : 0 to 2**64 - 1.
    """
    return _digest("ensemble", code, scenario, int(seed))


def run_identity(code: str, scenario: str, seed: int, run: int) -> str:
    """Return the identity (SHA-256, hexadecimal) of one run."""
    return _digest("run", ensemble_identity(code, scenario, seed), int(run))


def _sources() -> bytes:
    """Return the model's source, file by file under its name."""
    root = Path(breakrank.__file__).parent
    told = []
    for name in MODEL:
        for path in sorted(p for p in (root / name, *(root / name).rglob("*.py")) if p.is_file()):
            told += [f"{path.relative_to(root).as_posix()}\n".encode(), path.read_bytes()]
    return b"".join(told)


def _digest(*parts: str | int) -> str:
    # as JSON, so that no two lists of parts read the same
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


def _name(function: Callable[..., object]) -> str:
    return f"{function.__module__}:{function.__qualname__}"
