"""Damaged and invented files of a result are refused by name, whatever reading them raises."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from breakrank.errors import BreakrankError
from breakrank.results.files import seal
from breakrank.results.parquet import read_schema
from breakrank.results.result import is_result, load_result
from tests.results.fake import fake_result, read_case

DEEP = "[" * 100_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a result."""
    fake_result(2).save(tmp_path / "out")
    return tmp_path / "out"


def refused(folder: Path) -> str:
    with pytest.raises(BreakrankError) as error:
        load_result(folder, read_case=read_case)
    return str(error.value)


def rewritten(folder: Path, **changed: object) -> None:
    """Write result.json with other values and without the checksums of files, sealed as it then is."""
    about = json.loads((folder / "result.json").read_text("utf-8"))
    del about["checksum"]
    about |= {"files": {}} | changed
    (folder / "result.json").write_text(json.dumps(about | {"checksum": seal(about)}), "utf-8")


def test_nesting_deeper_than_python_reads_is_refused(folder: Path) -> None:
    (folder / "result.json").write_text(DEEP)
    assert not is_result(folder)
    assert "has no readable result.json" in refused(folder)


@pytest.mark.parametrize("changed", [{"case": 1}, {"failed": [{"who": 1}]}, {"seed": None}])
def test_what_a_result_cannot_say_of_itself_is_refused(folder: Path, changed: dict[str, Any]) -> None:
    rewritten(folder, **changed)
    assert "result.json: not readable as what a result says of itself" in refused(folder)


def test_a_day_that_is_none_is_refused(folder: Path) -> None:
    """A bit that turned in the calendar, without a checksum that tells of it."""
    rewritten(folder)
    path = folder / "fields.parquet"
    whole = path.read_bytes()
    at = whole.index(b"T00:00:00")
    path.write_bytes(whole[:at] + b"z" + whole[at + 1 :])
    told = refused(folder)
    assert "not readable as a Breakrank result" in told
    assert str(folder) in told


@pytest.mark.parametrize("name", ["fields.parquet", "events.parquet"])
def test_no_turned_bit_ends_in_another_error(folder: Path, name: str) -> None:
    rewritten(folder)
    path = folder / name
    whole = path.read_bytes()
    for at in range(4, len(whole), max(1, len(whole) // 60)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        with suppress(BreakrankError):
            load_result(folder, read_case=read_case)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every name is text")
def test_arrow_opens_files_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its threads outlive Python, and abort the process if they then let go of one of Python's files."""
    given = []

    def noted(real: Any) -> Any:
        def call(*arguments: Any, **more: Any) -> Any:
            given.extend(one for one in arguments if hasattr(one, "readable"))
            return real(*arguments, **more)

        return call

    for name in ("ParquetFile", "ParquetWriter", "read_table", "read_schema", "write_table"):
        monkeypatch.setattr(pq, name, noted(getattr(pq, name)))
    folder = tmp_path / os.fsdecode(b"caf\xe9")  # no UTF-8
    fake_result(2).save(folder)
    load_result(folder, read_case=read_case)
    read_schema(folder / "daily.parquet")
    assert len(given) >= 9
    assert {type(one) for one in given} == {pa.OSFile}
