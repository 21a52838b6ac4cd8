"""The desk of a case: reading, deciding, the ledger as text, conflicts, questions, feeding, exports."""

import json
import os
import shutil
from pathlib import Path
from threading import Barrier, Thread

import pytest

from breakrank import load_case, new_case
from breakrank.case.files import CaseFileError, appended
from breakrank.errors import BreakrankError, CaseError, UsageError
from breakrank_desk import Desk, library
from breakrank_desk.export import provenance, web_annotations
from breakrank_desk.feed import as_field, as_prior, as_target
from breakrank_desk.ledger_text import with_conflict, with_key
from packages.desk.tests.invented import REPORTS


@pytest.fixture
def case(tmp_path: Path) -> Path:
    return new_case(tmp_path / "my-case", full=True)


@pytest.fixture(scope="module")
def with_a_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return such a case that has read a report."""
    folder = new_case(tmp_path_factory.mktemp("read") / "my-case", full=True)
    opened = Desk.open(folder, texts=REPORTS, by="a coder")
    opened.read(REPORTS / "en-river.txt", outlet="Valley Ledger", date="2031-04-02")
    return folder


@pytest.fixture
def desk(case: Path, with_a_report: Path) -> Desk:
    shutil.copytree(with_a_report, case, dirs_exist_ok=True)
    return Desk.open(case, texts=REPORTS, by="a coder")


def test_a_report_becomes_an_observation(case: Path, desk: Desk) -> None:
    before = (case / "evidence/observations.yaml").read_text(encoding="utf-8")
    found = desk.proposals("r000")[0]
    assert (found.range, found.unit, found.bound) == ((1140, 1200), "persons", None)
    assert found.dates[0].when == "2031-03-03/2031-04-02"
    ident = desk.accept(
        found, what="Military staff counted by the host", counts="registered-host", id="host-count"
    )
    after = (case / "evidence/observations.yaml").read_text(encoding="utf-8")
    assert after.startswith(before.rstrip("\n"))
    seen = load_case(case).ledger.observations[ident]
    assert seen.range == (1140, 1200)
    assert seen.source == "r000"
    assert load_case(case).ledger.sources["r000"].publisher == "Valley Ledger"
    assert found.key not in {p.key for p in desk.proposals("r000")}
    assert desk.check() == []
    assert desk.anchors()[ident].state == "holds"


def test_a_bound_is_kept(case: Path, desk: Desk) -> None:
    found = next(p for p in desk.proposals("r000") if p.bound == "at_least")
    ident = desk.accept(found, what="Military staff who came with relatives", date="2031-04-02")
    seen = load_case(case).ledger.observations[ident]
    assert (seen.value, seen.bound) == (200, "at_least")


def test_a_rejection_is_remembered_and_leaks_into_no_other_report(case: Path, desk: Desk) -> None:
    found = next(p for p in desk.proposals("r000") if p.kind == "age")
    desk.reject(found, why="one man's age")
    again = Desk.open(case, texts=REPORTS)
    assert found.key not in {p.key for p in again.proposals("r000")}
    again.read(REPORTS / "en-partial.txt", outlet="Delta Post", date="2031-04-10")
    other = again.proposals("r001")
    assert found.anchor.hash in {p.anchor.hash for p in other}
    assert any(p.kind == "age" for p in other)
    again.undo(found.key)
    assert found.key in {p.key for p in again.proposals("r000")}


def test_undo_leaves_the_ledger_as_it_was(case: Path, desk: Desk) -> None:
    file = case / "evidence/observations.yaml"
    desk.accept(desk.proposals("r000")[1], what="Places to sleep", id="places", unit="hotels")
    before, found = file.read_text(encoding="utf-8"), desk.proposals("r000")[0]
    desk.accept(found, what="Counted by the host", id="host-count", counts="host")
    desk.undo(found.key)
    assert file.read_text(encoding="utf-8") == before
    assert "host-count" not in load_case(case).ledger.observations
    assert "host-count" not in desk.store.anchors()
    assert found.key in {p.key for p in desk.proposals("r000")}
    assert desk.check() == []
    desk.accept(found, what="Counted by the host", id="host-count", counts="host")
    desk.settle("host-count", "places")
    with pytest.raises(UsageError, match=r"named in observations\.yaml"):
        desk.undo(found.key)
    with pytest.raises(UsageError, match="no decisions"):
        desk.undo("r009:nothing")


def test_an_id_that_is_also_a_word_may_be_taken_back(case: Path, desk: Desk) -> None:
    found = desk.proposals("r000")
    desk.accept(found[0], what="Counted by the host", id="host")
    desk.accept(found[1], what="Places to sleep that the host gives", id="places", unit="hotels")
    desk.undo(found[0].key)
    assert "host" not in load_case(case).ledger.observations


def test_an_edit_keeps_what_it_does_not_name_or_changes_nothing(case: Path, desk: Desk) -> None:
    found = desk.proposals("r000")
    desk.accept(found[0], what="Counted by the host", id="host-count", counts="host")
    desk.accept(found[1], what="Places to sleep", id="places", unit="hotels")
    desk.settle("host-count", "places")
    assert desk.edit(found[0], value=1180.0) == "host-count"
    seen = load_case(case).ledger.observations["host-count"]
    assert (seen.value, seen.range, seen.what) == (1180, None, "Counted by the host")
    assert seen.conflicts == ("places",)
    assert [q.members for q in desk.quantities()] == [("host-count",)]
    assert desk.store.in_force()[found[0].key].verb == "edited"
    assert desk.anchors()["host-count"].state == "holds"
    before = {f: f.read_bytes() for f in case.rglob("*") if f.is_file()}
    for wrong in ({"value": 1180.5}, {"date": "soon"}, {"range": (9.0, 1.0)}, {"id": "other"}):
        with pytest.raises(BreakrankError):
            desk.edit(found[0], **wrong)
        assert {f: f.read_bytes() for f in case.rglob("*") if f.is_file()} == before
    assert desk.edit(found[2], what="One man's age", id="age") == "age"


def test_what_is_put_off_stays_in_the_list(desk: Desk) -> None:
    found = desk.proposals("r000")[0]
    desk.later(found)
    assert found.key in {p.key for p in desk.proposals("r000")}
    assert desk.store.in_force()[found.key].verb == "later"


def test_no_sentence_and_no_name_of_a_report_stands_in_the_files(case: Path, desk: Desk) -> None:
    for p in desk.proposals("r000"):
        desk.accept(p, what=f"Something counted, {p.key[-12:]}", id=f"o-{p.key[-9:]}".replace(":", "-"))
    text = desk.text("r000")
    for file in (case / "evidence/desk").iterdir():
        written = file.read_text(encoding="utf-8")
        for paragraph in text.paragraphs:
            words = paragraph.text.split()
            for k in range(len(words) - 2):
                assert " ".join(words[k : k + 3]) not in written or "Valley Ledger" in " ".join(
                    words[k : k + 3]
                )
        assert "Belmonte" not in written
    assert "Belmonte" not in (case / "evidence/observations.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "in your own words"),
        ({"what": "Soldiers", "colour": "red"}, "no field 'colour'"),
        ({"what": "x", "date": "spring"}, "is not a date"),
        ({"what": "soldiers of neighbouring Verania have crossed the Sil river since"}, "words in a row"),
        ({"what": "What Belmonte earned"}, "name of a person"),
        ({"what": "x", "id": "registered-april"}, "already"),
    ],
)
def test_what_may_not_be_written_is_refused(case: Path, desk: Desk, given: dict[str, str], told: str) -> None:
    before = (case / "evidence/observations.yaml").read_bytes()
    with pytest.raises(UsageError, match=told):
        desk.accept(desk.proposals("r000")[0], **given)
    assert (case / "evidence/observations.yaml").read_bytes() == before


def test_built_in_cases_are_read_only() -> None:
    desk = Desk.open("venezuela-2019")
    with pytest.raises(UsageError, match="read-only"):
        desk.read(REPORTS / "en-river.txt")


def test_changes_made_meanwhile_are_not_written_over(case: Path, desk: Desk) -> None:
    file = case / "evidence/desk/decisions.jsonl"
    found = desk.proposals("r000")
    desk.reject(found[0], why="no")
    text = file.read_text()
    desk.store.files.read("evidence/desk/decisions.jsonl")
    file.write_text(text + text)
    with pytest.raises(CaseFileError, match="changed meanwhile"), desk.store.files.locked():
        desk.store.files.write("evidence/desk/decisions.jsonl", "")


def test_marks_of_a_merge_are_told_with_their_line(case: Path, desk: Desk) -> None:
    (case / "evidence/desk/decisions.jsonl").write_text("<<<<<<< ours\n")
    with pytest.raises(CaseFileError, match=r"decisions\.jsonl:1"):
        desk.proposals("r000")


def test_a_newer_version_of_a_report_moves_or_orphans(case: Path, desk: Desk, tmp_path: Path) -> None:
    found = desk.proposals("r000")
    one = desk.accept(found[0], what="Counted by the host", id="one")
    two = desk.accept(found[1], what="Places to sleep", id="two", unit="hotels")
    newer = tmp_path / "newer.txt"
    old = (REPORTS / "en-river.txt").read_text(encoding="utf-8")
    newer.write_text(
        old.replace("border service.\n", "border service, in a count of Monday.\n").replace("four", "five")
    )
    desk.read(newer, source="r000")
    assert {o: f.state for o, f in desk.anchors().items()} == {one: "moved", two: "orphan"}
    assert [(f.level, f.about) for f in desk.check()] == [("warning", one), ("error", two)]
    assert {q.about for q in desk.questions(open_only=True)} >= {one, two}


def test_conflicts_agreement_and_questions(case: Path, desk: Desk) -> None:
    found = desk.proposals("r000")
    desk.accept(found[0], what="Counted by the host", id="one", counts="host", date="2031-04-02")
    desk.accept(
        found[-1], what="Counted by somebody", id="two", value=900.0, counts="host", date="2031-04-10"
    )
    (conflict,) = desk.conflicts()
    assert {conflict.one, conflict.two} == {"one", "two"}
    assert not conflict.settled
    (agreed,) = desk.agreement()
    assert (agreed.figures, agreed.parents, agreed.agreeing) == (2, 1, 1)
    asked = {q.about: q.id.split("-")[0] for q in desk.questions(open_only=True)}
    assert asked == {"one two": "conflict", "two": "flattened"}
    question = next(q for q in desk.questions(open_only=True) if q.id.startswith("conflict"))
    desk.settle("one", "two")
    assert load_case(case).ledger.observations["two"].conflicts == ("one",)
    assert question.id not in {q.id for q in desk.questions(open_only=True)}
    (flat,) = desk.questions(open_only=True)
    desk.answer(flat.id, "the service gave us the exact count")
    assert desk.questions(open_only=True) == []
    assert [q.answer for q in desk.questions()] == ["the service gave us the exact count"]


def test_feeding(case: Path, desk: Desk) -> None:
    desk.accept(
        desk.proposals("r000")[0], what="Counted by the host", id="one", counts="host", date="2031-04-02"
    )
    (quantity,) = desk.quantities()
    ledger = desk.context.ledger
    assert "range: [1140, 1200]" in as_target(quantity, desk.context, "registered")
    assert "evidence: [one]" in as_target(quantity, desk.context)
    assert "2031-04-02,1170" in as_field(quantity, ledger)
    assert "distribution: normal, mean: 1170" in as_prior(quantity, ledger)


def test_exports_hold_positions_and_no_words(desk: Desk) -> None:
    desk.accept(desk.proposals("r000")[0], what="Counted by the host", id="one")
    page = web_annotations(desk)
    assert page["@context"] == "http://www.w3.org/ns/anno.jsonld"
    assert page["items"][0]["body"]["id"].endswith(":one")
    prov = provenance(desk)
    assert "br:one" in prov["entity"]
    assert prov["wasDerivedFrom"]
    assert "soldiers" not in json.dumps([page, prov])


def test_copies_fold_into_the_fuller_version(case: Path, desk: Desk, tmp_path: Path) -> None:
    shorter = tmp_path / "short.txt"
    old = (REPORTS / "en-river.txt").read_text(encoding="utf-8")
    kept = (
        old.replace("Nearly 1,200", "Nearly 1,300").split("Between 30")[0]
        + "At least 9 sailors joined them, it said.\n"
    )
    shorter.write_text(kept, encoding="utf-8")
    desk.read(shorter, outlet="Delta Post", date="2031-04-03")
    (link,) = desk.links()
    assert (link.verdict, link.fuller, link.shorter) == ("copy", "r000", "r001")
    assert any("1235 to 1300 here, 1140 to 1200 there" in what for _, what in link.differs)
    assert {p.words for p in desk.proposals() if p.source == "r001"} == {"At least 9"}
    desk.accept(next(p for p in desk.proposals("r001") if p.low == 9), what="Seamen among them", id="sea")
    desk.accept(desk.proposals("r000")[0], what="Counted by the host", id="one")
    desk.confirm(link)
    assert load_case(case).ledger.independent(["sea", "one"]) == 1


def test_a_copy_confirmed_before_it_is_coded_is_a_copy_in_the_ledger(
    case: Path, desk: Desk, tmp_path: Path
) -> None:
    copied = (REPORTS / "en-river.txt").read_text(
        encoding="utf-8"
    ) + "\nAt least 9 sailors joined them, it said.\n"
    (tmp_path / "copy.txt").write_text(copied, encoding="utf-8")
    desk.read(tmp_path / "copy.txt", outlet="Delta Post", date="2031-04-03")
    (link,) = desk.links()
    desk.confirm(link)
    desk.accept(desk.proposals("r001")[-1], what="Seamen among them", id="sea")
    desk.accept(desk.proposals("r000")[0], what="Counted by the host", id="one")
    assert load_case(case).ledger.independent(["sea", "one"]) == 1
    assert {p.source for p in desk.proposals()} == {link.fuller}
    desk.confirm(link, "separate")
    assert load_case(case).ledger.independent(["sea", "one"]) == 2
    assert {p.source for p in desk.proposals()} == {"r000", "r001"}


def test_kinds_can_be_set_by_hand(case: Path, desk: Desk) -> None:
    at = next(p.at for p in desk.text("r000").paragraphs if p.kind == "caption")
    assert len(desk.set_kind("r000", at, "story").story) == 5
    assert len(Desk.open(case, texts=REPORTS).text("r000").story) == 5


def test_a_marked_sentence_gives_a_form(desk: Desk) -> None:
    found = desk.marked("r000", "2")
    assert found.value is None
    ident = desk.accept(found, what="How the host lodges those who came", text="in hotels and a school")
    assert desk.context.ledger.observations[ident].text == "in hotels and a school"


def test_a_plug_in_may_only_say_what_the_grammar_reads(desk: Desk) -> None:
    text = desk.text("r000")
    own = desk.proposals("r000")[0]

    def lie(paragraph: object) -> list[object]:
        from dataclasses import replace

        return [replace(own, low=5000.0, high=5000.0)]

    desk.library.proposers["lie"] = lie  # type: ignore[assignment]
    assert all(p.low != 5000 for p in desk.proposals("r000"))
    assert text.source == "r000"


def test_a_plug_in_is_off_unless_named(desk: Desk) -> None:
    assert desk.library.proposers == {}
    with pytest.raises(UsageError, match="no plug-in 'model'"):
        desk.use("model")


LEDGER = """# a comment
- id: a
  source: r
  what: >-
    told
    at length
  conflicts: [x]   # why
- id: b
  source: r
"""


def test_text_of_a_ledger_keeps_comments_and_order() -> None:
    assert with_key(LEDGER, "b", "place", "Caracas", "f") == LEDGER.rstrip("\n") + "\n  place: Caracas\n"
    both = with_conflict(LEDGER, "a", "b", "f")
    assert "  conflicts: [x, b]" in both
    assert both.endswith("- id: b\n  source: r\n  conflicts: [a]\n")
    assert both.startswith("# a comment\n- id: a\n")
    assert appended("[]\n", {"id": "c"}) == "- id: c\n"
    assert appended(LEDGER, {"id": "c"}).startswith(LEDGER)


def test_a_bound_needs_a_single_figure(case: Path) -> None:
    file = case / "evidence/observations.yaml"
    file.write_text(file.read_text().replace("  range: [5, 60]\n", "  range: [5, 60]\n  bound: about\n"))
    with pytest.raises(CaseError, match="only a single figure has a bound"):
        load_case(case)


def test_reports_are_taken_apart_outside_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case, really = new_case(tmp_path / "mine", full=True), library.text_of
    seen: list[bool] = []

    def text_of(*given: object) -> object:
        seen.append((case / ".lock").exists() or (case / "evidence/.lock").exists())
        return really(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(library, "text_of", text_of)
    Desk.open(case).read(REPORTS / "en-river.txt")
    assert seen == [False]


@pytest.mark.parametrize(
    ("second", "kept"), [("en-river.txt", ["r000"]), ("en-partial.txt", ["r000", "r001"])]
)
def test_desks_that_read_at_once_give_each_report_one_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, second: str, kept: list[str]
) -> None:
    """Both have taken their report apart before either numbers it."""
    case, together, really = new_case(tmp_path / "mine", full=True), Barrier(2, timeout=60), library.text_of
    sources = case / "evidence/sources.yaml"
    sources.write_text("[]\n")

    def text_of(*given: object) -> object:
        made = really(*given)  # type: ignore[arg-type]
        together.wait()
        return made

    desks = [Desk.open(case) for _ in range(2)]
    monkeypatch.setattr(library, "text_of", text_of)
    found: list[str] = []
    threads = [
        Thread(target=lambda d=d, n=n: found.append(d.read(REPORTS / n)[0].source))  # type: ignore[misc]
        for d, n in zip(desks, ("en-river.txt", second), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(set(found)) == kept
    assert list(Desk.open(case).library.entries()) == kept


def test_a_number_that_the_ledger_got_meanwhile_is_not_given(tmp_path: Path) -> None:
    case = new_case(tmp_path / "mine", full=True)
    desk, sources = Desk.open(case), case / "evidence/sources.yaml"
    entry = "{id: r007, publisher: P, title: T, date: 2031-04-02, kind: report, reliability: medium}"
    sources.write_text(f"{sources.read_text().rstrip()}\n\n- {entry}\n")
    assert desk.read(REPORTS / "en-river.txt")[0].source == "r008"


def test_documents_do_not_take_each_other_s_place(tmp_path: Path) -> None:
    desk = Desk.open(new_case(tmp_path / "mine", full=True))
    with pytest.raises(UsageError, match="cannot all be r000"):
        desk.read(REPORTS, source="r000")
    assert desk.read(REPORTS / "en-river.txt", source="r000")[0].told == ()
    (again,) = desk.read(REPORTS / "en-partial.txt", source="r000")
    assert "takes the place of another document" in again.told[-1]


@pytest.mark.skipif(os.name == "nt", reason="there links need rights")
@pytest.mark.parametrize("inside", ["evidence", "evidence/desk", "evidence/desk/texts.yaml"])
def test_nothing_is_written_through_a_link(tmp_path: Path, inside: str) -> None:
    case, elsewhere = new_case(tmp_path / "mine", full=True), tmp_path / "elsewhere"
    Desk.open(case).read(REPORTS / "en-river.txt")
    desk = Desk.open(case)
    (case / inside).rename(elsewhere)
    (case / inside).symlink_to(elsewhere)
    before = {p: p.read_bytes() for p in (elsewhere, *elsewhere.rglob("*")) if p.is_file()}
    with pytest.raises(CaseFileError, match="a symbolic link is not written to"):
        desk.read(REPORTS / "en-partial.txt")
    assert {p: p.read_bytes() for p in (elsewhere, *elsewhere.rglob("*")) if p.is_file()} == before
