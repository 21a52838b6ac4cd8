"""Tables, charts, page and folder of an explanation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from breakrank.errors import BreakrankError
from breakrank.questions.explain.chart_axes import NARROW, WIDE
from breakrank.questions.explain.drawings import CHARTS
from breakrank.questions.explain.folder import is_explanation, save
from breakrank.questions.explain.html import render
from breakrank.show.look import Look, svg
from breakrank.show.style import DARK, LIGHT, PAGE
from tests.questions.explain.made_up import LEFT, explanation

CASE = "venezuela-2019"


def whole() -> Any:
    from breakrank import load_case

    return replace(explanation(), case=load_case(CASE, "values"), command="breakrank explain made-up")


@pytest.mark.parametrize("name", sorted(CHARTS))
@pytest.mark.parametrize(("theme", "width"), [(LIGHT, WIDE), (DARK, NARROW), (PAGE, WIDE)])
def test_charts_are_drawn(name: str, theme: Any, width: int) -> None:
    drawn = CHARTS[name](explanation(), LEFT, Look(theme, width, names=196 if width == WIDE else 128))
    assert drawn is not None
    assert {"removals": "+34,700"}[name] in svg(drawn, theme)


def test_the_page_holds_everything_and_loads_nothing() -> None:
    found = whole()
    page = render(found)
    assert page == render(found)
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    assert "<script" not in page
    assert "95% interval +34,200 to +35,200" in page
    assert page.count("<svg") == 2 * 2  # each of two outcomes, wide and narrow


def test_the_folder_is_written_whole(tmp_path: Path) -> None:
    folder = save(whole(), tmp_path / "made")
    assert sorted(p.name for p in folder.iterdir()) == [
        "case",
        "charts",
        "explanation.html",
        "explanation.json",
        "tables",
    ]
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
