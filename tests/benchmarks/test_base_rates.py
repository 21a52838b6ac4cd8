"""Rates that others counted: each has a source, and the page of limits shows them beside the model's."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from benchmarks.base_rates import ASKED, HEADS, SOURCES, Rates, elsewhere
from benchmarks.tables import markdown
from breakrank import list_cases, load_case
from breakrank.literature import cited

LIMITS = (Path(__file__).parents[2] / "docs" / "explanation" / "limits.md").read_text(encoding="utf-8")
ENTRIES = yaml.safe_load(SOURCES.read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["id"])
def test_a_rate_has_a_source_that_was_read(entry: dict[str, object]) -> None:
    (work,) = cited(str(entry["cite"]))
    assert work.is_checked
    assert entry["read"]
    assert work.label in " ".join(LIMITS.split())


def test_rates_are_those_of_a_run_and_a_year() -> None:
    counts = dict(zip(ASKED, (40.0, 20.0, 10.0, 5.0, 300.0), strict=True))
    found = Rates("A case", years=0.5, soldiers=1000.0, runs=10, totals=counts)
    assert found.row == ("A case", "0.5", "8.0", "4.0", "2.0", "5 of 10", "3%")


def test_the_page_of_limits_has_the_table() -> None:
    head, ruler, first = markdown(HEADS, [elsewhere()]).splitlines()
    table = LIMITS.partition(head)[2].partition("\n\n")[0].splitlines()
    assert table[1:3] == [ruler, first]
    assert [row.split(" | ")[0].strip("| ") for row in table[3:]] == [
        load_case(c).title for c in list_cases()
    ]
