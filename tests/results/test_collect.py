"""Runs are put together in any order, and written by a worker as from xarray, which it does not load."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from breakrank.engine.replicate import Replicate
from breakrank.results import parquet
from breakrank.results.collect import Collector
from breakrank.results.parquet import write_dataset
from tests.programs import python
from tests.results.fake import EVENTS, FakeCase, fake_build, fake_case, fake_replicate

RUNS = (3, 7, 20)
SCRIPT = """
import sys
from pathlib import Path
from breakrank.runs.part import write_part
from tests.results.fake import EVENTS, FakeCase, fake_build, fake_replicate

case = FakeCase()
made = [fake_replicate(case, fake_build(case, 1), 1, run, log=False) for run in (0, 1)]
write_part(Path(sys.argv[1]), case, made, EVENTS)
print(*sorted({"pandas", "xarray", "dask", "asyncio"} & set(sys.modules)))
"""


def collected() -> Collector:
    case: Any = FakeCase()
    found = Collector(case, len(RUNS), EVENTS)
    for position, run in enumerate(RUNS):
        made = fake_replicate(case, fake_build(case, 1), 1, run, log=False)
        found.take([position], {name: np.asarray(v)[None] for name, v in made.series.items()})
    return found


@pytest.mark.parametrize("block", [parquet.BLOCK, 1.0])
def test_the_bytes_are_those_of_the_dataset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: float
) -> None:
    monkeypatch.setattr(parquet, "BLOCK", block)
    for name in ("plain", "labelled"):
        (tmp_path / name).mkdir()
    whole = collected().dataset().assign_coords(run=np.array(RUNS, np.int32))
    shared = [name for name in whole.data_vars if "run" not in whole.variables[name].dims]
    write_dataset(whole.drop_vars(shared), tmp_path / "labelled")
    write_dataset(collected().numbered(RUNS), tmp_path / "plain")
    written = sorted(path.name for path in (tmp_path / "labelled").iterdir())
    assert written == sorted(path.name for path in (tmp_path / "plain").iterdir())
    assert "daily.parquet" in written
    for name in written:
        assert (tmp_path / "plain" / name).read_bytes() == (tmp_path / "labelled" / name).read_bytes()


def test_writing_runs_loads_no_library_that_only_reading_needs(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    assert python("-c", SCRIPT, tmp_path, folder=root).strip() == ""
    assert list(tmp_path.glob("*/daily.parquet"))


CASE = fake_case().until("2019-01-20")
FORCE = fake_build(CASE, 0)


def one(run: int, log: bool = False, **series: Any) -> Replicate:
    made = fake_replicate(CASE, FORCE, 0, run, log=log)
    return Replicate(run, dict(made.series) | series, made.events)


def test_order_of_arrival_does_not_matter() -> None:
    forward, backward = Collector(CASE, 4, EVENTS), Collector(CASE, 4, EVENTS)
    for run in range(4):
        forward.add(one(run, log=run < 2))
        backward.add(one(3 - run, log=run > 1))
    assert forward.dataset().identical(backward.dataset())
    assert forward.events().equals(backward.events())


def test_runs_that_did_not_finish_leave_no_row() -> None:
    collector = Collector(CASE, 4, EVENTS)
    collector.add(one(3))
    collector.add(one(1))
    data = collector.dataset()
    assert data["run"].values.tolist() == [1, 3]
    assert np.array_equal(data["registered"].values[0], one(1).series["registered"])
    assert collector.events() is None


def test_events_name_what_and_where() -> None:
    replicate = one(0)
    events = {
        "day": np.array([0, 3], np.int16),
        "soldier": np.array([7, 8], np.uint32),
        "event": np.array([1, 2], np.uint8),
        "place": np.array([-1, 6], np.int16),
        "other": np.array([0xFFFFFFFF, 7], np.uint32),
        "value": np.array([0.5, np.nan], np.float32),
    }
    collector = Collector(CASE, 1, EVENTS)
    collector.add(Replicate(0, replicate.series, events))
    table = collector.events()
    assert table.column_names == ["run", "day", "soldier", "event", "place", "other", "value"]
    assert table["event"].to_pylist() == ["crossed", "registered"]
    assert table["place"].to_pylist() == ["", "simon-bolivar-bridge"]
    assert table["other"].to_pylist() == [0xFFFFFFFF, 7]
    assert table["run"].to_pylist() == [0, 0]


def test_a_series_that_is_not_in_the_table_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"no variable 'registred'.*did you mean 'registered'"):
        Collector(CASE, 1, EVENTS).add(one(0, registred=np.zeros(20, np.int32)))


def test_runs_have_to_agree_on_their_series() -> None:
    collector = Collector(CASE, 2, EVENTS)
    collector.add(one(0))
    fewer = dict(one(1).series)
    del fewer["shot"]
    with pytest.raises(ValueError, match="other series than the runs before: shot"):
        collector.add(Replicate(1, fewer))
