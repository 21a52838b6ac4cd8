"""Links, history and what stands while something is on its way: what is seen is what the address names."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.page.conftest import Served, Tab
from tests.page.window import Window

pytestmark = pytest.mark.browser

CASE = "case=venezuela-2019&runs=2&until=2019-02-28"
PLAIN = f"view=look&{CASE}"
SET = f"view=look&{CASE}&set=preference.opposed_at_start%3D0.52"
TAPS = f"view=look&{CASE}&with=no-taps"
SMALL_ONE = "view=look&case=small&seed=1&runs=4&until=2025-02-15"


def asked(link: str) -> dict[str, Any]:
    """Return the question of a link, read apart from the page."""
    found = {name: values[0] for name, values in parse_qs(link).items()}
    question: dict[str, Any] = {
        "case": found["case"],
        "runs": int(found["runs"]),
        "until": found["until"],
        "seed": int(found.get("seed", 0)),
    }
    if "set" in found:
        name, _, value = found["set"].partition("=")
        question["set"] = {name: float(value)}
    if "with" in found:
        question["counterfactuals"] = found["with"].split(",")
    return question


def finding(tab: Tab, link: str) -> str:
    """Return the headline of a link's question, as the server tells it."""
    question = asked(link)
    assert tab.post("/api/ask", question).lines[-1]["type"] == "done"
    told = tab.post("/api/headline", {"question": question}).data
    return "".join(text for text, _ in told["finding"])


def paste(window: Window, link: str) -> None:
    """Put a link into the address of the open tab."""
    window.page.evaluate("link => { location.hash = link; }", link)


def test_links_and_history_show_the_world_that_they_name(chromium: Any, served: Served, tab: Tab) -> None:
    said = {link: finding(tab, link) for link in (PLAIN, SET, TAPS, SMALL_ONE)}
    assert said[SET] not in (said[PLAIN], said[TAPS]), "what a link must not bring along is seen"
    changes = {PLAIN: "The case as it stands.", SMALL_ONE: "The case as it stands."}
    with Window(chromium, served) as window:
        page = window.page
        page.goto(f"{window.origin}/?token={window.token}")
        page.goto("about:blank")
        page.goto(f"{window.origin}/#{PLAIN}")

        def seen(link: str) -> None:
            page.wait_for_function("link => location.hash === `#${link}`", arg=link)
            page.locator("main p.finding").get_by_text(said[link]).wait_for()
            window.answered()
            assert page.locator("aside .about").inner_text() == changes.get(link, "1 change to the case.")
            assert page.title() == (
                "Small · Breakrank" if link == SMALL_ONE else "Venezuela 2019 · Breakrank"
            )
            page.wait_for_timeout(400)  # by now the address would have been written anew
            assert page.evaluate("location.hash") == f"#{link}"

        seen(PLAIN)
        walk = [SET, PLAIN, SMALL_ONE, TAPS]
        for link in walk:
            paste(window, link)
            seen(link)
        for link in [*reversed([PLAIN, *walk[:-1]])]:
            page.go_back()
            seen(link)
        for link in walk:
            page.go_forward()
            seen(link)
        window.go("compare")
        page.get_by_role("heading", name="Differences on the last day").wait_for()
        window.go("life")
        page.locator("main article").nth(1).wait_for()
        page.go_back()
        page.get_by_role("heading", name="Differences on the last day").wait_for()
        page.go_back()
        seen(TAPS)
        window.quiet()


def test_a_faulty_link_pasted_into_an_open_tab_is_told_of(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter("look", day="2025-02-01")
        paste(window, f"{SMALL_ONE}&set=nothing%3D1")
        page.get_by_role("status").filter(has_text="Not taken from the link: set nothing=1.").wait_for()
        page.wait_for_function("link => location.hash === `#${link}`", arg=SMALL_ONE)
        assert page.locator("output.now").inner_text() == "15 Feb 2025", "a link without a day names the last"
        paste(window, "view=look&case=nowhere")
        page.get_by_role("status").filter(has_text="names a case that is not here").wait_for()
        page.wait_for_function("link => location.hash === `#${link}`", arg=SMALL_ONE)
        with window.asking():
            paste(window, SMALL_ONE.replace("seed=1", "seed=2"))
        assert page.locator("main .quiet-notice").count() == 0
        window.quiet()


def test_no_headline_stands_over_another_question(chromium: Any, served: Served) -> None:
    """The old one goes at once; as the runs come in, each number of runs is that of what it stands at."""
    with Window(chromium, served) as window:
        page = window.enter("look")
        page.locator("main p.finding").get_by_text("median of 4 runs").wait_for()
        old = page.locator("main p.finding").inner_text()
        page.evaluate(
            """() => { window.seen = []; const look = () => { requestAnimationFrame(look);
            const text = q => document.querySelector(q)?.textContent ?? "";
            const begun = /of 400 runs/.test(text(".runner [role=status]"));
            window.seen.push([text("main p.finding"), text("main .view > .quiet.small"), begun]); };
            look(); }"""
        )
        page.get_by_label("Runs", exact=True).fill("400")
        page.get_by_label("Runs", exact=True).press("Tab")
        page.get_by_label("Seed", exact=True).fill("78")
        page.get_by_label("Seed", exact=True).press("Tab")
        page.get_by_role("button", name="Run", exact=True).click()
        drawn = page.locator("main .view > .quiet.small").filter(has_text="Drawn from")
        drawn.wait_for()
        page.locator("main p.finding").get_by_text(re.compile(r"median of (\d\d+) runs")).wait_for()
        page.get_by_role("button", name="Cancel").click()
        page.get_by_text("finished runs are kept").wait_for()
        shown = [one for one in page.evaluate("window.seen") if one[2]]
        assert old not in {headline for headline, _, _ in shown}
        both = {(headline, line) for headline, line, _ in shown if "rawn from" in line}
        assert both
        for headline, line in both:
            of_headline = re.search(r"median of (\d+) runs", headline)
            of_line = re.search(r"[Dd]rawn from (\d+) runs", line)
            assert of_headline is not None, headline
            assert of_line is not None, line
            assert of_headline[1] == of_line[1]
        fans = page.locator("figure[data-chart=leaving-rank]")
        head, sentence = fans.evaluate(
            """(chart) => [".head", "p.unseen"].map((part) => chart.querySelector(part).innerText)"""
        )  # at one moment: a chart that is still to come may be drawn between two looks
        told = re.search(r"(\d+) runs(?:, fixed assumptions, chance only)?: median", head)
        assert told is not None
        assert f"median of {told[1]} runs" in sentence
        window.quiet()


def test_a_lost_server_is_told_of_once_and_found_again(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        window.noisy = True  # the server is gone
        page = window.enter("look")
        alerts = page.get_by_role("alert")
        window.context.set_offline(True)
        window.go("compare")
        window.go("look")
        alerts.filter(has_text="Start `breakrank ui` again").wait_for()
        assert alerts.count() == 1
        window.context.clear_cookies()  # as after a restart: the key is another one
        window.context.set_offline(False)
        alerts.get_by_role("button", name="Try again").click()
        alerts.filter(has_text="Open the address that `breakrank ui` printed last").wait_for()
        page.get_by_label("Seed", exact=True).fill("2")
        page.get_by_label("Seed", exact=True).press("Tab")
        page.get_by_role("button", name="Run", exact=True).click()
        page.locator(".runner[data-state=failed]").wait_for()
        page.wait_for_timeout(500)
        assert alerts.count() == 1
        window.opened().goto(f"{window.origin}/?token={window.token}")
        alerts.get_by_role("button", name="Try again").click()
        page.locator(".runner[data-state=done]").wait_for()
        page.locator("main svg.fan").first.wait_for()
        assert alerts.count() == 0


def test_what_could_not_be_answered_shows_no_other_numbers(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        window.noisy = True  # the server refuses
        page = window.enter("reception", **{"from": "2025-01-20"})
        page.get_by_text("From 20 Jan 2025").wait_for()
        assert page.locator("main .tiles").count() == 1
        paste(window, f"{SMALL_ONE.replace('look', 'reception')}&place=Atlantis")
        page.get_by_role("alert").filter(has_text="has no place 'Atlantis'").wait_for()
        assert "From 20 Jan 2025" not in page.locator("main").inner_text()
        assert page.locator("main .tiles, main .finding, main .section").count() == 0
        page.get_by_label("where").select_option("host")
        page.locator("main .tiles").wait_for()
        assert page.get_by_role("alert").count() == 0


def test_a_case_without_reception_offers_none(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.page
        page.goto(f"{window.origin}/?token={window.token}")
        page.goto("about:blank")
        page.goto(f"{window.origin}/#view=reception&case=crimea-2014&runs=2&until=2014-03-05")
        window.answered()
        page.get_by_text("Not taken from the link: view.").wait_for()
        for view in ("look", "take"):
            window.go(view)
            assert "Reception" not in page.get_by_role("navigation", name="Views").inner_text()
            assert "eception plan" not in page.locator("main").inner_text()
            assert page.locator("#reception").count() == 0


def test_what_was_finished_stays_when_the_server_ends(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        window.noisy = True  # the server is gone
        page = window.enter("look")
        window.whole()
        said, link = page.locator("main p.finding").inner_text(), page.evaluate("location.hash")
        charts = page.locator("main svg.fan").count()
        assert charts > 5
        window.context.set_offline(True)
        page.get_by_label("Seed", exact=True).fill("3")
        page.get_by_label("Seed", exact=True).press("Tab")
        page.get_by_role("button", name="Run", exact=True).click()
        page.locator(".runner[data-state=failed]").wait_for()
        assert "The server ended before this was answered" in page.locator(".runner").inner_text()
        page.get_by_role("alert").filter(has_text="The server has ended").wait_for()
        for _ in range(2):  # also after another view
            page.locator("main p.finding").get_by_text(said).wait_for()
            page.get_by_text("What is shown is for other assumptions than those at the left.").wait_for()
            assert page.evaluate("location.hash") == link
            window.whole()
            assert page.locator("main svg.fan").count() == charts
            window.go("case")
            window.go("look")
        window.context.set_offline(False)
        page.get_by_role("button", name="Try again").click()
        window.answered()
        assert "seed=3" in page.evaluate("location.hash")
        assert page.get_by_role("alert").count() == 0
