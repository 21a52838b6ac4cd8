"""An answer is data: it compares equal, saves, loads, and refuses what it is not."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from breakrank.answer.answer import MOST_WORDS, Column, Table, brief
from breakrank.answer.files import from_json, load_answer
from breakrank.errors import BreakrankError, UsageError
from tests.answer.made_up import KINDS, answer


def test_equal_answers_are_equal_and_others_are_not() -> None:
    assert answer() == answer()
    for other in (
        answer(finding="Another."),
        answer(notes=()),
        answer(provenance=replace(answer().provenance, seed=4)),
        answer(tables=answer().tables[::-1]),
    ):
        assert answer() != other
    kinds = answer()["kinds"]
    rows = kinds.rows.assign(mean=kinds.rows["mean"] + 1e-12)
    assert kinds != Table(kinds.name, kinds.title, kinds.columns, rows, kinds.key, kinds.by, note=kinds.note)


def test_what_is_saved_is_read_again_to_the_bit(tmp_path: Path) -> None:
    folder = answer().save(tmp_path / "kept")
    assert load_answer(folder) == answer()
    tables = {f"{table.name}.csv" for table in answer().tables}
    charts = {f"{figure.name}.svg" for figure in answer().figures if figure.name != "nothing"}
    assert {path.name for path in folder.iterdir()} == {"answer.json"} | tables | charts
    (folder / "mine.txt").write_text("kept")
    answer(notes=("Another.",)).save(folder)
    assert (folder / "mine.txt").exists()
    assert load_answer(folder).notes == ("Another.",)
    table = next(folder.glob("*.csv"))
    table.write_text(table.read_text("utf-8") + "\n", "utf-8")
    with pytest.raises(BreakrankError, match=f"{table.name} is not what was written"):
        load_answer(folder)


def test_what_is_json_is_an_answer_again_but_for_tables_of_detail() -> None:
    kept = json.loads(json.dumps(answer().as_json()))
    assert from_json(kept).as_json() == kept
    assert from_json(kept).figures == answer().figures


def test_another_folder_is_left_alone_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "something").write_text("else")
    with pytest.raises(BreakrankError, match="left alone"):
        answer().save(tmp_path / "other")
    with pytest.raises(BreakrankError, match="not readable as a Breakrank answer"):
        load_answer(tmp_path / "other")
    folder = answer().save(tmp_path / "kept")
    (folder / "kinds.csv").write_text("a,b\n1,2\n")
    with pytest.raises(BreakrankError, match="not readable as a Breakrank answer"):
        load_answer(folder)


def test_json_holds_all_but_the_tables_of_detail() -> None:
    told = json.loads(json.dumps(answer().as_json(), allow_nan=False))
    assert told == answer().as_json()
    assert {"kinds", "empty", "wide", "grid", "points"} == told["tables"].keys()
    first, _, last = told["tables"]["kinds"]["rows"]
    assert (first["pairs"], first["factor"], last["mean"]) == (1200, None, None)
    assert told["provenance"]["failed"] == ["without fear, run 4: it ended"]
    mean = next(one for one in told["tables"]["kinds"]["columns"] if one["name"] == "mean")
    assert (mean["low"], mean["high"], mean["unit_in"]) == ("low", "high", "unit")


def test_a_table_is_found_by_name_and_its_rows_by_key() -> None:
    assert answer().table().loc["Regime | holds", "low"] == -0.02
    assert list(answer().table("wide").columns)[:2] == ["row", "n0"]
    with pytest.raises(UsageError, match="did you mean 'kinds'"):
        answer()["kind"]
    with pytest.raises(ValueError, match="has columns"):
        Table("x", "X", KINDS, answer()["wide"].rows)
    counts = Table.of("x", "X", [Column(name="n", label="n", kind="count")], [{"n": 1}, {"n": math.nan}])
    assert counts.rows["n"].dtype == "float64"


def test_a_long_finding_is_cut_and_a_tree_says_all_there_is() -> None:
    assert brief("a few words") == "a few words"
    assert len(brief("word " * 60).split()) == MOST_WORDS
    for text in ("Forty more leave", "table wide: A wide table, 3 rows", "1 runs failed", "interrupted"):
        assert text in repr(answer())
