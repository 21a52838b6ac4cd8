"""The report of a case with a war: what it costs, and who went over."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import breakrank
from breakrank.questions.run import went_over as over
from breakrank.questions.run.charts import chart
from breakrank.questions.run.recorded import recorded
from breakrank.questions.run.war_figures import WAR, costs, fighting, war
from breakrank.results.outcomes import measure
from breakrank.show.look import Look
from breakrank.show.style import PAGE
from tests.mechanisms.civil_war import civil_war
from tests.show.valid import validated

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


def test_costs_are_the_numbers_of_the_runs(result: breakrank.Result) -> None:
    units = fighting(result).frame["median"].to_numpy()
    daily = result.data["units_fighting"].sum("state").transpose("run", "day").values
    assert units[-1] == pytest.approx(float(np.median(daily[:, -7:].mean(axis=1))))
    assert units[0] == pytest.approx(float(np.median(daily[:, 0])))
    by_name = {s.id: s for s in costs(result)}
    for name in ("killed_in_field", "surrendered_in_field", "called_up", "posts_lost"):
        assert by_name[name].last.median == pytest.approx(float(np.median(measure(result, name))))
        assert by_name[name].last.median > 0
    assert "rejoined" not in by_name  # of units that dissolve, which this case does not name
    assert by_name["posts_lost"].unit == "posts"
    drawn = [panel.id for panel in war(result, Look(PAGE, page=True)).panels]
    assert drawn[0] == "war-units_fighting"
    assert "war-called_up" in drawn


def test_who_went_over_adds_up(result: breakrank.Result) -> None:
    whole = measure(result, "went_over")
    for by in ("rank", "branch"):
        found = over.parts(result, by)
        assert sum(p.strength for p in found) == result.case.force.strength
        assert [p.name for p in found] == [
            t.label for t in (result.case.force.ranks if by == "rank" else result.case.force.branches)
        ]
        each = result.data[f"went_over_{by}"].sum("day").sum(by).values
        assert (each == whole).all()
        assert 0 < max(p.share for p in found) < 1


@pytest.mark.parametrize("name", WAR)
def test_every_figure_is_drawn_and_told(result: breakrank.Result, name: str) -> None:
    assert recorded(result, name)
    figure = WAR[name](result, Look())
    assert figure.sentence.endswith(".")
    assert all(len(row) == len(figure.table.columns) for row in figure.table.rows)
    assert json.dumps([p.drawn.spec() for p in figure.panels], allow_nan=False)
    spec: Any = chart(result, name)
    assert validated(spec)["datasets"]
