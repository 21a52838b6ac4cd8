"""The report as a reader opens it: in Chromium, light and dark, wide and narrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from breakrank.questions.run.report import write_report
from tests.questions.run.hostile import hostile_case
from tests.show.world import made

pytestmark = pytest.mark.browser

DRAWN = "html[data-charts=drawn]"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(made(runs=4), tmp_path_factory.mktemp("report") / "report.html")


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
        self.page.wait_for_selector(DRAWN, timeout=120_000)

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
        shown = reader.page.evaluate(
            "[...document.querySelectorAll('[data-chart]')].filter(e => e.clientWidth).length"
        )
        drawn = reader.page.evaluate("document.querySelectorAll('[data-drawn] svg').length")
        assert drawn == shown > 20
        assert reader.page.evaluate("document.documentElement.scrollWidth") <= width
        assert reader.overflows() == []


def test_the_first_table_is_cut_at_no_width(browser: Any, tmp_path: Path) -> None:
    file = write_report(made(runs=24), tmp_path / "report.html")  # enough for both intervals
    with Reader(browser, file) as reader:
        for width in (1440, 1025, 1024, 390):
            reader.page.set_viewport_size({"width": width, "height": 900})
            table, room = reader.page.evaluate(
                "(t => [t.offsetWidth, t.parentElement.clientWidth])(document.querySelector('.outcomes'))"
            )
            assert table <= room, f"{width} px wide"
            assert reader.page.evaluate("document.documentElement.scrollWidth") <= width
            assert reader.overflows() == []


def test_colours_follow_the_reader_and_paper_is_light(browser: Any, report: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    line = (
        "getComputedStyle(document.querySelector('[data-drawn] svg path[stroke=\"var(--baseline)\"]')).stroke"
    )
    with Reader(browser, report, color_scheme="dark") as reader:
        assert reader.page.evaluate(ground) == "rgb(19, 23, 28)"
        assert reader.page.evaluate(line) == "rgb(109, 177, 234)"
        reader.page.emulate_media(color_scheme="light")
        assert reader.page.evaluate(line) == "rgb(31, 95, 153)"
        reader.page.emulate_media(color_scheme="dark", media="print")
        assert reader.page.evaluate(ground) == "rgb(255, 255, 255)"
        assert reader.page.evaluate(line) == "rgb(31, 95, 153)"


def test_pointer_tells_the_numbers_of_a_day(browser: Any, report: Path) -> None:
    with Reader(browser, report, viewport={"width": 1280, "height": 900}) as reader:
        chart = reader.page.locator("#left [data-drawn] svg").first
        chart.scroll_into_view_if_needed()
        box = chart.bounding_box()
        for step in range(20):  # a chart is drawn before it listens; a hand goes on moving
            reader.page.mouse.move(box["x"] + box["width"] / 2 + step, box["y"] + box["height"] * 0.7)
            if reader.page.is_visible("#tip"):
                break
            reader.page.wait_for_timeout(500)
        told = reader.page.inner_text("#tip")
        assert "Median" in told
        assert "All 4 runs" in told
        assert "2019" in told


def test_a_mark_of_the_record_leads_to_the_paragraph(browser: Any, report: Path) -> None:
    with Reader(browser, report, viewport={"width": 1280, "height": 900}) as reader:
        reader.page.locator("#record [data-drawn] svg path[fill='var(--paper)']").first.click()
        reader.page.wait_for_url("**#target-*")
        place = reader.page.locator(reader.page.evaluate("location.hash"))
        assert place.is_visible()
        place.locator("a.ref").first.click()
        reader.page.wait_for_url("**#o*")
        assert reader.page.locator(reader.page.evaluate("location.hash")).is_visible()
        assert "paragraph" in reader.page.locator(reader.page.evaluate("location.hash")).inner_text()


def test_keyboard_reaches_table_and_evidence(browser: Any, report: Path) -> None:
    with Reader(browser, report) as reader:
        reader.page.focus("#kinds summary >> nth=0")
        reader.page.keyboard.press("Enter")
        assert reader.page.is_visible("#kinds table")


def test_hostile_texts_run_nothing(browser: Any, tmp_path: Path) -> None:
    file = write_report(made(runs=2, case=hostile_case()), tmp_path / "hostile.html")
    with Reader(browser, file, viewport={"width": 380, "height": 900}) as reader:
        assert reader.page.evaluate("window.broken") is None
        assert reader.said == []
        for mark in reader.page.locator("#record [data-drawn] svg text").all()[:3]:
            mark.hover(force=True)
        assert reader.page.evaluate("window.broken") is None
        assert reader.page.locator("#tip img").count() == 0
