"""A whole validation on small cases: who is scored, that nothing later leaks in, and that it resumes."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import breakrank
from breakrank.case.draws import Draws
from breakrank.errors import UsageError
from breakrank.questions.calibrate.proposal import ParameterProposal
from breakrank.questions.validate.fit import Workshop, carried_draws
from breakrank.questions.validate.result import Validation
from breakrank.runs.backends import choose_backend
from breakrank.runs.carry_out import Account, carry_out
from breakrank.runs.store import Store
from breakrank.runs.study import Study
from tests.questions.validate.small import PRIORS, small_case

pytestmark = pytest.mark.thorough

ASK = {"simulations": 50, "runs": 20, "workers": 1}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("validation")


@pytest.fixture(scope="module")
def found(home: Path) -> Validation:
    first, second = small_case(home / "one"), small_case(home / "two", late=60)
    return breakrank.validate([first, second], store=home / "store", **ASK)  # type: ignore[arg-type]


def test_every_case_is_held_out_and_carried(found: Validation) -> None:
    assert [(t.kind, t.case) for t in found.trials] == [
        ("hold-out", "one"), ("hold-out", "two"), ("carried", "one"), ("carried", "two"),
    ]  # fmt: skip
    assert found.trials[0].until == "2025-03-10"
    assert found.trials[2].sources == ("two",)


def test_figures_are_scored_beside_baselines(found: Validation) -> None:
    (late, holds) = found.trials[0].figures
    assert [f.by for f in late.forecasts] == [
        "calibrated", "prior", "last value", "constant rate", "saturating curve",
    ]  # fmt: skip
    assert late.of("last value").quantiles[2] == pytest.approx(20, rel=0.05)  # type: ignore[union-attr]
    assert all(math.isfinite(f.score) and f.score >= 0 for f in late.forecasts)
    assert holds.kind == "yes or no"
    assert holds.of("last value").score == 0  # type: ignore[union-attr]


def test_the_verdict_says_where_a_baseline_wins(found: Validation) -> None:
    for trial in found.trials:
        told = " ".join(trial.verdict())
        for figure in trial.lost:
            assert f"The baseline wins at “{figure.label}”" in told
    assert "Beside saturating curve" in " ".join(found.trials[0].verdict())


def test_what_came_later_moves_no_forecast(found: Validation) -> None:
    one, two = (t.figures[0] for t in found.trials[:2])
    assert (one.low, two.low) == (32, 60)
    for name in ("calibrated", "prior", "saturating curve"):
        assert one.of(name).quantiles == two.of(name).quantiles  # type: ignore[union-attr]


def test_the_fit_moves_the_forecast_towards_what_is_known(found: Validation) -> None:
    course = found.trials[0].course
    assert course is not None
    day = course.days.index("2025-03-10")
    fitted, prior = (abs(course.bands[n][2, day] - 20) for n in ("calibrated", "prior"))
    assert fitted < prior


def test_a_call_made_again_makes_no_run(found: Validation, home: Path) -> None:
    made = []

    def carry(study: Study, store: Store, what: str) -> Account:
        account = carry_out(study, store, choose_backend(None, 1))
        made.append((what, account.made))
        return account

    again = breakrank.validate(home / "one", store=home / "store", carry=carry, **ASK)  # type: ignore[arg-type]
    assert {n for _, n in made} == {0}
    assert again.rows == tuple(r for r in found.rows if r["case"] == "one" and r["trial"] == "hold-out")


def test_a_figure_that_begins_before_the_calendar_is_left_out(tmp_path: Path) -> None:
    """It only warns that it cannot be compared with a run, so it must not end a validation."""
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
    found = breakrank.validate(folder, store=tmp_path / "store", **ASK)  # type: ignore[arg-type]
    (trial,) = found.trials
    assert [f.target for f in trial.figures] == ["registered-late", "rises-not"]


def test_where_to_simulate_is_written_down_once(
    home: Path, found: Validation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another machine may round a proposal differently; what goes on there goes on with the first one."""
    made = []

    def carry(study: Study, store: Store, what: str) -> Account:
        account = carry_out(study, store, choose_backend(None, 1))
        made.append(account.made)
        return account

    around = ParameterProposal.around

    def otherwise(*given: Any) -> ParameterProposal:
        one = around(*given)
        return ParameterProposal(one.axes, one.mean + 1e-6, one.root)

    monkeypatch.setattr(ParameterProposal, "around", otherwise)
    again = breakrank.validate(home / "one", store=home / "store", carry=carry, **ASK)  # type: ignore[arg-type]
    assert set(made) == {0}
    assert again.rows == tuple(r for r in found.rows if r["case"] == "one" and r["trial"] == "hold-out")


def test_the_table_has_a_row_for_each_forecast(found: Validation) -> None:
    table = found.table()
    assert len(table) == sum(len(f.forecasts) for t in found.trials for f in t.figures)
    assert set(table["score_kind"]) == {"CRPS", "Brier"}


def test_the_chart_shows_forecast_record_and_baselines(found: Validation) -> None:
    spec = json.dumps(found.plot())
    for word in ("known until here", "saturating curve", "constant rate", "last value"):
        assert word in spec
    with pytest.raises(UsageError, match="nothing to draw"):
        found.plot(2)


def test_what_is_psychological_is_carried_and_the_rest_is_its_own(home: Path, tmp_path: Path) -> None:
    case = breakrank.load_case(home / "one")
    shop = Workshop(Store(tmp_path / "s"), lambda *_: pytest.fail("no run is needed"), "", 100, 8, 0)
    told = Draws(tuple(PRIORS), np.array([[5.5, 1.5, 1.25]]))
    drawn = carried_draws(case, [(case, told)], shop)
    column = dict(zip(drawn.names, drawn.values.T, strict=True))
    assert (column["decision.baseline_leave"] == 5.5).all()
    assert (column["challenger.credibility_weight"] == 1.5).all()
    assert len(set(column["opportunity.rate"])) == 4


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"known_until": "2025-13-01"}, "is not a date"),
        ({"known_until": "2025-04-10"}, "leaves nothing to forecast"),
    ],
)
@pytest.mark.usefixtures("found")
def test_what_makes_no_sense_is_refused(home: Path, more: dict[str, object], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        breakrank.validate(home / "one", store=home / "store", **{**ASK, **more})  # type: ignore[arg-type]


@pytest.mark.usefixtures("found")
def test_a_day_by_which_nothing_was_published_is_forecast_from_the_prior(home: Path) -> None:
    told = breakrank.validate(home / "one", known_until="2025-01-10", store=home / "store", **ASK)  # type: ignore[arg-type]
    (trial,) = told.trials
    assert trial.forecaster == "prior"
    used = {each.by for figure in trial.figures for each in figure.forecasts}
    assert used <= {"prior", "last value", "constant rate"}
    assert trial.course is None
