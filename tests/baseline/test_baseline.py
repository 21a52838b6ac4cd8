"""The numbers of a few small worlds are what they were, to the last bit, unless somebody says why not.

Every draw is a pure function of whole numbers, and so are the choices, but for exponentials and logarithms,
whose last bit differs between processor families and C libraries. A choice turns on such a bit about once in
10^15; so the counts are expected alike everywhere, and demanded alike where the baseline was made.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.baseline.answers import ANSWERS, changed_answers, every_answer
from tests.baseline.kernels import keys, written_keys
from tests.baseline.measure import differences, everything, kind_of_machine, written

ADVICE = """
If this was meant, write the baseline anew with

    python tests/baseline/update.py

and say under **Numbers** in CHANGELOG.md what changed and why. If not, find out which change did it."""

UPDATE = ANSWERS.with_name("update.py")


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return everything()


def test_numbers_are_what_they_were(found: dict[str, Any]) -> None:
    expected = written()
    assert found["what"] == expected["what"], "the baseline measures something else now" + ADVICE
    changed = differences(expected, found)
    if changed and kind_of_machine() != expected["made on"]:
        close(expected, found)
        pytest.skip(
            f"The baseline was made on {expected['made on']}, this is {kind_of_machine()}. {len(changed)} "
            "numbers differ here, each by less than a twentieth, which rounding can do. To judge a change of "
            "code on this machine, write the baseline anew before it and test after it; do not commit that."
        )
    assert not changed, "numbers have changed:\n  " + "\n  ".join(changed) + ADVICE


def close(expected: dict[str, Any], found: dict[str, Any]) -> None:
    """Assert that no total differs by more than rounding on another machine could explain."""
    for world, numbers in expected["worlds"].items():
        for name, number in numbers["totals"].items():
            here = found["worlds"][world]["totals"][name]
            assert here == pytest.approx(number, rel=0.05, abs=5), f"{world}: {name}" + ADVICE


def test_gauges_are_what_they_were(found: dict[str, Any]) -> None:
    for world, numbers in written()["worlds"].items():
        for name, level in numbers["gauges"].items():
            assert found["worlds"][world]["gauges"][name] == pytest.approx(level, rel=1e-5), (
                f"{world}: {name}" + ADVICE
            )


def test_the_baseline_sees_what_matters() -> None:
    seen = [written()["worlds"][name]["totals"] for name in ("pushed", "plotting", "received")]
    rare = {
        "died in custody",
        "shot on the way",
        "refused to march against an uprising",
        "uprising held out, then ended",
        "uprising succeeded",
        "joined a pact against the regime",
        "regime fell",
        "went over to the opposition",  # in cases that name one
        "resigned",  # in cases that say who can, and so are the next three
        "resigned at the end",
        "refused an order",
        "dismissed",
    }
    assert not [n for n in seen[0] if not any(totals[n] for totals in seen) and n not in rare]


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="keys are made of the bytecode of Python 3.11")
def test_kernels_do_what_they_did() -> None:
    expected = written_keys()
    changed = {
        name: found for name, found in keys().items() if not set(found) <= set(expected.get(name, found))
    }
    assert not changed, ADVICE


@pytest.mark.thorough
def test_answers_are_what_they_were() -> None:
    if kind_of_machine() != written()["made on"]:
        pytest.skip("numbers of answers are compared to the bit, on the kind of machine they were made on")
    expected = json.loads(ANSWERS.read_text("utf-8"))
    changed = changed_answers(expected, every_answer())
    assert not changed, "answers have changed:\n  " + "\n  ".join(changed) + ADVICE


@pytest.mark.parametrize("argument", ["--help", "--dry-run"])
def test_an_argument_of_the_update_never_writes(argument: str) -> None:
    before = ANSWERS.stat().st_mtime_ns
    done = subprocess.run([sys.executable, UPDATE, argument], capture_output=True, text=True, check=False)
    assert done.returncode == (0 if argument == "--help" else 2)
    assert ("Usage" if argument == "--help" else "Unknown option") in done.stdout + done.stderr
    assert ANSWERS.stat().st_mtime_ns == before
