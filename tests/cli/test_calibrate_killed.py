"""``breakrank calibrate`` killed without warning, twice: the same call goes on to the same bits."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

import breakrank
from breakrank.runs.store import Store
from tests.cli.conftest import command, environment, process

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here"),
]

ROUNDS = {"prior-0": 240, "round-1": 160}
CALL = ("calibrate", "montara", "--simulations", 400, "--worlds", 20, "--predictive", 20, "--seed", 4)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that holds a small case with three priors."""
    home = tmp_path_factory.mktemp("killed")
    path = breakrank.new_case(home / "montara") / "parameters.yaml"
    entries: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    for name in ("decision.baseline_leave", "fear.risk_weight", "grievance.hardship_weight"):
        low, high = entries[name]["range"]
        entries[name]["prior"] = {"distribution": "uniform", "low": low, "high": high}
    path.write_text(yaml.safe_dump(entries), "utf-8")
    return home


def finished(store: Path) -> dict[str, set[int]]:
    """Return the numbers of the finished runs of each round."""
    if not (store / "store.json").is_file():
        return {}
    return {
        kept.scenario: kept.stored.finished(range(ROUNDS[kept.scenario]))
        for kept in Store(store).ensembles()
        if kept.scenario in ROUNDS
    }


def killed_within(what: str, home: Path, *call: object) -> dict[str, set[int]]:
    """Kill a call and all its processes once a round has some runs, and return what is finished then."""
    running = subprocess.Popen(
        command(*call),
        cwd=home,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    end = time.monotonic() + 400
    while not finished(home / "killed.store").get(what) and time.monotonic() < end:
        assert running.poll() is None, running.communicate()[1]
        time.sleep(0.1)
    os.killpg(running.pid, signal.SIGKILL)
    running.communicate(timeout=60)
    assert running.returncode == -signal.SIGKILL
    return finished(home / "killed.store")


def reused(err: str) -> list[tuple[int, int]]:
    """Return how many runs were found of how many, study by study."""
    return [(int(a), int(b)) for a, b in re.findall(r"(\d+) of (\d+) runs were in", err)]


def test_killed_within_both_rounds_it_goes_on_to_the_same_bits(home: Path) -> None:
    call = (*CALL, "--workers", 1)
    plain = process(*call, "--store", "plain.store", "--out", "plain", folder=home)
    assert plain.code == 0, plain.err
    broken = (*call, "--store", "killed.store", "--out", "killed")

    first = killed_within("prior-0", home, *broken)
    assert 0 < len(first["prior-0"]) < ROUNDS["prior-0"]
    assert not (home / "killed").exists()
    second = killed_within("round-1", home, *broken)
    assert second["prior-0"] == set(range(ROUNDS["prior-0"]))
    assert 0 < len(second["round-1"]) < ROUNDS["round-1"]
    assert not (home / "killed").exists()

    done = process(*broken, folder=home)
    assert done.code == 0, done.err
    # nothing that had finished is made again
    assert reused(done.err) == [(240, 240), (len(second["round-1"]), 160)]
    told = [
        Path("posterior/draws.csv"),
        *(p.relative_to(home / "plain") for p in home.glob("plain/tables/*")),
    ]
    assert len(told) == 8
    for path in told:
        assert (home / "killed" / path).read_bytes() == (home / "plain" / path).read_bytes(), path
