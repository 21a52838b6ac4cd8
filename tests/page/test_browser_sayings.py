"""What the page says of what it shows: of which question it is, of which day, and what it cannot tell."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.conftest import Served
from tests.page.window import Window

pytestmark = pytest.mark.browser


def test_what_is_shown_for_another_question_says_so_wherever_one_looks(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("look", **{"with": "no-appeal"})
        page.locator("#plots").scroll_into_view_if_needed()
        page.get_by_role("button", name="Reset").click()
        notice = page.get_by_role("status").filter(has_text="for other assumptions than those at the left")
        box = notice.bounding_box()
        assert 0 <= box["y"] < 200, "it stays at the top of the window"
        faded = "getComputedStyle(document.querySelector('#who figure')).opacity"
        assert float(page.evaluate(faded)) < 1
        with window.asking():
            notice.get_by_role("button", name="Run them").click()
        assert notice.count() == 0
        page.locator("#who figure").wait_for()
        assert float(page.evaluate(faded)) == 1


def test_what_was_seen_comes_back_when_its_successor_is_cancelled(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("look")
        page.locator("main p.finding").get_by_text("median of 4 runs").wait_for()
        said = page.locator("main p.finding").inner_text()
        page.route("**/api/ask", lambda _: None)  # never begun
        page.get_by_label("Seed", exact=True).fill("5")
        page.get_by_label("Seed", exact=True).press("Tab")
        page.get_by_role("button", name="Run", exact=True).click()
        page.locator("main p.finding").get_by_text("The first runs are in progress").wait_for()
        page.locator(".runner").get_by_role("button", name="Cancel").click()
        page.locator("main p.finding").get_by_text(said).wait_for()
        page.get_by_role("status").filter(has_text="for other assumptions").wait_for()
        page.unroute_all(behavior="ignoreErrors")


def test_a_printed_page_is_whole_and_nothing_lies_over_it(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("reception")
        page.locator(".vega svg").first.wait_for()
        page.wait_for_timeout(4000)
        for one in page.locator("main .vega").all():
            assert one.locator("svg").count() == 1, one.get_attribute("aria-label")
        page.emulate_media(media="print")
        for hidden in (".skip", "nav[aria-label=Views]", "aside", ".line-of-days", "main .button"):
            assert not page.locator(hidden).first.is_visible(), hidden
        assert page.locator("main h2").first.is_visible()
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.get_by_role("button", name="All ").count() == 0
