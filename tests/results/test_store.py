"""A result in files: what is saved is read again, and what is damaged or invented is refused by name."""

import dataclasses
import errno
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from breakrank.answer.files import FORMAT, MARK, as_json
from breakrank.engine.replicate import Failure
from breakrank.errors import BreakrankError
from breakrank.page.background import Background
from breakrank.results.files import check_seal, read_sealed, seal, sealed, write_sealed
from breakrank.results.parquet import read_dataset, read_schema, write_dataset
from breakrank.results.result import is_result, load_result
from tests.results.fake import assert_same_bits, assert_same_data, fake_result, read_case

RESULT = fake_result(5)
FILES = {
    "result.json",
    "outcomes.json",
    "outcomes.csv",
    "daily.parquet",
    "runs.parquet",
    "fields.parquet",
    "events.parquet",
    "case",
}


def listed(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_a_saved_result_reads_back_bit_for_bit(tmp_path: Path) -> None:
    failed = (Failure(7, "engine/day.py:3 in walk", "ValueError: ü"),)
    result = dataclasses.replace(RESULT, failed=failed, interrupted=True, seconds=1.25, seed=2**64 - 1)
    result = dataclasses.replace(result, asked=30, changed="until 2019-01-31")
    result.save(tmp_path / "out")
    again = load_result(tmp_path / "out", read_case=read_case)
    assert_same_bits(again, result)
    for name in ("seed", "seconds", "command", "failed", "interrupted", "asked", "changed"):
        assert getattr(again, name) == getattr(result, name)
    assert dict(again.versions) == dict(result.versions)
    assert again.case.digest == result.case.digest
    assert set(listed(tmp_path / "out")) == FILES


def test_two_results_of_the_same_call_differ_by_the_time_they_took_and_in_one_file(tmp_path: Path) -> None:
    told = []
    for name, seconds in (("one", 1.25), ("two", 97.5)):
        result = dataclasses.replace(RESULT, seconds=seconds)
        result.save(tmp_path / name)
        told.append(as_json(result.answer))
    assert told[0] == told[1], "nor do their answers"
    one, two = (
        {p.relative_to(tmp_path / name): p.read_bytes() for p in (tmp_path / name).rglob("*") if p.is_file()}
        for name in ("one", "two")
    )
    assert one.keys() == two.keys()
    assert [path.name for path in one if one[path] != two[path]] == ["result.json"]


def test_missing_numbers_infinities_and_empty_dimensions_survive(tmp_path: Path) -> None:
    data = RESULT.data.isel(route=slice(0, 0)).copy(deep=True)
    data["opposed"].values[0, :3] = [np.nan, np.inf, -0.0]
    write_dataset(data, tmp_path)
    again = read_dataset(tmp_path)
    assert_same_data(again, data)
    assert np.signbit(again["opposed"].values[0, 2])


def test_the_files_can_be_read_by_others(tmp_path: Path) -> None:
    RESULT.save(tmp_path / "out")
    table = pq.read_table(tmp_path / "out" / "daily.parquet")
    assert table.column_names[:2] == ["run", "date"]
    assert str(table.schema.field("date").type) == "date32[day]"
    column = table["exits_rank|quiet_desertion|nco"].to_numpy().reshape(5, 365)
    assert np.array_equal(column, RESULT.data["exits_rank"].values[:, :, 0, 1])
    written = json.loads((tmp_path / "out" / "outcomes.json").read_text("utf-8"))
    assert written["outcomes"]["arrested"]["unit"] == "soldiers"


def test_an_older_result_is_replaced_whole(tmp_path: Path) -> None:
    fake_result(3).save(tmp_path / "out")
    (tmp_path / "out" / "report.html").write_text("older")
    RESULT.save(tmp_path / "out")
    assert load_result(tmp_path / "out", read_case=read_case).runs == 5
    assert set(listed(tmp_path / "out")) == FILES
    assert listed(tmp_path) == ["out"]


def test_what_is_no_result_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("years of work")
    with pytest.raises(BreakrankError, match="holds something that is no Breakrank result"):
        RESULT.save(tmp_path / "thesis")
    assert listed(tmp_path / "thesis") == ["chapter.txt"]
    (tmp_path / "file").write_text("x")
    with pytest.raises(BreakrankError, match="exists and is no folder"):
        RESULT.save(tmp_path / "file")
    assert listed(tmp_path) == ["file", "thesis"]


@pytest.mark.parametrize("older", [False, True])
def test_a_refusing_disk_leaves_things_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, older: bool
) -> None:
    target = tmp_path / "a" / "out"
    if older:
        fake_result(3).save(target)
    writer, calls = pq.ParquetWriter, []

    def full(*arguments: Any, **more: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return writer(*arguments, **more)

    monkeypatch.setattr(pq, "ParquetWriter", full)
    with pytest.raises(
        BreakrankError, match=r"cannot write .*out: No space left on device\. Nothing was left"
    ):
        RESULT.save(target)
    if older:
        assert listed(tmp_path / "a") == ["out"]
        assert load_result(target, read_case=read_case).runs == 3
    else:
        assert listed(tmp_path) == []


def test_an_interruption_leaves_things_as_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_result(3).save(tmp_path / "out")

    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pq, "write_table", stop)
    with pytest.raises(KeyboardInterrupt):
        RESULT.save(tmp_path / "out")
    assert listed(tmp_path) == ["out"]
    assert load_result(tmp_path / "out", read_case=read_case).runs == 3


def test_if_the_last_rename_fails_the_older_result_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_result(3).save(tmp_path / "out")
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.name.endswith(".partial"):
            raise OSError(errno.EACCES, "no")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(BreakrankError, match="Choose a folder you may write to"):
        RESULT.save(tmp_path / "out")
    assert listed(tmp_path) == ["out"]
    assert load_result(tmp_path / "out", read_case=read_case).runs == 3


def test_reading_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(BreakrankError, match="no result folder"):
        load_result(tmp_path / "none")
    with pytest.raises(BreakrankError, match="is no Breakrank result"):
        load_result(tmp_path)
    folder = tmp_path / "out"
    RESULT.save(folder)
    (folder / "runs.parquet").unlink()
    with pytest.raises(
        BreakrankError, match=r"incomplete, fate_rank, .*decision_opportunities, .*plot_ends, .* missing"
    ):
        load_result(folder, read_case=read_case)
    (folder / "daily.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(BreakrankError, match=r"daily\.parquet is not what was written"):
        load_result(folder, read_case=read_case)


@pytest.mark.parametrize("name", ["daily.parquet", "runs.parquet", "events.parquet"])
def test_a_bit_that_turned_on_the_disk_is_found(tmp_path: Path, name: str) -> None:
    """A number in the middle of a file, which Parquet reads as any other."""
    folder = tmp_path / "out"
    RESULT.save(folder)
    path = folder / name
    whole = path.read_bytes()
    refused = []
    for at in range(100, len(whole) // 2, len(whole) // 20):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(BreakrankError) as error:
            load_result(folder, read_case=read_case)
        refused.append(str(error.value))
    assert any("is not what was written: its checksum differs" in told for told in refused)
    path.write_bytes(whole)
    about = (folder / "result.json").read_text("utf-8")
    (folder / "result.json").write_text(about.replace('"seed": ', '"seed": 1'), "utf-8")
    with pytest.raises(BreakrankError, match=r"result\.json is not what was written"):
        load_result(folder, read_case=read_case)


def test_a_changed_case_or_another_format_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    RESULT.save(folder)
    case = folder / "case" / "case.yaml"
    case.write_text(case.read_text().replace("160000", "160001"))
    with pytest.raises(BreakrankError, match="is not the case that ran"):
        load_result(folder, read_case=read_case)
    about = json.loads((folder / "result.json").read_text())
    for number, remedy in ((1, "call `breakrank case migrate` for the copy"), (3, "Read it with that one")):
        (folder / "result.json").write_text(json.dumps(about | {"breakrank_result": number}))
        with pytest.raises(
            BreakrankError, match=f"has result format {number}, this Breakrank reads 2"
        ) as got:
            load_result(folder, read_case=read_case)
        assert remedy in str(got.value)


def test_what_a_user_put_beside_a_result_is_carried_over(tmp_path: Path) -> None:
    RESULT.save(tmp_path / "out")
    (tmp_path / "out" / "notes.txt").write_text("mine")
    (tmp_path / "out" / "figures").mkdir()
    (tmp_path / "out" / "figures" / "a.png").write_bytes(b"x")
    (tmp_path / "out" / "report.html").write_text("of the older result")
    dataclasses.replace(RESULT, seed=3).save(tmp_path / "out")
    assert set(listed(tmp_path / "out")) == FILES | {"notes.txt", "figures"}
    assert (tmp_path / "out" / "notes.txt").read_text() == "mine"
    assert (tmp_path / "out" / "figures" / "a.png").read_bytes() == b"x"


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
    for at in range(4, len(whole), max(1, len(whole) // 25)):
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
