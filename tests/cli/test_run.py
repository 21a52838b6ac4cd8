"""``breakrank run``: a table, a folder and a report; one JSON object; silence where asked for."""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path

import pytest

from breakrank import load_case, load_result
from tests.cli.conftest import Call, Outcome, command, environment, process

PLAIN = ("--runs", 3, "--seed", 5, "--set", "fear.on=0")
MOVED = re.compile(r"\b([2-9]|[1-9][\d,]+)/1,000,000 done")
SHORT = ("--runs", 1, "--until", "2025-01-31")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def plain(template: Path, folder: Path) -> Outcome:
    """Run once in the plain way."""
    return process("run", template, *PLAIN, folder=folder)


def test_it_leaves_a_result_and_a_report_and_nothing_else(plain: Outcome, folder: Path) -> None:
    assert [p.name for p in folder.iterdir()] == ["breakrank-small-5"]
    made = folder / "breakrank-small-5"
    assert (made / "report.html").stat().st_size > 10_000
    result = load_result(made)
    assert (result.runs, result.seed, result.interrupted) == (3, 5, False)
    assert result.case.value("fear.on") == 0
    assert "--set fear.on=0" in result.command
    assert "fear.on = 0" in (made / "report.html").read_text("utf-8").partition("<nav")[0]


def test_an_answer_goes_to_the_files_that_are_named(template: Path, tmp_path: Path, call: Call) -> None:
    page, rows = tmp_path / "page.html", tmp_path / "rows.csv"
    done = call("run", template, *PLAIN, "--out", page, "--out", rows, "--out", tmp_path / "whole")
    assert done.code == 0, done.err
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert rows.stat().st_size > 100
    assert load_result(tmp_path / "whole").runs == 3
    assert (tmp_path / "whole" / "report.html").exists()
    twice = call("run", template, *PLAIN, "--out", page, "--out", page)
    assert twice.code != 0
    assert "two --out name the same place" in twice.err


def test_json_is_one_object_and_the_same_as_in_a_fresh_process(
    plain: Outcome, folder: Path, template: Path, tmp_path: Path, call: Call
) -> None:
    assert plain.code == 0
    done = call("run", template, *PLAIN, "--json", "--out", tmp_path / "again")
    assert done.code == 0
    answer = json.loads(done.out)
    assert answer.keys() == {"case", "version", "ensemble", "doubts", "seed", "runs", "spread", "outcomes"}
    assert (answer["case"], answer["seed"], answer["runs"]) == ("small", 5, 3)
    first = json.loads((folder / "breakrank-small-5" / "outcomes.json").read_text(encoding="utf-8"))
    assert answer["outcomes"] == first["outcomes"], "the same case and seed give the same numbers"
    assert not (tmp_path / "again" / "report.html").exists(), "nobody asked for it"


def test_until_and_events_change_the_case(template: Path, tmp_path: Path, call: Call) -> None:
    last = load_case(template).calendar.date(30)
    events = tmp_path / "events.yaml"
    events.write_text(
        f"- {{id: a-marker, date: {last}, title: A marker, about: test, assumed: test, effects: []}}\n"
    )
    more = ("--until", last, "--events", events, "--out", tmp_path / "short", "--json")
    more += ("--out", tmp_path / "short.html")
    done = call("run", template, "--runs", 1, *more)
    assert done.code == 0, done.err
    assert (tmp_path / "short.html").is_file()
    assert json.loads(done.out)["runs"] == 1
    case = load_result(tmp_path / "short").case
    assert case.calendar.end == last
    assert "a-marker" in case.events.ids


def test_an_earlier_result_is_replaced_and_anything_else_left_alone(
    template: Path, tmp_path: Path, call: Call
) -> None:
    for seed in (1, 2):
        done = call("run", template, *SHORT, "--seed", seed, "--quiet", "--out", tmp_path / "it")
        assert done.code == 0
    assert load_result(tmp_path / "it").seed == 2
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.txt").write_text("years of work")
    done = call("run", template, *SHORT, "--out", precious)
    assert done.code == 2
    assert "left alone" in done.err
    assert [p.name for p in precious.iterdir()] == ["thesis.txt"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["it", "precious"]


def test_events_that_cannot_act_as_they_say_are_named(template: Path, tmp_path: Path, call: Call) -> None:
    calendar = load_case(template).calendar
    events = tmp_path / "what-if.yaml"
    effect = "{field: call, op: add, value: %s}"
    line = "- {id: %s, date: %s, title: Something, assumed: test, effects: [%s]}\n"
    events.write_text(
        line % ("too-late", "2039-01-01", "")
        + line % ("much", calendar.start, effect % 0.9)
        + line % ("too-much", calendar.start, effect % 0.9)
    )
    last = calendar.date(5)
    out = tmp_path / "it"
    done = call("run", template, "--runs", 1, "--until", last, "--events", events, "--out", out)
    assert done.code == 0
    said = [s for s in done.err.splitlines() if "what-if.yaml" in s]
    assert len(said) == 2
    assert f"'too-late' of 2039-01-01 has no effect: the run lasts from {calendar.start} to {last}" in said[0]
    assert "'much', 'too-much': the field 'call' would reach 1.8" in said[1]
    assert "Correct its date" in done.err
    assert f"Changed: 3 events from what-if.yaml; until {last}" in done.out
    quiet = call("run", template, *SHORT, "--events", events, "--out", out, "--quiet")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")


@pytest.mark.parametrize("out", ["a-file/result", "/proc/none/result"])
def test_a_place_that_cannot_be_written_is_found_before_the_runs(
    template: Path, tmp_path: Path, call: Call, out: str
) -> None:
    (tmp_path / "a-file").write_text("a file")
    done = call("run", template, "--runs", 1_000_000, "--out", tmp_path / out)
    assert done.code == 2
    assert f"cannot write {tmp_path / out}" in done.err
    assert "--out" in done.err
    assert [p.name for p in tmp_path.iterdir()] == ["a-file"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals and terminals are POSIX")
def test_an_interrupted_run_keeps_what_had_finished(template: Path, tmp_path: Path) -> None:
    """Someone watches the bar on a terminal, and interrupts once it moves."""
    terminal, inside = os.openpty()
    running = subprocess.Popen(
        command("run", template, "--runs", 1_000_000, "--workers", 1, "--log-runs", 0, "--out", "part"),
        cwd=tmp_path,
        env=environment() | {"TERM": "xterm"},
        stdout=subprocess.PIPE,
        stderr=inside,
        text=True,
    )
    os.close(inside)
    err = ""
    with suppress(OSError):  # the terminal's other end is closed
        while more := os.read(terminal, 4096).decode(errors="replace"):
            before, err = err, err + more
            if MOVED.search(err) and not MOVED.search(before):
                running.send_signal(signal.SIGINT)
    os.close(terminal)
    out, _ = running.communicate(timeout=120)
    assert running.returncode == 130, err
    assert "interrupted" in err
    assert "Traceback" not in err
    assert [p.name for p in tmp_path.iterdir()] == ["part"]
    result = load_result(tmp_path / "part")
    assert result.interrupted
    assert 0 < result.runs < 1_000_000
    assert "median" in out
    assert f"Missing: {result.runs:,} of 1,000,000 runs finished; interrupted" in " ".join(out.split())


def test_without_a_name_no_earlier_result_is_touched(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert call("run", str(template), "--runs", "1", "--until", "2025-01-03", "--quiet").code == 0
    first, second = sorted(p.name for p in tmp_path.iterdir())
    assert second == f"{first}-2"


@pytest.mark.skipif(sys.platform != "linux", reason="names are text there")
def test_names_that_are_no_text_and_narrow_terminals_lose_no_run(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from breakrank.cli import main

    odd = tmp_path / os.fsdecode(b"sm\xff")
    shutil.copytree(template, odd)
    asked = ["--runs", "2", "--until", "2025-01-20", "--workers", "1"]
    monkeypatch.chdir(tmp_path)
    for given in (
        ["run", odd.name, *asked, "--out", os.fsdecode(b"out\xff")],
        ["run", odd.name, *asked, "--store", os.fsdecode(b"kept\xff"), "--out", "b", "--json"],
        ["plan", odd.name, "--to", "2025-01-20", "--runs", "2", "--workers", "1", "--out", "c"],
    ):
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="ascii") for _ in range(2))
        with redirect_stdout(out), redirect_stderr(err):
            code = main(given)
        out.flush()
        assert code == 0, err.buffer
        if "--json" in given:
            assert json.loads(out.buffer.getvalue().decode("ascii"))["runs"] == 2
    assert load_result(tmp_path / os.fsdecode(b"out\xff")).command.startswith(r"breakrank run $'sm\xff'")
    assert (tmp_path / os.fsdecode(b"out\xff") / "report.html").exists()


def test_a_reader_who_has_seen_enough_costs_no_report(template: Path, tmp_path: Path) -> None:
    running = subprocess.Popen(
        command("run", template, *SHORT, "--out", "it"),
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    running.stdout.close()
    assert b"Traceback" not in running.stderr.read()
    assert running.wait(timeout=300) == 0
    running.stderr.close()
    assert (tmp_path / "it" / "report.html").is_file()
