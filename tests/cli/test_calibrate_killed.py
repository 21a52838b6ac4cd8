"""``breakrank calibrate`` killed without warning, three times: the same call goes on to the same bytes."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Outcome, ended, environment
from tests.mechanisms import files
from tests.new_cases import full_case, with_three_priors

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here"),
]

WAVE, FILTERED, BATCH = 60, 24, 50
"""Simulations of a wave, members, and simulations that are kept together: several batches of each."""
CALL = (
    *("calibrate", "montara", "--simulations", 2 * WAVE, "--waves", 2, "--members", FILTERED),
    *("--predictive", 20, "--seed", 4, "--workers", 1),
)
KINDS = ("simulations", "draws", "filters")
BRIEF = """
import sys
from breakrank.cli import main
from breakrank.inference import calibration, posterior, simulations

simulations.BATCH = {batch}
calibration.ROUNDS = 1
posterior.USUAL = posterior.Effort(chains=8, draws=60, thin=3, burn=300)
posterior.BETWEEN = posterior.Effort(chains=20, draws=20, thin=3, burn=100)
sys.exit(main(sys.argv[1:]))
"""
"""Calls the command line, with shorter chains, smaller batches and fewer filters than one would use."""
LAST = "2025-03-15"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that holds a small and short case with three priors."""
    home = tmp_path_factory.mktemp("killed")
    case = with_three_priors(full_case(home / "montara"))
    files.calendar(case, "2025-01-01", LAST)
    targets = re.sub("date: 2025-0[46]-30", f"date: {LAST}", files.read(case, "targets.yaml"))
    files.write(case, {"targets.yaml": targets})
    return home


def command(*call: object) -> list[str]:
    """Return the command of a fresh process."""
    return [sys.executable, "-c", BRIEF.format(batch=BATCH), *map(str, call)]


def process(*call: object, folder: Path) -> Outcome:
    """Call the command line in a fresh process in `folder`, and wait for its end."""
    return ended(command(*call), folder)


def kept(store: Path, *kinds: str) -> dict[Path, bytes]:
    """Return the files of a store that hold finished work of some kinds."""
    found = (path for kind in kinds for path in store.glob(f"{kind}/**/[!.]*.json"))
    return {path.relative_to(store): path.read_bytes() for path in found}


def simulated(store: Path) -> int:
    """Return how many simulations a store holds."""
    return sum(
        len(json.loads(text.splitlines()[0])["counts"][0]) for text in kept(store, "simulations").values()
    )


def killed_when(reached: Callable[[], bool], home: Path, *call: object) -> None:
    """Kill a call and all its processes once something is reached."""
    running = subprocess.Popen(
        command(*call),
        cwd=home,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    end = time.monotonic() + 400
    while not reached() and time.monotonic() < end:
        assert running.poll() is None, "it ended before it was killed"
        time.sleep(0.05)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait(timeout=60)
    assert running.returncode == -signal.SIGKILL
    assert not (home / "killed").exists()


def test_killed_in_both_waves_and_in_the_filters_it_goes_on_to_the_same_bytes(home: Path) -> None:
    plain = process(*CALL, "--store", "plain.store", "--out", "plain", folder=home)
    assert plain.code == 0, plain.err
    broken, store = (*CALL, "--store", "killed.store", "--out", "killed"), home / "killed.store"

    killed_when(lambda: simulated(store) >= BATCH, home, *broken)
    assert simulated(store) < WAVE
    assert not kept(store, "draws")
    killed_when(lambda: simulated(store) >= WAVE + BATCH, home, *broken)
    assert simulated(store) < 2 * WAVE
    assert len(kept(store, "draws")) == 1
    killed_when(lambda: len(kept(store, "filters")) >= 2, home, *broken)
    assert len(kept(store, "filters")) < FILTERED
    before = {path: (store / path).stat().st_mtime_ns for path in kept(store, *KINDS)}

    done = process(*broken, folder=home)
    assert done.code == 0, done.err
    assert len(before) >= 7
    assert {path: (store / path).stat().st_mtime_ns for path in before} == before, "nothing is made again"
    assert kept(store, *KINDS) == kept(home / "plain.store", *KINDS)
    for part, number in (("posterior/draws.csv", 1), ("ensemble/*", 3), ("tables/*", 3)):
        told = [path.relative_to(home / "plain") for path in home.glob(f"plain/{part}")]
        assert len(told) == number
        for path in told:
            assert (home / "killed" / path).read_bytes() == (home / "plain" / path).read_bytes(), path
