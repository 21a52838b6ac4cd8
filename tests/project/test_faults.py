"""The fault matrix: a few of its trials, and that it finds what it looks for."""

import os
from pathlib import Path

import pytest

from tests.programs import python

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the tool needs Linux or macOS")


@pytest.mark.thorough
@pytest.mark.slow
def test_some_faults_are_survived() -> None:
    told = python(ROOT / "tools" / "faults", "--trials", "3", "--seed", "1")
    assert "3 trials in" in told
    assert "seed 1: 0 failed" in told


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
