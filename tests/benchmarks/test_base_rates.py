"""Rates that others counted: each has a source, and the page of limits shows them beside the model's."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from benchmarks.base_rates import ASKED, HEADS, LEADERS, SEED, SOURCES, Rates, elsewhere, led_by
from benchmarks.report import markdown
from breakrank import list_cases, load_case, simulate
from breakrank.literature import cited
from breakrank.results.measures import measure

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
    found = Rates("A case", years=0.5, soldiers=1000.0, runs=10, totals=counts, led={})
    assert found.row == ("A case", "0.5", "8.0", "4.0", "2.0", "5 of 10", "3%")


def test_every_coup_attempt_has_a_leader_of_some_rank() -> None:
    eager = {
        "force.strength": 3000,
        "plots.from_start": 3000,
        "plots.baseline_join": 0,
        "uprising.strength": 0.02,
    }
    case = load_case("philippines-1986", "point").set({"force.strength": 3000, **eager}).until("1985-06-30")
    result = simulate(case, runs=2, seed=SEED, log_runs=2)
    led = led_by(case, result)
    assert led.keys() == LEADERS.keys()
    attempts, won = (sum(counts) for counts in zip(*led.values(), strict=True))
    assert attempts == measure(result.data, "coup_attempts").sum() > 0
    assert 0 < won <= measure(result.data, "uprisings_won").sum()


def test_the_page_of_limits_has_the_table() -> None:
    head, ruler, first = markdown(HEADS, [elsewhere()]).splitlines()
    table = LIMITS.partition(head)[2].partition("\n<!-- end")[0].splitlines()
    assert table[1:3] == [ruler, first]
    assert [row.split(" | ")[0].strip("| ") for row in table[3:]] == [
        load_case(c).title for c in list_cases()
    ]
