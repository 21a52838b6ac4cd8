"""Charts are plain dictionaries: valid ones, though nothing checks them at run time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import ValidationError

from breakrank.errors import UsageError
from breakrank.show import vegalite as vl
from tests.show.valid import validated
from tests.show.world import made

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "src" / "breakrank" / "show" / "assets" / "vega.js"


@pytest.fixture(scope="module")
def result() -> Any:
    return made(runs=24)


def test_a_wrong_property_is_found() -> None:
    wrong = vl.layered([vl.rows_of([{"x": 1}]).mark("point", sise=3).encode(x="x:Q")])
    with pytest.raises(ValidationError):
        validated(wrong)


def test_a_chart_changes_by_making_another() -> None:
    base = vl.rows_of([{"x": 1}]).encode(x="x:Q")
    before = json.dumps(base)
    base.calculate(y="datum.x").only("datum.y > 0").encode(y="y:Q", x2="y:Q").mark("rule", color="red")
    assert json.dumps(base) == before


def test_a_channel_that_ends_another_has_no_type_of_its_own() -> None:
    drawn = vl.Chart().encode(x="from:T", x2="to:T", y2=vl.field("to:Q"), tooltip=["a:N"])
    assert drawn["encoding"]["x2"] == drawn["encoding"]["y2"] == {"field": "to"}
    assert drawn["encoding"]["x"]["type"] == "temporal"
    assert drawn["encoding"]["tooltip"] == [{"field": "a", "type": "nominal"}]


def test_a_notebook_shows_an_image() -> None:
    drawn = vl.layered([vl.rows_of([{"x": 1}]).mark("point").encode(x="x:Q")])
    assert drawn._repr_svg_().startswith("<svg")
    assert repr(drawn) == "Chart(layer)"


def test_a_chart_is_saved_by_the_end_of_its_name(tmp_path: Path) -> None:
    drawn = vl.layered([vl.rows_of([{"x": 1}]).mark("point").encode(x="x:Q")])
    for name in ("one.svg", "one.png", "one.json"):
        drawn.save(tmp_path / name)
    assert (tmp_path / "one.svg").read_text("utf-8") == drawn.svg()
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")
    assert validated(json.loads((tmp_path / "one.json").read_text("utf-8")))["layer"]
    with pytest.raises(UsageError, match=r"'one.gif' is no name for a chart; it must end with .svg"):
        drawn.save(tmp_path / "one.gif")
