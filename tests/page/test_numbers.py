"""The page writes numbers as reports and the terminal do: both are held to the same examples."""

from __future__ import annotations

import json
from pathlib import Path

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
