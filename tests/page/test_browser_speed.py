"""How soon there is something to see; -s shows the figures."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.page.conftest import Served
from tests.page.window import Window

pytestmark = pytest.mark.browser

PAINT = 1000
"""Milliseconds until the first paint, at most."""


def test_the_first_paint_comes_within_a_second(chromium: Any, served: Served) -> None:
    best = math.inf
    for _ in range(3):  # other work on the machine may hold one up
        with Window(chromium, served) as window:
            page = window.page
            page.goto(f"{window.origin}/?token={window.token}")
            page.get_by_role("navigation", name="Views").wait_for()
            paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
            scripts = page.evaluate("performance.getEntriesByType('resource').map(r => r.name)")
            assert not any("vega" in name for name in scripts if name.endswith(".js")), (
                "the view waits for it"
            )
            best = min(best, paint)
        if best < PAINT:
            break
    print(f"first paint after {best:.0f} ms")
    assert best < PAINT


@pytest.mark.parametrize("view", ["happened", "plan"])
def test_a_built_in_case_opens_with_what_was_computed_beforehand(
    chromium: Any, served: Served, view: str
) -> None:
    with Window(chromium, served) as window:
        page = window.page
        page.goto(f"{window.origin}/?token={window.token}")
        page.goto(f"{window.origin}/#view={view}&case=syria-2011")
        page.locator("main [data-finding]:not(.quiet)").wait_for()
        assert "Computed beforehand" in page.locator("main [data-doubt]").inner_text()
        page.locator("main [data-chart] svg").first.wait_for(state="attached")
        page.locator(".runner[data-state=held]").wait_for()  # so many runs wait for somebody to want them
        if view == "happened":
            drawer = window.opened_drawer("Who left")
            drawer.get_by_role("status").filter(has_text="press Run above").wait_for()
