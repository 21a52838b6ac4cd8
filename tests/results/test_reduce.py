"""Statistics over runs: those of NumPy, to the bit."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import xarray as xr

from breakrank.results.export import reduced
from breakrank.results.uncertainty import LEVELS
from tests.results.fake import fake_result


def test_statistics_are_those_of_all_runs() -> None:
    data = fake_result(12).data
    made = reduced(data[["registered", "exits_rank", "opposed", "fate_rank"]])
    assert made["statistic"].values.tolist() == ["mean", "sd", "q05", "q25", "q50", "q75", "q95"]
    assert made["exits_rank"].dims == ("statistic", "day", "outcome", "rank")
    for name in ("registered", "exits_rank", "opposed", "fate_rank"):
        values = data[name].values.astype(float)
        assert np.array_equal(made[name].sel(statistic="mean"), values.mean(0))
        assert np.array_equal(made[name].sel(statistic="sd"), values.std(0, ddof=1))
        assert np.array_equal(made[name].values[2:], np.quantile(values, LEVELS, axis=0))
        assert made[name].attrs == data[name].attrs
    assert made.attrs["runs"] == 12


@pytest.mark.parametrize("runs", [1, 3, 20, 21, 100])
def test_quantiles_are_numpys_to_the_bit(runs: int) -> None:
    rng = np.random.default_rng(runs)
    values = rng.normal(size=(runs, 50)).astype(np.float32)
    values[rng.random(values.shape) < 0.2] = np.nan
    data = xr.Dataset({"opposed": (("run", "day"), values), "meals": (("run", "day"), values[::-1] > 0)})
    made = reduced(data.assign(meals=data["meals"].astype(np.int32)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of days without a number
        expected = np.nanquantile(values.astype(float), LEVELS, axis=0)
    assert np.array_equal(made["opposed"].values[2:], expected, equal_nan=True)
    assert np.array_equal(made["meals"].values[2:], np.quantile(data["meals"].values * 1.0, LEVELS, axis=0))
