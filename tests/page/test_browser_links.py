"""Links, history and other origins: what is seen is what the address names, and nobody else asks."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from breakrank import new_case
from breakrank.page.state import PageState
from breakrank.runs.pool import Pool
from tests.page.conftest import Served, Tab, serving
from tests.page.test_browser import violations
from tests.page.window import Window

pytestmark = pytest.mark.browser
CASE = "case=venezuela-2019&runs=2&until=2019-02-28"
PLAIN = f"view=happened&{CASE}"
TAPS = f"view=whatif&{CASE}&with=no-taps"
SMALL_ONE = "view=happened&case=small&seed=1&runs=4&until=2025-02-15"


def asked(link: str) -> dict[str, Any]:
    """Return the question of a link, read apart from the page."""
    found = {name: values[0] for name, values in parse_qs(link).items()}
    question: dict[str, Any] = {
        "case": found["case"],
        "runs": int(found["runs"]),
        "until": found["until"],
        "seed": int(found.get("seed", 0)),
    }
    if "with" in found:
        question |= {"counterfactuals": found["with"].split(","), "parameters": "posterior"}
    return question


def finding(tab: Tab, link: str) -> str:
    """Return the sentence of a link's view, as the server tells it."""
    question = asked(link)
    wish: dict[str, Any] = {"view": parse_qs(link)["view"][0], "question": question}
    if "counterfactuals" in question:
        wish["base"] = {k: v for k, v in question.items() if k != "counterfactuals"}
        assert tab.post("/api/ask", wish["base"]).lines[-1]["type"] == "done"
    assert tab.post("/api/ask", question).lines[-1]["type"] == "done"
    said: str = tab.post("/api/view", wish).data["finding"]
    return said


def paste(window: Window, link: str) -> None:
    """Put a link into the address of the open tab."""
    window.page.evaluate("link => { location.hash = link; }", link)


def test_links_and_history_show_the_question_that_they_name(chromium: Any, served: Served, tab: Tab) -> None:
    said = {link: finding(tab, link) for link in (PLAIN, TAPS, SMALL_ONE)}
    with Window(chromium, served) as window:
        page = window.page
        page.goto(f"{window.origin}/?token={window.token}")
        page.goto("about:blank")
        page.goto(f"{window.origin}/#{PLAIN}")

        def seen(link: str) -> None:
            page.wait_for_function("link => location.hash === `#${link}`", arg=link)
            page.locator("main p.finding").get_by_text(said[link]).wait_for()
            window.answered()
            assert ("as it stands" in page.locator(".chip").inner_text()) == ("with=" not in link)
            page.wait_for_timeout(400)  # by now the address would have been written anew
            assert page.evaluate("location.hash") == f"#{link}"

        seen(PLAIN)
        walk = [TAPS, SMALL_ONE, PLAIN]
        for link in walk:
            paste(window, link)
            seen(link)
        for link in [*reversed([PLAIN, *walk[:-1]])]:
            page.go_back()
            seen(link)
        for link in walk:
            page.go_forward()
            seen(link)
        window.go("plan")
        page.locator("main [data-chart] svg").first.wait_for()
        page.go_back()
        seen(PLAIN)
        window.quiet()


def test_links_of_before_lead_to_the_view_that_answers_them(chromium: Any, served: Served) -> None:
    views = {"look": "happened", "case": "happened", "ask": "whatif", "reception": "plan", "life": "why"}
    with Window(chromium, served) as window:
        page = window.enter()
        for old, new in views.items():
            paste(window, SMALL_ONE.replace("happened", old))
            page.wait_for_function("view => location.hash.startsWith(`#view=${view}&`)", arg=new)
            page.locator("main h1").wait_for(state="attached")
        assert page.locator("main .quiet-notice").count() == 0
        window.quiet()


def test_a_faulty_link_pasted_into_an_open_tab_is_told_of(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.enter()
        paste(window, f"{SMALL_ONE}&set=nothing%3D1")
        page.get_by_role("status").filter(has_text="Not taken from the link: set nothing=1.").wait_for()
        page.wait_for_function("link => location.hash === `#${link}`", arg=SMALL_ONE)
        paste(window, "view=happened&case=nowhere")
        page.get_by_role("status").filter(has_text="names a case that is not here").wait_for()
        page.wait_for_function("link => location.hash === `#${link}`", arg=SMALL_ONE)
        with window.asking():
            paste(window, SMALL_ONE.replace("seed=1", "seed=2"))
        assert page.locator("main .quiet-notice").count() == 0
        window.quiet()


def test_what_could_not_be_answered_shows_no_other_numbers(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        window.noisy = True  # the server refuses
        page = window.enter("plan", **{"from": "2025-01-20"})
        page.locator("[data-finding]").wait_for()
        said = page.locator("[data-finding]").inner_text()
        paste(window, f"{SMALL_ONE.replace('happened', 'plan')}&place=Atlantis")
        page.get_by_role("alert").filter(has_text="has no place 'Atlantis'").wait_for()
        assert said not in page.locator("main").inner_text()
        assert page.locator("main [data-finding], main [data-chart], main .drawer").count() == 0
        page.get_by_label("Where").select_option("host")
        page.locator("[data-finding]").wait_for()
        assert page.get_by_role("alert").count() == 0


def test_a_case_without_reception_offers_no_plan(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        page = window.page
        page.goto(f"{window.origin}/?token={window.token}")
        page.goto("about:blank")
        page.goto(f"{window.origin}/#view=plan&case=crimea-2014&runs=2&until=2014-03-05")
        window.answered()
        page.get_by_text("has no view Plan").wait_for()
        assert "Plan" not in page.get_by_role("navigation", name="Views").inner_text()


def test_what_was_finished_stays_when_the_server_ends(chromium: Any, served: Served) -> None:
    with Window(chromium, served) as window:
        window.noisy = True  # the server is gone
        page = window.enter()
        page.locator("main svg.fan").first.wait_for()
        said = page.locator("main p.finding").inner_text()
        window.context.set_offline(True)
        window.go("plan")
        page.get_by_role("alert").filter(has_text="The server has ended").wait_for()
        assert page.get_by_role("alert").count() == 1
        window.go("happened")
        page.locator("main p.finding").get_by_text(said).wait_for()
        window.context.set_offline(False)
        page.get_by_role("button", name="Try again").click()
        page.get_by_role("alert").wait_for(state="detached")  # the server is asked first whether it is there
        window.answered()
        page.locator("main svg.fan").first.wait_for()
        assert page.get_by_role("alert").count() == 0


def test_a_large_question_of_a_link_waits_to_be_run(
    chromium: Any, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Window(chromium, served) as window:
        page = window.enter()
        before = [url for url in window.asked if url.endswith("/api/ask")]
        assert before, "a small question is asked at once"
        monkeypatch.setitem(served.page.questions.speed._paces, "small", 1e4)
        page.goto(f"{window.origin}/#{SMALL_ONE.replace('seed=1', 'seed=4711')}")
        runner = page.locator(".runner[data-state=held]")
        runner.wait_for()
        strength = served.page_state.case("small").force.strength
        assert f"This asks for 4 runs of {strength:,} soldiers: about " in runner.inner_text()
        assert [url for url in window.asked if url.endswith("/api/ask")] == before, "nothing was started"
        run = page.get_by_role("button", name="Run", exact=True)
        window.go("next")
        page.get_by_role("button", name="Make this forecast").wait_for()
        assert run.count() == 0, "a forecast needs none of these runs"
        window.go("happened")
        with window.asking():
            run.click()
        page.locator("[data-finding]").wait_for()


def test_a_damaged_case_says_so_and_leaves_the_others_to_choose(chromium: Any, tmp_path: Path) -> None:
    folder, width = new_case(tmp_path / "damaged", full=True), 390
    (folder / "targets.yaml").write_text("- id: [", "utf-8")
    with (
        serving(PageState(tmp_path / "store", Pool(1), folder), "damaged") as served,
        Window(chromium, served, viewport={"width": width, "height": 800}) as window,
    ):
        window.noisy = True  # what cannot be read is refused
        page = window.page
        page.goto(f"{window.origin}/?token={window.token}")
        page.get_by_role("heading", name="This case could not be opened").wait_for()
        assert "targets.yaml" in page.get_by_role("alert").inner_text()
        assert page.get_by_role("combobox", name="Case").input_value() == "damaged"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert not (faults := violations(page)), "\n".join(faults)
        page.get_by_role("button", name="Crimea").click()
        page.get_by_role("navigation", name="Views").wait_for()
        assert page.get_by_role("combobox", name="Case").input_value() == "crimea-2014"
        page.get_by_role("combobox", name="Case").select_option("damaged")
        page.get_by_role("heading", name="This case could not be opened").wait_for()
        page.get_by_role("combobox", name="Case").select_option("crimea-2014")
        page.get_by_role("navigation", name="Views").wait_for()


TRIES = """async (origin) => {
  const tries = {
    read: () => fetch(`${origin}/api/cases`, { credentials: "include" }),
    blind: () => fetch(`${origin}/api/cases`, { credentials: "include", mode: "no-cors" }),
    ask: () => fetch(`${origin}/api/ask`, { method: "POST", credentials: "include",
      headers: { "content-type": "application/json" }, body: '{"case":"small"}' }),
    form: () => fetch(`${origin}/api/ask`, { method: "POST", credentials: "include", mode: "no-cors",
      body: '{"case":"small"}' }),
  };
  const found = {};
  for (const [name, one] of Object.entries(tries)) {
    try { const r = await one(); found[name] = `${r.status} ${await r.text()}`; }
    catch (error) { found[name] = "refused"; }
  }
  found.socket = await new Promise(done => { try {
    const s = new WebSocket(origin.replace("http", "ws") + "/api/ask"); s.onopen = () => done("open");
    s.onerror = () => done("refused"); } catch { done("refused"); } });
  found.image = await new Promise(done => { const i = new Image(); i.onload = () => done("loaded");
    i.onerror = () => done("refused"); i.src = `${origin}/favicon.ico`; });
  found.script = await new Promise(done => { const s = document.createElement("script");
    s.onload = () => done("loaded"); s.onerror = () => done("refused");
    s.src = `${origin}/api/look`; document.body.append(s); });
  const frame = document.createElement("iframe"); frame.src = origin; document.body.append(frame);
  await new Promise(done => { frame.onload = done; setTimeout(done, 2000); });
  try { found.frame = frame.contentDocument ? "open" : "refused"; } catch { found.frame = "refused"; }
  return found;
}"""


def test_a_page_of_another_origin_gets_nothing(chromium: Any, served: Served) -> None:
    host = "http://other.test"
    with Window(chromium, served) as window:
        window.noisy = True  # the browser has to refuse
        window.enter("take")
        page = window.opened()
        statuses: list[int] = []
        page.on("response", lambda r: statuses.append(r.status) if r.url.startswith(window.origin) else None)
        page.route(
            f"{host}/**",
            lambda route: route.fulfill(body="<!doctype html><body>other</body>", content_type="text/html"),
        )
        page.goto(f"{host}/")
        found = page.evaluate(TRIES, window.origin)
        for name in ("read", "ask", "socket", "image", "script", "frame"):
            assert found[name] == "refused", found
        for name in ("blind", "form"):
            assert found[name] in ("refused", "0 "), found
        assert not [status for status in statuses if status < 400], statuses
