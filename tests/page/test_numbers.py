"""The page writes numbers as reports and the terminal do, and its own drawings have the colours of charts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from breakrank.show.style import DARK, GONE, LIGHT, OPPOSED, ROLES, Theme
from breakrank.show.words import WHOLE, between, interval, number, percent, span, way

EXAMPLES = Path(__file__).parents[2] / "page" / "tests" / "numbers.json"
VALUES = (0, 0.5, 1, 4.5, 9.96, 12.5, 13.5, 1285, 12345.6, -2.25, 0.0346, 0.004, 2.25, 0.35, 1.005, 999.5)
SHARES = (0, 1, 0.5, 0.0161, 0.97, 0.984, 0.99, 0.0004, 0.9996, 0.123)
ENDS = (
    *((0.855, 1.7, ""), (113, 660.4, ""), (0, 0, ""), (0.0003, 0.05, ""), (-3.2, 14.1, ""), (2, 2, "share")),
    *((0.789, 0.792, "share"), (0.021, 0.3, "share"), (0, 0.97, "share"), (0.9, 1, "share")),
    *((1916.5, 10403, "soldiers"), (0.25, 12.5, "meals"), (1200.5, 1210.25, "USD")),
)


def examples() -> dict[str, list[list[object]]]:
    """Return arguments and what is written, by function."""
    units = ("", "people", "share", *sorted(WHOLE))
    return {
        "number": [[x, unit, number(x, way(unit))] for unit in units for x in VALUES],
        "percent": [[x, percent(x)] for x in SHARES],
        "interval": [[low, high, unit, interval(low, high, way(unit))] for low, high, unit in ENDS],
        "span": [[low, high, unit, span(low, high, unit)] for low, high, unit in ENDS],
        "between": [
            [(low + high) / 2, low, high, unit, between((low + high) / 2, low, high, way(unit))]
            for low, high, unit in ENDS
        ],
    }


def test_the_examples_that_the_page_is_held_to_are_what_reports_write() -> None:
    assert json.loads(EXAMPLES.read_text("utf-8")) == json.loads(json.dumps(examples()))


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
