"""``breakrank sweep``, ``breakrank stories`` and ``breakrank trace``: tables, a chart, lives."""

import json
from pathlib import Path

import pytest

from breakrank import load_answer
from tests.cli.conftest import Call

FEW = ("--runs", 4, "--until", "2025-03-15", "--workers", 1)
ONE = ("--over", "fear.risk_weight=0:12:3", "--outcome", "left_abroad>=2")


def test_a_parameter_and_where_it_tips(
    call: Call, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call("sweep", template, *ONE, *FEW, "--refine", 1)
    assert done.code == 0, done.err
    assert "Crossed out of the country, on the last day" in done.out
    assert "falls below 50% at fear.risk_weight" in " ".join(done.out.split())
    assert sorted(p.name for p in tmp_path.iterdir()) == ["breakrank-small.store", "breakrank-sweep-small"]
    made = tmp_path / "breakrank-sweep-small"
    files = {"answer.json", "case", "chance.svg", "points.csv", "response.svg", "tipping.csv"}
    assert {p.name for p in made.iterdir()} == files
    assert "fear.risk_weight" in (made / "chance.svg").read_text("utf-8")
    kept = load_answer(made)
    assert set(kept.table("points")["runs"]) == {4}
    assert {0, 6, 12} <= set(kept.table("points")["fear.risk_weight"])
    assert {0.5} <= set(kept.table("tipping")["level"])
    again = call("sweep", template, *ONE, *FEW, "--refine", 1, "--json")
    assert json.loads(again.out) == kept.as_json()
    assert "12 of 12 runs were in" in again.err


def test_where_nothing_tips_the_measure_leads(
    call: Call, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    never = ("--over", "fear.risk_weight=0:12:3", "--outcome", "left_abroad>=200000")
    done = call("sweep", template, *never, *FEW, "--refine", 0)
    assert done.code == 0, done.err
    kept = load_answer(tmp_path / "breakrank-sweep-small")
    middle = kept.table("points")["median"].tolist()
    least, most = (f"{value + 0.01:,.0f}" for value in (middle[0], middle[-1]))
    assert f"{least} soldiers at fear.risk_weight = 0, {most} at 12 (medians)" in kept.finding
    assert [figure.name for figure in kept.figures] == ["response", "chance"]
    assert "passes neither 5, 50 nor 95%" in " ".join(kept.notes)


def test_json_is_one_object_and_until_cuts_the_year(call: Call, template: Path) -> None:
    from breakrank import load_case

    last = load_case(template).calendar.date(20)
    done = call("stories", template, "--runs", 2, "--seed", 4, "--until", last, "--json")
    answer = json.loads(done.out)
    assert (done.code, answer["provenance"]["seed"], answer["provenance"]["finished"]) == (0, 4, 2)
    (loyal,) = (one for one in answer["tables"]["stories"]["rows"] if one["id"] == "loyal")
    counts = [one["count"] for one in answer["tables"]["counts"]["rows"] if one["id"] == "loyal"]
    assert len(counts) == 2
    assert loyal["q05"] <= loyal["median"] <= loyal["q95"]
    soldier = loyal["soldier"].partition(" of run ")[0]
    told = call("trace", template, "--soldier", soldier, "--seed", 4, "--until", last, "--json")
    assert json.loads(told.out)["tables"]["events"]["rows"][-1]["date"] == last.isoformat()
