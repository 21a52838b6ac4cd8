"""The desk in the page, as the server answers: what is written is what the command line writes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from breakrank.errors import UsageError
from breakrank_desk import Desk
from breakrank_desk.page.desk import DeskOfPage
from packages.desk.tests.page_case import HERALD, served_desk
from tests.page.conftest import Served, Tab


@pytest.fixture
def at_desk(tmp_path: Path) -> Iterator[tuple[Served, Path, Path]]:
    with served_desk(tmp_path) as found:
        yield found


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Path, Path]]:
    """Serve a desk once for all that is refused there."""
    with served_desk(tmp_path_factory.mktemp("refused")) as found:
        yield found


def figures(tab: Tab, source: str = "r000") -> dict[str, Any]:
    return {f["words"]: f for f in tab.get(f"/api/desk/texts/{source}").data["figures"]}


def decide(tab: Tab, key: str, verb: str, **more: Any) -> Any:
    answer = tab.post("/api/desk/decide", {"key": key, "verb": verb, **more})
    assert answer.status == 200, answer.data
    return answer.data


def test_figures_stand_at_their_words(at_desk: tuple[Served, Path, Path]) -> None:
    tab = at_desk[0].tab()
    text = tab.get("/api/desk/texts/r000").data
    assert [p["kind"] for p in text["paragraphs"]] == ["head", "story", "story", "story", "caption"]
    assert text["figures"]
    for f in text["figures"]:
        assert text["paragraphs"][f["paragraph"]]["text"][f["start"] : f["end"]] == f["words"]
        assert [c["value"] for c in f["places"]].count("") == 1
        assert len(f["places"]) <= 9
    assert text["paragraphs"][-1]["text"].endswith("<b>not</b> open to visitors."), "as it stands, no markup"


def test_a_report_in_a_language_that_is_not_read_says_so(tmp_path: Path) -> None:
    german = "Der Bürgermeister sagte, 2.500 Soldaten hätten sich gemeldet. Davon sind 1.040 Offiziere."
    with served_desk(tmp_path, {"de.txt": (german, "Bote", "2025-06-02")}) as (served, _, _):
        tab = served.tab()
        told = "r002 is in German; the desk reads English and Spanish, and proposes nothing"
        assert [t["unread"] for t in tab.get("/api/desk").data["texts"]] == ["", "", told]
        text = tab.get("/api/desk/texts/r002").data
        assert (text["unread"], text["figures"]) == (told, [])
        marked = tab.post("/api/desk/mark", {"source": "r002", "paragraph": 0, "at": 0, "step": 0})
        assert told in str(marked.data)


def test_decisions_are_those_of_the_command_line(at_desk: tuple[Served, Path, Path]) -> None:
    served, case, reports = at_desk
    tab = served.tab()
    assert tab.get("/api/cases").data["desk"] is True
    found = figures(tab)
    fields = {"what": "Registered, as the mayor tells", "id": "mayor", "counts": "registered"}
    done = decide(tab, found["At least 26"]["key"], "accept", fields=fields)
    assert (done["desk"]["texts"][0]["decided"], done["text"]["figures"][0]["state"]) == (1, "accepted")
    assert done["text"]["figures"][0]["observation"]["value"] == 26
    decide(tab, found["Nine"]["key"], "reject", why="told elsewhere already")
    decide(tab, found["80"]["key"], "later")
    desk = Desk.open(case, reports)
    held = {d.key: (d.verb, d.why) for d in desk.store.decisions()}
    assert held[found["At least 26"]["key"]] == ("accepted", "")
    assert held[found["Nine"]["key"]] == ("rejected", "told elsewhere already")
    assert held[found["80"]["key"]] == ("later", "")
    assert desk.context.ledger.observations["mayor"].bound == "at_least"
    assert [p.words for p in desk.proposals("r000")] == ["80", "$11 a day"]
    assert desk.check() == []
    decide(tab, found["At least 26"]["key"], "undo")
    assert "mayor" not in Desk.open(case, reports).context.ledger.observations
    kept = "".join(f.read_text("utf-8") for f in (case / "evidence" / "desk").iterdir())
    assert not [line for line in HERALD.splitlines() if line and line in kept]


def test_accepted_figures_are_listed_until_the_case_rests_on_them(
    at_desk: tuple[Served, Path, Path],
) -> None:
    served, case, reports = at_desk
    tab = served.tab()

    def accept(source: str, words: str, ident: str) -> Any:
        fields = {"what": f"Registered, as the {ident} tells", "id": ident}
        return decide(tab, figures(tab, source)[words]["key"], "accept", fields=fields)["desk"]["accepted"]

    accept("r000", "At least 26", "mayor")
    last, first = accept("r001", "No more than 20", "customs")
    assert [(one["id"], one["low"], one["high"]) for one in (last, first)] == [
        ("customs", None, 20), ("mayor", 26, None),
    ]  # fmt: skip
    assert last["last"] == "2025-05-31"
    left = decide(tab, figures(tab, "r001")["No more than 20"]["key"], "undo")["desk"]["accepted"]
    assert [one["id"] for one in left] == ["mayor"]
    targets = case / "targets.yaml"
    targets.write_text(targets.read_text("utf-8").replace("evidence: [", "evidence: [mayor, ", 1), "utf-8")
    assert "mayor" in targets.read_text("utf-8")
    assert DeskOfPage(case, reports).overview()["accepted"] == []


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"verb": "accept"}, "in your own words"),
        ({"verb": "accept", "fields": {"what": "x", "nothing": "1"}}, "no field 'nothing'"),
        ({"verb": "accept", "fields": {"what": "x", "value": "many"}}, "write a number"),
        (
            {"verb": "accept", "fields": {"what": "soldiers of Montara had registered in Norlund by May"}},
            "words",
        ),
        ({"verb": "undo"}, "no decisions"),
        ({"verb": "burn"}, "verb"),
        ({"key": "r000:nothing", "verb": "later"}, "no proposal has"),
    ],
)
def test_what_cannot_be_decided_is_told(
    unchanged: tuple[Served, Path, Path], asked: dict[str, Any], told: str
) -> None:
    served, case, _ = unchanged
    tab = served.tab()
    before = {f: f.read_bytes() for f in case.rglob("*") if f.is_file()}
    answer = tab.post("/api/desk/decide", {"key": figures(tab)["At least 26"]["key"], **asked})
    assert answer.status == 400
    assert told in answer.data["error"]
    assert {f: f.read_bytes() for f in case.rglob("*") if f.is_file() and not f.name.endswith("lock")} == {
        f: b for f, b in before.items() if not f.name.endswith("lock")
    }


def test_a_built_in_case_is_read_only(tmp_path: Path) -> None:
    desk = DeskOfPage("venezuela-2019", tmp_path)
    assert desk.overview()["writable"] is False
    desk.close()
    with pytest.raises(UsageError, match="no folder"):
        DeskOfPage("venezuela-2019", tmp_path / "nowhere")
