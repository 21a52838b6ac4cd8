"""What a lesson says of its exercises is so; that cells run is seen when the docs are built."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorials"
CELL = re.compile(r"```\{code-cell\} ipython3\n(?::tags:.*?\n\n)?(.*?)```", re.S)


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
