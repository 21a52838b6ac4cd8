"""A result, which of its runs share parameters, statistics over runs, and proper scores."""

import dataclasses
import datetime as dt
import math
import pickle
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scoringrules
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st

from breakrank.case import Draws
from breakrank.case.draws import Luck, LuckPath
from breakrank.errors import UsageError
from breakrank.results.export import reduced
from breakrank.results.uncertainty import (
    LEVELS,
    brier,
    copies_after,
    covered,
    crps,
    fixed,
    holds,
    interval,
    median_known,
    originals,
    rows_of,
    worth,
)
from breakrank.runs.cases import list_cases, load_case
from tests.results.fake import assert_same_bits, fake_result


def test_values_cannot_be_written_to() -> None:
    result = fake_result(3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.seed = 8
    with pytest.raises(ValueError, match="read-only"):
        result.data["shot"].values[0, 0] = 1
    with pytest.raises(TypeError):
        result.versions["python"] = "2"


@pytest.mark.parametrize(
    ("variable", "labels", "message"),
    [
        ("registred", {}, "no variable 'registred'.*did you mean 'registered'"),
        ("registered", {"rank": "general"}, r"no dimension 'rank'.*\(it has run, day\)"),
        ("exits_rank", {"rank": "generl"}, "no rank 'generl', did you mean 'general'"),
        ("shot", {"day": "2020-01-01"}, "no day '2020-01-01' .*2019-01-01.* to 2019-12-31"),
        ("shot", {"run": 3}, r"no run 3 \(0 to 2\)"),
    ],
)
def test_select_names_the_nearest(variable: str, labels: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        fake_result(3).select(variable, **labels)


def test_cumulative_is_the_running_total() -> None:
    result = fake_result(3)
    total = result.cumulative("exits_rank", outcome="open_defection", rank="nco")
    by_hand = np.cumsum(result.data["exits_rank"].values[:, :, 2, 1].astype(np.int64), axis=1)
    assert np.array_equal(total.values, by_hand)
    assert total.attrs["unit"] == "soldiers"
    assert total.attrs["aggregation"] == "last"
    assert str(total["day"].values[-1])[:10] == "2019-12-31"


@pytest.mark.parametrize("variable", ["fates", "opposed"])
def test_stocks_and_levels_have_no_running_total(variable: str) -> None:
    with pytest.raises(UsageError, match="no running total"):
        fake_result(3).cumulative(variable)


def test_a_result_travels_by_pickle() -> None:
    result = fake_result(3)
    assert_same_bits(pickle.loads(pickle.dumps(result)), result)


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


def test_rows_of_runs() -> None:
    draws = Draws(("a",), np.zeros((3, 1)), 2)
    case: Any = SimpleNamespace(draws=draws)
    assert rows_of(case, 3, np.array([0, 1, 4, 7])).tolist() == [0, 0, 2, 0]
    assert rows_of(SimpleNamespace(draws=None), 3, np.arange(3)) is None


def test_worlds_that_come_again_are_no_runs_of_their_own() -> None:
    """Of 4 worlds that leave nothing to luck, 10 runs tell what 4 tell; else each run is its own."""
    calendar = SimpleNamespace(end=dt.date(2019, 12, 31))
    paths = tuple(LuckPath(k) for k in range(4))
    for until, most in ((calendar.end, 4), (dt.date(2019, 6, 30), None)):
        worlds: Any = SimpleNamespace(
            calendar=calendar, draws=Draws((), np.zeros((4, 0)), luck=Luck(1, paths, until))
        )
        assert copies_after(worlds) == most
        found = originals(worlds, 3, np.arange(10))
        assert found.size == (most or 10)
        rows = worlds.draws.rows(3, found)
        assert most is None or sorted(rows.tolist()) == [0, 1, 2, 3]
    plain: Any = SimpleNamespace(calendar=calendar, draws=None)
    assert originals(plain, 3, np.arange(5)).tolist() == [0, 1, 2, 3, 4]


def test_runs_that_share_draws_count_for_fewer() -> None:
    """40 runs of 20 draws that agree in full: the interval of their median is that of 20 values."""
    values = np.repeat(np.arange(20.0), 2)[:, None]
    case: Any = SimpleNamespace(draws=Draws(("a",), values))
    runs = np.arange(40)
    assert worth(case, 0, runs) == 20
    assert worth(case, 0, runs[::2]) == 20
    assert worth(SimpleNamespace(draws=None), 0, runs) == 40
    uneven: Any = SimpleNamespace(draws=Draws(("a",), np.array([[1.0]] * 5 + [[k] for k in range(5)])))
    assert worth(uneven, 0, np.arange(10)) == 100 // (36 + 4)
    luck = np.random.default_rng(0).normal(size=(2000, 20))
    told = [(median_known(np.repeat(one, 2), 20), median_known(np.repeat(one, 2))) for one in luck]
    apart = [
        np.mean([known is not None and known[0] <= 0 <= known[1] for known in side])
        for side in zip(*told, strict=True)
    ]
    assert apart[0] >= 0.9, "the interval holds the median in nine of ten samples"
    assert apart[1] < 0.85, "which it does not where copies count as runs of their own"


def test_a_case_without_an_ensemble_says_why_and_one_with_an_ensemble_does_not() -> None:
    content = SimpleNamespace(case=SimpleNamespace(no_ensemble="its record is closed"))
    without: Any = SimpleNamespace(posterior=None, draws=None, content=content)
    assert (
        holds(without)
        == "chance (fixed assumptions, chance only; no posterior ensemble, since its record is closed)"
    )
    for name in list_cases():
        assert "no posterior ensemble" not in holds(load_case(name)), "every built-in case has one"
    assert fixed(load_case("venezuela-2019", "point")) == "fixed assumptions, chance only"


numbers = st.floats(-1e6, 1e6)


@given(st.lists(numbers, min_size=2, max_size=30), numbers)
def test_crps_is_the_fair_one_of_scoringrules(draws: list[float], at: float) -> None:
    theirs = float(scoringrules.crps_ensemble(at, np.array(draws), estimator="fair", backend="numpy"))
    assert crps(np.array(draws), at) == pytest.approx(theirs, rel=1e-9, abs=1e-6)


def test_no_number_gives_no_score() -> None:
    assert math.isnan(crps(np.array([]), 1.0))
    assert math.isnan(crps(np.array([1.0, math.nan]), 1.0))


@given(st.floats(0, 1))
def test_brier_is_least_for_what_one_believes(belief: float) -> None:
    def expected(said: float) -> float:
        return belief * brier(said, True) + (1 - belief) * brier(said, False)

    assert all(expected(belief) <= expected(said) + 1e-12 for said in np.linspace(0, 1, 21))


def test_intervals_are_central_and_meet_ranges() -> None:
    draws = np.arange(101.0)
    assert interval(draws, 0.9) == pytest.approx((5, 95))
    assert covered(draws, 94.9, 200, 0.9)
    assert not covered(draws, 96, 200, 0.9)
