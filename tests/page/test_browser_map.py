"""The map in a browser: names that cover no other, events above the chart, and a day of its own."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from tests.page.conftest import Served
from tests.page.window import Window

pytestmark = pytest.mark.browser
BOXES = """all => all.map(e => { const b = e.getBoundingClientRect();
    return [b.left, b.top, b.right, b.bottom, e.textContent]; })"""
SLACK = 3.0
"""Pixels by which the box of a text is higher than its letters."""


def covering(texts: Any) -> list[tuple[str, str]]:
    """Return the pairs of texts whose letters cover each other."""
    boxes = texts.evaluate_all(BOXES)
    return [
        (a[4], b[4])
        for a, b in combinations(boxes, 2)
        if min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > SLACK
    ]


def test_names_are_there_and_cover_no_other(chromium: Any, served: Served) -> None:
    for width in (390, 1280):
        with Window(chromium, served, viewport={"width": width, "height": 720}) as window:
            page = window.enter()
            window.opened_drawer("Where they went")
            figure = page.locator("figure[data-chart=map]")
            names = figure.locator("svg text[data-name]")
            names.first.wait_for()
            told = " ".join(names.all_text_contents())
            for name in ("Capital", "Coast", "Old bridge"):
                assert name in told
            assert figure.locator("[data-scale] text").first.text_content().endswith(" km")
            assert covering(figure.locator("svg text")) == []
            window.quiet()


def test_events_stand_by_name_above_the_chart(chromium: Any, served: Served) -> None:
    for width in (390, 1280):
        with Window(chromium, served, viewport={"width": width, "height": 720}) as window:
            page = window.enter()
            figure = page.locator("figure[data-chart=course]")
            events = figure.locator("svg text.event")
            events.first.wait_for()
            assert events.count() >= 1
            assert covering(figure.locator("svg text")) == []


def test_the_day_of_the_map_is_its_own(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter()
        drawer = window.opened_drawer("Where they went")
        slider = drawer.get_by_role("slider")
        slider.wait_for()
        assert drawer.locator("output").inner_text() == "15 Feb 2025"
        slider.focus()
        page.keyboard.press("Home")
        assert drawer.locator("output").inner_text() == "1 Jan 2025"
        window.quiet()
