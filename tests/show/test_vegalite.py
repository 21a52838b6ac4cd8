"""Charts are plain dictionaries: valid ones, though nothing checks them at run time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import ValidationError

from breakrank.errors import UsageError
from breakrank.show import vegalite as vl
from breakrank.show.style import FONT
from tests.show.valid import validated


def test_a_wrong_property_is_found() -> None:
    wrong = vl.layered([vl.rows_of([{"x": 1}]).mark("point", sise=3).encode(x="x:Q")])
    with pytest.raises(ValidationError):
        validated(wrong)


def test_a_chart_changes_by_making_another() -> None:
    base = vl.rows_of([{"x": 1}]).encode(x="x:Q")
    before = json.dumps(base)
    base.calculate(y="datum.x").only("datum.y > 0").encode(y="y:Q", x2="y:Q").mark("rule", color="red")
    assert json.dumps(base) == before


def test_text_is_measured_in_the_font_of_the_package() -> None:
    """Else charts differ between machines by the fonts that are installed there."""
    rows = [{"name": "illicit illness", "x": 1}]

    def set_in(font: str) -> str:
        drawn = vl.rows_of(rows).mark("bar").encode(x="x:Q", y="name:N")
        return drawn.having(config={"axis": {"labelFont": font}}).svg().split(">")[0]

    assert set_in(FONT) == set_in("Inter") != set_in("sans-serif")


def test_a_machine_without_a_list_of_fonts_draws_in_silence() -> None:
    script = """
from pathlib import Path
from breakrank.show import vegalite as vl
vl.FONTCONFIG = Path("nowhere")
vl.rows_of([{"x": 1}]).mark("point").encode(x="x:Q").svg()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not done.stdout + done.stderr


def test_nothing_is_fetched_for_a_chart() -> None:
    drawn = vl.Chart(data={"url": "http://127.0.0.1:9/rows.json"}).mark("point").encode(x="x:Q")
    with pytest.raises(PermissionError, match="not allowed"):
        drawn.svg()


def test_a_chart_is_saved_by_the_end_of_its_name(tmp_path: Path) -> None:
    drawn = vl.layered([vl.rows_of([{"x": 1}]).mark("point").encode(x="x:Q")])
    for name in ("one.svg", "one.png", "one.json"):
        drawn.save(tmp_path / name)
    assert (tmp_path / "one.svg").read_text("utf-8") == drawn.svg()
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")
    assert validated(json.loads((tmp_path / "one.json").read_text("utf-8")))["layer"]
    with pytest.raises(UsageError, match=r"'one.gif' is no name for a chart; it must end with .svg"):
        drawn.save(tmp_path / "one.gif")
