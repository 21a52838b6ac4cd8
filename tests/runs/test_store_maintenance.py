"""What a store holds, merging small parts, and taking ensembles out."""

from __future__ import annotations

from pathlib import Path

import pytest

from breakrank.errors import BreakrankError
from breakrank.runs import batch
from breakrank.runs.backends import Here
from breakrank.runs.identity import code_digest
from breakrank.runs.scenario import Scenario
from breakrank.runs.store import Kept, Store
from breakrank.runs.store_maintenance import clear_aside, merge, remove, stock
from breakrank.runs.study import Study
from tests.results.same import assert_same_bits
from tests.runs.engines import GOOD, small_case
from tests.runs.stored import SEED, kept, part_folders, result_of, study_of

CODE = code_digest(GOOD)


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "LARGEST", 2)


def only(store: Store) -> Kept:
    (one,) = store.ensembles()
    return one


def test_merged_parts_hold_the_same_bits(tmp_path: Path) -> None:
    study = study_of(9)
    kept(tmp_path, study, Here())
    before = result_of(tmp_path, study)
    assert len(part_folders(tmp_path)) == 5
    store = Store(tmp_path)
    assert merge(store, only(store), small_case()) == (5, 1, 0)
    assert len(part_folders(tmp_path)) == 1
    assert_same_bits(result_of(tmp_path, study), before)
    assert kept(tmp_path, study, Here()).reused == 9
    assert merge(store, only(store), small_case()) == (1, 1, 0)


def test_parts_with_events_stay_as_they_are(tmp_path: Path) -> None:
    study = study_of(8, logged=4)
    kept(tmp_path, study, Here())
    before = result_of(tmp_path, study)
    store = Store(tmp_path)
    logged = sum(bool(part.logged) for part in only(store).stored.parts())
    assert merge(store, only(store), small_case())[2] == logged > 0
    assert_same_bits(result_of(tmp_path, study), before)
    assert (stock(store, CODE)[0].logged, stock(store, CODE)[0].runs) == (4, 8)


def test_a_run_in_two_parts_is_written_once(tmp_path: Path) -> None:
    study = study_of(4)
    kept(tmp_path, study, Here())
    extra = part_folders(tmp_path)[0]
    twin = extra.with_name(extra.name[:-1] + ("0" if extra.name[-1] != "0" else "1"))
    twin.mkdir()
    for path in extra.iterdir():
        (twin / path.name).write_bytes(path.read_bytes())
    before = result_of(tmp_path, study)
    store = Store(tmp_path)
    assert merge(store, only(store), small_case()) == (3, 1, 0)
    assert_same_bits(result_of(tmp_path, study), before)


def test_a_merge_that_cannot_write_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = study_of(6)
    kept(tmp_path, study, Here())
    before = result_of(tmp_path, study)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("breakrank.runs.store_maintenance.write_part", full)
    store = Store(tmp_path)
    with pytest.raises(BreakrankError, match="No space left"):
        merge(store, only(store), small_case())
    assert_same_bits(result_of(tmp_path, study), before)


def test_only_what_is_asked_for_goes(tmp_path: Path) -> None:
    case = small_case()
    other = case.until(case.calendar.date(case.calendar.days - 2))
    both = Study((Scenario(case), Scenario(other, "shorter")), 3, SEED)
    kept(tmp_path, both, Here())
    store = Store(tmp_path)
    assert [(s.kept.scenario, s.runs, s.failed, s.current) for s in stock(store, CODE)] == [
        ("case", 3, 0, True),
        ("shorter", 3, 0, True),
    ]
    assert not any(s.current for s in stock(store, "another version"))
    free = remove(store, [k for k in store.ensembles() if k.scenario == "shorter"])
    assert free > 0
    assert [k.scenario for k in store.ensembles()] == ["case"]
    assert len(list((tmp_path / "cases").iterdir())) == 1
    again = kept(tmp_path, both, Here())
    assert (again.reused, again.made) == (3, 3)


def test_damaged_parts_are_cleared(tmp_path: Path) -> None:
    study = study_of(4)
    kept(tmp_path, study, Here())
    (part_folders(tmp_path)[0] / "daily.parquet").write_bytes(b"spoilt")
    kept(tmp_path, study, Here())
    store = Store(tmp_path)
    assert (tmp_path / "aside").is_dir()
    assert clear_aside(store) > 0
    assert not (tmp_path / "aside").exists()
    assert stock(store, CODE)[0].runs == 4
