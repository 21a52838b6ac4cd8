"""The ensemble that ``breakrank calibrate`` leaves, and ``--ensemble``."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import breakrank
from breakrank.case.ensemble import load_ensemble
from tests.cli.conftest import Call
from tests.questions.hindcast.small import small_case

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("small_budget")]

FEW = ("--simulations", 120, "--members", 20, "--predictive", 20, "--workers", 1, "--quiet")


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_case(tmp_path_factory.mktemp("ensemble") / "small")


@pytest.fixture(scope="module")
def made(case: Path) -> Path:
    """Return the folder of a calibration up to the first figure."""
    from breakrank.cli import main

    folder = case.parent / "made"
    asked = ("calibrate", case, "--as-of", "2025-03-10", *FEW, "--store", case.parent / "s", "--out", folder)
    assert main([str(a) for a in asked]) == 0
    return folder


def test_an_ensemble_is_kept_and_its_figures_are_marked(
    call: Call, case: Path, made: Path, tmp_path: Path
) -> None:
    assert not (case / "ensemble").exists(), "with --as-of the case is left alone"
    kept = load_ensemble(made, breakrank.load_case(case, "point"))
    assert len(kept) == 20
    assert [(one["id"], one["used"]) for one in kept.figures] == [("registered-early", True)]

    asked = ("run", case, "--ensemble", made, "--runs", 20, "--workers", 1)
    out = tmp_path / "result"
    done = call(*asked, "--out", out, "--out", f"{out}.html", "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)["outcomes"]
    assert told["registered-early"]["used"] is True
    assert told["registered-late"]["used"] is False
    report = out.with_suffix(".html").read_text("utf-8")
    assert len(re.findall(r"<td[^>]*>(?:met|missed|sure) \+</td>", report)) == 1
    title = "Beside the observed figures: the runs assimilated 1 of these 3"
    assert title in report
    table = breakrank.load_result(out).table()
    assert table.columns.name == title
    assert table.loc[["registered-early", "registered-late"], "assimilated"].to_list() == [
        *("assimilated", "not assimilated")
    ]

    inner = ("run", case, "--ensemble", made / "ensemble", "--runs", 20, "--workers", 1)
    done = call(*inner, "--out", tmp_path / "other")
    assert done.code == 0, done.err
    assert title in " ".join(done.out.split())
    assert "+ assimilated: the runs were conditioned on this figure" in " ".join(done.out.split())
    other = json.loads((tmp_path / "other" / "outcomes.json").read_text("utf-8"))["outcomes"]
    assert other == told, "a calibration's folder and its ensemble's are the same"


def test_a_wrong_ensemble_is_refused(call: Call, case: Path, made: Path, tmp_path: Path) -> None:
    def refused(*more: object) -> str:
        done = call("run", case, "--runs", 20, "--workers", 1, *more, "--out", tmp_path / "result")
        assert done.code == 2
        assert not (tmp_path / "result").exists()
        return " ".join(done.err.split())

    assert "soon is no ensemble" in refused("--ensemble", "soon")
    assert f"{case} is no ensemble" in refused("--ensemble", case)
    assert "runs of one force" in refused("--ensemble", made, "--set", "force.strength=2000")
    damaged = Path(shutil.copytree(made / "ensemble", tmp_path / "damaged"))
    text = (damaged / "members.csv").read_text("utf-8")
    (damaged / "members.csv").write_text(text[: text.rindex("\n", 0, -1) + 1], "utf-8")
    done = call("run", case, "--ensemble", damaged, "--out", tmp_path / "result")
    assert done.code != 0
    assert "checksum differs" in " ".join(done.err.split())
    asked = ("forecast", case, "--as-of", "2025-03-10", "--ensemble", "soon")
    done = call(*asked, "--out", tmp_path / "kept")
    assert (done.code, "there is no folder soon" in done.err) == (2, True)
    done = call(*asked[:-1], case, "--out", tmp_path / "kept")
    assert (done.code, "it has no about.yaml\n  Name a folder that" in done.err) == (2, True)
    far = ("--backend", "tcp://nowhere:1")
    done = call("calibrate", case, *FEW, *far, "--store", tmp_path / "s", "--out", tmp_path / "result")
    assert (done.code, "ensembles are made on this machine" in done.err) == (2, True)


def test_an_ensemble_that_comes_with_a_case_is_what_runs_are(
    call: Call, case: Path, made: Path, tmp_path: Path
) -> None:
    mine = Path(shutil.copytree(case, tmp_path / "mine"))
    shutil.copytree(made / "ensemble", mine / "ensemble")

    def used(*more: object) -> Any:
        out = tmp_path / "-".join(map(str, ("out", *more))).replace("/", "")
        done = call("run", mine, "--runs", 20, "--workers", 1, "--out", out, *more, "--json")
        assert done.code == 0, done.err
        return json.loads(done.out)["outcomes"]["registered-early"]

    mine_used = used()
    assert mine_used["used"] is True
    assert mine_used == used("--ensemble", mine / "ensemble") == used("--ensemble", "posterior")
    assert "used" not in used("--ensemble", "prior")
    assert "used" not in used("--ensemble", "point")
    assert "used" not in used("--set", "force.strength=2000")
    assert "used" not in used("--set", "decision.baseline_leave=5"), "the change undoes the selection"
    assert used("--until", "2025-03-12")["median"] == mine_used["median"]

    need = ("plan", mine, "--runs", 3, "--workers", 1, "--out", tmp_path / "plan.json", "--json")
    plan = call(*need)
    assert plan.code == 0, plan.err
    digest = json.loads(plan.out)["provenance"]["digest"]
    assert digest == json.loads(call(*need, "--ensemble", mine / "ensemble").out)["provenance"]["digest"]
    assert digest != json.loads(call(*need, "--ensemble", "point").out)["provenance"]["digest"]

    one = ("trace", mine, "--fate", "hiding", "--json")
    told = call(*one)
    assert told.code == 0, told.err
    assert "ask for fewer runs" not in told.err, "it is one run"
    life = json.loads(told.out)
    again = json.loads(call(*one, "--ensemble", mine / "ensemble").out)
    assert (life["tables"], life["finding"]) == (again["tables"], again["finding"])
    assert life != json.loads(call(*one, "--ensemble", "point").out)
