"""The page of a plan as a reader opens it: in Chromium, light and dark, wide and narrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from breakrank.answer.html import page as rendered
from tests.results.guests import answered, guest_plan

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("plan") / "plan.html"
    file.write_text(rendered(answered(guest_plan())), "utf-8")
    return file


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (380, "dark")])
def test_it_opens_whole_and_quiet(browser: Any, document: Path, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page, said, asked = context.new_page(), [], []
    page.on("console", lambda m: said.append(m.text))
    page.on("request", lambda r: asked.append(r.url))
    page.goto(document.as_uri())
    assert said == []
    assert all(url.startswith(("file:", "data:")) for url in asked)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
    context.close()
