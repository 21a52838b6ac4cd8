"""What the page asks: read from a request, said as a command, and what it costs."""

from typing import Any

import pytest

from breakrank import load_case
from breakrank.page.jobs import START, WAR, Speed, usual
from breakrank.page.question import PageQuestion
from breakrank.show.words import day
from tests.page.conftest import Served, Tab

EVENT = {"id": "new", "date": "2025-02-01", "title": "An appeal", "effects": []}


@pytest.mark.parametrize(
    "case",
    [
        "../small",
        "/etc",
        "small/../small",
        "",
        "no-such-case",
        "\x00",
        "a" * 5000,
        3,
    ],
)
def test_a_case_is_named_by_its_id_alone(served: Served, tab: Tab, case: Any) -> None:
    answer = tab.post("/api/ask", served.question(case=case))
    assert answer.status == 400
    assert answer.data["error"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"runs": 0}, "runs"),
        ({"runs": True}, "runs"),
        ({"seed": 2**64}, "seed"),
        ({"set": {"fear.onn": 0}}, "fear.on"),
        ({"set": {"fear.on": 7}}, "fear.on"),
        ({"counterfactuals": ["no-such-question"]}, "no-such-question"),
        ({"events": ["/etc/passwd"]}, "events"),
        ({"events": [EVENT | {"run": "import os"}]}, "run"),
        ({"events": [EVENT] * 201}, "events"),
        ({"until": "2031-01-01"}, "2031"),
        ({"parameters": "/tmp"}, "parameters"),
        ({"events": [EVENT, EVENT]}, "new"),
        ({"events": [EVENT | {"id": "\ud800"}]}, "character"),
        ({"counterfactuals": ["\ud800"]}, "character"),
        ({"path": "/etc"}, "path"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_sentence(
    served: Served, tab: Tab, change: dict[str, Any], said: str
) -> None:
    answer = tab.post("/api/ask", served.question(**change))
    assert answer.status in (400, 422)
    assert said in answer.data["error"]
    assert "Traceback" not in answer.data["error"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'"small"',
        b"\xff\xfe",
        b'{"case": NaN}',
        b"[" * 100_000,
        b'{"question": {"case": "small"}, "question": {"case": "small"}}',
    ],
)
def test_what_is_no_question_is_refused(tab: Tab, body: bytes) -> None:
    for path in ("/api/ask", "/api/figures", "/api/view", "/api/share", "/api/lives"):
        answer = tab.ask("POST", path, body)
        assert answer.status == 400
        assert answer.data["error"]


@pytest.mark.parametrize("depth", [30, 900])
def test_what_is_nested_deep_is_refused(served: Served, tab: Tab, depth: int) -> None:
    deep: Any = "end"
    for level in range(depth):
        deep = [deep] if level % 2 else {"effects": deep}
    for path in ("ask", "figures"):
        answer = tab.post(f"/api/{path}", served.question(events=[EVENT | {"effects": deep}]))
        assert answer.status == 400
        assert answer.data["error"]


def test_one_question_has_one_key_and_another_another(served: Served) -> None:
    from breakrank.page.question import PageQuestion

    def key(**more: Any) -> str:
        return served.page_state.key(PageQuestion(**served.question(**more)))

    assert key() == key(set={}) == key(counterfactuals=[])
    assert len({key(), key(seed=2), key(runs=5), key(set={"fear.on": 0}), key(until=None)}) == 5


def test_a_moved_event_is_taken_out_and_put_in_again(served: Served) -> None:
    from breakrank.page.question import PageQuestion

    plain = served.page_state.case("small")
    event = plain.events[0]
    sent = event.model_dump(mode="json") | {"date": "2025-02-03", "about": None}
    asked = PageQuestion(**served.question(without_events=[event.id], events=[sent], until=None))
    moved = served.page_state.made(asked).events.named(event.id)
    assert str(moved.date) == "2025-02-03"
    assert moved.effects == event.effects
    assert asked.called(plain) == f"{event.title}, moved from {day(event.date, year=False)} to 3 Feb"


def test_an_effect_that_is_another_is_told_with_what_it_was(served: Served) -> None:
    from breakrank.page.question import PageQuestion

    plain = served.page_state.case("small")
    event = next(e for e in plain.events if e.effects)
    sent = event.model_dump(mode="json")
    name, before = event.effects[0].field.replace("_", " "), event.effects[0].value
    for effects, said in (
        ([sent["effects"][0] | {"value": 0.9}, *sent["effects"][1:]], f"{name} 0.9 instead of {before:g}"),
        (sent["effects"][1:], f"without {name}"),
    ):
        asked = PageQuestion(**served.question(events=[sent | {"effects": effects}]))
        assert asked.called(plain) == f"{event.title}, {said}"


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
