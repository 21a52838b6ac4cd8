"""Every view as readers open it: light and dark, wide and narrow, for eyes and for screen readers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.page.conftest import Served
from tests.page.window import VIEWS, Window

pytestmark = pytest.mark.browser

WINDOWS = [("light", 1440), ("dark", 380)]
AXE = Path(__file__).parents[2] / "page" / "node_modules" / "axe-core" / "axe.min.js"


def violations(page: Any) -> list[str]:
    """Return every fault that axe-core finds, however small."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed; in the folder page: npm ci")
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
    return [
        f"{one['id']} ({one['impact']}): {one['nodes'][0]['html'][:160]} {one['nodes'][0]['failureSummary']}"
        for one in found
    ]


@pytest.fixture(scope="module", params=WINDOWS, ids=[f"{scheme}-{width}" for scheme, width in WINDOWS])
def window(request: pytest.FixtureRequest, chromium: Any, served: Served) -> Any:
    scheme, width = request.param
    with Window(chromium, served, viewport={"width": width, "height": 900}, color_scheme=scheme) as opened:
        opened.enter("case")
        yield opened


@pytest.mark.parametrize("view", VIEWS)
def test_each_view_is_whole_quiet_and_accessible(window: Window, view: str) -> None:
    window.go(view)
    page = window.page
    page.locator("main h1").wait_for(state="attached")
    page.locator("main article, main .notice, main figure, main h2").first.wait_for()
    window.whole()
    assert page.evaluate("location.hash").startswith(f"#view={view}&")
    assert page.locator("main [role=alert]").all_inner_texts() == []
    width = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert window.overflows() == []
    assert not (faults := violations(page)), "\n".join(faults)
    window.quiet()


def test_a_comparison_and_its_twin_life_are_accessible(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("compare", set="fear.on=0")
        page.get_by_role("heading", name="Differences on the last day").wait_for()
        window.whole()
        assert page.locator("main [role=alert]").all_inner_texts() == []
        assert page.locator("main .vega svg").count() >= 1
        assert "pair" in page.locator("main").inner_text()
        assert not (faults := violations(page)), "\n".join(faults)
        window.go("life")
        page.get_by_role("heading", name="The case as it stands").wait_for()
        numbers = page.locator("article .head .quiet").all_inner_texts()
        assert len(numbers) == 2
        assert len(set(numbers)) == 1, "the same soldier stands in both"
        told = page.locator("p.apart").inner_text()
        assert told.startswith(("Nothing ", "The two lives first differ on "))
        assert " on a base rate of " not in page.locator("article").first.inner_text()
        page.get_by_label("Show how much each reason weighs").check()
        assert " on a base rate of " in page.locator("article").first.inner_text()
        page.get_by_role("button", name="Someone whose end the change turns").click()
        page.locator("p.apart, main [role=alert]").first.wait_for()
        assert not (faults := violations(page)), "\n".join(faults)
        window.quiet()


def test_what_is_opened_is_accessible(chromium: Any, served: Served) -> None:
    """Evidence beside the view, the form of an event, and a comparison with its data."""
    width = 380
    with Window(chromium, served, viewport={"width": width, "height": 900}, color_scheme="dark") as window:
        page = window.enter("case", evidence="target:registered-spring")
        panel = page.get_by_role("complementary", name="Evidence", exact=True)
        panel.get_by_role("heading", name="Registered abroad by the end of April").wait_for()
        assert "Reliability of the source" in panel.inner_text()
        assert not (faults := violations(page)), "\n".join(faults)
        window.enter("ask")
        page.keyboard.press("Escape")
        page.locator(".line .mark").first.click()
        page.get_by_role("group", name="Event:").wait_for()
        assert not (faults := violations(page)), "\n".join(faults)
        window.enter("compare", **{"with": "no-appeal"})
        page.get_by_role("heading", name="Differences on the last day").wait_for()
        window.whole()
        assert page.locator("main table tbody tr").count() >= 3
        assert not (faults := violations(page)), "\n".join(faults)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        window.quiet()


def test_help_opens_by_keyboard_and_leads_to_a_view(chromium: Any, served: Served) -> None:
    width = 380
    with Window(chromium, served, viewport={"width": width, "height": 900}, color_scheme="dark") as window:
        page = window.enter("case")
        helped = page.get_by_role("dialog", name="A start in two minutes")
        page.keyboard.press("?")
        helped.wait_for()
        assert "World that agrees with the record" in helped.inner_text()
        assert not (faults := violations(page)), "\n".join(faults)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.keyboard.press("Escape")
        helped.wait_for(state="hidden")
        opener = page.get_by_role("button", name="Help")
        opener.click()
        helped.get_by_role("button", name="Close").click()
        assert page.evaluate("document.activeElement.textContent") == "Help"
        opener.click()
        helped.get_by_role("button", name="Look").click()
        helped.wait_for(state="hidden")
        assert page.get_by_role("button", name="Look", exact=True).get_attribute("aria-current") == "page"
        window.quiet()


def test_marks_open_their_evidence_by_keyboard(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("look", by="total", until="2025-05-15")
        panel = page.get_by_role("complementary", name="Evidence", exact=True)
        for mark in (
            page.get_by_role("region", name="Line of days").get_by_role("button", name="Event:").first,
            page.get_by_role("button", name="Record: Registered abroad").first,
            page.locator("figure[data-chart=map] .place").first,
        ):
            mark.focus()
            mark.press("Enter")
            panel.get_by_role("heading").first.wait_for()
            page.wait_for_function("() => location.hash.includes('evidence=')")
            page.keyboard.press("Escape")
            assert panel.count() == 0
            assert mark.evaluate("e => e === document.activeElement"), "the focus is where it was"
        window.quiet()


def test_every_chart_has_a_sentence_and_a_table(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("look")
        window.whole()
        figures = page.locator("main figure")
        assert figures.count() >= 8
        for k in range(figures.count()):
            one = figures.nth(k)
            assert len(one.locator("p.unseen").first.inner_text()) > 10
            one.get_by_role("button", name="Show as table").click()
            assert one.locator("tbody tr").count() >= 1, one.get_attribute("data-chart")
            one.get_by_role("button", name="Show as chart").click()


def test_colours_follow_the_system_and_the_switch(chromium: Any, served: Served) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    with Window(chromium, served, color_scheme="dark") as window:
        page = window.enter("case")
        assert page.evaluate(ground) == "rgb(19, 23, 28)"
        page.get_by_role("button", name="Colours: as the system").click()
        assert page.evaluate(ground) == "rgb(255, 255, 255)"
        page.emulate_media(color_scheme="light")
        page.get_by_role("button", name="Colours: light").click()
        assert page.evaluate(ground) == "rgb(19, 23, 28)"
        window.enter("case")
        assert page.evaluate(ground) == "rgb(19, 23, 28)", "the choice is kept"
