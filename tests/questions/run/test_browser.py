"""The report as a reader opens it: in Chromium, light and dark, wide and narrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.questions.run.hostile import hostile_case
from tests.show.world import made

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(made(runs=4), tmp_path_factory.mktemp("report"))


def written(result: Any, folder: Path) -> Path:
    result.report(folder / "report.html")
    return folder / "report.html"


class Reader:
    """A page that keeps what its console said and what it asked for."""

    def __init__(self, browser: Any, file: Path, **context: Any) -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        self.context = browser.new_context(**context)
        self.page = self.context.new_page()
        self.page.on("console", lambda m: self.said.append(f"{m.type}: {m.text}"))
        self.page.on("pageerror", lambda e: self.said.append(str(e)))
        self.page.on("request", lambda r: self.asked.append(r.url))
        self.page.goto(file.as_uri())

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def overflows(self) -> list[str]:
        """Return what reaches past the window's right edge, outside boxes that scroll by themselves."""
        found: list[str] = self.page.evaluate(
            """() => [...document.querySelectorAll("body *")]
            .filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
            .filter(e => !e.closest(".scroll, .unseen, thead, [hidden]"))
            .map(e => `${e.tagName} ${e.textContent.slice(0, 40)}`)"""
        )
        return found


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (380, "dark")])
def test_report_opens_whole_and_quiet(browser: Any, report: Path, width: int, scheme: str) -> None:
    with Reader(browser, report, viewport={"width": width, "height": 900}, color_scheme=scheme) as reader:
        assert reader.said == []
        assert all(url.startswith(("file:", "data:")) for url in reader.asked)
        assert reader.page.evaluate("document.querySelectorAll('figure svg').length") > 10
        assert reader.page.evaluate("document.documentElement.scrollWidth") <= width
        assert reader.overflows() == []


def test_colours_follow_the_reader_and_paper_is_light(browser: Any, report: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    line = "getComputedStyle(document.querySelector('figure path[stroke=\"var(--baseline)\"]')).stroke"
    with Reader(browser, report, color_scheme="dark") as reader:
        assert reader.page.evaluate(ground) == "rgb(19, 23, 28)"
        assert reader.page.evaluate(line) == "rgb(109, 177, 234)"
        reader.page.emulate_media(color_scheme="light")
        assert reader.page.evaluate(line) == "rgb(31, 95, 153)"
        reader.page.emulate_media(color_scheme="dark", media="print")
        assert reader.page.evaluate(ground) == "rgb(255, 255, 255)"


def test_an_observed_figure_leads_to_the_paragraph(browser: Any, report: Path) -> None:
    with Reader(browser, report, viewport={"width": 1280, "height": 900}) as reader:
        reader.page.locator("dl a.ref").first.click()
        reader.page.wait_for_url("**#o*")
        place = reader.page.locator(reader.page.evaluate("location.hash"))
        assert place.is_visible(), "what is folded opens"
        assert "paragraph" in place.locator("xpath=..").inner_text()


def test_hostile_texts_run_nothing(browser: Any, tmp_path: Path) -> None:
    file = written(made(runs=2, case=hostile_case()), tmp_path)
    with Reader(browser, file, viewport={"width": 380, "height": 900}) as reader:
        assert reader.page.evaluate("window.broken") is None
        assert reader.said == []
