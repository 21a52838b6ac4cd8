"""Asking in the browser: by keyboard alone, with changes, cancelled, from a link, in several tabs."""

import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.page.conftest import Served
from tests.page.window import SMALL, Window

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
        page = window.enter()
        tab_to(page, "Skip to the view", 3)
        ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert ring != "none", "what has the focus is seen to have it"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"

        page.reload()
        window.answered()
        tab_to(page, "What if")
        page.keyboard.press("Enter")
        page.locator("main ul button").first.wait_for()
        tab_to(page, "Move, add or take away an event")
        page.keyboard.press("Enter")
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
        tab_to(page, "What if the challenger never", 40)
        with window.asking():
            page.keyboard.press("Enter")
        page.locator("[data-finding]").get_by_text("nobody chose otherwise").wait_for()
        window.quiet()


def test_events_are_dragged_weakened_added_and_taken_out(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("whatif")
        window.opened_drawer("Move, add or take away an event")
        mark = page.locator(".line .mark").first
        mark.scroll_into_view_if_needed()
        box = mark.bounding_box()
        page.mouse.move(box["x"] + 6, box["y"] + 6)
        page.mouse.down()
        page.mouse.move(box["x"] + 80, box["y"] + 8, steps=5)
        page.mouse.up()
        assert page.locator(".line .mark.moved").count() == 1
        page.get_by_role("button", name="As in the case").click()
        assert page.locator(".line .mark.moved").count() == 0
        page.get_by_role("button", name="Close").click()
        page.locator(".line .mark").nth(1).click()
        strong = page.get_by_label("How strong")
        strong.nth(0).select_option("half as strong")
        page.locator(".line .mark.altered").wait_for()
        strong.nth(1).select_option("believed by half")
        assert page.get_by_label("Value").nth(1).input_value() == "0.5"
        assert "amnesty 0.5 instead of" in page.locator(".pending").inner_text()
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
        page = window.enter("whatif")
        window.opened_drawer("Change something else")
        page.locator("details.group summary").filter(has_text="Fear").click()
        page.get_by_role("switch", name="Fear").click()
        field = page.locator("details.group[open] .sliders input[type=text]").first
        field.fill("many")
        field.press("Tab")
        page.locator("main [role=alert]").wait_for()
        field.fill("")
        slider = page.locator("details.group[open] .sliders input[type=range]").first
        slider.focus()
        slider.press("ArrowRight")
        assert page.locator("main [role=alert]").count() == 0
        window.run()
        hash_ = page.evaluate("location.hash")
        assert "fear.on%3D0" in hash_
        assert hash_.count("set=") == 2


def test_cancelling_ends_both_sides_and_keeps_what_was_seen(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("whatif")
        window.asked.clear()
        window.opened_drawer("Change something else")
        for label, text in (("Runs", "2,000"), ("Seed", "91")):
            page.get_by_label(label, exact=True).fill(text)
            page.get_by_label(label, exact=True).press("Tab")
        page.get_by_role("button", name="Ask this").click()
        page.locator(".runner").get_by_text("of 2000 runs").or_(
            page.locator(".runner").get_by_text("of 2,000 runs")
        ).wait_for()
        assert len([one for one in window.asked if one.endswith("/api/ask")]) == 1
        page.locator(".runner").get_by_role("button", name="Cancel").click()
        deadline = time.monotonic() + 20
        asked = served.page.questions._asked
        while not all(one.over for one in list(asked.values())) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert all(one.over for one in list(asked.values()))


def test_two_windows_on_one_store_ask_without_end_or_loss(chromium: Any, served: Served) -> None:
    """Two browsers, the same what-if and another, at once: each is answered, and then nothing is asked."""
    changes = ("fear.on=0", "fear.on=0", "grievance.on=0")
    with Window(chromium, served) as one, Window(chromium, served) as two, Window(chromium, served) as three:
        windows = (one, two, three)
        for window in windows:
            window.page.goto(f"{window.origin}/?token={window.token}")
            window.page.goto("about:blank")
            window.asked.clear()
        for window, change in zip(windows, changes, strict=True):
            asked = {"view": "whatif", "case": "small", **SMALL, "seed": "57", "set": change}
            window.page.goto(f"{window.origin}/#{urlencode(asked)}")
        found = []
        for window in windows:
            window.answered()
            window.page.locator("[data-finding]").get_by_text("The regime survives").wait_for()
            found.append(window.page.locator("[data-finding]").inner_text())
            window.page.wait_for_timeout(1000)
            assert len([url for url in window.asked if "/api/" in url]) <= 8, window.asked
        assert found[0] == found[1]
        before = [len(window.asked) for window in windows]
        one.page.wait_for_timeout(2000)
        assert [len(window.asked) for window in windows] == before


def test_other_arrivals_are_asked_in_a_drawer_that_stays_open(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("plan", set="decision.baseline_leave=4")
        drawer = window.opened_drawer("What if more come, or another number decides")
        with window.asking():
            drawer.get_by_role("button", name="Twice as many").click()
        page.locator(".beside").wait_for()
        assert drawer.get_attribute("open") is not None
        assert drawer.get_by_label("Times as many arrivals").input_value() == "2"
        window.quiet()


def test_a_number_that_cannot_be_taken_stops_the_run_and_a_site_can_be_closed(
    chromium: Any, served: Served
) -> None:
    with Window(chromium, served) as window:
        page = window.enter("plan", set="decision.baseline_leave=4")
        drawer = window.opened_drawer("What if more come, or another number decides")
        places = drawer.get_by_label(", places").first
        run, wrong = drawer.get_by_role("button", name="Run with these numbers"), drawer.get_by_role("alert")

        def put(text: str) -> None:
            places.fill(text)
            places.press("Tab")

        put("100")
        run.wait_for()
        for text, why in (("1.000", "write 1,000 or 1, please"), ("-1", "a whole number from 0")):
            put(text)
            assert why in wrong.inner_text()
            assert run.count() == 0
        put("0")
        assert wrong.count() == 0
        window.run("Run with these numbers")
        assert "%3D0" in page.evaluate("location.hash").split("places=")[1]
        behind = window.opened_drawer("How this was made")
        behind.get_by_text("assumed: capacity set by the change").wait_for()


def test_a_scenario_that_was_shared_is_opened_again(chromium: Any, served: Served, tmp_path: Path) -> None:
    with Window(chromium, served) as window:
        page = window.enter("whatif", **{"with": "no-appeal"})
        page.locator(".share summary").click()
        with page.expect_download() as found:
            page.get_by_role("button", name="Scenario file").click()
        taken = tmp_path / "mine.yaml"
        found.value.save_as(taken)
        page = window.enter("whatif")
        window.opened_drawer("Change something else")
        field = page.get_by_label("Open a scenario file")
        field.set_input_files(taken)
        page.get_by_role("status").filter(has_text="stands in the fields now").wait_for()
        window.run()
        assert "as it stands" not in page.locator(".chip").inner_text()
        window.opened_drawer("Change something else")
        wrong = tmp_path / "wrong.yaml"
        wrong.write_text(taken.read_text("utf-8").replace("title:", "titel:"), "utf-8")
        field.set_input_files(wrong)
        page.get_by_role("alert").filter(has_text="wrong.yaml:").wait_for()
        window.quiet()


def test_a_chart_is_saved_as_a_picture_and_a_table(chromium: Any, served: Served) -> None:
    import xml.etree.ElementTree as ET

    with Window(chromium, served) as window:
        page = window.enter(until="2025-05-15")
        figure = page.locator("figure[data-chart=course]")
        figure.locator("svg.fan").wait_for()

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
        assert drawing.count("<circle") >= 1, "the observed figures are on it"
        assert saved("Chart as PNG").startswith(b"\x89PNG")
        lines = saved("Table as CSV").decode().splitlines()
        assert lines[0] == "date,group,q05,q25,median,q75,q95,unit"
        assert len(lines) > 46
        figure.get_by_role("button", name="Show as table").click()
        assert figure.locator("tbody tr").count() >= 1
        window.quiet()
