"""Charts are plain dictionaries: valid ones, though nothing checks them at run time."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import re
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest
from jsonschema import ValidationError

from breakrank.errors import UsageError
from breakrank.questions.run.figures import FIGURES
from breakrank.show import vegalite as vl
from breakrank.show.look import Look
from breakrank.show.style import PAGE
from tests.show.valid import validated
from tests.show.world import made

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "src" / "breakrank" / "show" / "assets" / "vega.js"


@pytest.fixture(scope="module")
def result() -> Any:
    return made(runs=24)


@pytest.mark.parametrize("name", FIGURES)
def test_charts_of_the_page_are_valid(result: Any, name: str) -> None:
    for panel in FIGURES[name](result, Look(PAGE, page=True)).panels:
        assert validated(panel.drawn.spec())["layer"]


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


def test_the_script_is_the_one_its_digest_names() -> None:
    digest = hashlib.sha256(SCRIPT.read_bytes()).hexdigest()
    assert SCRIPT.with_name("vega.js.sha256").read_text("utf-8") == f"{digest}  vega.js\n"


def test_the_script_is_what_the_locked_vl_convert_carries() -> None:
    pytest.importorskip("vl_convert")
    locked = re.search(r"^vl-convert-python==(\S+)", (ROOT / "requirements.lock").read_text("utf-8"), re.M)
    assert locked is not None
    if importlib.metadata.version("vl-convert-python") != locked[1]:
        pytest.skip(f"vl-convert is not the locked {locked[1]}")
    loader = SourceFileLoader("bundle", str(ROOT / "tools" / "bundle"))
    spec = spec_from_loader("bundle", loader)
    assert spec is not None
    tool = module_from_spec(spec)
    loader.exec_module(tool)
    assert tool.bundle().encode() == SCRIPT.read_bytes(), "call tools/bundle"
