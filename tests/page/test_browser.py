"""Every view as readers open it: light and dark, wide and narrow, for eyes and for screen readers."""

from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.page.conftest import Served
from tests.page.window import VIEWS, Window

pytestmark = pytest.mark.browser

WINDOWS = [("light", 1440), ("dark", 390)]
NARROW: dict[str, Any] = {"viewport": {"width": 390, "height": 900}, "color_scheme": "dark"}
AXE = Path(__file__).parents[2] / "page" / "node_modules" / "axe-core" / "axe.min.js"
HIGHEST, WORDS = 3000, 25
"""Pixels that a view with its drawers closed may take, and words of its sentence."""


def violations(page: Any) -> list[str]:
    """Return every fault that axe-core finds, however small."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed; in the folder page: npm ci")
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
    return [
        f"{one['id']} ({one['impact']}): {one['nodes'][0]['html'][:160]} {one['nodes'][0]['failureSummary']}"
        for one in found
    ]


@pytest.fixture(scope="module", params=WINDOWS, ids=[f"{scheme}-{width}" for scheme, width in WINDOWS])
def window(request: pytest.FixtureRequest, chromium: Any, served: Served) -> Any:
    scheme, width = request.param
    with Window(chromium, served, viewport={"width": width, "height": 900}, color_scheme=scheme) as opened:
        opened.enter()
        yield opened


@pytest.mark.parametrize("view", VIEWS)
def test_each_view_opens_with_a_sentence_and_is_accessible(window: Window, view: str) -> None:
    window.go(view)
    page = window.page
    page.locator("main h1").wait_for(state="attached")
    page.locator("main .finding").first.wait_for()
    if view == "happened":
        page.locator("main [data-chart] svg").first.wait_for()
    if view in ("happened", "plan"):
        assert page.locator("main [data-doubt]").inner_text()
        assert page.locator("main details.drawer[open]").count() == 0
    assert page.evaluate("location.hash").startswith(f"#view={view}&")
    assert page.locator("main [role=alert]").all_inner_texts() == []
    for said in page.locator("main [data-finding]").all_inner_texts():
        assert len(said.split()) <= WORDS, said
    width = page.viewport_size["width"]
    tops = [page.locator(one).bounding_box()["y"] for one in (".brand", ".help", ".theme")]
    assert max(tops) - min(tops) < 20, "the brand, Help and the colours share a row"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.documentElement.scrollHeight") <= HIGHEST
    assert window.overflows() == []
    assert not (faults := violations(page)), "\n".join(faults)
    window.quiet()


@pytest.mark.parametrize("view", ["happened", "plan", "whatif"])
def test_every_drawer_opens_whole_and_accessible(chromium: Any, served: Served, view: str) -> None:
    more = {"whatif": {"set": "fear.on=0"}, "plan": {"set": "decision.baseline_leave=4"}}.get(view, {})
    with Window(chromium, served, **NARROW) as window:
        page = window.enter(view, **more)
        page.locator("main [data-chart] svg").first.wait_for()
        drawers = page.locator("details.drawer > summary")
        for k in range(drawers.count()):
            drawers.nth(k).click()
        window.whole()
        assert page.locator("main [role=alert]").all_inner_texts() == []
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
        assert window.overflows() == []
        assert not (faults := violations(page)), "\n".join(faults)


def test_why_comes_ranked_with_breakrank_and_a_click_asks_it(chromium: Any, served: Served) -> None:
    with Window(chromium, served, **NARROW) as window:
        page = window.page
        page.goto(f"{window.origin}/?token={window.token}")
        page.goto("about:blank")
        page.goto(f"{window.origin}/#view=why&case=crimea-2014&runs=2&until=2014-03-05")
        dots = page.locator(".dots button")
        dots.first.wait_for()
        assert page.locator("[data-finding]").inner_text().startswith("Left by the end: ")
        assert page.locator(".dots circle").count() == dots.count()
        window.answered()
        assert not (faults := violations(page)), "\n".join(faults)
        assert window.overflows() == []
        with window.asking():
            dots.first.click()
        page.locator("[data-finding]").get_by_text("The regime survives").wait_for()
        assert "view=whatif" in page.evaluate("location.hash")
        window.quiet()


def test_evidence_opens_from_a_number_by_keyboard(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter(until="2025-05-15")
        panel = page.get_by_role("complementary", name="Evidence", exact=True)
        trust = window.opened_drawer("How far to trust it")
        for mark in (
            page.get_by_role("button", name="Record: Registered abroad").first,
            trust.locator("tbody th button").first,
        ):
            mark.focus()
            mark.press("Enter")
            panel.get_by_role("heading").first.wait_for()
            assert "Reliability of the source" in panel.inner_text()
            page.wait_for_function("() => location.hash.includes('evidence=')")
            assert not (faults := violations(page)), "\n".join(faults)
            page.keyboard.press("Escape")
            assert panel.count() == 0
            assert mark.evaluate("e => e === document.activeElement"), "the focus is where it was"
        window.quiet()


def test_a_view_is_sent_as_one_file_that_opens_alone(chromium: Any, served: Served, tmp_path: Path) -> None:
    with Window(chromium, served) as window:
        page = window.enter(until="2025-05-15")
        page.locator("main [data-chart] svg").first.wait_for()
        said = page.locator("[data-finding]").inner_text()
        menu = page.locator("details.share")
        menu.locator("summary").click()
        assert not (faults := violations(page)), "\n".join(faults)
        with page.expect_download() as found:
            page.get_by_role("button", name="One file to send").click()
        sent = tmp_path / "sent.html"
        found.value.save_as(sent)
        assert sent.stat().st_size < 1_000_000
        assert menu.get_attribute("open") is None, "the menu is shut once the file is there"
        menu.locator("summary").click()
        page.locator("[data-doubt]").click()
        assert menu.get_attribute("open") is None, "and by a click elsewhere"
        menu.locator("summary").click()
        page.keyboard.press("Escape")
        assert menu.get_attribute("open") is None
        menu.locator("summary").click()
        with page.expect_download() as found:
            page.get_by_role("button", name="Picture").click()
        assert found.value.path().read_bytes().startswith(b"\x89PNG")
        alone = window.context.browser.new_context().new_page()
        asked: list[str] = []
        alone.on("request", lambda request: asked.append(request.url))
        alone.goto(f"file://{sent}")
        assert alone.locator("h1").inner_text() == said
        assert alone.locator("svg path").count() > 2
        assert alone.locator("svg circle").count() >= 1, "the observed figures are marked"
        assert "Save" not in alone.locator("svg").first.text_content(), "no button is part of the chart"
        assert "breakrank ui small" in alone.locator("body").inner_text()
        assert len(asked) == 1
        assert not (faults := violations(alone)), "\n".join(faults)
        alone.context.close()
        window.quiet()


def test_an_address_without_access_explains_itself(chromium: Any, served: Served) -> None:
    context = chromium.new_context()
    page = context.new_page()
    answer = page.goto(f"http://127.0.0.1:{served.keys.port}/#view=plan&case=small")
    assert answer.status == 403
    told = page.locator("body").inner_text()
    assert "breakrank ui" in told
    assert "one file" in told.lower()
    assert served.keys.token not in page.content()
    assert not (faults := violations(page)), "\n".join(faults)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("innerWidth") == 390, "a telephone shows it at its own width"
    context.close()


def test_what_cannot_be_shown_says_why_and_what_to_do(chromium: Any, served: Served) -> None:
    def told(window: Window, view: str, words: str, **more: str) -> None:
        page = window.page
        page.goto("about:blank")
        page.goto(f"{window.origin}/#{urlencode({'view': view, 'case': 'small', 'seed': '71', **more})}")
        held = page.locator(".runner[data-state=held]")  # where runs were slow before, they wait to be wanted
        page.get_by_text(words).or_(held).first.wait_for()
        if held.count():
            held.get_by_role("button", name="Run").click()
        page.get_by_text(words).first.wait_for()
        assert not (faults := violations(page)), "\n".join(faults)
        assert window.overflows() == []

    with Window(chromium, served, viewport={"width": 390, "height": 900}) as window:
        page = window.page
        page.goto(f"{window.origin}/?token={window.token}")
        failed = '{"type": "failed", "error": "none of 40 runs finished; the first says: no soldiers"}\n'
        page.route("**/api/ask", lambda route: route.fulfill(body=failed))
        for view in ("happened", "plan"):
            told(window, view, "press Run again above")
            assert page.get_by_text("None of 40 runs finished; the first says: no soldiers").count() == 1
            assert page.get_by_text("in progress").count() == 0
        page.unroute("**/api/ask")
        told(window, "plan", "Crimea 2014 has no view Plan", case="crimea-2014", runs="2")
        page.route("**/api/cases", lambda _: None)
        told(window, "happened", "Opening the case")
        page.unroute("**/api/cases")


def test_help_opens_by_keyboard_and_leads_to_a_view(chromium: Any, served: Served) -> None:
    width = 390
    with Window(chromium, served, viewport={"width": width, "height": 900}, color_scheme="dark") as window:
        page = window.enter()
        helped = page.get_by_role("dialog", name="A start in two minutes")
        page.keyboard.press("?")
        helped.wait_for()
        assert not (faults := violations(page)), "\n".join(faults)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.keyboard.press("Escape")
        helped.wait_for(state="hidden")
        opener = page.get_by_role("button", name="Help")
        opener.click()
        helped.get_by_role("button", name="What if").click()
        helped.wait_for(state="hidden")
        assert page.get_by_role("button", name="What if", exact=True).get_attribute("aria-current") == "page"
        window.quiet()


def test_colours_follow_the_system_and_the_switch(chromium: Any, served: Served) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    with Window(chromium, served, color_scheme="dark") as window:
        page = window.enter()
        assert page.evaluate(ground) == "rgb(19, 23, 28)"
        page.get_by_role("button", name="Colours: as the system").click()
        assert page.evaluate(ground) == "rgb(255, 255, 255)"
        page.emulate_media(color_scheme="light")
        page.get_by_role("button", name="Colours: light").click()
        assert page.evaluate(ground) == "rgb(19, 23, 28)"
        window.enter()
        assert page.evaluate(ground) == "rgb(19, 23, 28)", "the choice is kept"


@pytest.mark.parametrize("view", ["happened", "plan"])
def test_a_built_in_case_opens_with_what_was_computed_beforehand(
    chromium: Any, served: Served, view: str
) -> None:
    with Window(chromium, served) as window:
        page = window.page
        page.goto(f"{window.origin}/?token={window.token}")
        page.goto(f"{window.origin}/#view={view}&case=syria-2011")
        # Until the link is followed, the page shows the case that it opened with.
        page.locator("main [data-doubt]").filter(has_text="Computed beforehand").wait_for()
        page.locator("main [data-chart] svg").first.wait_for(state="attached")
        page.locator(".runner[data-state=held]").wait_for()  # so many runs wait for somebody to want them
        if view == "happened":
            drawer = window.opened_drawer("Who left")
            drawer.get_by_role("status").filter(has_text="press Run above").wait_for()


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
            course = page.locator("figure[data-chart=course]")
            course.locator("svg text.event").first.wait_for()
            assert covering(course.locator("svg text")) == []
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
