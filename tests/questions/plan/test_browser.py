"""The document of a plan as a reader opens and prints it: in Chromium, light and dark, wide and narrow."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from breakrank.questions.plan.document import render

from tests.results.guests import PAYERS, GuestCase, funded, guest_plan, plan_of

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("plan") / "plan.html"
    file.write_text(render(guest_plan()), "utf-8")
    return file


@pytest.fixture(scope="module")
def longest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a document with as much to say as there can be: a year, scenarios, many staff, a notice."""
    case = GuestCase()
    others = {f"scenario-with-a-long-name-{k}": funded(case, 3.0) for k in range(3)}
    plan = plan_of(
        case, others, runs=20, since="2019-01-01", until="2019-12-31", staff=(1, 2, 5, 10, 20, 40, 80, 160)
    )
    object.__setattr__(plan, "interrupted", True)
    file = tmp_path_factory.mktemp("plan") / "plan.html"
    file.write_text(render(plan), "utf-8")
    return file


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a document of half a year with long names and as many rows as are not yet set densely."""
    names = ("Government of a country far away", "An agency of the united nations", "Church and its donors")
    payers = type(PAYERS)(p.model_copy(update={"label": name}) for p, name in zip(PAYERS, names, strict=True))
    case = GuestCase(payers=payers)
    plan = plan_of(case, {"funded-reception": funded(case, 3.0)}, runs=20, until="2019-06-30")
    file = tmp_path_factory.mktemp("plan") / "plan.html"
    file.write_text(render(plan), "utf-8")
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
    line = page.evaluate("getComputedStyle(document.querySelector('svg path[stroke]')).stroke")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
    assert line.startswith("rgb")
    beds = page.evaluate(
        "[...document.querySelectorAll('.wide, .narrow')].filter(e => e.clientWidth).map(e => e.className)"
    )
    assert beds == ["narrow" if width == 380 else "wide"]
    context.close()


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("which", ["longest", "usual"])
def test_it_prints_on_two_pages(browser: Any, paper: str, which: str, request: pytest.FixtureRequest) -> None:
    page = browser.new_page()
    page.goto(request.getfixturevalue(which).as_uri())
    made = page.pdf(format=paper)
    page.close()
    assert len(re.findall(rb"/Type ?/Page\b(?!s)", made)) == 2
