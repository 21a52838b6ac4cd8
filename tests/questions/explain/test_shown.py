"""Tables and folder of an explanation."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from breakrank.errors import BreakrankError
from breakrank.questions.explain.result import is_explanation, save
from breakrank.questions.explain.terminal import UNCLEAR, heads, lines, tell
from tests.questions.explain.made_up import LEFT, explanation, removal

CASE = "venezuela-2019"


def whole() -> Any:
    from breakrank import load_case

    return replace(explanation(), case=load_case(CASE, "point"), command="breakrank explain made-up")


def test_a_grid_of_mechanisms_by_outcome() -> None:
    assert heads(explanation()) == ("left abroad 2019-03-23", "regime holds")
    rows = {row[0]: row[1:] for row in lines(explanation())}
    assert rows["fear"] == ("soldiers weigh the risk", "+34,700", "−60 points")
    assert rows["plots"][1:] == (UNCLEAR, UNCLEAR)
    lost = removal()
    gone = replace(lost.single["fear"][0], runs=0, mean=np.nan, low=np.nan, high=np.nan)
    single = {**lost.single, "fear": (gone, lost.single["fear"][1])}
    assert lines(explanation(removal=replace(lost, single=single)))[1][2] == "no runs"


@pytest.mark.parametrize("columns", [60, 80, 110])
def test_a_narrow_terminal_gets_several_tables_of_whole_words(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    names = (
        "left_abroad",
        "registered",
        "quiet_desertion",
        "opposed",
        "serving",
        "surrendered",
        "open_defection",
    )
    one, many = removal(), tuple(replace(LEFT, measure=name, date=None) for name in names)
    single = {
        name: tuple(replace(found[0], outcome=asked.measure) for asked in many)
        for name, found in one.single.items()
    }
    effects = replace(one, asked=many, single=single)
    tell(explanation(removal=effects, asked=many))
    table = capsys.readouterr().out.partition("Mean differences")[0]
    assert max(map(len, table.splitlines())) <= columns
    for word in {word for name in names for word in name.split("_")}:
        assert word in table.split()
    assert table.count("+34,700") == len(names)
    assert (table.count("without") > 1) == (columns < 110)


def test_tables_hold_every_number() -> None:
    found = explanation().tables()
    assert set(found) == {"removals"}
    assert len(found["removals"]) == 8
    fear = found["removals"].query("without == 'fear' and outcome == 'left_abroad'").iloc[0]
    assert (fear["mean"], bool(fear["told"])) == (34_700, True)


def test_json_is_json() -> None:
    told = json.loads(json.dumps(explanation().as_json(), allow_nan=False))
    assert told["removals"]["fear"][0]["interval95"] == [34_200, 35_200]
    assert told["sentences"] == list(explanation().sentences())
    assert "21" not in repr(explanation())
    assert "4 mechanisms taken out" in repr(explanation())


def test_the_folder_is_written_whole(tmp_path: Path) -> None:
    folder = save(whole(), tmp_path / "made")
    assert sorted(p.name for p in folder.iterdir()) == ["case", "explanation.json", "tables"]
    assert is_explanation(folder)
    (folder / "mine.txt").write_text("kept")
    save(whole(), folder)
    assert (folder / "mine.txt").exists()
    other = tmp_path / "other"
    other.mkdir()
    (other / "something").write_text("else")
    with pytest.raises(BreakrankError):
        save(whole(), other)
    assert [p.name for p in other.iterdir()] == ["something"]
