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


def test_another_force_has_no_pair_and_its_plan_says_so(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("ask")
        page.get_by_placeholder("Find …").fill("force.strength")
        field = page.locator("main details[open] .sliders input[type=text]").first
        field.fill("1,500")
        field.press("Tab")
        assert page.get_by_role("button", name="Run both").count() == 0
        window.run("Run")
        assert "nothing to pair them with" in page.locator(".runner").inner_text()
        window.go("reception")
        page.get_by_text("The force has another size here").wait_for()
        assert "--set force.strength=1500" in page.locator("main code").last.inner_text()


def test_a_mark_on_the_line_of_days_leads_to_its_day(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("look")
        mark = page.get_by_role("region", name="Line of days").get_by_role("button", name="Event:").first
        told = mark.get_attribute("title")
        mark.click()
        assert told.startswith(page.locator("output.now").inner_text().removesuffix(" 2025"))


def test_a_clicked_event_keeps_the_focus_beside_open_evidence(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("ask")
        page.get_by_role("region", name="Line of days").get_by_role("button", name="Event:").first.click()
        page.get_by_role("complementary", name="Evidence").wait_for()
        mark = page.locator(".line .mark").first
        before = mark.get_attribute("aria-label")
        mark.click()
        page.wait_for_timeout(200)
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == before
        page.keyboard.press("PageUp")
        assert "moved" in mark.get_attribute("aria-label")
        assert page.get_by_role("status").filter(has_text="for other assumptions").count() == 0


def test_the_bar_names_other_arrivals_as_a_change(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("reception", arrivals="2")
        page.locator("aside .about").get_by_text("1 change to the case.").wait_for()
        page.set_viewport_size({"width": 390, "height": 844})
        assert "Arrivals in Reception · × 2" in page.locator("button.toggle").inner_text()


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


def test_a_jump_lands_where_it_was_to(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("look")
        page.locator("#who figure").wait_for()
        page.get_by_role("navigation", name="Parts of this view").get_by_role(
            "button", name="The record"
        ).click()
        page.wait_for_timeout(3500)  # by now all above is drawn
        top = page.locator("#record").bounding_box()["y"]
        end = page.evaluate("document.documentElement.scrollHeight - scrollY - innerHeight < 2")
        assert end or -5 <= top <= 200, top


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
