"""Stores on the command line: the same result, nothing made twice, what they hold, and keeping them small."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Call

FEW = ("--runs", 4, "--seed", 5, "--log-runs", 2, "--workers", 1, "--until", "2025-02-28")


def test_runs_can_be_left_in_the_store(call: Call, template: Path, tmp_path: Path) -> None:
    asked = ("run", template, *FEW, "--store", tmp_path / "store")
    made = call(*asked, "--no-result")
    assert (made.code, made.err) == (0, "")
    assert made.out.startswith("4 of 4 runs are in ")
    told = json.loads(call(*asked, "--no-result", "--json").out)
    assert told == {"store": str(tmp_path / "store"), "finished": 4, "runs": 4, "doubts": []}
    refused = call(*asked, "--no-result", "--out", tmp_path / "out")
    assert (refused.code, (tmp_path / "out").exists()) == (2, False)
    assert "nothing for --out" in refused.err
    assert "4 of 4 runs were in" in call(*asked, "--out", tmp_path / "out").err
    target = tmp_path / "days.csv"
    assert call("export", tmp_path / "store", target, "--to", "csv", "--reduce").code == 0
    assert target.read_text("utf-8").startswith('"statistic","date",')


@pytest.fixture(scope="module")
def untouched(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with two parts of one ensemble, and one of another seed."""
    from breakrank.cli import main

    folder = tmp_path_factory.mktemp("stores")
    store = folder / "store"
    few = ["--until", "2025-01-20", "--workers", "1", "--store", str(store), "--quiet", "--log-runs", "0"]
    for k, more in enumerate((["--runs", "2"], ["--runs", "3"], ["--runs", "1", "--seed", "1"])):
        assert main(["run", str(template), *few, *more, "--out", str(folder / f"out-{k}")]) == 0
    return store


@pytest.fixture
def store(untouched: Path, tmp_path: Path) -> Path:
    """Return that store, to be changed."""
    return Path(shutil.copytree(untouched, tmp_path / "store"))


def test_listed_and_cleaned(call: Call, store: Path) -> None:
    listed = json.loads(call("store", "list", store, "--json").out)["ensembles"]
    assert [(e["seed"], e["runs"], e["current"]) for e in listed] == [(0, 3, True), (1, 1, True)]
    assert "4 runs" in call("store", "list", store).out
    assert "No ensemble is of another version" in call("store", "clean", store, "--yes").out
    about = Path(listed[1]["folder"]) / "ensemble.json"
    about.write_text(json.dumps(json.loads(about.read_text("utf-8")) | {"code": "older"}), "utf-8")
    asked = call("store", "clean", store)
    assert asked.code == 0
    assert "another version" in asked.out
    assert "Nothing is deleted yet" in asked.out
    assert len(json.loads(call("store", "list", store, "--json").out)["ensembles"]) == 2
    assert "are free now" in call("store", "clean", store, "--yes").out
    assert [e["seed"] for e in json.loads(call("store", "list", store, "--json").out)["ensembles"]] == [0]


def test_changes_have_names_and_digests_that_tell_them_apart(
    call: Call, template: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    few = ("--runs", 1, "--workers", 1, "--log-runs", 0, "--quiet", "--store", store)
    for k, more in enumerate(((), ("--set", "fear.on=0"), ("--set", "fear.on=0", "--until", "2025-01-20"))):
        assert call("run", template, *few, *more, "--out", tmp_path / f"out-{k}").code == 0
    listed = json.loads(call("store", "list", store, "--json").out)["ensembles"]
    names = ["case", "case with fear.on=0", "case with fear.on=0 until 2025-01-20"]
    assert [e["scenario"] for e in listed] == names
    shown = call("store", "list", store).out
    assert all(e["digest"][:8] in shown for e in listed)
    done = call("export", store, tmp_path / "x.csv", "--to", "csv")
    assert done.code == 2
    lines = [line for line in done.err.splitlines() if "--scenario" in line]
    assert len(set(lines)) == 3
    assert "--scenario 'case with fear.on=0' --seed 0" in done.err
    for e in listed:
        asked = ("--to", "csv", "--digest", e["digest"][:12], "--quiet")
        assert call("export", store, tmp_path / e["digest"][:12], *asked).code == 0
