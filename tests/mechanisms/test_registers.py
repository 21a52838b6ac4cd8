"""Several hosts with registers of their own: who is counted where, from when, and that nothing else moves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from breakrank import Case, Result, load_case, simulate
from breakrank.engine.codes import EV_REGISTERED
from breakrank.errors import UsageError
from breakrank.model import Model, build
from breakrank.results.measures import check_question, measure, measure_of
from tests.mechanisms import files
from tests.new_cases import without_priors

EASY = {"decision.baseline_leave": 4}
OPENS = "2025-03-01"
TARGET = f"""
- id: officers-on-the-trail
  label: Officers on the register beyond the trail
  measure: on_register
  date: 2025-06-30
  by: {{route: hill-trail, rank: [sergeant, officer]}}
  unit: soldiers
  at_most: 500
  assumed: Invented. From {OPENS}.
"""


def two_hosts(folder: Path) -> Path:
    """Write the template's country with a second host beyond the trail, which counts from its own day."""
    without_priors(folder)
    trail = "id: hill-trail\n    label: Hill trail\n    kind: trail\n    state: XX-B\n    country: "
    files.change(folder, "routes.yaml", f"{trail}Norlund\n    host: true", f"{trail}Sudmark\n    host: false")
    field = "register: {unit: switch, file: register.csv, dims: [route], assumed: Invented.}\n"
    files.add(
        folder, {"case.yaml": "mechanisms: [registers]\n", "fields.yaml": field, "targets.yaml": TARGET}
    )
    rows = f"date,route,value\n2025-01-01,*,1\n2025-01-01,hill-trail,0\n{OPENS},hill-trail,1\n"
    files.write(folder, {"register.csv": rows})
    return folder


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return load_case(two_hosts(tmp_path_factory.mktemp("cases") / "montara")).set(EASY)


@pytest.fixture(scope="module")
def result(case: Case) -> Result:
    return simulate(case, runs=2, seed=3, workers=1)


def test_each_host_counts_those_who_present_themselves_to_it(case: Case) -> None:
    model = Model(case, build(case, 3))
    run = model.replicate(3, 0, log=True)
    came = run.events["event"] == EV_REGISTERED
    way = run.events["place"][came] - len(case.force.states)  # places are states, then routes
    day = run.events["day"][came]
    found = run.series["on_register"].sum(axis=2)
    trail = [c.id for c in case.crossings].index("hill-trail")
    opens = (np.datetime64(OPENS) - np.datetime64(case.calendar.start)).astype(int)
    assert (found.sum(0) > 0).any()
    for route in range(found.shape[1]):
        first = opens if route == trail else 0
        assert found[:, route].sum() == np.sum((way == route) & (day >= first))
        assert found[:first, route].sum() == 0
    assert found[:, trail].sum() > 0


def test_a_figure_can_be_asked_by_host_and_rank_at_once(case: Case, result: Result) -> None:
    at = {"route": ["hill-trail"], "rank": ["sergeant", "officer"]}
    plain = result.data["on_register"].sel(at).sum(["route", "rank", "day"]).values
    assert np.array_equal(measure(result.data, "on_register", by=at), plain)
    (target,) = [t for t in case.targets if t.id == "officers-on-the-trail"]
    assert np.array_equal(measure_of(result.data, target), plain)
    (told,) = [one for one in result.outcomes() if one.id == target.id]
    assert told.median == np.median(plain)
    with pytest.raises(UsageError, match="do not count registered by rank and branch"):
        check_question("registered", {"rank": "officer", "branch": "army"}, case)


def test_the_one_host_that_receives_is_as_it_was(case: Case, result: Result) -> None:
    off = simulate(case.set({"registers.on": 0}), runs=2, seed=3, workers=1)
    for name in off.data.data_vars:
        if name != "on_register":
            assert off.data[name].equals(result.data[name]), name
    assert int(off.data["on_register"].sum()) == 0
    assert int(result.data["on_register"].sel(route="old-bridge").sum()) > 0
