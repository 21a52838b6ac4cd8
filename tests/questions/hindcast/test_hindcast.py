"""A whole hindcast of small cases: who is scored, that nothing later leaks in, and that it resumes."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import breakrank
from breakrank.answer.answer import Answer
from breakrank.case.draws import Draws
from breakrank.errors import UsageError
from breakrank.questions.declared import HindcastQuestion
from breakrank.questions.forecasters import BASELINES, FORECASTERS, MODEL, POOL, SIMULATED, Ensemble
from breakrank.questions.hindcast import CARRIED, OWN, answer_of, carried_draws, geometric_mean, ratios
from breakrank.runs.carry_out import Account, Making
from breakrank.show.vegalite import Chart
from tests.questions.hindcast.small import PRIORS, small_case

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("small_budget")]
ASK: dict[str, Any] = {"draws": 20, "workers": 1}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hindcast")


@pytest.fixture(scope="module")
def found(home: Path) -> Answer:
    first, second = small_case(home / "one"), small_case(home / "two", late=60)
    return breakrank.hindcast([first, second], store=home / "store", **ASK)


def of(found: Answer, **asked: str) -> list[dict[str, Any]]:
    return [row for row in scores(found) if all(row[name] == one for name, one in asked.items())]


def scores(found: Answer) -> list[dict[str, Any]]:
    """Return the scored forecasts of cases with their record."""
    return [row for row in found["forecasts"].records() if row["forecaster"] not in (OWN, CARRIED)]


def test_every_day_of_a_publication_is_forecast_from(found: Answer) -> None:
    days = {(row["case"], row["as_of"], row["target"]) for row in scores(found)}
    assert days == {
        (case, *more)
        for case in ("one", "two")
        for more in (
            ("2025-03-10", "registered-late"),
            ("2025-03-10", "rises-not"),
            ("2025-03-31", "rises-not"),
        )
    }
    assert [(day["case"], day["as_of"]) for day in found["days"].records()] == [
        (case, day) for case in ("one", "two") for day in ("2025-03-10", "2025-03-31")
    ]
    assert found["days"].rows["ess"].between(1, 20).all()


def test_each_figure_is_scored_by_the_pool_and_its_parts(found: Answer) -> None:
    late = of(found, case="one", target="registered-late")
    assert [row["forecaster"] for row in late] == list(FORECASTERS)
    assert all(math.isfinite(row["score"]) and row["score"] >= 0 for row in late)
    assert {row["score_kind"] for row in late} == {"CRPS"}
    last = next(row for row in late if row["forecaster"] == "last value")
    assert last["median"] == pytest.approx(20, rel=0.05)
    assert min(row["q05"] for row in late if row["forecaster"] != SIMULATED) >= 20
    holds = of(found, case="one", target="rises-not", forecaster="last value")
    assert [row["score"] for row in holds] == [0, 0]


def test_what_came_later_moves_no_forecast(found: Answer) -> None:
    one, two = (of(found, case=name, target="registered-late") for name in ("one", "two"))
    assert (one[0]["observed_low"], two[0]["observed_low"]) == (32, 60)
    for mine, other in zip(one, two, strict=True):
        assert [mine[q] for q in ("q05", "median", "q95")] == [other[q] for q in ("q05", "median", "q95")]


def test_a_call_made_again_makes_no_run_and_gives_the_same_bytes(found: Answer, home: Path) -> None:
    class Noting(Making):
        def made(self, *study: Any, **more: Any) -> Account:
            account = super().made(*study, **more)
            assert account.made == 0
            return account

    cases = tuple(breakrank.load_case(home / name, "point") for name in ("one", "two"))
    making = Noting(home / "store")
    again = HindcastQuestion(draws=20).answer(cases, making)
    assert making.accounts
    assert again.tables == found.tables


def test_the_first_sentence_says_who_carries_it(found: Answer) -> None:
    first, *rest = (found.finding, *found.notes)
    cases = [[row for row in scores(found) if row["case"] == case] for case in ("one", "two")]
    shares = [geometric_mean(ratios(rows, MODEL, name)) for rows in cases for name in BASELINES]
    worst = max(share for share in shares if share == share)
    assert first.startswith("A simple baseline forecast" if worst > 1 else "No baseline is nearer")
    for name in ("one", "two"):
        assert any(line.startswith(f"Leave one case out, {name}: ") for line in rest)
    assert "Not removed" in rest[-1]


def test_shares_are_of_the_same_figures() -> None:
    rows = [
        {"case": "a", "as_of": day, "target": "t", "forecaster": name, "score_kind": kind, "score": score}
        for day, name, kind, score in (
            ("1", POOL, "CRPS", 2.0), ("1", MODEL, "CRPS", 4.0),
            ("2", POOL, "CRPS", 8.0), ("2", MODEL, "CRPS", 4.0),
            ("3", POOL, "CRPS", 0.0), ("3", MODEL, "CRPS", 4.0),
            ("6", POOL, "CRPS", 3.0), ("6", MODEL, "CRPS", 3.0),
            ("4", MODEL, "CRPS", 9.0), ("5", POOL, "Brier", 0.2), ("5", MODEL, "Brier", 0.1),
        )
    ]  # fmt: skip
    assert ratios(rows, MODEL, POOL) == [2.0, 0.5]
    assert geometric_mean([2.0, 0.5]) == pytest.approx(1.0)


def test_it_holds_every_score_and_a_chart_of_them(found: Answer) -> None:
    left_out = [row for row in found["forecasts"].records() if row["as_of"] == ""]
    assert {row["forecaster"] for row in left_out} == {OWN, CARRIED}
    assert isinstance(found.plot(), Chart)
    summary = found["summary"].rows
    assert summary["forecaster"].to_list() == [*FORECASTERS] * 2
    assert (summary["least"].fillna(0) <= summary["most"].fillna(0)).all()
    empty = answer_of([], [], [], (), found.provenance)
    with pytest.raises(UsageError, match="no figure"):
        empty.plot()


def test_a_figure_that_begins_before_the_calendar_is_left_out(tmp_path: Path) -> None:
    """It only warns that it cannot be compared with a run, so it must not end a hindcast."""
    folder = small_case(tmp_path / "early")
    targets = folder / "targets.yaml"
    early = """
- id: since-last-year
  label: Registered since last year
  measure: registered
  date: 2025-03-05
  from: 2024-12-01
  unit: soldiers
  value: 8
  assumed: Invented.
"""
    targets.write_text(targets.read_text("utf-8") + early, "utf-8")
    assert any("since-last-year" in str(w) for w in breakrank.check_case(folder))
    told = breakrank.hindcast(folder, as_of="2025-03-10", store=tmp_path / "store", **ASK)
    assert {row["target"] for row in scores(told)} == {"registered-late", "rises-not"}


def test_what_is_psychological_is_carried_and_the_rest_is_its_own(home: Path, found: Answer) -> None:
    case = breakrank.load_case(home / "one")
    own = Draws(tuple(PRIORS), np.array([[6.0, 2.0, 1.1], [7.0, 3.0, 1.2]]))
    told = Ensemble({}, np.ones(1), Draws(tuple(PRIORS), np.array([[5.5, 1.5, 1.25]])))
    drawn = carried_draws(own, [(case, told)])
    column = dict(zip(drawn.names, drawn.values.T.tolist(), strict=True))
    assert column["decision.baseline_leave"] == [5.5, 5.5]
    assert column["challenger.credibility_weight"] == [1.5, 1.5]
    assert column["opportunity.rate"] == [1.1, 1.2]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"as_of": "2025-13-01"}, "is not a date"),
        ({"as_of": "2025-04-10"}, "leaves nothing to forecast"),
        ({"draws": 5}, "draws"),
    ],
)
@pytest.mark.usefixtures("found")
def test_what_makes_no_sense_is_refused(home: Path, more: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        breakrank.hindcast(home / "one", store=home / "store", **{**ASK, **more})


@pytest.mark.usefixtures("found")
def test_a_day_by_which_nothing_was_published_is_forecast_from_the_prior(home: Path) -> None:
    told = breakrank.hindcast(home / "one", as_of="2025-01-10", store=home / "store", **ASK)
    late = of(told, target="registered-early")
    assert {row["forecaster"] for row in late} <= {POOL, MODEL, "null model", SIMULATED}
    assert told["days"].rows["ess"].to_list() == [20.0]


def test_of_several_cases_those_without_the_day_are_skipped(
    home: Path, found: Answer, capsys: pytest.CaptureFixture[str]
) -> None:
    both = [home / "one", home / "two"]
    told = breakrank.hindcast(both, as_of="2025-04-10", store=home / "store", **ASK)
    assert scores(told) == []
    mine, whole = (one.table("forecasts") for one in (told, found))
    assert mine.equals(whole[whole["as_of"] == ""].reset_index(drop=True))
    told.show()
    printed = capsys.readouterr().out
    assert "Skipped: one" in printed
    assert "Leave one case out, two" in printed
