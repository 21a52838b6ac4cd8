"""The cells of tutorials run one after the other, as when the docs are built, but with fewer simulations."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorials"


@pytest.mark.thorough
def test_a_report_becomes_a_target_that_a_run_is_compared_with(
    small_budget: None, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (TUTORIALS / "a-report-comes-in.md").read_text(encoding="utf-8")
    cells = re.findall(r"```\{code-cell\} ipython3\n(?::tags:.*?\n\n)?(.*?)```", page, re.S)
    names: dict[str, Any] = {"__name__": "tutorial"}
    for number, cell in enumerate(cells):
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
