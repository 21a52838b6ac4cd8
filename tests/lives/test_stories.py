"""The patterns of the reports: each query against lives made by hand, and all of them against a run."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from breakrank import load_case
from breakrank.answer.answer import Answer
from breakrank.case import Case
from breakrank.case.models_patterns import Query
from breakrank.engine.codes import (
    ERRAND,
    EV_CROSSED,
    EV_LEFT,
    EV_REGISTERED,
    EV_SHOCK,
    EV_SHOT,
    EVENTS,
    LEAVE_PASS,
    POSTING,
)
from breakrank.errors import UsageError
from breakrank.force import Force
from breakrank.force.force import VEHICLE
from breakrank.lives.answer import told_days
from breakrank.lives.stories import Lives
from breakrank.lives.stories import whose as asked
from breakrank.lives.trace import trace
from breakrank.model import Model, build
from breakrank.questions.declared import StoriesQuestion
from tests.lives.asked import NOBODY, PATTERNS, counted, whose, with_log
from tests.new_cases import full_case
from tests.results.voices import log

ALONE, FAMILY, POSTED = 0, 1, 2
Row = tuple[str, int, int, str, int | None, float]


@pytest.fixture(scope="module")
def force(case: Case, force: Force) -> Force:
    """Return a force in which soldiers 0 to 9 stand in Tachira and feed two each; 0 and 1 have a vehicle."""
    state, feeds, access = force.state.copy(), force.dependants.copy(), force.access.copy()
    state[:10] = case.force.states.position("VE-S")
    feeds[:10] = 2
    access[:10] = 0
    access[:2] = VEHICLE
    return replace(force, state=state, dependants=feeds, access=access)


EVENT = {
    "crossed": EV_CROSSED,
    "left": EV_LEFT,
    "registered": EV_REGISTERED,
    "shot": EV_SHOT,
    "loss": EV_SHOCK,
}


def lived(case: Case, force: Force, *rows: Row, occasions: dict[int, int] | None = None) -> Lives:
    """Return a run with this log: rows of (event, day, soldier, way, other, value); all are opposed."""
    states = len(case.force.states)
    told = [(day, EVENTS[EVENT[name]], who, other, value) for name, day, who, _, other, value in rows]
    places = [states + case.crossings.position(row[3]) if row[3] else -1 for row in rows]
    lives = with_log(case, force, log(*told, places=places), [r[2] for r in rows if r[0] == "left"])
    for who, code in (occasions or {}).items():
        lives.occasion[who] = code
    return lives


def test_breadwinner(case: Case, force: Force) -> None:
    way = "simon-bolivar-bridge"
    rows: list[Row] = [
        ("left", 40, 2, way, None, ALONE),  # the breadwinner
        ("left", 40, 3, way, None, ALONE),  # on leave, not on an errand
        ("left", 40, 4, way, None, FAMILY),  # with his family
        ("left", 40, 5, way, None, ALONE),  # leads 6
        ("left", 40, 6, way, 5, ALONE),
        ("left", 40, 20, way, None, ALONE),  # feeds nobody
        ("left", 40, 8, way, None, ALONE),  # not opposed
        ("left", 40, 9, way, None, -1),  # a deserter who slips away
    ]
    on = dict.fromkeys((2, 4, 5, 6, 8, 9, 20), ERRAND) | {3: LEAVE_PASS}
    dependants = force.dependants.copy()
    dependants[20] = 0
    lives = lived(case, replace(force, dependants=dependants), *rows, occasions=on)
    lives.opposed_then[8] = False
    assert whose(counted(lives, "breadwinner")) == [2]


def test_ditch(case: Case, force: Force) -> None:
    trail, day = "tachira-river-ditch-trails", case.calendar.day("2019-02-23")
    rows: list[Row] = [
        ("left", day, 2, trail, None, POSTED),
        ("left", day, 3, "tachira-river-canoe", None, ALONE),
        ("left", day, 4, trail, 2, ALONE),  # where his leader goes
        ("left", day, 5, "simon-bolivar-bridge", None, POSTED),  # forces the bridge
        ("left", day - 30, 6, trail, None, ALONE),  # the bridge was open
        ("left", day, 7, "zulia-trails", None, ALONE),  # out of another state than his own
        ("left", day, 8, trail, None, -1),  # a deserter who slips away
        ("left", day, 9, trail, None, ALONE),  # never arrives
    ]
    rows += [("crossed", day + 1, who, "", None, 0.0) for who in range(2, 9)]
    assert whose(counted(lived(case, force, *rows), "ditch")) == [2, 3]


def test_lives_are_those_of_the_run(case: Case) -> None:
    """Against a slow reading of the log, row by row."""
    model = Model(case, build(case, 0))
    lives = Lives.of(model, 0, 2)
    log = lives.log
    rows = list(zip(*(log[c].tolist() for c in ("day", "soldier", "event", "other", "value")), strict=True))
    left = {
        who: (day, other, value) for day, who, event, other, value in rows if event == EV_LEFT and value >= 0
    }
    found = lives.rows_of("left for the border")
    assert sorted(left) == sorted(found.who.tolist())
    launched = {p.founder for p in lives.plots if p.end == "launched"}
    chose = set(whose(lives.occasion >= 0))
    assert chose <= set(left)
    assert set(left) - chose <= launched, "who leads a planned crossing chose it when he planned it"
    assert len(left) > 20
    columns = (found.who, found.day, found.other, found.value)
    for who, day, other, value in zip(*(c.tolist() for c in columns), strict=True):
        assert left[who] == (day, NOBODY if other < 0 else other, value)
        assert lives.followers[who] == sum(o == who for _, o, _ in left.values())
        assert value != POSTED or lives.occasion[who] == POSTING or other >= 0
    loss = Query.model_validate(
        {"events": [{"event": "family shock"}, {"event": "left for the border", "after": [1, 60]}]}
    )
    lost = [(d, w) for d, w, e, _, _ in rows if e == EV_SHOCK]
    mine = [w for w, (day, _, _) in left.items() if any(w == v and 1 <= day - d <= 60 for d, v in lost)]
    assert whose(asked(lives, loss)) == sorted(mine)
    registered = sorted({w for _, w, e, _, _ in rows if e == EV_REGISTERED})
    assert np.unique(lives.rows_of("registered").who).tolist() == registered
    assert lives.moments.sum() == model.replicate(0, 2).series["decision_opportunities"]


def named(found: Answer) -> dict[str, dict[str, Any]]:
    """Return what is told of each kind of life, by its name."""
    return {row["id"]: row for row in found["stories"].records()}


def counts_of(found: Answer, name: str) -> list[int]:
    counts = found["counts"].rows
    return [int(count) for count in counts[counts["id"] == name]["count"]]


def stories(case: Case, **asked: Any) -> Answer:
    question = StoriesQuestion(**asked)
    with question.making() as making:
        return question.answer(case, making)


@pytest.fixture(scope="module")
def told(case: Case) -> Answer:
    return stories(case, runs=4, seed=5, workers=1)


def test_counts_are_those_of_the_queries(case: Case, told: Answer) -> None:
    model = Model(case, build(case, 5))
    for run in range(4):
        lives = Lives.of(model, 5, run)
        for name in PATTERNS:
            mine = counted(lives, name)
            assert counts_of(told, name)[run] == mine.sum()
            soldier, _, where = named(told)[name]["soldier"].partition(" of run ")
            if where == str(run):
                assert mine[int(soldier)], "the example is one of those counted"
    assert named(told)["loyal"]["runs_with"] == 4
    assert named(told)["loyal"]["q05"] > 1500, "the most common life of all"


def test_examples_are_told_as_they_were_lived(case: Case, told: Answer) -> None:
    lives = {}
    for name in ("breadwinner", "loyal"):
        soldier, _, run = named(told)[name]["soldier"].partition(" of run ")
        lives[name] = trace(case, int(soldier), 5, int(run))
    assert (lives["loyal"].fate, lives["loyal"].opposed) == ("serving", True)
    fled = lives["breadwinner"]
    assert "Nobody lives on their pay" not in fled.soldier.about
    said = " ".join(row["detail"] for row in told_days(fled))
    assert "without family" in said
    assert "errand: leave the country alone" in said


def test_the_most_frequent_comes_first(told: Answer) -> None:
    rows = told["stories"].records()
    middles = [float(np.quantile(counts_of(told, row["id"]), 0.5)) for row in rows]
    assert [row["median"] for row in rows] == middles == sorted(middles, reverse=True)
    assert not [one for one in told.evidence if re.search(r"\[\w+ \d+\]", one.says)], "no bare numbers"
    for row in rows:
        assert row["runs_with"] == sum(count > 0 for count in counts_of(told, row["id"]))
        assert (row["soldier"] == "") == (row["runs_with"] == 0)


def test_another_case_has_stories_too(tmp_path: Path) -> None:
    found = stories(load_case(full_case(tmp_path / "elsewhere")), runs=2)
    assert found.evidence == (), "its ledger knows nothing of these reports"
    assert named(found)["loyal"]["median"] > 0


def test_what_makes_no_sense_is_said(case: Case) -> None:
    with pytest.raises(UsageError, match="runs"):
        stories(case, runs=0)
    quiet = stories(case.set({"decision.on": 0}), runs=1)
    assert counts_of(quiet, "breadwinner") == [0]
    assert named(quiet)["breadwinner"]["soldier"] == ""


@pytest.mark.slow
def test_workers_change_nothing(case: Case, told: Answer) -> None:
    again = stories(case, runs=4, seed=5, workers=2)
    assert all(again[name].rows.equals(told[name].rows) for name in ("stories", "counts"))
