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
