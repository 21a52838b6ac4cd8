"""``breakrank plan``: what a host has to provide, in tables, files, or as one JSON object."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Call

FEW = ("--runs", 3, "--seed", 5, "--workers", 1)
MANY = ("--set", "decision.baseline_leave=4")
"""So that some come at all."""


def plain(text: str) -> str:
    return " ".join(text.split())


def test_tables_and_files(
    call: Call, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    done = call("plan", template, *FEW, *MANY)
    assert done.code == 0, done.err
    for words in (
        "Week by week at 80%",
        "Over the whole period",
        "Needed at the peak",
        "Sphere Handbook 2018",
    ):
        assert words in plain(done.out), words
    assert max(map(len, done.out.splitlines())) <= 80
    assert "Traceback" not in done.err
    folder = tmp_path / "breakrank-plan-small-5"
    assert {"case", "answer.json", "weeks.csv", "beds.svg"} < {p.name for p in folder.iterdir()}
    assert str(folder.name) in done.out
    again = call(
        "plan", template, *FEW, *MANY, "--quiet", "--out", "a.pdf", "--out", "a.xlsx", "--out", folder
    )
    assert again.code == 0, again.err
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "a.xlsx").exists()
    assert not (tmp_path / "breakrank-plan-small-5-2").exists()


def test_the_call_in_the_plan_makes_it_again(call: Call, template: Path, tmp_path: Path) -> None:
    import shlex

    out = tmp_path / "first.json"
    given = ("--place", "host", "--ensemble", "point", "--set", "fear.on=0", "--staff", "3", "--out", out)
    done = call("plan", template, *FEW, *given, "--level", "75", "--to", "2025-02-20", "--quiet")
    assert (done.code, done.out) == (0, "")
    first = json.loads(out.read_text("utf-8"))
    words = shlex.split(first["provenance"]["command"])[1:]
    again = call(*words, "--out", tmp_path / "second.json", "--workers", 1)
    assert again.code == 0, again.err
    assert json.loads((tmp_path / "second.json").read_text("utf-8")) == first


def test_an_interrupted_plan_goes_on_to_the_same_tables(
    call: Call, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = (*FEW, "--with", "no-appeal", "--to", "2025-02-28", "--out", tmp_path / "a.json", "--json")
    whole = json.loads(call("plan", template, *asked).out)
    from breakrank.runs import carry_out, crew

    take = carry_out._Carrying._take

    def interrupt(work: carry_out._Carrying, told: Any) -> None:
        take(work, told)
        if len(work._made) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(carry_out._Carrying, "_take", interrupt)
        patched.setattr(crew, "MOST", 1)
        stopped = call("plan", template, *asked, "--store", tmp_path / "store")
    assert stopped.code == 130
    assert "2 of 6 runs are kept in" in stopped.err
    assert "no run of no-appeal had finished" in " ".join(json.loads(stopped.out)["notes"])
    assert json.loads(stopped.out)["provenance"]["finished"] == 2
    again = call("plan", template, *asked, "--store", tmp_path / "store")
    assert again.code == 0, again.err
    assert "2 of 6 runs were in" in again.err
    assert json.loads(again.out)["tables"] == whole["tables"]
