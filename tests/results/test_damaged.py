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

from breakrank.answer.files import FORMAT, MARK
from breakrank.errors import BreakrankError
from breakrank.page.background import Background
from breakrank.results.files import check_seal, read_sealed, seal, sealed, write_sealed
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


def test_a_line_of_json_is_read_as_it_was_written_or_not_at_all(tmp_path: Path) -> None:
    file, other = tmp_path / "kept.json", tmp_path / "other.json"
    write_sealed(file, [12, None])
    assert read_sealed(file) == [12, None]
    text = file.read_text()
    other.write_text(text)  # another file's content
    for path, damaged in ((other, text), (file, text.replace("12", "13")), (file, text.splitlines()[0])):
        path.write_text(damaged)
        with pytest.raises(ValueError, match="not what was written"):
            read_sealed(path)


def test_a_folder_whose_files_were_changed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1")
    about = sealed({"n": 1}, tmp_path, ["a.csv"])
    check_seal(about, tmp_path)
    check_seal({"n": 1}, tmp_path)  # as before there were checksums
    with pytest.raises(ValueError, match="not what was written"):
        check_seal(about | {"n": 2}, tmp_path)
    (tmp_path / "a.csv").write_text("2")
    with pytest.raises(ValueError, match=r"a\.csv is not what was written"):
        check_seal(about, tmp_path)


def test_an_answer_of_the_page_that_was_damaged_or_is_another_is_made_anew(tmp_path: Path) -> None:
    file, found, page = tmp_path / "why.json", {MARK: FORMAT, "finding": "12 leave"}, Background(tmp_path)
    write_sealed(file, found)
    assert page.get("why") == found
    (tmp_path / "next.json").write_text(file.read_text())
    assert page.get("next") is None
    file.write_text(file.read_text().replace("12 leave", "13 leave"))
    assert page.get("why") is None
    write_sealed(file, [])
    assert page.get("why") is None
