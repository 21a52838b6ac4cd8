"""What a question would take, told before it begins: of what is kept nothing, else in proportion."""

from __future__ import annotations

from typing import Any

import pytest

from breakrank import load_case
from breakrank.page.jobs import START, WAR, Speed, usual
from breakrank.page.question import PageQuestion
from tests.page.conftest import Served, Tab


def cost(tab: Tab, *questions: dict[str, Any]) -> dict[str, Any]:
    answer = tab.post("/api/cost", {"questions": list(questions)})
    assert answer.status == 200, answer.data
    found: dict[str, Any] = answer.data
    return found


def test_what_is_kept_takes_nothing(tab: Tab, answered: dict[str, Any]) -> None:
    told = cost(tab, answered["question"])
    assert (told["runs"], told["seconds"], told["memory"]) == (0, 0, 0)


def test_the_pace_is_that_of_the_case_or_else_of_the_last_long_study(served: Served) -> None:
    case = served.page_state.made(PageQuestion(**served.question()))
    other = load_case("crimea-2014")
    speed = Speed(2)
    before = speed.seconds(case, 40)
    assert before == pytest.approx(20 * usual(case)), "two processes"
    speed.learn(case, 4, 0.5)
    assert (speed.measured(case), speed.seconds(case, 40)) == (False, before), (
        "so short a time is mostly chance"
    )
    speed.learn(case, 40, 20.0)
    assert speed.measured(case)
    assert speed.seconds(case, 40) == pytest.approx(20.0)
    slowed = 20.0 / before
    assert speed.seconds(other, 40) == pytest.approx(slowed * 20 * usual(other)), (
        "a run of few soldiers has a start too"
    )
    speed.learn(other, 40, 3.0)
    assert speed.seconds(case, 40) == pytest.approx(20.0), "what was measured of a case stands"


def test_a_run_takes_longer_where_units_fight() -> None:
    case = load_case("syria-2011")
    assert usual(case) - START == pytest.approx(WAR * (usual(case.set({"war.on": 0})) - START))


def test_the_start_of_the_processes_is_not_taken_for_their_speed(
    tab: Tab, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a first question on a cold machine makes every link after it wait to be run."""
    learned = []
    monkeypatch.setattr(Speed, "learn", lambda _speed, _case, *told: learned.append(told))
    done = tab.post("/api/ask", served.question(seed=91)).lines[-1]
    ((made, seconds),) = learned
    assert made == done["runs"] - served.page_state.team.size
    assert seconds < done["seconds"]
