"""The cells of tutorials run one after the other, as when the docs are built, but with fewer simulations."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorials"
HOW_TO = TUTORIALS.parent / "how-to"
CELL = re.compile(r"```\{code-cell\} ipython3\n(?::tags:.*?\n\n)?(.*?)```", re.S)


@pytest.mark.thorough
def test_a_case_in_an_hour_comes_to_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (HOW_TO / "a-case-in-an-hour.md").read_text(encoding="utf-8")
    cells = CELL.findall(page)[1:]  # the first only goes to a new folder
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "page"}
    told = []
    for number, cell in enumerate(cells):
        quick = cell.replace("--runs 40", "--runs 4")
        exec(compile(quick, f"cell {number}", "exec"), names)
        out = capsys.readouterr()
        assert "breakrank: " not in out.err, out.err
        told.append(out.out)
    checks = [text for cell, text in zip(cells, told, strict=True) if '"case check hill"' in cell]
    assert "Then events hardly matter" in checks[0]
    assert "Then events hardly matter" not in checks[1]
    assert "This change touched nothing" in told[-1]


def cells_of(page: str) -> list[str]:
    text = (TUTORIALS / page).read_text(encoding="utf-8")
    return CELL.findall(text)


@pytest.mark.slow
def test_the_exercises_have_the_answers_that_the_lesson_gives() -> None:
    names: dict[str, Any] = {"__name__": "lesson"}
    for number, cell in enumerate(cells_of("teaching.md")):
        exec(compile(cell, f"cell {number}", "exec"), names)
    width = names["bands"].loc[0.95] - names["bands"].loc[0.05]
    assert width["parameters from the priors"] > 10 * width["fixed parameters"]
    effects = names["effects"]
    assert (effects < 0).all(axis=None)
    assert effects["parameters from the priors"].min() < 5 * effects["parameters from the priors"].max()
    assert names["shares"][0.5] < names["now"].mean() / 2


@pytest.mark.thorough
def test_a_report_becomes_a_target_that_a_run_is_compared_with(
    small_budget: None, capsys: pytest.CaptureFixture[str]
) -> None:
    names: dict[str, Any] = {"__name__": "tutorial"}
    for number, cell in enumerate(cells_of("a-report-comes-in.md")):
        exec(compile(cell, f"cell {number}", "exec"), names)
    told = capsys.readouterr().out
    assert "nothing wrong | holds" in told
    assert "r001 is a copy of r000 | ('1', 'at least 28 here, at least 26 there')" in told
    first = names["found"][0]
    assert (first.value, first.bound, first.says[0]) == (26, "at_least", "the mayor")
    assert names["case"].targets[-1].evidence == ("registered-may",)
    row = names["table"].loc["registered-host-2025-05"]
    assert row["record_low"] == 26
    assert row["median"] < 26
