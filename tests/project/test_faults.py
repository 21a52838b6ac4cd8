"""The fault matrix: a few of its trials, and that it finds what it looks for."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the tool needs Linux or macOS")


@pytest.mark.thorough
@pytest.mark.slow
def test_some_faults_are_survived() -> None:
    command = [sys.executable, str(ROOT / "tools" / "faults"), "--trials", "3", "--seed", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 trials in" in done.stdout
    assert "seed 1: 0 failed" in done.stdout


@pytest.mark.parametrize(
    ("code", "err", "left", "says"),
    [
        (None, "", (), "it hung"),
        (0, "", (7,), "1 of its processes ran on"),
        (1, "Traceback (most recent call last):\n", (), "a traceback"),
        (1, "", (), "0 messages"),
        (-9, "", (), "died of signal 9"),
    ],
)
def test_what_is_not_survived_is_found(code: int | None, err: str, left: tuple[int, ...], says: str) -> None:
    from tools.faults.calls import Done
    from tools.faults.scene import Fault, survived

    survived(Done(1, "", "breakrank: no\n"), False)
    survived(Done(-9, "", ""), True)
    with pytest.raises(Fault, match=says):
        survived(Done(code, "", err, left), False)


def test_a_result_that_is_there_in_part_or_wrong_is_found(tmp_path: Path) -> None:
    from tools.faults.calls import Done
    from tools.faults.scene import Fault, Job, Scene, bits

    scene, job = Scene(tmp_path), Job("run", ())
    scene.bits["run"] = {"one": "1", "two": "2"}
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "one").write_text("half")
    assert list(bits(tmp_path / "out")) == ["one"]
    with pytest.raises(Fault, match=r"there in part: one differs \(2 of 2 files\)"):
        scene.judge(job, tmp_path, Done(1, "", "breakrank: no\n"))
    with pytest.raises(Fault, match="it said that all was well"):
        scene.judge(job, tmp_path, Done(0, "", ""))


def test_damage_is_drawn_from_its_seed_and_changes_a_file(tmp_path: Path) -> None:
    from tools.faults.corrupt import WAYS, damage

    for how in WAYS:
        made = []
        for _ in range(2):
            (tmp_path / "file").write_bytes(bytes(range(256)) * 20)
            damage(tmp_path / "file", tmp_path / "file", how, random.Random(3))
            made.append((tmp_path / "file").read_bytes())
        assert made[0] == made[1] != bytes(range(256)) * 20, how
