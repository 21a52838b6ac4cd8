"""Cases made from a case, and writing them."""

import datetime as dt
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.case import Case, load_case
from breakrank.errors import CaseError, UsageError
from breakrank.spec import Catalogue
from tests.case.conftest import TURNS, edit
from tests.case.test_daily import event


def test_set_leaves_the_original_alone(case: Case) -> None:
    before = case.digest
    other = case.set({"fear.weight": 3, "fear.on": False + 0})
    assert (other.value("fear.weight"), other.value("fear.on")) == (3, 0)
    assert case.value("fear.weight") == 1.5
    assert case.digest == before != other.digest
    assert other.parameters["fear.weight"].assumed == "Set to 3 by hand."
    assert case.set({"fear.weight": np.float32(1.5)}) == case
    assert case.set() == case


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("fear.wait", 1, "did you mean 'fear.weight'"),
        ("fear.weight", 21, "out of range"),
        ("fear.weight", float("nan"), "cannot be nan"),
        ("fear.weight", "3", "cannot be '3'"),
        ("fear.weight", True, "cannot be True"),
        ("force.strength", 0, "out of range"),
        ("force.strength", 10.5, "whole number"),
    ],
)
def test_set_refuses(case: Case, name: str, value: float, says: str) -> None:
    with pytest.raises(UsageError, match=re.escape(says)):
        case.set({name: value})


@pytest.mark.parametrize("values", [[("fear.weight", 1)], {3: 1}, 3])
def test_set_refuses_what_names_no_parameters(case: Case, values: Any) -> None:
    with pytest.raises(UsageError, match="names with values are expected"):
        case.set(values)


@given(st.integers(1, 10_000_000))
@settings(deadline=None)
def test_another_strength_keeps_the_proportions(case: Case, strength: int) -> None:
    force = case.set({"force.strength": strength}).force
    sizes = [b.strength for b in force.branches]
    assert sum(sizes) == force.strength == strength
    assert abs(sizes[0] - 0.7 * strength) < 1


def test_until_shortens(case: Case) -> None:
    other = case.until("2025-03-01")
    assert other.calendar.end == dt.date(2025, 3, 1)
    assert other.daily("pay").shape == (60, 3)
    assert case.until(case.calendar.end) == case
    for wrong in ("2024-12-31", "2025-07-01", "soon"):
        with pytest.raises(UsageError):
            case.until(wrong)


def test_events_are_added_replaced_and_taken_out(case: Case) -> None:
    more = case.with_events([event("new", "2025-05-01", {"field": "unrest", "op": "set", "value": 9})])
    assert more.events.ids == (*case.events.ids, "new")
    replaced = more.with_events(event("appeal", "2025-02-11"))
    assert replaced.events.ids == more.events.ids
    assert replaced.events.named("appeal").effects == ()
    assert more.without_event("new") == case
    assert case.with_events(case.events) == case
    with pytest.raises(UsageError, match="did you mean 'appeal'"):
        case.without_event("apeal")


def test_events_may_come_from_a_file(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "what-if.yaml"
    path.write_text("- id: new\n  date: 2025-05-01\n  title: New\n  assumed: what if\n")
    assert case.with_events(path).events.named("new").title == "New"
    path.write_text("id: new\ndate: 2025-05-01\ntitle: New\nassumed: what if\n")
    assert case.with_events(str(path)).events.named("new").effects == ()


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("- id: new\n  date: 2025-05-01\n  tittle: New\n", 3, "did you mean 'title'"),
        ("- id: new\n  date: 2025-05-01\n  title: New\n", 1, "neither evidence"),
        (
            "- id: n\n  date: 2025-05-01\n  title: N\n  assumed: x\n  effects:\n"
            "  - {field: payy, op: set, value: 1}\n",
            6,
            "did you mean 'pay'",
        ),
        ("- {id: n, date: 2025-05-01, title: N, assumed: x}\n" * 2, 2, "twice"),
    ],
)
def test_a_file_of_events_is_blamed_by_line(
    case: Case, tmp_path: Path, text: str, line: int, says: str
) -> None:
    path = tmp_path / "what-if.yaml"
    path.write_text(text)
    with pytest.raises(CaseError, match=re.escape(says)) as caught:
        case.with_events(path)
    assert caught.value.place.file == path
    assert caught.value.place.line == line


def test_events_from_a_call_are_blamed_by_key(case: Case) -> None:
    with pytest.raises(CaseError, match=r"new\.effects\[0\]\.op") as caught:
        case.with_events([event("new", "2025-05-01", {"field": "unrest", "op": "sett", "value": 9})])
    assert caught.value.place.file is None
    with pytest.raises(CaseError, match="a mapping"):
        case.with_events([3])
    with pytest.raises(CaseError, match="#x001b"):
        case.with_events([event("new", "2025-05-01") | {"title": "a\x1bb"}])
    with pytest.raises(CaseError, match="a finite number"):
        case.with_events(
            [event("new", "2025-05-01", {"field": "unrest", "op": "add", "value": float("nan")})]
        )
    with pytest.raises(UsageError, match="not int"):
        case.with_events(3)
    with pytest.raises(CaseError, match="does not exist"):
        case.with_events("nowhere.yaml")
    with pytest.raises(CaseError, match="out of range"):
        case.with_events([event("new", "2025-05-01", {"field": "scarcity", "op": "set", "value": 9})])


def test_the_digest_ignores_layout_and_sees_content(folder: Path, case: Case, catalogue: Catalogue) -> None:
    edit(folder, "force.yaml", "strength:\n", "# a remark\nstrength:\n\n")
    edit(folder, "force.yaml", "share: 0.25", "share: 2.5e-1")
    edit(folder, "stations.csv", "XX-A,army,0.5", "XX-A, army ,0.50")
    assert load_case(folder, catalogue).digest == case.digest
    assert re.fullmatch("[0-9a-f]{64}", case.digest)
    edit(folder, "stations.csv", "0.50\nXX-B,army,0.2", "0.40\nXX-B,army,0.3")
    assert load_case(folder, catalogue).digest != case.digest


def test_written_as_used(case: Case, catalogue: Catalogue, tmp_path: Path) -> None:
    changed = (
        case.set({"fear.weight": 1e-5, "force.strength": 777})
        .with_events(
            [event("new", "2025-05-01", {"field": "unrest", "op": "add", "value": 1 / 3, "half_life": 5})]
        )
        .without_event("alert")
        .until("2025-04-01")
    )
    folder = changed.write(tmp_path / "deep" / "used")
    again = load_case(folder, catalogue)
    assert again.digest == changed.digest
    np.testing.assert_array_equal(again.daily("unrest"), changed.daily("unrest"))
    assert sorted(p.name for p in folder.parent.iterdir()) == ["used"]


def test_write_into_an_empty_folder_only(case: Case, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert case.write(tmp_path / "empty") == tmp_path / "empty"
    with pytest.raises(UsageError, match="not an empty folder"):
        case.write(tmp_path / "empty")
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="not an empty folder"):
        case.write(tmp_path / "file")
    with pytest.raises(UsageError, match="cannot be written"):
        case.write(tmp_path / "file" / "below")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError):
        case.write(tmp_path / "link")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["empty", "file", "link"]


TEXT = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters=TURNS), min_size=1, max_size=40
)


@given(TEXT, TEXT, st.floats(0, 20))
@settings(deadline=None)
def test_any_text_survives_writing(
    case: Case,
    catalogue: Catalogue,
    tmp_path_factory: pytest.TempPathFactory,
    title: str,
    about: str,
    value: float,
) -> None:
    new = {"id": "new", "date": "2025-05-01", "title": title, "about": about, "assumed": "x"}
    changed = case.with_events([new]).set({"fear.weight": value})
    again = load_case(changed.write(tmp_path_factory.mktemp("text") / "case"), catalogue)
    assert again.events.named("new").title == title
    assert again.digest == changed.digest


@pytest.mark.parametrize("switch", [False, np.False_])
def test_a_switch_is_set_by_true_and_false_too(case: Case, switch: bool) -> None:
    assert case.set({"fear.on": switch}).value("fear.on") == 0
    assert case.set({"fear.on": switch}).digest == case.set({"fear.on": 0}).digest
    with pytest.raises(UsageError, match=r"fear\.weight cannot be .*False"):
        case.set({"fear.weight": switch})
