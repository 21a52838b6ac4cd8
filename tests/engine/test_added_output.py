"""What a mechanism of another package counts: declared once, and known to results, measures and targets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank.engine.mechanism import Mechanism
from breakrank.engine.observe import counted
from breakrank.errors import CaseError, UsageError
from breakrank.outputs import daily
from breakrank.results.measures import find, measure

TARGET = """
- id: heard
  measure: rumour_heard
  unit: soldiers
  date: {date}
  value: 100
  label: Heard the rumour
  assumed: made up
"""


def test_an_output_is_declared_once(rumour: type[Mechanism], tmp_path: Path) -> None:
    folder = breakrank.new_case(tmp_path / "montara", full=True)
    case = breakrank.load_case(folder, mechanisms=[rumour])
    result = breakrank.simulate(case, 3, 5, workers=1, log_runs=3)
    heard = result.data["rumour_heard"]
    assert heard.attrs == {"label": "Heard the rumour", "unit": "soldiers per day", "aggregation": "sum"}
    told = result.events.filter(np.array(result.events["event"]) == "heard the rumour")
    runs = np.array(told["run"])
    assert len(runs) > 100, "the rumour spreads"
    np.testing.assert_array_equal(heard.sum("day"), [(runs == run).sum() for run in range(3)])
    total = measure(result.data, "rumour_heard")
    np.testing.assert_array_equal(total, heard.sum("day"))
    assert (find("rumour_heard").unit, find("rumour_heard").kind) == ("soldiers", "total")
    other = case.set({"rumour.on": 0})
    found = breakrank.compare(case, other, runs=3, seed=5, outcomes=["rumour_heard"], workers=1)
    assert "rumour_heard" in found.table().index
    result.save(tmp_path / "kept")
    again = breakrank.load_result(tmp_path / "kept")
    assert again.data["rumour_heard"].identical(heard)


def test_a_target_can_count_it_where_the_mechanism_is(rumour: type[Mechanism], tmp_path: Path) -> None:
    folder = breakrank.new_case(tmp_path / "montara", full=True)
    end = breakrank.load_case(folder).calendar.end
    targets = folder / "targets.yaml"
    targets.write_text(targets.read_text("utf-8") + TARGET.format(date=end), "utf-8")
    with pytest.raises(CaseError, match="unknown measure 'rumour_heard'"):
        breakrank.load_case(folder)
    case = breakrank.load_case(folder, mechanisms=[rumour])
    assert case.targets.named("heard").measure == "rumour_heard"


def test_an_event_that_nobody_declares_is_refused() -> None:
    with pytest.raises(UsageError, match="songs counts an event 'sang' that no mechanism declares"):
        counted([daily("songs", "Songs", "sang")], ["left"])


def test_an_event_may_count_for_several_outputs() -> None:
    outputs = [daily("a", "A", "left"), daily("b", "B", 0, "died", below=3)]
    found, rules = counted(outputs, ["left", "died", "lost"])
    assert found.start.tolist() == [0, 2, 3, 3]
    assert rules == [("a", 0), ("b", 0), ("b", 0)]
    assert found.below.tolist() == [np.inf, 3, 3]
