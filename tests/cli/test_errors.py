"""A mistake is one clear message on standard error and a non-zero exit code, and leaves nothing behind."""

import json
import shutil
from pathlib import Path

import pytest

from breakrank.show.terminal import visible
from tests.cli.conftest import Call
from tests.new_cases import full_case

MISTAKES = [
    ("rum", "run"),
    ("run", "CASE"),
    ("run venezuela-2018", "venezuela-2019"),
    ("run nowhere/at-all", "nowhere/at-all"),
    ("run CASE --runs 2.5", "--runs 2.5: a whole number is expected"),
    ("run CASE --runs 0", "runs"),
    ("run CASE --set feer.on=0", "fear.on"),
    ("run CASE --set fear.on", "NAME=VALUE"),
    ("run CASE --set fear.on=\uff11", "NAME=VALUE"),
    ("run CASE --set fear.on=2", "fear.on"),
    ("run CASE --until soon", "soon"),
    ("run CASE --until 0025-03-01", "lies in the year 25"),
    ("run CASE --until 2099-01-01", "calendar"),
    ("run CASE\0", "a null character"),
    ("run CASE --log-runs -1", "log_runs must be from 0"),
    ("run CASE --events none.yaml", "none.yaml"),
    ("run CASE --runs 1000000 --backend tcp://127.0.0.1:9", "Name it with --store FOLDER"),
    ("run CASE --runs 1000000 --no-result", "--no-result needs --store FOLDER"),
    ("run CASE --runs 1000000 --report", "Write --out FILE.html in place of --report"),
    ("run CASE --runs 1000000 --store CASE", "no store of Breakrank, so it is left alone"),
    ("forecast CASE --as-of soon", "breakrank: --as-of: 'soon' is not a date"),
    ("compare CASE", "nothing to compare small with; it has no-appeal, null-model"),
    ("compare CASE --with no-apeal", "did you mean 'no-appeal'"),
    ("compare CASE --set force.strength=100", "different forces (force.strength"),
    ("sweep CASE --over fear.on=0:1:2 --out a.md --out ./a.md", "name the same place"),
    ("sweep CASE --over fear.on=0:1:2 --out /dev/null/a.md", "/dev/null/a.md"),
    ("sweep CASE --over fear.on=\uff10:1:2", "LOW:HIGH"),
    ("sweep CASE --over fear.on=0:1:2 --outcome fell", "is no outcome such as"),
    ("sweep CASE --over fear.risk_weight=0:1 --measure registerd", "did you mean 'registered'"),
    ("sweep CASE --over fear.on=0:1 --refine -1", "--refine -1: 0 or more rounds are expected"),
    ("sweep CASE", "sweep needs --over: A parameter and its range"),
    ("sweep CASE --over", "--over"),
    ("case new", "case new needs FOLDER, which is missing"),
    ("run CASE --runs 1 --out a.docx", "an answer is no .docx file"),
    ("compare CASE --with no-appeal --runs 1 --out a.PDF", "End the name with .html, .pdf"),
    ("plan CASE --place hotl", "small has no place 'hotl'"),
    ("plan CASE --from 2025-02-01 --to 2025-01-31", "Give --to a day from 2025-02-01 on"),
    ("plan CASE --staff \uff15", "--staff"),
    ("plan CASE --staff 5;10", "--staff 5;10: numbers of caseworkers are expected"),
    ("plan CASE --staff 5,,6", "--staff 5,,6: numbers of caseworkers are expected"),
    ("plan CASE --level 0", "level must be from 1 to 100"),
    ("plan CASE --set reception.on=0", "reception is switched off in small"),
    ("plan CASE --runs 0", "runs must be from 1"),
    ("explain CASE --outcome left_abrod", "did you mean 'left_abroad'"),
    ("explain CASE --outcome dezerters", "no measure 'dezerters' (known: "),
    ("explain CASE --date 2031-01-01", "--date: 2031-01-01 lies outside the calendar"),
    ("explain CASE --ensemble posterior", "has no posterior"),
    ("hindcast crimea-2041", "crimea-2014"),
    ("examine CASE --table nowhere.yaml", "nowhere.yaml"),
    ("trace CASE", "--soldier"),
    ("trace CASE --soldier 1 --fate dead", "--soldier"),
    ("trace CASE --fate servign", "serving"),
    ("trace CASE --soldier 1000000000", "identities"),
    ("trace CASE --soldier 1 --set feer.on=0", "fear.on"),
    ("cite nowhere-1999", "nowhere-1999"),
    ("evidence CASE fear.risk_wait", "fear.risk_weight"),
    ("case new --full !!!", "!!!"),
]
"""Calls, and what is named in the message."""


@pytest.mark.parametrize(("words", "named"), MISTAKES)
def test_one_message_and_nothing_left(
    words: str, named: str, call: Call, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call(*(template if word == "CASE" else word for word in words.split(" ")))
    assert done.code == 2
    assert done.out == ""
    said = [line for line in done.err.splitlines() if not line.startswith("compiling ")]
    assert said[0].startswith("breakrank: ")
    assert named in done.err
    assert "Traceback" not in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_broken_case_is_named_with_file_and_line(call: Call, template: Path, tmp_path: Path) -> None:
    broken = tmp_path / "small"
    shutil.copytree(template, broken)
    file = broken / "case.yaml"
    lines = file.read_text(encoding="utf-8").splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("title:"))
    lines[at] = lines[at].replace("title:", "tilte:")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = call("run", broken, "--runs", 1, "--json")
    assert (done.code, done.out) == (2, "")
    assert f"case.yaml:{at + 1}" in done.err
    assert "title" in done.err
    assert "Traceback" not in done.err
    assert [p.name for p in tmp_path.iterdir()] == ["small"]


def test_a_result_in_place_of_a_case_is_told_where_its_case_is(
    call: Call, template: Path, tmp_path: Path
) -> None:
    shutil.copytree(template, tmp_path / "result" / "case")
    done = call("cite", tmp_path / "result")
    assert done.code == 2
    assert f"Name the case that it was made of: {tmp_path / 'result' / 'case'}" in done.err
    assert call("cite", tmp_path / "result" / "case").code == 0


def test_what_acts_on_a_terminal_is_shown_and_not_sent(call: Call, tmp_path: Path) -> None:
    """Escape sequences, a carriage return, C1 controls, a mark that turns the writing, half a character."""
    name = "a\x1b[31m\x1b]0;title\x07\x9b2J\rb\u202e\udcff"
    shown = "a\\u001b[31m\\u001b]0;title\\u0007\\u009b2J\\u000db\\u202e\\udcff"
    done = call("case", "check", name)
    assert done.code == 2
    assert not any(c in done.err for c in "\x1b\x07\x9b\r\u202e\udcff")
    folder = tmp_path / "x\x1b[2Jy"
    shutil.copytree(full_case(tmp_path / "plain"), folder)
    (folder / "spare.yaml").write_text("x")
    strange = call("case", "check", folder)
    assert strange.code == 0
    assert "x\\u001b[2Jy" in strange.out
    assert "\x1b" not in strange.out + strange.err
    told = call("case", "check", folder, "--json").out
    assert "\x1b[2J" in json.loads(told)["case"]
    assert shown in visible(name)
