"""Before the tests: an order in which no long wait comes last, and a compiled model.

Where most of the model has to be compiled first, the processes that run tests share that out.

Properties are tried with 20 examples, the same each time; with 50 where the environment variable
HYPOTHESIS_PROFILE says ``thorough``.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # tests share the cores; before anything loads NumPy

import gc
import importlib
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import breakrank
from breakrank.runs.compiling import compile_part, compiled

settings.register_profile("quick", max_examples=20, derandomize=True, deadline=None)
settings.register_profile("thorough", max_examples=50, derandomize=True, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_configure() -> None:
    """Have children answer Ctrl-C, also where the tests were started to ignore it (by ``nohup``, say)."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionstart() -> None:
    """Compile this process's part of the model, where there are several and most of it is not compiled."""
    process = os.environ.get("PYTEST_XDIST_WORKER")
    if process and not compiled():
        compile_part(breakrank.load_case("venezuela-2019", "point"), int(process.removeprefix("gw")))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with slow tests first: what is short fills up the end between several processes."""
    long = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in long)


def pytest_collection_finish() -> None:
    """Leave what is there by now out of all searches for garbage, and search less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


@pytest.fixture(scope="session", autouse=True)
def _workers_find_the_tests() -> None:
    """Workers take over this process's path; the engines of the tests have to be on it."""
    root = str(Path(__file__).parents[1])
    if root not in sys.path:
        sys.path.insert(0, root)


@pytest.fixture(scope="module")
def small_budget() -> Iterator[None]:
    """Let ensembles be made with fewer simulations and filters than one would use."""
    from breakrank.inference import calibration, posterior
    from breakrank.inference.posterior import Effort

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calibration, "SIMULATIONS", 120)
        patch.setattr(calibration, "ROUNDS", 1)
        patch.setattr(posterior, "USUAL", Effort(chains=8, draws=60, thin=3, burn=300))
        patch.setattr(posterior, "BETWEEN", Effort(chains=20, draws=20, thin=3, burn=100))
        yield


@pytest.fixture
def rumour(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The mechanism of the example, as a class of a module that is found."""
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "examples" / "breakrank-rumour" / "src")
    return importlib.import_module("breakrank_rumour").Rumour


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Give a Chromium to open pages in."""
    from tests.chromium import started

    with started() as chromium:
        yield chromium
