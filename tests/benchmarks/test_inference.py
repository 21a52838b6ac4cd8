"""What the discrepancy and the agreement of two calibrations are read from."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from benchmarks.calibrations import distance
from benchmarks.hindcasts import one_step_errors


def forecast(target: str, as_of: str, median: float, **other: object) -> dict[str, object]:
    about = {"case": "a", "forecaster": "model", "kind": "figure", "unit": "soldiers", "date": "2020-05-01"}
    return {**about, "target": target, "as_of": as_of, "median": median, "observed_low": 99.0} | {
        "observed_high": 99.0,
        **other,
    }


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
