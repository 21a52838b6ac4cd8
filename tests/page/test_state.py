"""What the server has at hand: cases by id, whatever their folders are called."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import breakrank
from breakrank.case.library import LIBRARY
from breakrank.errors import UsageError
from breakrank.page.app import Page
from breakrank.page.case_view import entry
from breakrank.page.question import PageQuestion
from breakrank.page.state import PageState
from breakrank.runs.pool import Pool


def state_of(folder: Path, tmp_path: Path) -> PageState:
    return PageState(tmp_path / "store", Pool(1), folder)


def test_a_case_goes_by_its_id_and_not_by_its_folder(tmp_path: Path) -> None:
    made = breakrank.new_case(tmp_path / "made-up", full=True)
    folder = made.rename(tmp_path / "My case (2)")
    state = state_of(folder, tmp_path)
    assert state.names == ("made-up", *breakrank.list_cases())
    assert state.first == state.baseline(state.first).case == state.case("made-up").id == "made-up"
    assert state.source("made-up") == str(folder.resolve())
    assert state.made(PageQuestion(case="made-up")).id == "made-up"
    with pytest.raises(UsageError, match="no case 'My case"):
        state.folder_of("My case (2)")


def test_a_changed_copy_of_a_built_in_case_is_what_is_run(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(LIBRARY / "crimea-2014", tmp_path / "mine"))
    file = folder / "case.yaml"
    title = breakrank.load_case("crimea-2014").title
    assert title in file.read_text("utf-8")
    file.write_text(file.read_text("utf-8").replace(title, "Another Crimea"), "utf-8")
    state = state_of(folder, tmp_path)
    assert state.first == "crimea-2014"
    assert sorted(state.names) == sorted(breakrank.list_cases())
    assert state.case("crimea-2014").title == "Another Crimea"
    assert state.made(PageQuestion(case="crimea-2014")).title == "Another Crimea"


def test_a_case_file_damaged_while_it_is_served_shuts_nobody_out(tmp_path: Path) -> None:
    folder = breakrank.new_case(tmp_path / "made-up", full=True)
    state = state_of(folder, tmp_path)
    page = Page(state)
    before = page.listed()
    (folder / "case.yaml").write_text("id: [", "utf-8")
    assert page.listed() == before
    assert [one["id"] for one in before] == list(state.names)
    state.entry_of = entry
    told = Page(state).listed()
    assert told == [{"id": "made-up", "title": "made-up (damaged)"}, *before[1:]]
    state.close()


def test_members_of_an_ensemble_are_run_once_however_many_runs_are_asked_for(tmp_path: Path) -> None:
    state = PageState(tmp_path / "store", Pool(1))
    case = state.case("venezuela-2019")
    assert case.draws is not None
    members = len(case.draws)
    many = PageQuestion(case="venezuela-2019", runs=members + 60)
    once = PageQuestion(case="venezuela-2019", runs=members)
    assert state.study(many).runs == members
    assert state.key(many) == state.key(once)
    drawn = PageQuestion(case="venezuela-2019", runs=members + 60, parameters="posterior")
    assert state.study(drawn).runs == members + 60
