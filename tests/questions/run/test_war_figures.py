"""The report of a case with a war."""

from __future__ import annotations

import pytest

import breakrank
from breakrank.errors import UsageError
from breakrank.show.axes import dated, earlier
from tests.mechanisms.civil_war import civil_war
from tests.show.world import made

COUP = """
- id: coup
  date: 2024-12-31
  title: Officers overthrow the government
  assumed: Invented.
  effects: [{field: credibility, op: add, value: 0.1, half_life: 20}]
"""


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> breakrank.Result:
    folder = tmp_path_factory.mktemp("cases") / "montara"
    case = civil_war(folder)
    events = tmp_path_factory.mktemp("events") / "events.yaml"
    events.write_text(COUP)
    return breakrank.simulate(case.with_events(events), runs=3, seed=0, workers=1)


def test_a_map_needs_a_war_and_borders(result: breakrank.Result) -> None:
    for found in (result, made(runs=3)):
        with pytest.raises(UsageError, match="no figure 'map'"):
            found.plot("map")


def test_the_report_names_what_lies_before_the_first_day(result: breakrank.Result) -> None:
    assert earlier(result) == ["31 Dec 2024, Officers overthrow the government"]
    told = "Before the first day, and so on no chart: 31 Dec 2024, Officers overthrow the government."
    assert told in result.answer.notes
    assert "coup" not in [e.id for e in dated(result)]
    assert not [note for note in made(runs=3).answer.notes if "Before the first day" in note]
