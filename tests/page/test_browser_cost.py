"""A link that would compute for long asks before it starts; a small one goes on at once."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from tests.page.conftest import Served
from tests.page.window import SMALL, Window

pytestmark = pytest.mark.browser


def test_a_large_question_of_a_link_waits_to_be_run(
    chromium: Any, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Window(chromium, served) as window:
        page = window.enter("look")
        before = [url for url in window.asked if url.endswith("/api/ask")]
        assert before, "a small question is asked at once"
        monkeypatch.setattr(served.page.questions.speed, "_rate", 1e3)
        link = urlencode({"view": "look", "case": "small", **SMALL, "seed": "4711"})
        page.goto(f"{window.origin}/#{link}")
        held = page.locator(".held")
        held.wait_for()
        told = held.inner_text()
        strength = served.page_state.case("small").force.strength
        assert f"This link asks for 4 runs of {strength:,} soldiers: about " in told
        assert "of memory" in told
        assert [url for url in window.asked if url.endswith("/api/ask")] == before, "nothing was started"
        assert page.locator(".runner").get_attribute("data-state") == "held"
        page.get_by_role("navigation", name="Views").get_by_role("button", name="Case", exact=True).click()
        page.get_by_role("heading", name="The record").first.wait_for()
        window.go("look")
        held.wait_for()
        with window.asking():
            held.get_by_role("button", name="Run", exact=True).click()
        page.locator("main p.finding").get_by_text("median of 4 runs").wait_for()
        assert held.count() == 0


def test_in_a_narrow_window_a_held_link_leads_to_the_fields(
    chromium: Any, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Window(chromium, served, viewport={"width": 390, "height": 900}) as window:
        page = window.enter("look")
        monkeypatch.setattr(served.page.questions.speed, "_rate", 1e3)
        page.goto(f"{window.origin}/#{urlencode({'view': 'look', 'case': 'small', **SMALL, 'seed': '4712'})}")
        runs = page.get_by_label("Runs", exact=True)
        page.locator(".held").wait_for()
        assert not runs.is_visible()
        page.locator(".held").get_by_role("button", name="change them").click()
        runs.wait_for()
        assert runs.evaluate("field => field === document.activeElement")


def test_what_stands_in_the_fields_is_weighed_before_it_is_run(
    chromium: Any, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Window(chromium, served) as window:
        page = window.enter("look")
        monkeypatch.setattr(served.page.questions.speed, "_rate", 1e3)
        page.get_by_label("Runs", exact=True).fill("2000")
        page.get_by_label("Runs", exact=True).press("Tab")
        page.locator(".runner").get_by_text("of memory").wait_for()
        page.get_by_label("Runs", exact=True).fill("4")
        page.get_by_label("Runs", exact=True).press("Tab")
        page.locator(".runner").get_by_text("of memory").wait_for(state="detached")
