"""What the how-to guides show has to work as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from breakrank import load_case

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"


def shown(page: str, language: str, number: int = 0) -> str:
    """Return a block of code of a page."""
    text = (HOW_TO / page).read_text(encoding="utf-8")
    blocks: list[str] = re.findall(rf"```{language}\n(.*?)```", text, re.S)
    return blocks[number]


def test_the_event_replaces_the_one_of_its_id(tmp_path: Path) -> None:
    file = tmp_path / "no-convoy.yaml"
    file.write_text(shown("change-an-assumption.md", "yaml"), encoding="utf-8")
    case = load_case("venezuela-2019", "point")
    changed = case.with_events(file)
    assert case.events.named("aid-convoy").effects
    assert not changed.events.named("aid-convoy").effects
    assert changed.events.ids == case.events.ids


def test_the_rumour_is_added_by_name_and_by_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(HOW_TO.parents[1] / "examples" / "breakrank-rumour" / "src")
    code = shown("add-a-mechanism.md", "python").replace("runs=20", 'runs=1, until="2019-01-10", workers=1')
    made: dict[str, Any] = {"__name__": "study"}
    exec(compile(code.replace('["rumour"]', "[Rumour]"), "add-a-mechanism.md", "exec"), made)
    assert made["result"].case.mechanisms == made["case"].mechanisms == ("breakrank_rumour:Rumour",)


def test_the_study_runs_and_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code = shown("studies.md", "python").replace("runs=4", "runs=1")
    exec(compile(code, "studies.md", "exec"), {"__name__": "study"})
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["case", "fearless", "no-taps"]
    assert [p.name for p in tmp_path.iterdir()] == ["my.store"]
