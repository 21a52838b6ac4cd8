"""``breakrank desk``."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from breakrank import new_case
from tests.cli.conftest import Outcome
from tests.cli.test_start import HEAVY

Call = Callable[..., Outcome]
REPORTS = Path(__file__).parent / "reports"


@pytest.fixture
def case(tmp_path: Path) -> str:
    return str(new_case(tmp_path / "my-case", full=True))


def test_from_a_report_to_a_target(call: Call, case: str) -> None:
    report, texts = str(REPORTS / "en-river.txt"), ("--texts", str(REPORTS))
    done = call("desk", "read", case, report, "--outlet", "Valley Ledger", "--date", "2031-04-02")
    assert done.code == 0, done.err
    assert "Text r000 (text, en): 4 story" in done.out
    listed = call("desk", "propose", case, "r000", *texts)
    assert "1,140 to 1,200 persons" in listed.out
    found = json.loads(call("desk", "propose", case, "r000", *texts, "--json").out)["proposals"]
    fields = ("what=Counted by the host", "id=host-count", "counts=host", "date=2031-04-02")
    assert "host-count is in the ledger" in call("desk", "accept", case, found[0]["key"], *fields, *texts).out
    age = next(p for p in found if p["why"] == "age")
    assert call("desk", "later", case, age["key"], *texts).code == 0
    assert call("desk", "undo", case, age["key"]).code == 0
    assert call("desk", "reject", case, age["key"], "why=one man's age", *texts).code == 0
    left = json.loads(call("desk", "propose", case, "r000", *texts, "--json").out)["proposals"]
    assert len(left) == len(found) - 2
    assert "evidence: [host-count]" in call("desk", "feed", case, "host", "--measure", "registered").out
    assert "did you mean 'registered'?" in call("desk", "feed", case, "host", "--measure", "regstered").err
    assert "normal" in call("desk", "feed", case, "host", "--to", "prior").out
    assert call("desk", "check", case, *texts).code == 0
    assert json.loads(call("desk", "export", case).out)["type"] == "AnnotationPage"
    assert "host: 1 figure of 1 independent source; 1 agrees" in call("desk", "conflicts", case).out
    assert call("desk", "questions", case, "--open", *texts).out == ""


def test_copies_kinds_conflicts_and_questions_are_settled(call: Call, case: str, tmp_path: Path) -> None:
    texts = ("--texts", str(tmp_path))
    told = (REPORTS / "en-river.txt").read_text("utf-8")
    for name, text in (("a", told), ("b", f"{told}\nNine sailors came too, it said.\n")):
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
        call("desk", "read", case, str(tmp_path / f"{name}.txt"), "--outlet", name, "--date", "2031-04-02")
    assert "r000 is a copy of r001" in call("desk", "links", case, *texts).out
    assert call("desk", "confirm", case, "r001", "r000", *texts).code == 2
    assert "one source (copy)" in call("desk", "confirm", case, "r000", "r001", *texts).out
    assert "are separate" in call("desk", "confirm", case, "r000", "r001", "--separate", *texts).out
    listed = call("desk", "kind", case, "r000", *texts).out
    assert listed.startswith("1  furniture\n")
    assert call("desk", "kind", case, "r000", "1", "story", *texts).out.startswith("1  1\n")
    assert call("desk", "kind", case, "r000", "1", "poem", *texts).code == 2
    found = json.loads(call("desk", "propose", case, "r000", *texts, "--json").out)["proposals"]
    for ident, value in (("one", "900"), ("two", "1200")):
        fields = (f"what=Counted, {ident}", f"id={ident}", f"value={value}", "counts=host", "date=2031-04-02")
        key = found[0 if ident == "one" else -1]["key"]
        assert call("desk", "accept", case, key, *fields, *texts).code == 0
    asked = call("desk", "questions", case, "--open", *texts).out
    assert call("desk", "settle", case, "one", "two").code == 0
    assert "(in the ledger)" in call("desk", "conflicts", case).out
    flat = next(line.partition(":")[0] for line in asked.splitlines() if line.startswith("flattened"))
    assert call("desk", "answer", case, flat, "they counted one by one", *texts).code == 0
    assert flat not in call("desk", "questions", case, "--open", *texts).out


def test_a_plug_in_reads_nothing_before_it_is_agreed_to(
    call: Call, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from breakrank_desk.desk import Desk

    read: list[object] = []

    def plug_in(paragraph: object) -> list[object]:
        read.append(paragraph)
        return []

    def use(desk: Desk, name: str) -> None:
        desk.library.proposers[name] = plug_in  # type: ignore[assignment]

    monkeypatch.setattr(Desk, "use", use)
    texts = ("--texts", str(REPORTS))
    call("desk", "read", case, str(REPORTS / "en-river.txt"), "--date", "2031-04-02")
    monkeypatch.setattr("builtins.input", lambda _: "n")
    done = call("desk", "propose", case, *texts, "--proposer", "model")
    assert done.code == 2
    assert "nothing was handed over" in done.err
    assert "4 paragraphs of your reports" in done.err
    assert read == []
    monkeypatch.setattr("builtins.input", lambda _: "y")
    assert call("desk", "propose", case, *texts, "--proposer", "model").code == 0
    assert len(read) == 4
    assert call("desk", "propose", case, *texts, "--proposer", "model", "--yes").code == 0
    assert len(read) == 8


def test_check_fails_where_words_are_gone(call: Call, case: str, tmp_path: Path) -> None:
    report = tmp_path / "a.txt"
    report.write_text("The service counted 40 soldiers on Sunday, its head said at a press conference there.")
    texts = ("--texts", str(tmp_path))
    assert call("desk", "read", case, str(report), "--date", "2031-04-02").code == 0
    key = json.loads(call("desk", "propose", case, "r000", *texts, "--json").out)["proposals"][0]["key"]
    assert call("desk", "accept", case, key, "what=Counted by the host", *texts).code == 0
    report.write_text(report.read_text().replace("40", "50"))
    assert call("desk", "read", case, str(report), "--source", "r000").code == 0
    done = call("desk", "check", case, *texts)
    assert done.code == 1
    assert "has lost its words" in done.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("read", "{case}"), "name a file"),
        (("read", "{case}", "nowhere.txt"), "no such file"),
        (("read", "venezuela-2019", "{report}"), "read-only"),
        (("propose", "{case}", "r001"), "no text of 'r001'"),
        (("accept", "{case}", "r001:x", "what"), "no field"),
        (("feed", "{case}", "nothing"), "no quantity"),
        (("measure", "{case}", "--gold", "venezuela-2019"), "gold.yaml"),
    ],
)
def test_errors(call: Call, case: str, arguments: tuple[str, ...], told: str) -> None:
    filled = [a.format(case=case, report=REPORTS / "en-river.txt") for a in arguments]
    done = call("desk", *filled)
    assert done.code in (1, 2)
    assert told in done.err


def test_measure(call: Call, tmp_path: Path) -> None:
    shutil.copy(REPORTS / "en-river.txt", tmp_path / "a.txt")
    (tmp_path / "gold.yaml").write_text("- {id: r000, file: a.txt, date: 2031-04-02}\n")
    done = call("desk", "measure", str(tmp_path), "--gold", "venezuela-2019")
    assert done.code == 0, done.err
    assert "stated figures found" in done.out
    assert "anchors after frame, quotes, spaces change    1.00" in done.out


@pytest.mark.parametrize("arguments", [["desk", "--help"], ["desk", "propose", "--help"]])
def test_help_imports_nothing_heavy(arguments: list[str], tmp_path: Path) -> None:
    script = (
        "import sys; from breakrank.cli import main; code = main(sys.argv[1:]);"
        f" sys.exit(code or ' '.join(m for m in {('lxml', *HEAVY)} if m in sys.modules) or None)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
