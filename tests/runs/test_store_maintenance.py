"""What a store holds, and taking out what no study uses any more."""

from __future__ import annotations

import shutil
from pathlib import Path

from breakrank.runs.backends import Here
from breakrank.runs.identity import code_digest
from breakrank.runs.scenario import Scenario
from breakrank.runs.store import Store, clean, stock
from breakrank.runs.study import Study
from tests.results.same import assert_same_bits
from tests.runs.engines import GOOD, small_case
from tests.runs.stored import SEED, kept, part_folders, result_of, study_of

CODE = code_digest(GOOD)


def test_runs_of_many_short_calls_are_those_of_one(tmp_path: Path) -> None:
    for runs in range(1, 7):
        assert kept(tmp_path / "many", study_of(runs), Here()).made == 1
    kept(tmp_path / "one", study_of(6), Here())
    assert_same_bits(*(result_of(tmp_path / name, study_of(6)) for name in ("many", "one")))


def test_a_run_in_two_parts_counts_once(tmp_path: Path) -> None:
    kept(tmp_path, study_of(4), Here())
    before = result_of(tmp_path, study_of(4))
    first = part_folders(tmp_path)[0]
    shutil.copytree(first, first.with_name(first.name + "0"))
    assert stock(Store(tmp_path), CODE)[0].runs == 4
    assert_same_bits(result_of(tmp_path, study_of(4)), before)


def test_what_other_versions_made_goes_and_the_rest_stays(tmp_path: Path) -> None:
    case = small_case()
    other = case.until(case.calendar.date(case.calendar.days - 2))
    both = Study((Scenario(case), Scenario(other, "shorter")), 3, SEED)
    kept(tmp_path, both, Here())
    store = Store(tmp_path)
    assert [(s.kept.scenario, s.runs, s.failed, s.current) for s in stock(store, CODE)] == [
        ("case", 3, 0, True),
        ("shorter", 3, 0, True),
    ]
    assert clean(store, CODE) == 0
    assert kept(tmp_path, both, Here()).reused == 6
    shutil.rmtree(store.ensembles()[1].stored.folder)  # as whoever wants a scenario no more may do
    assert clean(store, CODE) > 0
    assert len(list((tmp_path / "cases").iterdir())) == 1
    again = kept(tmp_path, both, Here())
    assert (again.reused, again.made) == (3, 3)
    assert clean(Store(tmp_path), "another version") > 0
    assert Store(tmp_path).ensembles() == ()
    assert not list((tmp_path / "cases").iterdir())


def test_damaged_parts_are_cleared(tmp_path: Path) -> None:
    study = study_of(4)
    kept(tmp_path, study, Here())
    (part_folders(tmp_path)[0] / "daily.parquet").write_bytes(b"spoilt")
    kept(tmp_path, study, Here())
    store = Store(tmp_path)
    assert (tmp_path / "aside").is_dir()
    assert clean(store, CODE) > 0
    assert not (tmp_path / "aside").exists()
    assert stock(store, CODE)[0].runs == 4
