"""What the discrepancy and the agreement of two calibrations are read from."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from benchmarks.calibrations import distance
from benchmarks.hindcasts import figures, learned, one_step_errors, page_of
from benchmarks.report import processor
from breakrank.answer.answer import Provenance
from breakrank.questions.hindcast import answer_of


def forecast(target: str, as_of: str, median: float, **other: object) -> dict[str, object]:
    about = {"case": "a", "forecaster": "model", "kind": "figure", "unit": "soldiers", "date": "2020-05-01"}
    return {**about, "target": target, "as_of": as_of, "median": median, "observed_low": 99.0} | {
        "observed_high": 99.0,
        **other,
    }


def test_the_pool_gives_most_weight_to_a_model_that_is_near() -> None:
    """A model that is sure of the figure, beside a baseline that is sure of twice as much."""
    spread = {"q05": 98.0, "q25": 99.0, "q75": 99.0, "q95": 100.0}
    far = {name: 2 * x for name, x in spread.items()}
    near = forecast("count", "2020-02-01", 99.0, **spread)
    other = forecast("count", "2020-02-01", 198.0, forecaster="last value", **far)
    alone = forecast("another", "2020-02-01", 99.0, **spread)
    scored = figures(pd.DataFrame([other, near, alone]))
    assert len(scored) == 1  # where the model alone speaks there is no pool
    assert learned(scored) == pytest.approx(0.95)
    assert scored[0].ratio(0.5) == pytest.approx(1)
    swapped = {"model": "last value", "last value": "model"}
    wrong = [{**one, "forecaster": swapped[str(one["forecaster"])]} for one in (other, near)]
    assert learned(figures(pd.DataFrame(wrong))) == pytest.approx(0.2)


def test_each_figure_has_the_error_of_the_last_forecast_of_the_model() -> None:
    rows = pd.DataFrame(
        [
            forecast("count", "2020-02-01", 9.0),
            forecast("count", "2020-04-01", 49.0),
            forecast("count", "2020-04-01", 0.0, forecaster="last value"),
            forecast("share", "2020-03-01", 0.5, unit="share", observed_low=0.7, observed_high=0.8),
            forecast("met", "2020-03-01", 1.0, kind="yes or no"),
        ]
    )
    errors = one_step_errors(rows).set_index("target")["error"]
    assert errors["count"] == pytest.approx(np.log(2))
    assert errors["share"] == pytest.approx(np.log(3))
    assert len(errors) == 2


def test_means_are_apart_in_standard_deviations() -> None:
    x = np.random.default_rng(0).normal(size=5000)
    assert distance(3 * x + 1.5, 3 * x) == pytest.approx(0.5, rel=0.02)
    assert distance(np.ones(3), np.ones(3)) == 0


def test_the_page_of_hindcasts_says_who_carries_them_first() -> None:
    rows = [{**forecast("count", "2014-02-20", 99.0), "case": "crimea-2014", "score_kind": "CRPS"}]
    rows[0] |= {"score": 1.0, "in50": True, "in90": True}
    days = [{"case": "crimea-2014", "as_of": "2014-03-31", "ess": 12.3}]
    command = "breakrank hindcast --store here"
    made = Provenance(case="", title="", ensemble="", runs=20, seed=0, digest="", command=command)
    text = page_of(answer_of(rows, [], days, ["syria-2011: no day"], made))
    lines = [line for line in text.splitlines() if line]
    assert lines[3] == f"`breakrank hindcast`, {processor()}."
    assert (
        lines[4]
        == "- No scored figure had been counted before, so no score sets a baseline beside the model."
    )
    assert "| Crimea 2014 | model | 1 |" in text
    assert "- Skipped: syria-2011: no day." in text
    assert "- Crimea 2014: 2014-03-31 (12)" in text
