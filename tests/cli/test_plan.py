"""``breakrank plan``: what a host has to provide, in tables, files, or as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from breakrank.engine.replicate import Replicate
from breakrank.runs.memory_store import MemoryEnsemble
from tests.cli.conftest import Outcome, process

Call = Callable[..., Outcome]
FEW = ("--runs", 3, "--seed", 5, "--workers", 1)


def plain(text: str) -> str:
    return " ".join(text.split())


def test_tables_and_files(
    call: Call, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    done = call("plan", template, *FEW, "--format", "html,csv")
    assert done.code == 0, done.err
    for words in ("Beds that suffice", "Over the whole period", "Needed at the peak", "Sphere Handbook 2018"):
        assert words in plain(done.out), words
    assert max(map(len, done.out.splitlines())) <= 80
    assert "Traceback" not in done.err
    folder = tmp_path / "breakrank-plan-small-5"
    assert {p.name for p in folder.iterdir()} == {"case", "plan.html", "plan.json", "tables"}
    assert str(folder.name) in done.out
    again = call("plan", template, *FEW, "--format", "csv")
    assert again.code == 0
    assert (tmp_path / "breakrank-plan-small-5-2" / "plan.json").exists()


def test_json_is_one_object_and_the_same_in_a_fresh_process(
    call: Call, template: Path, tmp_path: Path
) -> None:
    asked = ("--assurance", "60,90", "--staff", "2,9", "--format", "none", "--json")
    done = process("plan", template, *FEW[:-1], 2, *asked, folder=tmp_path)
    assert done.code == 0, done.err
    answer = json.loads(done.out)
    assert answer["assurance"] == [0.6, 0.9]
    assert list(tmp_path.iterdir()) == []
    again = json.loads(call("plan", template, *FEW, *asked).out)
    for key in ("seconds", "command"):
        answer.pop(key), again.pop(key)
    for each in (answer, again):
        each["tables"].pop("notes")
    assert again == answer


def test_the_call_in_the_plan_makes_it_again(call: Call, template: Path, tmp_path: Path) -> None:
    import shlex

    out = tmp_path / "first"
    given = ("--place", "host", "--ensemble", "point", "--set", "fear.on=0", "--staff", "3", "--out", out)
    given += ("--format", "csv", "--quiet")
    done = call("plan", template, *FEW, *given)
    assert (done.code, done.out) == (0, "")
    first = json.loads((out / "plan.json").read_text("utf-8"))
    words = shlex.split(first["command"])[1:]
    again = call(*words, "--out", tmp_path / "second", "--format", "csv", "--workers", 1)
    assert again.code == 0, again.err
    second = json.loads((tmp_path / "second" / "plan.json").read_text("utf-8"))
    assert second["tables"]["summary"] == first["tables"]["summary"]
    assert second["command"] == first["command"]
    assert second["digest"] == first["digest"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--place", "hotl"), "small has no place 'hotl'"),
        (("--from", "2025-02-01", "--to", "2025-01-31"), "Give --to a day from 2025-02-01 on"),
        (("--staff", "5;10"), "--staff 5;10: numbers of caseworkers are expected"),
        (("--assurance", "0"), "above 0 and up to 100"),
        (("--set", "reception.on=0"), "reception is switched off in small"),
        (("--runs", "0"), "runs must be from 1"),
    ],
)
def test_what_cannot_be_planned(
    call: Call,
    template: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    runs = () if "--runs" in arguments else ("--runs", 3)
    done = call("plan", template, *runs, *arguments, "--workers", 1)
    assert done.code == 2
    assert says in done.err
    assert "Traceback" not in done.err
    assert done.out == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("after", "says"),
    [
        (0, "interrupted before the first run"),
        (4, "interrupted; the plan is of the 3 runs that had finished"),
    ],
)
def test_an_interrupt_keeps_what_has_finished(
    call: Call, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int, says: str
) -> None:
    keep, kept = MemoryEnsemble.keep, []

    def stopped(ensemble: MemoryEnsemble, made: Replicate, seconds: float) -> None:
        if len(kept) == after:
            raise KeyboardInterrupt
        kept.append(made.run)
        keep(ensemble, made, seconds)

    monkeypatch.setattr(MemoryEnsemble, "keep", stopped)
    asked = (*FEW, "--with", "no-appeal", "--out", tmp_path / "plan", "--format", "csv")
    done = call("plan", template, *asked)
    assert done.code == 130
    assert says in done.err
    assert len([line for line in done.err.splitlines() if "interrupt" in line]) == 1
    assert (tmp_path / "plan" / "plan.json").exists() == bool(after)


def tables_of(answer: dict[str, dict[str, object]]) -> dict[str, object]:
    """Return the tables but the notes, which tell the call and how long it took."""
    return {name: rows for name, rows in answer["tables"].items() if name != "notes"}


@pytest.mark.parametrize(
    ("after", "says"),
    [
        (2, "the 2 runs that had finished; no run of no-appeal"),
    ],
)
def test_an_interrupted_plan_goes_on_to_the_same_tables(
    call: Call, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int, says: str
) -> None:

    asked = (*FEW, "--with", "no-appeal", "--to", "2025-02-28", "--format", "none", "--json")
    plain = json.loads(call("plan", template, *asked).out)
    from breakrank.runs import crew, study_progress

    counted = study_progress.Counter.made_by

    def interrupt(counter: study_progress.Counter, worker: str, memory: int) -> None:
        counted(counter, worker, memory)
        if counter.made == after:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(study_progress.Counter, "made_by", interrupt)
        patched.setattr(crew, "MOST", 1)
        stopped = call("plan", template, *asked, "--store", tmp_path / "store")
    assert stopped.code == 130
    assert f"{after} of 6 runs are kept in" in stopped.err
    assert says in stopped.err
    again = call("plan", template, *asked, "--store", tmp_path / "store")
    assert again.code == 0, again.err
    assert f"{after} of 6 runs were in" in again.err
    assert tables_of(json.loads(again.out)) == tables_of(plain)
