"""The colours that the page's own drawings use are those of the charts: one meaning per hue, everywhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from breakrank.show.style import DARK, GONE, LIGHT, OPPOSED, ROLES, Theme

SOURCE = Path(__file__).parents[2] / "page" / "src"


def roles(css: str) -> dict[str, str]:
    return {name.replace("-", "_"): value for name, value in re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", css)}


@pytest.mark.parametrize(
    ("theme", "selector"),
    [
        (LIGHT, ":root {"),
        (DARK, ':root:not([data-theme="light"]) {'),
        (DARK, ':root[data-theme="dark"] {'),
    ],
    ids=["light", "dark by the system", "dark by choice"],
)
def test_the_page_has_the_colours_of_the_charts(theme: Theme, selector: str) -> None:
    css = (SOURCE / "css" / "tokens.css").read_text("utf-8")
    block = css.split(selector, 1)[1].split("}", 1)[0]
    found = roles(block)
    assert {role: found.get(role) for role in ROLES} == {role: getattr(theme, role) for role in ROLES}


def test_the_ramps_are_those_of_the_charts() -> None:
    text = (SOURCE / "charts" / "ramp.ts").read_text("utf-8")
    for name, ramp in (("GONE", GONE), ("OPPOSED", OPPOSED)):
        line = next(one for one in text.splitlines() if one.startswith(f"export const {name} "))
        assert tuple(re.findall(r"#[0-9a-f]{6}", line)) == ramp
