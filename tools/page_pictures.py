"""Take pictures of the page's five views, and say how long each took and how high it is.

python tools/page_pictures.py FOLDER [CASE]

``FOLDER`` gets a picture a view; with ``docs/_static`` they are those of the documentation. Needs Chromium.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cyclopts
from playwright.sync_api import Page, sync_playwright

VIEWS = ("happened", "why", "whatif", "plan", "next")
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FINDING = "main [data-finding]:not([aria-busy=true]):not(.quiet)"
"""The sentence that a view leads with, once it is there."""
NOTHING = "main [data-view='What next'] .button.main"
"""There where no forecast is kept, so that nothing comes before somebody asks for it."""
COMPLETE = ".runner:not([data-state=busy]):not([data-state=waiting])"
"""There once all runs of the view are made."""
PATIENCE = 600_000
"""Milliseconds that an answer may take."""


def address(process: subprocess.Popen[str]) -> str:
    """Return the address that the page printed, with its token."""
    assert process.stdout is not None
    for line in process.stdout:
        if "http://" in line:
            return "http://" + line.partition("http://")[2].split()[0]
    raise SystemExit("the page did not start")


def picture(page: Page, address: str, file: Path) -> str:
    """Take the picture of a view; return a line that says how it was."""
    page.goto("about:blank")
    begun = time.monotonic()
    page.goto(address)
    page.wait_for_selector(f"{FINDING}, {NOTHING}", timeout=PATIENCE)
    if page.locator(NOTHING).count():
        page.screenshot(path=file)
        return "nothing is kept"
    sentence = time.monotonic() - begun
    if "view=whatif" not in address:  # it draws once something is asked
        page.wait_for_selector("main [data-chart] svg", state="attached", timeout=PATIENCE)
    chart = time.monotonic() - begun
    page.wait_for_selector(COMPLETE, state="attached", timeout=PATIENCE)
    page.wait_for_timeout(1500)
    page.screenshot(path=file)
    high = page.evaluate("document.documentElement.scrollHeight")
    return f"sentence {sentence:.1f} s, chart {chart:.1f} s, {high} px; {page.inner_text(FINDING)}"


def main(folder: Path, case: str = "venezuela-2019") -> None:
    """Serve a case over an empty store, open each view, and take its picture."""
    folder.mkdir(parents=True, exist_ok=True)
    call = [sys.executable, "-m", "breakrank", "ui", case, "--no-browser"]
    with tempfile.TemporaryDirectory() as store, sync_playwright() as driver:
        served = subprocess.Popen([*call, "--store", store], stdout=subprocess.PIPE, text=True)
        try:
            first = address(served)
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(viewport={"width": 1280, "height": 760}, color_scheme="light")
            page.goto(first)
            for view in VIEWS:
                file = folder / f"page-{view}.png"
                link = f"{first.partition('/?')[0]}/#view={view}&case={case}"
                print(f"{view}: {picture(page, link, file)}", flush=True)
        finally:
            served.terminate()
            served.wait(30)


if __name__ == "__main__":
    cyclopts.run(main)
