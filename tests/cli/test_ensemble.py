"""``breakrank worlds``, and ``run --given``."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import breakrank
from tests.cli.conftest import Outcome
from tests.questions.hindcast.small import small_case

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("small_budget")]

Call = Callable[..., Outcome]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_case(tmp_path_factory.mktemp("worlds") / "small")


def test_worlds_are_made_kept_and_run(call: Call, case: Path, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    done = call("worlds", case, "--number", 20, "--given", "2025-03-10", "--out", folder, "--workers", 1)
    assert done.code == 0, done.err
    assert "20 worlds of small that agree with the record up to 2025-03-10" in done.out
    assert "Registered by 10 March" in done.out
    assert "Registered by the end of March" not in done.out
    again = call("worlds", case, "--number", 20, "--out", folder)
    assert again.code == 2
    assert "--out" in again.err

    asked = ("run", case, "--given", folder, "--runs", 20, "--workers", 1, "--out", tmp_path / "result")
    done = call(*asked, "--json", "--report")
    assert done.code == 0, done.err
    told = json.loads(done.out)["outcomes"]
    assert told["registered-early"]["used"] is True
    assert told["registered-late"]["used"] is False
    report = (tmp_path / "result" / "report.html").read_text("utf-8")
    assert (report.count(">assimilated<"), report.count(">not assimilated<")) == (1, 2)
    assert "20 on 10 Mar 2025, assimilated." in report
    assert "32 on 31 Mar 2025, not assimilated." in report
    title = "Beside the record: the runs were conditioned on 1 of these 3 figures"
    assert report.count(title) >= 2, "at the head of the report, and of its table"
    table = breakrank.load_result(tmp_path / "result").table()
    assert table.columns.name == title
    assert table.loc[["registered-early", "registered-late"], "assimilated"].to_list() == [
        *("assimilated", "not assimilated")
    ]

    made = call(
        "run", case, "--given", "2025-03-10", "--runs", 20, "--workers", 1, "--out", tmp_path / "other"
    )
    assert made.code == 0, made.err
    assert title in " ".join(made.out.split())
    assert "+ assimilated: the runs were conditioned on this figure" in made.out
    other = json.loads((tmp_path / "other" / "outcomes.json").read_text("utf-8"))["outcomes"]
    assert other == told, "worlds made on the way are those made before"


def test_worlds_go_on_by_steps_from_their_folder(
    call: Call, case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("breakrank.questions.condition.search.STEPS", 2)
    asked: tuple[object, ...] = ("worlds", case, "--number", 20, "--workers", 1)
    for seed in (0, 1):
        done = call(*asked, "--given", "2025-03-10", "--seed", seed, "--out", tmp_path / f"{seed}", "--quiet")
        assert done.code == 0, done.err
    start: tuple[object, ...] = (*asked, "--from", tmp_path / "0", "--from", tmp_path / "1")
    done = call(*start, "--given", "2025-03-10", "--out", tmp_path / "both")
    assert done.code == 2
    assert "--steps" in done.err
    done = call(*start, "--steps", 8, "--out", tmp_path / "both")
    assert done.code == 2
    assert "--given 2025-03-10" in done.err
    done = call(*start, "--steps", 8, "--given", "2025-03-10", "--seed", 3, "--out", tmp_path / "both")
    assert (done.code, "leave --seed out" in done.err) == (2, True)
    far = ("--backend", "tcp://nowhere:1")
    done = call(*start, "--steps", 8, "--given", "2025-03-10", *far, "--out", tmp_path / "both")
    assert (done.code, "worlds are made on this machine" in done.err) == (2, True)
    assert not (tmp_path / "both").exists()
    done = call(*start, "--steps", 8, "--given", "2025-03-10", "--out", tmp_path / "both")
    assert done.code == 0, done.err
    assert "8 steps in parameters and luck" in " ".join(done.out.split())
    assert len((tmp_path / "both" / "worlds.csv").read_text("utf-8").splitlines()) == 21


def test_what_is_given_has_to_be_a_date_or_worlds(call: Call, case: Path, tmp_path: Path) -> None:
    done = call("run", case, "--given", "soon", "--runs", 2, "--out", tmp_path / "result")
    assert done.code == 2
    assert "a day, or 'record': 'soon' is not a date" in done.err
    done = call("run", case, "--given", case, "--runs", 20, "--out", tmp_path / "result")
    assert done.code != 0
    assert "holds no worlds" in done.err
    done = call("run", case, "--given", case, "--ensemble", "point", "--out", tmp_path / "result")
    assert (done.code, "exclude each other" in done.err) == (2, True)
    done = call(
        "forecast", case, "--as-of", "2025-03-10", "--ensemble", "posterior", "--out", tmp_path / "kept"
    )
    assert (done.code, "there is no folder none" in done.err) == (2, True)


def test_worlds_that_come_with_a_case_are_what_runs_are(call: Call, case: Path, tmp_path: Path) -> None:
    mine = Path(shutil.copytree(case, tmp_path / "mine"))
    done = call(
        "worlds", mine, "--number", 20, "--given", "2025-03-10", "--out", mine / "worlds", "--workers", 1
    )
    assert done.code == 0, done.err

    def used(*more: object) -> Any:
        out = tmp_path / "-".join(map(str, ("out", *more))).replace("/", "")
        done = call("run", mine, "--runs", 20, "--workers", 1, "--out", out, *more, "--json")
        assert done.code == 0, done.err
        return json.loads(done.out)["outcomes"]["registered-early"]

    mine_used = used()
    assert mine_used["used"] is True
    assert mine_used == used("--given", mine / "worlds")
    assert "used" not in used("--ensemble", "posterior")
    assert "used" not in used("--ensemble", "point")
    assert "used" not in used("--set", "force.strength=2000")
    assert "used" not in used("--set", "decision.baseline_leave=5"), "the change undoes the selection"
    assert used("--until", "2025-03-12")["median"] == mine_used["median"]

    need = ("plan", mine, "--runs", 3, "--workers", 1, "--format", "none", "--json")
    plan = call(*need)
    assert plan.code == 0, plan.err
    assert json.loads(plan.out)["digest"] == json.loads(call(*need, "--given", mine / "worlds").out)["digest"]
    assert json.loads(plan.out)["digest"] != json.loads(call(*need, "--ensemble", "posterior").out)["digest"]

    one = ("trace", mine, "--fate", "registered", "--json")
    life = json.loads(call(*one).out)
    assert life == json.loads(call(*one, "--given", mine / "worlds").out)
    assert life != json.loads(call(*one, "--ensemble", "posterior").out)
    many = ("stories", mine, "--runs", 3, "--workers", 1, "--json")
    assert (
        call(*many).out
        == call(*many, "--given", mine / "worlds").out
        != call(*many, "--ensemble", "posterior").out
    )

    asked = ("compare", mine, "--set", "decision.baseline_leave=5", "--runs", 20, "--workers", 1)
    done = call(*asked)
    assert done.code == 0, done.err
    assert "worlds that agree" not in " ".join(done.out.split()), "a change from the start has other runs"
    one = json.loads(call(*asked, "--json").out)["comparisons"]["set"]
    assert one["asked"]["kind"] == "at large"
    assert one["differences"]["registered"]["mean"] > 0
    done = call(*asked, "--ensemble", "posterior", "--json")
    assert json.loads(done.out)["comparisons"]["set"]["differences"] == one["differences"]

    few, out = ("--runs", 3, "--workers", 1), tmp_path / "explained"
    switched = ("--outcome", "registered")
    explained = call("explain", mine, *few, *switched, "--store", tmp_path / "s", "--out", out, "--json")
    assert explained.code == 0, explained.err
    found = json.loads(explained.out)
    assert found["parameters"] == "values"
    other = call(
        "compare", mine, "--set", "fear.on=0", "--until", found["outcomes"][0]["date"], *few, "--json"
    )
    assert other.code == 0, other.err
    without = json.loads(other.out)["comparisons"]["set"]["differences"]["registered"]
    assert found["removals"]["fear"][0]["mean"] == without["mean"]
