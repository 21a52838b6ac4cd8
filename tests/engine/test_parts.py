"""Soldiers counted by state, rank and branch at once, in runs of a case whose targets ask for it."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import cache

import numpy as np

import breakrank
from breakrank.case import Case, Target
from breakrank.results.result import Result

DAY = dt.date(2012, 2, 20)
STATES = ("SY-DI", "SY-HI")
ASKED = (
    {"measure": "left", "by": {"state": ["SY-HI"], "rank": ["conscript"]}},
    {"measure": "went_over", "by": {"state": ["SY-HI"], "branch": ["army"]}},
    {"measure": "left_abroad", "by": {"state": ["SY-HI"], "route": ["turkey"]}},
    {"measure": "serving", "by": {"state": list(STATES), "rank": ["conscript"]}},
    {"measure": "serving", "by": {"rank": ["conscript"]}},
    {"measure": "share_left", "by": {"state": ["SY-HI"]}, "unit": "share"},
    {"measure": "arrested", "by": {"state": ["SY-DI"]}},
)


@cache
def whole() -> Case:
    return breakrank.load_case("syria-2011", "point").set({"force.strength": 6000}).until("2012-03-15")


def target(k: int) -> Target:
    way = whole().crossings[0].id
    asked = dict(ASKED[k])
    rank = whole().force.ranks[0].id
    by = {d: [{"turkey": way, "conscript": rank}.get(i, i) for i in ids] for d, ids in asked["by"].items()}
    plain = {"id": f"t{k}", "label": f"Target {k}", "unit": "soldiers", "date": DAY, "at_least": 0}
    return Target.model_validate(plain | asked | {"by": by, "assumed": "A trial."})


@cache
def result() -> Result:
    case = whole()
    asking = Case(replace(case.content, targets=tuple(map(target, range(len(ASKED))))), case.catalogue)
    return breakrank.simulate(asking, runs=1, seed=5, workers=1)


def test_a_case_that_asks_for_nothing_counts_nothing_more() -> None:
    assert dict(whole().outputs) == dict(whole().catalogue.outputs)
    assert not [name for name in breakrank.load_case("venezuela-2019").outputs if "_by_" in name]


def test_parts_add_up_to_what_every_run_counts() -> None:
    data = result().data
    left = data["left_by_state_rank"]
    np.testing.assert_array_equal(left.sum("state"), data["exits_rank"].sum("outcome"))
    np.testing.assert_array_equal(data["went_over_by_state_branch"].sum("state"), data["went_over_branch"])
    np.testing.assert_array_equal(data["left_abroad_by_state_route"].sum("state"), data["exits_route"])
    np.testing.assert_array_equal(data["arrested_by_state"].sum("state"), data["arrested"])
    np.testing.assert_array_equal(data["serving_by_state_rank"].sum(["state", "rank"]), data["fates"])
    last = data["serving_by_state_rank"].isel(day=-1).sum("state")
    np.testing.assert_array_equal(last.transpose("run", "fate", "rank"), data["fate_rank"])
    assert int(left.sum()) > 0
    assert (data["serving_by_rank"].sum("rank") == data["fates"]).all()


def test_a_soldier_is_counted_where_his_post_is() -> None:
    from breakrank.model import force_of

    found, log = result(), result().events
    force = force_of(found.case, 5, 0)
    names = np.array(log["event"].to_pylist())
    who, day = np.array(log["soldier"]), np.array(log["day"])
    held = names == "arrested"
    at = np.searchsorted(force.identity, who[held])
    expected = np.zeros((found.data.sizes["day"], len(found.case.force.states)), int)
    np.add.at(expected, (day[held], force.state[at]), 1)
    np.testing.assert_array_equal(found.data["arrested_by_state"].values[0], expected)
