"""Runs as a worker writes them: the same bytes as from xarray, which it does not load."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from breakrank.results import parquet
from breakrank.results.collect import Collector
from breakrank.results.parquet import write_dataset
from tests.programs import python
from tests.results.fake import EVENTS, FakeCase, fake_build, fake_replicate

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
