"""Asking in the browser: by keyboard alone, with changes, cancelled, from a link, in several tabs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.page.conftest import Served
from tests.page.window import Window

pytestmark = pytest.mark.browser


def focused(page: Any) -> str:
    """Return what has the focus, as a screen reader would name it."""
    found: str = page.evaluate(
        "(document.activeElement.getAttribute('aria-label') || document.activeElement.innerText || "
        "document.activeElement.labels?.[0]?.innerText || '').trim()"
    )
    return found


def tab_to(page: Any, name: str, most: int = 120) -> None:
    """Press Tab until what is named so has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if focused(page).startswith(name):
            return
    raise AssertionError(f"{name!r} was not reached; the focus is on {focused(page)!r}")


def test_the_keyboard_alone_asks_and_reads(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("look")
        tab_to(page, "Skip to the view", 3)
        ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert ring != "none", "what has the focus is seen to have it"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"

        page.reload()
        window.answered()
        tab_to(page, "Ask")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Add an event").wait_for()
        tab_to(page, "Day")
        page.keyboard.press("ArrowLeft")
        assert page.locator("output.now").inner_text() == "14 Feb 2025"
        mark = page.locator(".line .mark").first
        name = mark.get_attribute("aria-label").split(",")[0]
        tab_to(page, name, 200)
        before = mark.get_attribute("aria-label")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("PageDown")
        page.wait_for_function("b => document.activeElement.getAttribute('aria-label') !== b", arg=before)
        assert "moved" in page.evaluate("document.activeElement.getAttribute('aria-label')")
        page.keyboard.press("Delete")
        assert "removed" in page.evaluate("document.activeElement.getAttribute('aria-label')")

        page.evaluate("document.querySelector('.brand').scrollIntoView()")
        page.reload()
        window.answered()
        tab_to(page, "No counterfactual of the case", 30)
        page.keyboard.press("ArrowDown")
        tab_to(page, "Run both")
        with window.asking():
            page.keyboard.press("Enter")
        page.locator(".runner").get_by_text("same random draws").wait_for()
        window.quiet()


def test_events_are_dragged_added_and_taken_out(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("ask")
        mark = page.locator(".line .mark").first
        box = mark.bounding_box()
        page.mouse.move(box["x"] + 6, box["y"] + 6)
        page.mouse.down()
        page.mouse.move(box["x"] + 80, box["y"] + 8, steps=5)
        page.mouse.up()
        assert page.locator(".line .mark.moved").count() == 1
        page.get_by_role("button", name="As in the case").click()
        assert page.locator(".line .mark.moved").count() == 0
        page.get_by_role("button", name="Add an event").click()
        form = page.get_by_role("group", name="Event: New event")
        form.get_by_label("Title").fill("A general speaks")
        form.get_by_label("Title").press("Tab")
        page.locator(".line .mark.added").wait_for()
        window.run()
        assert page.locator("[role=alert]").all_inner_texts() == []
        assert "A+general+speaks" in page.evaluate("location.hash")


def test_a_switch_a_slider_and_a_wrong_number(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("ask")
        page.locator("details.group summary").filter(has_text="Fear").click()
        page.get_by_role("switch", name="Fear").click()
        field = page.locator("main details[open] .sliders input[type=text]").first
        field.fill("many")
        field.press("Tab")
        page.locator("main [role=alert]").wait_for()
        field.fill("")
        slider = page.locator("main details[open] .sliders input[type=range]").first
        slider.focus()
        slider.press("ArrowRight")
        assert page.locator("main [role=alert]").count() == 0
        window.run()
        hash_ = page.evaluate("location.hash")
        assert "fear.on%3D0" in hash_
        assert hash_.count("set=") == 2


def test_cancelling_ends_both_sides_and_they_can_be_run_again(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("compare")
        window.asked.clear()
        for label, text in (("Runs", "2,000"), ("Seed", "91")):
            page.get_by_label(label, exact=True).fill(text)
            page.get_by_label(label, exact=True).press("Tab")
        page.locator("aside select").select_option("no-appeal")
        page.get_by_role("button", name="Run both").click()
        page.get_by_text("the changed side first").wait_for()
        assert len([one for one in window.asked if one.endswith("/api/ask")]) == 1, "one side at a time"
        page.locator("figure[data-chart=beside]").wait_for()
        page.locator(".runner").get_by_role("button", name="Cancel").click()
        page.get_by_role("button", name="Run again").wait_for()
        assert page.get_by_role("button", name="Run again").is_enabled()
        page.get_by_role("button", name="Run the rest").wait_for()
        # Another question leaves nothing of this one under way.
        page.get_by_role("button", name="Run again").click()
        page.get_by_text("the changed side first").wait_for()
        page.get_by_label("Runs", exact=True).fill("3")
        page.get_by_label("Runs", exact=True).press("Tab")
        window.run("Run this instead")
        deadline = time.monotonic() + 20
        asked = served.page.questions._asked
        while not all(one.over for one in list(asked.values())) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert all(one.over for one in list(asked.values()))


def test_a_link_restores_the_view_and_a_wrong_one_is_told(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("look", by="branch", daily="1", day="2025-02-01", set="fear.on=0")
        assert page.locator("output.now").inner_text() == "1 Feb 2025"
        for name in ("Branch", "Per day"):
            page.locator("main").get_by_role("button", name=name, pressed=True).wait_for()
        window.go("take")
        link = page.get_by_label("Link to this view").input_value()
        assert "fear.on" in link
        assert "view=look" in link
        assert "by=branch" in link
        window.go("look")
        page.go_back()
        page.get_by_label("Link to this view").wait_for()
        window.enter("look", day="1999-01-01", set="nothing=1", by="<b>")
        said = page.get_by_text("Not taken from the link").inner_text()
        assert "day" in said
        assert "set nothing=1" in said
        window.quiet()


def test_tabs_do_not_disturb_each_other(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        tabs = [window.page, window.opened(), window.opened()]
        for k, page in enumerate(tabs):
            if k == 0:
                page.goto(f"{window.origin}/?token={window.token}")
                page.goto("about:blank")  # or the tab would go on from what it shows
            page.goto(f"{window.origin}/#view=take&case=small&until=2025-02-10&runs=3&seed={40 + k}")
        for k, page in enumerate(tabs):
            window.answered(page)
            assert f"seed {40 + k}" in page.locator("main").inner_text()
        window.quiet()


def test_files_are_taken_away(chromium: Any, served: Served) -> None:
    marks = {
        "The scenario as": "never appeals",
        "The Python": "import breakrank",
        "The report": "<!doctype html>",
        "Outcomes as": ",",
        "Series as": "date",
    }
    with Window(chromium, served) as window:
        page = window.enter("take", **{"with": "no-appeal"})
        for title, mark in marks.items():
            with page.expect_download() as found:
                page.locator("main li").filter(has_text=title).get_by_role("button").first.click()
            assert mark in found.value.path().read_text("utf-8").lower()
        window.quiet()


def test_a_scenario_taken_away_is_opened_again(chromium: Any, served: Served, tmp_path: Path) -> None:
    with Window(chromium, served) as window:
        page = window.enter("take", **{"with": "no-appeal"})
        with page.expect_download() as found:
            page.locator("main li").filter(has_text="The scenario as").get_by_role("button").first.click()
        taken = tmp_path / "mine.yaml"
        found.value.save_as(taken)
        page = window.enter("ask")
        field = page.get_by_label("Open a scenario file")
        field.set_input_files(taken)
        page.get_by_role("status").filter(has_text="stands in the fields now").wait_for()
        window.run()
        assert "1 change to the case" in page.locator("aside").inner_text()
        wrong = tmp_path / "wrong.yaml"
        wrong.write_text(taken.read_text("utf-8").replace("title:", "titel:"), "utf-8")
        field.set_input_files(wrong)
        page.get_by_role("alert").filter(has_text="wrong.yaml:").wait_for()
        large = tmp_path / "large.yaml"
        large.write_text("#" * 200_000, "utf-8")
        field.set_input_files(large)
        page.get_by_role("alert").filter(has_text="a file of scenarios may have 100").wait_for()
        two = tmp_path / "two.yaml"
        one = "- id: ID\n  title: Without fear\n  question: What if?\n  set: {fear.on: 0}\n"
        two.write_text(
            one.replace("ID", "a") + one.replace("ID", "b").replace("Without", "Second, no"), "utf-8"
        )
        field.set_input_files(two)
        page.get_by_role("button", name="Second, no fear").click()
        page.get_by_role("status").filter(has_text="“Second, no fear” stands").wait_for()
        window.quiet()


def test_charts_are_saved_as_pictures_and_tables(chromium: Any, served: Served) -> None:
    import xml.etree.ElementTree as ET

    with Window(chromium, served) as window:
        page = window.enter("look")
        figure = page.locator("figure[data-chart=leaving-rank]")
        figure.locator("svg.fan").first.wait_for()

        def saved(kind: str) -> bytes:
            figure.locator("summary").click()
            with page.expect_download() as found:
                figure.get_by_role("button", name=kind).click()
            body: bytes = found.value.path().read_bytes()
            return body

        drawing = saved("Chart as SVG").decode()
        assert ET.fromstring(drawing).tag.endswith("svg")
        assert "var(--" not in drawing
        assert drawing.count("<path") >= 3
        assert saved("Chart as PNG").startswith(b"\x89PNG")
        lines = saved("Table as CSV").decode().splitlines()
        assert lines[0] == "date,group,q05,q25,median,q75,q95,unit"
        assert len(lines) > 46

        figure = page.locator("figure[data-chart=brief]")
        shown = page.locator(".brief .big b").inner_text()
        texts = [one.text or "" for one in ET.fromstring(saved("Chart as SVG").decode()).iter() if one.text]
        assert "soldiers" in texts, "the axis has its unit"
        assert f"median {shown} (" in " ".join(texts), "the picture holds the number of its day"
        window.quiet()
