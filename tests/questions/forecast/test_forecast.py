"""A forecast: an ensemble knows what was known, scored on what came later beside baselines told the same."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import breakrank
from breakrank.case.ensemble import load_ensemble
from breakrank.cli import main
from breakrank.questions.forecast import Forecast
from breakrank.questions.forecasters import (
    BASELINES,
    MODEL,
    NULL,
    POOL,
    SIMULATED,
    KnownOnDay,
    baselines,
    split,
)
from breakrank.results.uncertainty import crps
from tests.questions.hindcast.small import small_case

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("small_budget")]
DAY = "2025-03-10"
END = "2025-04-10"
WEEKS = ("11 Mar to 17 Mar", "18 Mar to 24 Mar", "25 Mar to 31 Mar", "1 Apr to 7 Apr", "8 Apr to 10 Apr")


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> breakrank.Case:
    return breakrank.load_case(small_case(tmp_path_factory.mktemp("forecast") / "small"))


@pytest.fixture(scope="module")
def found(case: breakrank.Case) -> Forecast:
    return breakrank.forecast(case, DAY, 20, seed=1, workers=1)


def counts(found: Forecast, label: str) -> list[dict[str, Any]]:
    return [one for one in found.answer["counts"].records() if one["label"] == label]


def test_it_is_told_what_was_known_and_scored_on_what_came_later(found: Forecast) -> None:
    assert [one["id"] for one in found.ensemble.figures] == ["registered-early"]
    assert list(dict.fromkeys(row["target"] for row in found.rows)) == ["registered-late", "rises-not"]
    late = {row["forecaster"]: row for row in found.rows if row["target"] == "registered-late"}
    assert set(late) == {POOL, MODEL, NULL, *BASELINES, SIMULATED}
    assert all(row["score"] >= 0 for row in late.values())
    assert any("Removed" in note for note in found.answer.notes)


def test_baselines_know_the_same_figures(case: breakrank.Case, found: Forecast) -> None:
    day = dt.date.fromisoformat(DAY)
    known, (target, _) = split(case, day)
    for name, draws in baselines(target, KnownOnDay(case, day, known, 1)).items():
        (row,) = (r for r in found.rows if (r["target"], r["forecaster"]) == (target.id, name))
        assert row["score"] == crps(np.maximum(draws, 20), 32.0)


def test_the_pool_leads_and_shows_its_parts(found: Forecast) -> None:
    for one in counts(found, "Registered"):
        parts = dict(part.rsplit(" ", 1) for part in one["parts"].split(", "))
        assert set(parts) == {MODEL, NULL, *BASELINES}
        medians = [float(x) for x in parts.values()]
        assert 20 <= min(medians) <= one["median"] + 0.5 <= max(medians) + 1
    assert found.as_json().keys() == {"scores", "ensemble"}


def test_scores_so_far_are_those_of_a_hindcast_of_what_is_known_now(case: breakrank.Case) -> None:
    """On 31 March the count of that day is known: it had been forecast on 10 March."""
    later = breakrank.forecast(case, "2025-03-31", 20, seed=1, workers=1)
    so_far = {row["forecaster"]: row["figures"] for row in later.answer["so_far"].records()}
    assert so_far == dict.fromkeys((POOL, MODEL, NULL, *BASELINES, SIMULATED), 1)
    assert later.answer.doubt.startswith(("A simple baseline forecast", "No baseline is nearer"))


def test_without_an_earlier_forecast_nothing_is_scored_so_far(
    found: Forecast, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "so_far" not in [table.name for table in found.answer.tables]
    found.answer.show()
    told = " ".join(capsys.readouterr().out.split())
    assert told.index("no score tells yet") < told.index("Counts ahead") < told.index("logarithmic curve")


def test_the_same_call_gives_the_same_forecast(case: breakrank.Case, found: Forecast) -> None:
    again = breakrank.forecast(case, dt.date.fromisoformat(DAY), 20, seed=1, workers=2)
    assert json.dumps(again.as_json(), default=str) == json.dumps(found.as_json(), default=str)


def test_headlines_rise_and_chances_are_chances(found: Forecast) -> None:
    medians = [one["median"] for one in counts(found, "Registered")]
    assert medians == sorted(medians)
    beds = counts(found, "Persons in sites")
    assert beds
    assert all(0 <= one["low"] <= one["median"] <= one["high"] for one in beds)
    rows = found.answer["chances"].records()
    chances = [one["chance"] for one in rows if one["label"] == "An uprising"]
    assert chances == sorted(chances)
    assert all(0 <= chance <= 1 for chance in chances)


def test_beds_by_week_suffice_for_those_who_need_them(found: Forecast) -> None:
    weeks = found.answer["beds"].records()
    assert [week["week"] for week in weeks] == [f"{days} 2025" for days in WEEKS]
    for week in weeks:
        assert week["p50"] <= week["p80"] <= week["p95"]
    last = next(one for one in counts(found, "Persons in sites") if one["date"] == END)
    # those in sites need a bed; the median of an even number of members lies between two of them
    assert weeks[-1]["p50"] >= np.floor(last["median"])
    assert weeks[-1]["p95"] >= last["median"]


def test_kept_worlds_go_on_with_a_new_figure(
    case: breakrank.Case, found: Forecast, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = found.ensemble.save(tmp_path / "kept")
    table = tmp_path / "new.csv"
    table.write_text("date,measure,figure,source\n2025-03-17,registered,at least 15,a paper\n", "utf-8")
    folder = case.write(tmp_path / "small")
    asked = ["forecast", str(folder), "--as-of", "2025-03-17", "--observations", str(table), "--workers", "1"]
    out = tmp_path / "later"
    assert main([*asked, "--ensemble", str(kept), "--out", str(out), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["finding"]
    assert printed["tables"]["counts"]["rows"], "as of every question"
    told = printed["ensemble"]
    assert [one["id"] for one in told["figures"]] == ["registered-early", "observed-2025-03-17-registered"]
    assert told["gone_on_from"] == DAY
    later = load_ensemble(out, case)
    before = {str(path) for path in found.ensemble.draws.luck.paths} if found.ensemble.draws.luck else set()
    assert all(any(str(path).startswith(one) for one in before) for path in later.draws.luck.paths)
    assert main([*asked, "--ensemble", str(kept), "--out", str(out)]) == 2
    assert "so it is left alone" in capsys.readouterr().err


def test_what_members_cannot_hold_to_is_refused(
    case: breakrank.Case, found: Forecast, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A value that is set was taken by the null model alone, and another number of members by nobody."""
    kept, folder = found.ensemble.save(tmp_path / "kept"), case.write(tmp_path / "small")
    asked = ["forecast", str(folder), "--as-of", DAY, "--ensemble", str(kept), "--workers", "1", "--json"]
    name = found.ensemble.draws.names[0]
    assert main([*asked, "--set", f"{name}={case.value(name)}"]) == 2
    assert f"have values of their own of {name}" in capsys.readouterr().err
    assert main([*asked, "--members", "7"]) == 2
    assert "those of the ensemble go on" in capsys.readouterr().err
    written = tmp_path / "ahead.json"
    assert main([*asked, "--seed", "7", "--until", "2025-04-01", "--out", str(written)]) == 0
    made = json.loads(written.read_text("utf-8"))["provenance"]
    assert (made["seed"], made["changed"]) == (7, "until 2025-04-01")


def test_a_plan_is_made_of_what_was_known(
    case: breakrank.Case, found: Forecast, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, folder = found.ensemble.save(tmp_path / "kept"), case.write(tmp_path / "small")
    asked = ["plan", str(folder), "--as-of", DAY, "--ensemble", str(kept), "--runs", "20"]
    asked += ["--out", str(tmp_path / "none.json")]
    assert main([*asked, "--seed", "1", "--json", "--workers", "1"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert any(note.startswith("Removed, as later than 2025-03-10") for note in told["notes"])
    assert ", 11 Mar 2025 to " in told["title"]
    beds = told["tables"]["beds"]["rows"][0]
    assert beds["at_50"] >= found.answer["beds"].rows["p50"].max()
    assert main([*asked[:3], "2025-03-12", *asked[4:]]) == 2
    assert "has assimilated the figures up to 2025-03-10, not up to 2025-03-12" in capsys.readouterr().err
    on = ["forecast", str(folder), "--as-of", "2025-03-12", "--ensemble", str(kept), "--workers", "1"]
    assert main([*on, "--out", str(tmp_path / "on"), "--quiet"]) == 0, "as the message says"
    assert main([*asked[:3], "2025-03-12", "--ensemble", str(tmp_path / "on"), *asked[6:], "--quiet"]) == 0
    assert main([*asked[:5], "point"]) == 2
    assert "a folder of an ensemble" in capsys.readouterr().err
