"""What the how-to guides show has to work as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from breakrank import load_case
from breakrank.case import load_case as load_checked
from breakrank.case import new_case
from breakrank.draws import luck_key
from breakrank.engine.day import Days
from breakrank.engine.observe import Observer
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.force import build_force
from breakrank.model import MECHANISMS, catalogue
from breakrank.spec import Catalogue

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"


def shown(page: str, language: str, number: int = 0) -> str:
    """Return a block of code of a page."""
    text = (HOW_TO / page).read_text(encoding="utf-8")
    blocks: list[str] = re.findall(rf"```{language}\n(.*?)```", text, re.S)
    return blocks[number]


def test_the_event_replaces_the_one_of_its_id(tmp_path: Path) -> None:
    file = tmp_path / "no-convoy.yaml"
    file.write_text(shown("change-an-assumption.md", "yaml"), encoding="utf-8")
    case = load_case("venezuela-2019", "values")
    changed = case.with_events(file)
    assert case.events.named("aid-convoy").effects
    assert not changed.events.named("aid-convoy").effects
    assert changed.events.ids == case.events.ids


def test_the_mechanism_runs_and_holds_soldiers_back(tmp_path: Path) -> None:
    made: dict[str, Any] = {"__name__": "attachment"}
    exec(compile(shown("add-a-mechanism.md", "python"), "add-a-mechanism.md", "exec"), made)
    kind = made["Attachment"]
    known = catalogue()
    wider = Catalogue.of([*known.parameters.values(), *kind.parameters], known.fields.values())
    case = load_checked(new_case(tmp_path / "small", wider), wider)
    force = build_force(case, luck_key(1, "force"))

    def gone(weight: float) -> int:
        days = Days(World(case.set({"attachment.weight": weight}), force), (*MECHANISMS, kind))
        run = Run(days.world, 1, 0, days.term_row, False)
        days.live(run, Observer(days.world))
        return int((run.records.fate != 0).sum())

    assert gone(1.0) < gone(0.0)


def test_the_study_runs_and_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code = shown("studies.md", "python").replace("runs=4", "runs=1")
    exec(compile(code, "studies.md", "exec"), {"__name__": "study"})
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["case", "fearless", "no-taps"]
    assert [p.name for p in tmp_path.iterdir()] == ["my.store"]
