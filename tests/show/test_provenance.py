from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import breakrank
from breakrank import load_case
from breakrank.show.evidence import Evidence
from breakrank.show.provenance import asked_runs, changes, noted, told
from breakrank.wording import HEDGES
from tests.new_cases import full_case
from tests.show.world import made

CALL = "breakrank run land --runs 100 --seed 0 --log-runs 4"


def test_values_set_by_hand_are_seen_in_the_case_itself(tmp_path: Path) -> None:
    case = load_case(full_case(tmp_path / "land"))
    assert told(case) == ""
    changed = case.set({"fear.on": 0, "force.strength": 1000})
    assert sorted(told(changed).split("; ")) == ["fear.on = 0", "force.strength = 1000"]
    written = changed.write(tmp_path / "as-used")
    assert told(load_case(written)) == told(changed)


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ("", ""),
        (" --until 2019-06-30", "until 2019-06-30"),
        (" --events a/what-if.yaml" + noted(2), "2 events from what-if.yaml"),
        (" --events 'a b#1.yaml'" + noted(1), "1 event from a b#1.yaml"),
        (" --events old.yaml --until 2019-01-31", "events from old.yaml; until 2019-01-31"),
        (" --events 'unclosed", ""),
    ],
)
def test_events_and_the_last_day_are_read_off_the_call(rest: str, said: str) -> None:
    result = dataclasses.replace(made(runs=1, end="2019-01-05"), command=CALL + rest)
    assert changes(result) == said


def test_missing_runs_are_counted() -> None:
    result = made(runs=2, end="2019-01-05")
    assert asked_runs(result) == 2
    stopped = dataclasses.replace(result, interrupted=True)
    assert asked_runs(dataclasses.replace(stopped, command=CALL)) == 100
    notebook = dataclasses.replace(stopped, command='simulate("x", runs=37, seed=1)')
    assert asked_runs(notebook) == 37


def test_a_bound_and_a_round_figure_are_written_as_such() -> None:
    case = breakrank.load_case("venezuela-2019")
    ledger = case.ledger.observations
    by_number = dict(enumerate((o for s in case.ledger.sources for o in ledger.values() if o.source == s), 1))
    said = [(by_number[int(row["number"])], row["figure"]) for row in Evidence(case).observation_rows()]
    hedged = {one.id: figure for one, figure in said if one.bound}
    assert hedged["panama-1989-ringleaders-executed"] == "at least 10 persons"
    assert all(figure.startswith(HEDGES[ledger[name].bound or ""]) for name, figure in hedged.items())
