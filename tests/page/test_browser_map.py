"""The maps in a browser: names, a legend in the first view, and where a change makes a difference."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
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


def saved(page: Any, figure: Any, kind: str) -> Path:
    figure.locator("summary").click()
    with page.expect_download() as found:
        figure.get_by_role("button", name=f"Chart as {kind}").click()
    return Path(found.value.path())


def pointed_at(page: Any, place: Any) -> str:
    """Return what is told where one points; a window that still moves hides it, so one points again."""
    for _ in range(40):
        page.mouse.move(0, 0)
        place.hover()
        page.wait_for_timeout(100)
        if told := page.locator(".tip").all_inner_texts():
            return str(told[0])
    raise AssertionError("nothing is told where one points")


def test_names_are_there_and_cover_no_other(chromium: Any, served: Served) -> None:
    for width in (390, 1280):
        with Window(chromium, served, viewport={"width": width, "height": 720}) as window:
            page = window.enter("look")
            figure = page.locator("figure[data-chart=map]")
            names = figure.locator("svg text[data-name]")
            names.first.wait_for()
            told = " ".join(names.all_text_contents())
            for name in ("Capital", "Coast", "Old bridge"):
                assert name in told
            assert figure.locator("[data-scale] text").first.text_content().endswith(" km")
            assert covering(figure.locator("svg text")) == []
            window.quiet()


def test_events_stand_by_name_above_one_large_number_and_its_fan(chromium: Any, served: Served) -> None:
    for width in (390, 1280):
        with Window(chromium, served, viewport={"width": width, "height": 720}) as window:
            page = window.enter("look")
            figure = page.locator("figure[data-chart=brief]")
            events = figure.locator("svg text.event")
            events.first.wait_for()
            assert events.count() >= 1
            assert covering(figure.locator("svg text")) == []
            large = page.locator(".big b")
            assert large.text_content().replace(",", "").isdigit()
            assert float(large.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")) >= 48
            assert large.text_content() in page.locator(".finding").text_content()


def test_a_comparison_shows_where_and_its_picture_holds_the_names(chromium: Any, served: Served) -> None:
    with Window(chromium, served, color_scheme="dark") as window:
        page = window.enter("compare", **{"with": "no-appeal"})
        figure = page.locator("figure[data-chart=difference-map]")
        figure.locator("circle[data-way]").first.wait_for()
        ways = figure.locator("circle[data-way]").count()
        rows = page.locator(".unseen table tbody tr")
        assert rows.count() > ways >= 1
        place = figure.locator("button.place").last  # the smallest lies above the others
        assert "95% interval" in pointed_at(page, place)
        shown = figure.locator("svg text[data-name]").all_text_contents()
        svg = saved(page, figure, "SVG").read_text("utf-8")
        assert saved(page, figure, "PNG").read_bytes().startswith(b"\x89PNG")
        assert len(shown) >= 3
        page.goto("about:blank")
        page.set_content(svg)
        texts = " ".join(" ".join(page.locator("svg text").all_text_contents()).split())
        also = (
            "Where it makes a difference",
            "told from nought",
            "Breakrank",
            "15 Feb 2025",
            "Places are shown to scale",
        )
        for text in (*shown, *also):
            assert " ".join(text.split()) in texts, text
        assert "var(" not in svg
        assert "light-dark" not in svg
        assert page.locator("svg circle").count() >= ways
        window.quiet()
