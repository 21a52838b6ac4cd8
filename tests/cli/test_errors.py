"""A mistake is one clear message on standard error and a non-zero exit code, and leaves nothing behind."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from breakrank import new_case
from breakrank.show.terminal import visible
from tests.cli.conftest import Outcome, process

MISTAKES = {
    "no such command": (["rum"], "run"),
    "no case": (["run"], "CASE"),
    "no such case": (["run", "venezuela-2018"], "venezuela-2019"),
    "no such folder": (["run", "nowhere/at-all"], "nowhere/at-all"),
    "half a run": (["run", "CASE", "--runs", "2.5"], "--runs 2.5: a whole number is expected"),
    "a place twice": (
        ["sweep", "CASE", "--over", "fear.on=0:1:2", "--out", "a.md", "--out", "./a.md"],
        "name the same place",
    ),
    "a file below no folder": (
        ["sweep", "CASE", "--over", "fear.on=0:1:2", "--out", "/dev/null/a.md"],
        "/dev/null/a.md",
    ),
    "no runs": (["run", "CASE", "--runs", "0"], "runs"),
    "no such parameter": (["run", "CASE", "--set", "feer.on=0"], "fear.on"),
    "no value": (["run", "CASE", "--set", "fear.on"], "NAME=VALUE"),
    "digits of another script": (["run", "CASE", "--set", "fear.on=\uff11"], "NAME=VALUE"),
    "digits of another script to sweep": (["sweep", "CASE", "--over", "fear.on=\uff10:1:2"], "LOW:HIGH"),
    "digits of another script for staff": (["plan", "CASE", "--staff", "\uff15"], "--staff"),
    "value out of range": (["run", "CASE", "--set", "fear.on=2"], "fear.on"),
    "no date": (["run", "CASE", "--until", "soon"], "soon"),
    "an impossible year": (["run", "CASE", "--until", "0025-03-01"], "lies in the year 25"),
    "a null character": (["run", "CASE\0"], "a null character"),
    "fewer logs than none": (["run", "CASE", "--log-runs", "-1"], "log_runs must be from 0"),
    "after the calendar": (["run", "CASE", "--until", "2099-01-01"], "calendar"),
    "no events file": (["run", "CASE", "--events", "none.yaml"], "none.yaml"),
    "no name for a case": (["case", "new", "--full", "!!!"], "!!!"),
    "no evidence for": (["evidence", "CASE", "fear.risk_wait"], "fear.risk_weight"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_one_message_and_nothing_left(
    mistake: str,
    call: Callable[..., Outcome],
    template: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arguments, named = MISTAKES[mistake]
    monkeypatch.chdir(tmp_path)
    done = call(*(str(template) if a == "CASE" else a for a in arguments))
    assert done.code == 2
    assert done.out == ""
    said = [line for line in done.err.splitlines() if not line.startswith("compiling ")]
    assert said[0].startswith("breakrank: ")
    assert named in done.err
    assert "Traceback" not in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_broken_case_is_named_with_file_and_line(template: Path, tmp_path: Path) -> None:
    broken = tmp_path / "small"
    shutil.copytree(template, broken)
    file = broken / "case.yaml"
    lines = file.read_text(encoding="utf-8").splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("title:"))
    lines[at] = lines[at].replace("title:", "tilte:")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = process("run", broken, "--runs", 1, "--json", folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert f"case.yaml:{at + 1}" in done.err
    assert "title" in done.err
    assert "Traceback" not in done.err
    assert [p.name for p in tmp_path.iterdir()] == ["small"]


def test_what_acts_on_a_terminal_is_shown_and_not_sent(call: Callable[..., Outcome], tmp_path: Path) -> None:
    """Escape sequences, a carriage return, C1 controls, a mark that turns the writing, half a character."""
    name = "a\x1b[31m\x1b]0;title\x07\x9b2J\rb\u202e\udcff"
    shown = "a\\u001b[31m\\u001b]0;title\\u0007\\u009b2J\\u000db\\u202e\\udcff"
    done = call("case", "check", name)
    assert done.code == 2
    assert not any(c in done.err for c in "\x1b\x07\x9b\r\u202e\udcff")
    folder = tmp_path / "x\x1b[2Jy"
    shutil.copytree(new_case(tmp_path / "plain", full=True), folder)
    (folder / "spare.yaml").write_text("x")
    strange = call("case", "check", folder)
    assert strange.code == 0
    assert "x\\u001b[2Jy" in strange.out
    assert "\x1b" not in strange.out + strange.err
    told = call("case", "check", folder, "--json").out
    assert "\x1b[2J" in json.loads(told)["case"]
    assert shown in visible(name)
