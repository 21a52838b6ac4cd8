"""The patterns with a plot or an uprising in them, each against a run made by hand."""

from dataclasses import replace

import numpy as np
import pytest

from breakrank.case import Case
from breakrank.engine.codes import CROSS, RISE
from breakrank.force import Force
from breakrank.force.force import CLASSMATE, ESCORT, GUARDS_POLITICIAN, Ties
from breakrank.lives.stories import Lives
from tests.lives.asked import counted, preferred, whose, with_log
from tests.results.voices import Row, log

ALONE, FAMILY = 0.0, 1.0
LEFT, CROSSED = "left for the border", "crossed"


@pytest.fixture(scope="module")
def force(case: Case, force: Force) -> Force:
    """Return a force whose first soldiers are lieutenants 0-9, sergeants 10-19, majors 20-29, generals 30-39.

    Majors 20 to 23 trust each other as classmates and no one else trusts anybody; 20 guards a politician.
    """
    rank, access, feeds = force.rank.copy(), force.access.copy(), force.dependants.copy()
    names = {
        k: case.force.ranks.position(k) for k in ("sergeant", "junior_officer", "field_officer", "general")
    }
    for start, name in ((0, "junior_officer"), (10, "sergeant"), (20, "field_officer"), (30, "general")):
        rank[start : start + 10] = names[name]
    access[:40], feeds[:40] = 0, 2
    access[20], access[11] = GUARDS_POLITICIAN, ESCORT
    branch = force.branch.copy()
    branch[:40] = case.force.branches.position("guard")
    friends = {a: [b for b in (20, 21, 22, 23) if b != a] for a in (20, 21, 22, 23)}
    start = np.concatenate(([0], np.cumsum([len(friends.get(k, ())) for k in range(force.n)]))).astype(
        np.int64
    )
    other = np.array([b for a in sorted(friends) for b in friends[a]], np.int32)
    ties = Ties(start, other, np.full(len(other), CLASSMATE, np.uint8))
    return replace(force, rank=rank, access=access, dependants=feeds, branch=branch, ties=ties)


def lived(case: Case, force: Force, *rows: Row, ways: dict[int, str] | None = None) -> Lives:
    """Return a run with this log, in which all stay opposed and those who leave do not serve."""
    told = log(*rows)
    states = len(case.force.states)
    way = {who: case.crossings.position(name) + states for who, name in (ways or {}).items()}
    bridge = case.crossings.position("simon-bolivar-bridge") + states
    told["place"] = np.array([way.get(int(who), bridge) for who in told["soldier"]], np.int16)
    return with_log(case, force, told, [r[2] for r in rows if r[1] == LEFT])


def plan(founder: int, day: int, aim: int, *members: int) -> list[Row]:
    rows: list[Row] = [(day, "founded a plot", founder, None, float(aim))]
    return rows + [(day + 1, "joined a plot", who, founder, float(aim)) for who in members]


def test_lieutenant(case: Case, force: Force) -> None:
    rows = [row for who in range(6) for row in plan(who, 10, CROSS, 100 + who, 200 + who)]
    rows += plan(6, 10, RISE)  # a plan to rise
    rows += plan(12, 10, CROSS)  # a sergeant
    rows += [(40, "warned of a leak", who, who, 0.0) for who in (0, 1, 2, 4, 6, 12)]
    rows += [(40, "overheard by a wiretap", 103, 3, 0.0)]  # someone of his plot
    rows += [(40, LEFT, 0, None, FAMILY), (41, LEFT, 1, None, ALONE), (42, LEFT, 2, None, ALONE)]
    rows += [(41, LEFT, 3, None, ALONE), (41, LEFT, 5, None, ALONE)]  # 5 was never found out
    rows += [(40, "plot launched", 4, None, 3.0), (40, LEFT, 4, None, ALONE)]  # 4 brings it off
    rows += [(41, LEFT, 6, None, ALONE), (41, LEFT, 12, None, ALONE)]
    lives = lived(case, force, *rows, ways={0: "tachira-river-canoe"})
    assert whose(counted(lives, "lieutenant")) == [0, 1, 3]
    score = preferred(lives, "lieutenant")
    assert score[0] == score.max() > score[1] > 0


def uprising(
    day: int, leader: int, *followers: int, reneged: int | None = 35, outcome: str = "collapsed"
) -> list[Row]:
    rows: list[Row] = [(day, "joined an uprising with his unit", leader, leader, 0.0)]
    rows += [(day, "followed into an uprising", who, leader, 0.0) for who in followers]
    rows += [] if reneged is None else [(day, "did not keep a pledge", reneged, leader, 1.0)]
    return [*rows, (day, f"uprising {outcome}", leader, None, 1.0 + len(followers))]


def test_colonels(case: Case, force: Force) -> None:
    rows = plan(20, 10, RISE, 21, 22, 24, 3)
    rows += [(3, "arrested", 21, None, 0.0), (9, "released by a patron", 21, None, 0.0)]
    rows += [(119, "plot launched", 20, None, 1005.0), *uprising(119, 20, 21, 22, 24, 3, 25)]
    for who in (20, 21, 24, 25, 3):
        rows.append((120, "entered an embassy", who, None, 0.0))
    rows += [(320, CROSSED, 21, None, 0.0), (325, CROSSED, 20, None, 0.0)]
    lives = lived(case, force, *rows)
    # 22 has no embassy; 24 trusts nobody; 25 was not in the plot; 3 is a lieutenant
    assert whose(counted(lives, "colonels")) == [20, 21]
    score = preferred(lives, "colonels")
    assert score[21] > score[20] > 0, "21 was held and freed before"
    nobody = replace(force, access=np.zeros_like(force.access))
    assert whose(counted(lived(case, nobody, *rows), "colonels")) == []
