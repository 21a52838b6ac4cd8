"""The desk in the page, as the server answers: what is written is what the command line writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from breakrank.errors import UsageError
from breakrank_desk import Desk
from breakrank_desk.page.desk import DeskOfPage
from packages.desk.tests.page_case import HERALD, case_with_reports, served_desk
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


def test_a_sentence_is_marked_and_kept_where_it_stands(at_desk: tuple[Served, Path, Path]) -> None:
    served, case, reports = at_desk
    tab = served.tab()
    here = figures(tab)["80"]
    asked = {"source": "r000", "paragraph": here["paragraph"], "at": here["start"]}
    found = tab.post("/api/desk/mark", asked).data
    assert (found["words"], found["kind"], found["state"]) == ("The hotel has 80 beds.", "sentence", "open")
    after = tab.post("/api/desk/mark", {**asked, "at": found["start"], "step": 1}).data
    assert after["words"].startswith("Each guest")
    before = tab.post("/api/desk/mark", {**asked, "at": found["start"], "step": -1}).data
    assert before["words"].startswith("Nine of them")
    decide(
        tab, after["key"], "accept", fields={"what": "Who bears the cost", "text": "the town", "id": "cost"}
    )
    shown = tab.get("/api/desk/texts/r000").data["figures"]
    assert [f["kind"] for f in shown] == ["count", "count", "count", "sentence", "money"]
    assert (shown[3]["state"], shown[3]["observation"]["text"]) == ("accepted", "the town")
    desk = Desk.open(case, reports)
    assert desk.context.ledger.observations["cost"].text == "the town"
    assert desk.anchors()["cost"].state == "holds"
    decide(tab, after["key"], "undo")
    assert [f["kind"] for f in tab.get("/api/desk/texts/r000").data["figures"]] == [
        "count",
        "count",
        "count",
        "money",
    ]


def test_contradicting_figures_are_shown_and_noted(at_desk: tuple[Served, Path, Path]) -> None:
    served, case, reports = at_desk
    tab = served.tab()
    for source, words, ident in (("r000", "At least 26", "mayor"), ("r001", "No more than 20", "officer")):
        fields = {"what": f"Registered, as the {ident} tells", "id": ident, "counts": "registered"}
        done = decide(tab, figures(tab, source)[words]["key"], "accept", fields=fields)
    (quantity,) = done["desk"]["quantities"]
    assert (quantity["figures"], quantity["parents"], quantity["agreeing"]) == (2, 2, 1)
    (conflict,) = quantity["conflicts"]
    assert {conflict["one"], conflict["two"]} == {"mayor", "officer"}
    assert not conflict["settled"]
    assert len(done["desk"]["questions"]) == 1
    noted = tab.post("/api/desk/settle", {"one": conflict["one"], "two": conflict["two"]}).data
    assert noted["quantities"][0]["conflicts"][0]["settled"]
    assert Desk.open(case, reports).context.ledger.observations["mayor"].conflicts == ("officer",)
    assert tab.post("/api/desk/settle", {"one": "mayor", "two": "nobody"}).status == 400


def test_a_copy_is_shown_beside_its_original_and_judged(tmp_path: Path) -> None:
    post = HERALD.replace("At least 26", "At least 28").replace("Nine of them are sergeants, she said.", "")
    with served_desk(tmp_path, {"post.txt": (post, "Valley Post", "2025-06-03")}) as (served, _, _):
        tab = served.tab()
        (link,) = tab.get("/api/desk").data["links"]
        assert (link["fuller"], link["shorter"], link["verdict"], link["judged"]) == (
            "r000",
            "r002",
            "copy",
            "",
        )
        assert figures(tab, "r002") == {}
        beside = tab.get("/api/desk/links/r000/r002").data
        marked = [
            piece["text"]
            for pair in beside["pairs"]
            for half in (pair["left"], pair["right"])
            for piece in half["pieces"]
            if not piece["shared"]
        ]
        assert marked == ["26", "28", "Nine of them are sergeants, she said."]
        asked = {"fuller": "r000", "shorter": "r002"}
        done = tab.post("/api/desk/judge", {**asked, "separate": True}).data
        assert (done["beside"]["judged"], done["desk"]["texts"][2]["copies"]) == ("separate", "")
        assert "At least 28" in figures(tab, "r002")
        done = tab.post("/api/desk/judge", asked).data
        assert done["desk"]["texts"][2]["copies"] == "copy of r000"
        assert figures(tab, "r002") == {}
        assert tab.get("/api/desk/links/r000/r001").status == 400
        kind = tab.post("/api/desk/kind", {"source": "r000", "paragraph": 4, "kind": "story"}).data
        assert [p["label"] for p in kind["text"]["paragraphs"]] == ["head", "1", "2", "3", "4"]
        assert tab.post("/api/desk/kind", {"source": "r000", "paragraph": 4, "kind": "poem"}).status == 400
        assert tab.post("/api/desk/answer", {"id": "none-1", "answer": "no"}).status == 400


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


def test_a_copy_offers_what_only_it_says(tmp_path: Path) -> None:
    case, reports = case_with_reports(tmp_path)
    (reports / "copy.txt").write_text(HERALD + "\nSeven more came on Monday, she said.\n", encoding="utf-8")
    Desk.open(case, reports).read(reports / "copy.txt", outlet="Echo", date="2025-06-04")
    desk = DeskOfPage(case, reports)
    about = {t["source"]: (t["copies"], t["figures"]) for t in desk.overview()["texts"]}
    desk.close()
    assert about == {"r000": ("copy of r002", 0), "r001": ("", 1), "r002": ("", 5)}
