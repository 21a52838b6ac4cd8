"""``breakrank examine``: a table of verdicts, files of it, going on from a store, and what is refused."""

import csv
import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Call

TABLE = """\
- id: nobody-confides
  part: Belief
  title: Nobody confides
  set: {belief.confide: 0}
  because: The word says it.
  construction: true
  expected:
    - {of: confided, sign: less, times: [0, 0], short: true}
    - {of: confided, sign: more, limit: Invented.}
- id: a-name
  part: Controls
  title: An event that does nothing
  because: A marker causes nothing.
  construction: true
  events: [{id: a-marker, date: 2025-02-01, title: A marker, assumed: A control.}]
  expected: [{of: left_abroad, sign: identical, limit: No limit at all.}]
- id: larger
  part: Scale
  title: Twice the force
  set: {force.strength: 4000}
  because: Rates are the same.
  literature: Nobody 2025
  expected: [{of: serving, sign: same, times: [0.8, 1.25]}]
- id: larger-and-nobody-confides
  part: Scale
  title: Twice the force, and nobody confides
  against: larger
  set: {force.strength: 4000, belief.confide: 0}
  because: As above.
  construction: true
  expected: [{of: confided, sign: less}]
- id: nothing
  part: Controls
  title: A value that is there already
  set: {belief.on: 1}
  because: Nothing follows from nothing, though it is expected here.
  construction: true
  expected: [{of: confided, sign: no_more}]
"""


@pytest.fixture
def few(tmp_path: Path) -> tuple[object, ...]:
    table = tmp_path / "table.yaml"
    table.write_text(TABLE, encoding="utf-8")
    small = ("--set", "force.strength=2000", "--until", "2025-03-31", "--runs", 4, "--workers", 1)
    return ("--table", table, "--store", tmp_path / "store", *small)


def test_each_expectation_gets_its_verdict_and_the_same_call_goes_on(
    call: Call, template: Path, tmp_path: Path, few: tuple[object, ...]
) -> None:
    page, rows = tmp_path / "page.md", tmp_path / "rows.csv"
    done = call("examine", template, *few, "--json")
    assert done.code == 0, done.err
    answer = json.loads(done.out)
    told = {name: table["rows"] for name, table in answer["tables"].items()}
    verdicts = [(a["intervention"], a["verdict"], a["paired"]) for a in told["answers"]]
    assert verdicts == [
        ("nobody-confides", "right", True),
        ("nobody-confides", "wrong sign", True),
        ("a-name", "right", True),
        ("larger", "right", False),
        ("larger-and-nobody-confides", "right", True),
        ("nothing", "right", True),
    ]
    serving = next(a for a in told["answers"] if a["intervention"] == "larger")
    assert 1000 < serving["after"] < 2000  # taken per soldier of the case's force
    assert {a["intervention"] for a in told["answers"] if a["idle"]} == {"nothing"}
    rest = [note for note in answer["notes"] if note.startswith("Not examined")]
    untouched = {note.split()[3].rstrip(":"): set(re.findall(r"[\w.]+", note)) for note in rest}
    assert "fear" in untouched["mechanisms"]
    assert "pay" in untouched["fields"]
    assert "belief" not in untouched["mechanisms"]
    assert "force.strength" not in untouched["parameters"]
    again = call("examine", template, *few, "--out", page, "--out", rows)
    assert "20 of 20 runs were in" in again.err
    assert "remove the mark): a-name." in again.out
    assert "(known" in again.out
    with rows.open(encoding="utf-8", newline="") as file:
        assert [row["verdict"] for row in csv.DictReader(file)] == [v for _, v, _ in verdicts]
    text = page.read_text(encoding="utf-8")
    assert "the model examined by intervention" in text.splitlines()[0]
    assert "| nobody-confides | Nobody confides. " in text, "why it was expected"
    assert "| a-name | " not in text.partition("Why each")[2], "it is right"


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--only", "lager"), "did you mean 'larger'"),
        (("--only", "Controls", "--short"), "short form"),
    ],
)
def test_what_cannot_be_examined(
    call: Call, template: Path, few: tuple[object, ...], more: tuple[object, ...], says: str
) -> None:
    done = call("examine", template, *few, *more)
    assert done.code == 2, done.err
    assert says in done.err
