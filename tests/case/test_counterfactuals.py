"""Counterfactuals: what they change, that no digest sees them, and that a changed case keeps what fits."""

from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank.case import Case, check_case, list_cases, load_case
from breakrank.case.changes import counterfactuals
from breakrank.errors import CaseError
from breakrank.spec import Catalogue

FILE = "counterfactuals.yaml"
MORE = """\
- id: all-at-once
  title: All that can be changed
  question: What if everything were otherwise?
  set: {fear.weight: 3}
  edit: {routes: {crossings: {"*": {hardship: 0.9}}}}
  without: [shortage]
  without_effects:
    - {event: appeal, field: credibility}
  events:
    - id: alert
      date: 2025-04-02
      title: A later alert
      assumed: Invented.
      effects:
        - {field: surveillance, op: multiply, value: 2}
"""


@pytest.fixture
def asked(folder: Path, catalogue: Catalogue) -> Case:
    path = folder / FILE
    path.write_text(path.read_text(encoding="utf-8") + MORE, encoding="utf-8")
    return load_case(folder, catalogue)


def test_everything_is_changed_and_the_original_is_not(asked: Case) -> None:
    before = asked.digest
    other = asked.counterfactual("all-at-once")
    assert asked.digest == before != other.digest
    assert other.value("fear.weight") == 3
    assert {c.hardship for c in other.crossings} == {0.9} != {c.hardship for c in asked.crossings}
    assert other.events.ids == ("election", "appeal", "reception", "alert", "permits")
    assert (other.daily("credibility") == 0).all()
    assert asked.daily("credibility").max() > 0
    assert {(c.evidence, c.assumed) for c in other.crossings} == {
        (None, "hardship set by the change; all else as in the case")
    }
    watched = other.daily("surveillance")
    assert watched[: other.calendar.day("2025-04-02")].max() == 1
    assert (watched[other.calendar.day("2025-04-02") :] == 2).all()
    same = asked.counterfactual("no-appeal")
    assert same == asked.without_event("appeal")


def test_what_no_longer_fits_is_let_go(asked: Case, tmp_path: Path, catalogue: Catalogue) -> None:
    assert asked.without_event("election").counterfactuals == asked.counterfactuals
    other = asked.without_event("appeal")
    assert other.counterfactuals == ()
    assert asked.counterfactual("all-at-once").counterfactuals.ids == ("no-appeal",)
    again = load_case(other.write(tmp_path / "other" / "montara"), catalogue)
    assert again.digest == other.digest


def test_they_move_no_digest_and_may_be_left_out(folder: Path, case: Case, catalogue: Catalogue) -> None:
    (folder / FILE).unlink()
    without = load_case(folder, catalogue)
    assert without.counterfactuals == ()
    assert without == case
    assert "counterfactual" not in repr(without)
    some = ", ".join(case.counterfactuals.ids[:3])
    assert f"(ids: {some}" in repr(case)
    assert check_case(folder, catalogue) == []


def test_a_file_of_ones_own(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(MORE, encoding="utf-8")
    (one,) = counterfactuals(case, path)
    assert one.id == "all-at-once"
    path.write_text(MORE.replace("shortage", "shortages"), encoding="utf-8")
    with pytest.raises(CaseError, match=r"mine\.yaml:6 .*did you mean 'shortage'"):
        counterfactuals(case, path)
    with pytest.raises(CaseError, match="does not exist"):
        counterfactuals(case, tmp_path / "nowhere.yaml")


@pytest.mark.parametrize("name", list_cases())
def test_each_built_in_one_changes_what_it_says(name: str) -> None:
    case = breakrank.load_case(name)
    for asked in case.counterfactuals:
        other = case.counterfactual(asked.id)
        assert other != case, asked.id
        moved = {f for f in case.catalogue.fields if not np.array_equal(case.daily(f), other.daily(f))}
        named = {d.field for d in asked.without_effects} | {x.field for e in asked.events for x in e.effects}
        assert moved == named or asked.without, asked.id
        assert {n: other.value(n) for n in asked.values} == asked.values
        assert asked.literature
