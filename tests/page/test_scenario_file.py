"""A scenario file that is opened in the page: what it asks is asked, and what is wrong with it is told."""

import shlex
from typing import Any

import pytest

from breakrank.page.question import LONGEST, PageQuestion
from breakrank.page.scenario_file import scenario
from tests.page.conftest import Served, Tab, case_of

HEAD = "- id: one\n  title: One\n  question: What if?\n"


def sent(tab: Tab, content: str, /, **more: Any) -> Any:
    return tab.post("/api/open", {"case": "small", "name": "my.yaml", "text": content} | more)


def test_what_was_taken_away_asks_the_same_again(served: Served, tab: Tab) -> None:
    event = served.page_state.case("small").events[0]
    moved = event.model_dump(mode="json") | {"date": "2025-02-03"}
    added = {"id": "new", "date": "2025-02-05", "title": "An appeal", "effects": []}
    for changes in (
        {"set": {"fear.on": 0}},
        {"without_events": [event.id]},
        {"without_events": [event.id], "events": [moved, added]},
        {"counterfactuals": ["no-appeal"], "set": {"fear.on": 0}},
        {"places": {"station-hotel": 33}, "funds": {"parish": 12_000.0}},
    ):
        question = served.question(**changes)
        shared = {"view": "whatif", "question": question, "what": "scenario.yaml"}
        text = tab.post("/api/share", shared).body.decode()
        answer = sent(tab, text)
        assert answer.status == 200, answer.data
        (one,) = answer.data["scenarios"]
        assert one["changes"]
        assert case_of(served, served.question(**one["asks"])).digest == case_of(served, question).digest


def test_an_effect_that_is_left_out_is_asked_for(served: Served, tab: Tab) -> None:
    from breakrank.case.changes import counterfactual
    from breakrank.case.models_events import Counterfactual

    case = served.page_state.case("small")
    event = next(e for e in case.events if e.effects)
    dropped = {"event": event.id, "field": event.effects[0].field}
    text = HEAD + f"  without_effects:\n  - {{event: {dropped['event']}, field: {dropped['field']}}}\n"
    (one,) = sent(tab, text).data["scenarios"]
    asked = Counterfactual.model_validate(
        {"id": "one", "title": "One", "question": "What if?", "without_effects": [dropped]}
    )
    made = case_of(served, served.question(**one["asks"]) | {"until": None})
    assert made.digest == counterfactual(case, asked).digest


def test_several_scenarios_come_by_name(tab: Tab) -> None:
    text = (
        HEAD
        + "  set: {fear.on: 0}\n"
        + HEAD.replace("one", "two").replace("One", "Two")
        + "  set: {fear.on: 1}\n"
    )
    found = sent(tab, text).data["scenarios"]
    assert [one["title"] for one in found] == ["One", "Two"]
    assert [one["asks"]["set"] for one in found] == [{"fear.on": 0}, {"fear.on": 1}]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + "  edit: {fields: {pay: {}}}\n", "compare CASE --with FILE"),
        ("- id: x\n  id: y\n", "my.yaml:2"),
        (HEAD + "  set: {fear.onn: 0}\n", "my.yaml:4"),
        (HEAD + "  set: {force.strength: 9}\n", "another force"),
        ("!!python/object/apply:os.system ['true']\n", "tag"),
        ("a: &a [1]\nb: *a\n", "anchor"),
    ],
)
def test_what_cannot_be_used_is_told_by_its_line(tab: Tab, text: str, said: str) -> None:
    answer = sent(tab, text)
    assert answer.data["scenarios"] == []
    assert said in answer.data["wrong"]
    assert "Traceback" not in answer.data["wrong"]


@pytest.mark.parametrize("name", ["/etc/passwd", "..\\..\\boot.ini", "a" * 200, "\x00\x1b[31mred"])
def test_a_name_is_only_repeated_and_never_looked_for(tab: Tab, name: str) -> None:
    error = sent(tab, HEAD + "  set: {fear.onn: 0}\n", name=name).data["wrong"]
    told = error.partition("\n")[0]
    assert told.isprintable()
    assert "/" not in told
    assert ".." not in told
    assert len(told) < 200


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"text": "x" * (LONGEST + 1)}, 400),
        ({"text": "x" * 300_000}, 413),
        ({"path": "/etc/passwd"}, 400),
    ],
)
def test_what_is_too_large_or_no_text_is_refused(tab: Tab, change: dict[str, Any], status: int) -> None:
    assert sent(tab, HEAD, **change).status == status


def test_a_changed_force_is_said_with_all_its_digits(tab: Tab, served: Served) -> None:
    """Another force is asked by the call that stands in the file, and not a rounded one."""
    question = served.question(set={"force.strength": 1234.0, "fear.on": 0.0})
    alone = question | {"set": {"force.strength": 1234567.0}}
    for asked, said in ((question, "The force was changed too"), (alone, "Only the force is changed")):
        text = scenario(PageQuestion(**asked), served.page_state.case("small"), "/my cases/it's")
        assert said in text
        (force,) = [one for one in text.split() if one.startswith("force.strength=")]
        assert float(force.partition("=")[2]) == asked["set"]["force.strength"]
        assert "Nothing" not in text
        (call,) = [line for line in text.splitlines() if "    breakrank " in line]
        assert shlex.split(call.lstrip("# "))[2] == "/my cases/it's"
