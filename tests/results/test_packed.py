"""Series of very many runs are packed: the same bits as arrays, whatever is asked of them, in less room."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

from breakrank.results import Result, collect, load_result
from breakrank.results.collect import Collector
from breakrank.results.export import reduced
from breakrank.results.outcomes import as_json
from breakrank.results.packed import BLOCK, Packer
from breakrank.results.parquet import read_dataset
from tests.results.fake import EVENTS, fake_build, fake_case, fake_replicate, read_case
from tests.results.same import assert_same_data

RUNS, DAYS = 2 * BLOCK + 7, 31


def made(dtype: str) -> np.ndarray:
    rng = np.random.default_rng(3)
    values = np.round(rng.normal(0, 300, (RUNS, DAYS, 2, 3))).astype(dtype)
    values[:, :, 0, 1] = 0
    if dtype == "float32":
        values[:, :, 1, 0] = -0.0
        values[3, 4, 1] = np.nan
    return values


@pytest.mark.parametrize("dtype", ["int32", "float32", "int64"])
def test_any_question_is_answered_as_by_the_array(dtype: str) -> None:
    values = made(dtype)
    packer = Packer(values.shape[1:], dtype)
    order = np.random.default_rng(1).permutation(RUNS)
    for some in np.array_split(order, 11):  # in any order, in pieces that fit no block
        packer.take(some, values[some])
    packed = xr.Variable(("run", "day", "kind", "rank"), packer.finished(np.arange(RUNS)))
    plain = xr.Variable(packed.dims, values)
    asked: list[Any] = [
        ...,
        5,
        -1,
        slice(60, 70),
        slice(None, None, -3),
        (slice(None), slice(None, None, -1)),
        (slice(3, 9), -1),
        [4, 90, 4],
        (..., 1),
        (slice(None), slice(3, 9), 1, 0),
        (slice(None), [30, 2], [1, 0], slice(1, None)),
        (7, 3, 1, 2),
        (slice(0, 0), 0),
    ]
    for key in asked:
        one, other = packed[key].values, plain[key].values
        assert one.dtype == other.dtype
        assert one.shape == other.shape, key
        assert one.tobytes() == other.tobytes(), key
    assert pickle.loads(pickle.dumps(packed)).values.tobytes() == values.tobytes()
    with pytest.raises(ValueError, match="read-only"):
        packed.values[0] = 1


def test_runs_that_did_not_finish_leave_no_row_and_a_second_take_replaces_the_first() -> None:
    values = made("int32")
    packer = Packer(values.shape[1:], "int32")
    packer.take(range(RUNS), values)
    packer.take([3], -values[3:4])
    kept = np.setdiff1d(np.arange(RUNS), [5])
    values[3] *= -1
    left = Packer(values.shape[1:], "int32")
    left.take(kept, values[kept])
    assert np.array_equal(np.asarray(left.finished(kept)), values[kept])
    assert np.array_equal(np.asarray(packer.finished(np.arange(RUNS))), values)


def collected(runs: int) -> Collector:
    case = fake_case().until("2019-03-10")
    force = fake_build(case, 0)
    collector = Collector(case, runs, EVENTS)
    for run in reversed(range(runs)):
        collector.add(fake_replicate(case, force, 0, run, log=False))
    return collector


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> tuple[xr.Dataset, xr.Dataset]:
    plain = collected(100).dataset()
    monkeypatch.setattr(collect, "ROOM", 0)
    return plain, collected(100).dataset()


def test_packed_or_not_a_result_says_the_same(two: tuple[xr.Dataset, xr.Dataset]) -> None:
    plain, packed = two
    case = fake_case().until("2019-03-10")
    assert_same_data(plain, packed)
    assert as_json(Result(plain, case, 0)) == as_json(Result(packed, case, 0))
    assert_same_data(reduced(plain), reduced(packed))
    daily = sum(v.nbytes for v in plain.variables.values() if v.dims[:2] == ("run", "day"))
    assert daily > 0.8 * plain.nbytes
    assert len(pickle.dumps(packed)) < 0.5 * daily


def test_a_folder_of_many_runs_is_read_packed(
    two: tuple[xr.Dataset, xr.Dataset], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, packed = two
    monkeypatch.setattr("breakrank.results.parquet.BLOCK", 1e6)  # written in several groups of rows
    Result(packed, fake_case().until("2019-03-10"), 0).save(tmp_path / "kept")
    loaded = load_result(tmp_path / "kept", read_case=read_case).data
    assert not loaded.variables["registered"]._in_memory
    assert_same_data(plain, loaded)
    some = read_dataset(tmp_path / "kept", {"exits_rank", "decision_opportunities"})
    assert [*some.data_vars] == ["exits_rank", "decision_opportunities"]
    assert some["exits_rank"].identical(plain["exits_rank"])
