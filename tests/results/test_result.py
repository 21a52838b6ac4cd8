from __future__ import annotations

import dataclasses
import pickle

import numpy as np
import pytest

from breakrank.errors import UsageError
from tests.results.fake import fake_result
from tests.results.same import assert_same_bits


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
