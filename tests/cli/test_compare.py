"""``breakrank compare``: what a change does, in a table or as one JSON object."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Call, Outcome

FEW = ("--runs", 3, "--seed", 5, "--workers", 1)


def rows_of(done: Outcome) -> list[dict[str, Any]]:
    """Return the rows of the table that was printed as JSON."""
    rows: list[dict[str, Any]] = json.loads(done.out)["tables"]["differences"]["rows"]
    return rows


MINE = """\
- id: fearless
  title: Nobody is afraid
  question: How much of loyalty is fear?
  set: {fear.on: 0}
  expected: {left_abroad: more, shot: more}
  literature: McLauchlin 2014
"""


def test_a_table_of_each(call: Call, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "mine.yaml").write_text(MINE, encoding="utf-8")
    done = call("compare", template, "--with", "no-appeal", "--with", tmp_path / "mine.yaml", *FEW)
    assert done.code == 0, done.err
    assert "On the last day: The challenger never appeals to soldiers" in done.out
    assert "Fixed assumptions, chance only" in done.out
    assert "On the last day: Nobody is afraid" in done.out
    for words in ("diff.", "interval", "Crossed out", "Regime"):
        assert done.out.count(words) >= 2
    assert "country: more expected (McLauchlin 2014); the model agrees" in " ".join(done.out.split())
    assert "Shot: more expected" in " ".join(done.out.split())  # though not compared by default
    assert max(map(len, done.out.splitlines())) <= 80
    assert "Traceback" not in done.err


def test_events_of_a_file_happen_in_the_other_case_only(call: Call, template: Path, tmp_path: Path) -> None:
    """An event moved by a week is compared with the case, alone and beside a counterfactual."""
    later = tmp_path / "later.yaml"
    later.write_text(
        "- {id: appeal, date: 2025-03-17, title: The appeal comes later, assumed: Asked.,\n"
        "   effects: [{field: credibility, op: add, value: 0.3, half_life: 30}]}\n"
        "- {id: late, date: 2027-01-01, title: Never, assumed: Asked., effects: []}\n",
        encoding="utf-8",
    )
    done = call("compare", template, "--events", later, *FEW)
    assert done.code == 0, done.err
    told = " ".join(done.out.split())
    assert "The appeal comes later (in place of the event appeal, 2025-03-17)" in told
    assert "The appeal comes later (credibility + 0.3)" in told
    assert "the event 'late' of 2027-01-01 has no effect" in done.err
    both = call("compare", template, "--with", "no-appeal", "--events", later, *FEW, "--json")
    plain = call("compare", template, "--with", "no-appeal", *FEW, "--json")
    assert [one["before"] for one in rows_of(both)] == [one["before"] for one in rows_of(plain)]
    assert json.loads(both.out)["provenance"]["command"].count("--events") == 1


def test_selected_runs_give_way_to_the_posterior_in_every_row(call: Call) -> None:
    """In members the regime holds by selection, so any change seemed to make it fall."""
    asked = ("--with", "no-taps", "--until", "2019-02-10", "--runs", 2, "--workers", 1, "--json")
    plain = call("compare", "venezuela-2019", *asked)
    drawn = call("compare", "venezuela-2019", *asked, "--ensemble", "posterior")
    assert rows_of(plain) == rows_of(drawn)
    assert any("draws from the posterior" in note for note in json.loads(plain.out)["notes"])
    assert {"registered", "regime_holds"} <= {row["id"] for row in rows_of(plain)}
