"""The picture of what a record informs: which parameters are named, and where."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

pytest.importorskip("altair")


def names(told: dict[str, float]) -> dict[str, list[str]]:
    """Return the names that stand to the right and to the left of their marks, of one mechanism."""
    from breakrank.questions.calibrate.drawings import contraction
    from breakrank.show.look import Look

    rows = [{"mechanism": "a", "contraction": x, "informed": x >= 0.1} for x in told.values()]
    table = pd.DataFrame(rows, index=[f"a.{name}" for name in told]).rename_axis("parameter")
    found: Any = SimpleNamespace(tables={"parameters": table})
    drawn = contraction(found, Look(still=True))
    assert drawn is not None
    spec = drawn.spec()
    texts = [layer for layer in spec["layer"] if layer["mark"]["type"] == "text"]
    side = {"left": "right", "right": "left"}  # text that is aligned left begins at its mark
    return {
        side[layer["mark"]["align"]]: [row["name"] for row in drawn.rows[layer["data"]["name"]]]
        for layer in texts
    }


def test_neighbours_are_named_to_both_sides() -> None:
    assert names({"desert": 0.41, "leave": 0.38, "other": 0.04}) == {"right": ["desert"], "left": ["leave"]}


@pytest.mark.parametrize("third", [0.3, 0.25])
def test_a_name_without_room_is_left_out(third: float) -> None:
    """What is between two named marks would run into one of their names."""
    told = names({"one": 0.41, "two": 0.38, "three": third})
    assert "two" not in told["left"] + told["right"]


def test_nothing_informed_is_named_nowhere() -> None:
    assert names({"one": 0.05, "two": 0.02}) == {"left": [], "right": []}
