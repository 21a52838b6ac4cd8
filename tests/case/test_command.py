"""The high command of a case: positions with weights and places, and cases without any."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from breakrank.case import Case, Position, check_case, load_case
from breakrank.errors import UsageError
from breakrank.spec import Catalogue
from tests.case.conftest import edit, line_of


def test_what_a_command_holds(case: Case) -> None:
    assert case.command.ids == ("defence-minister", "army-commander", "border-commander")
    minister = case.command.named("defence-minister")
    assert isinstance(minister, Position)
    assert (minister.weight, minister.rents, minister.contact) == (0.3, 1.0, True)
    assert minister.sanctioned == dt.date(2025, 2, 1)
    assert (minister.branch, minister.region, minister.capital) == (None, None, True)
    border = case.command.named("border-commander")
    assert (border.branch, border.region, border.capital) == ("guard", "border", False)
    assert (border.sanctioned, border.contact) == (None, False)
    with pytest.raises(UsageError, match="did you mean 'army-commander'"):
        case.command.named("army-comander")


@pytest.mark.parametrize("content", [None, "[]\n"])
def test_a_case_may_have_none(
    folder: Path, tmp_path: Path, catalogue: Catalogue, content: str | None
) -> None:
    with_command = load_case(folder, catalogue)
    (folder / "command.yaml").unlink()
    if content is not None:
        (folder / "command.yaml").write_text(content)
    case = load_case(folder, catalogue)
    assert case.command == ()
    assert case.digest != with_command.digest
    assert "of command" not in repr(case)
    written = case.write(tmp_path / "again" / "montara")
    assert not (written / "command.yaml").exists()
    assert load_case(written, catalogue).digest == case.digest
    assert check_case(folder, catalogue) == []


def test_an_empty_file_and_none_are_one_case(folder: Path, catalogue: Catalogue) -> None:
    (folder / "command.yaml").write_text("# nobody known\n[]\n")
    empty = load_case(folder, catalogue).digest
    (folder / "command.yaml").unlink()
    assert load_case(folder, catalogue).digest == empty


def test_it_is_written_and_read_again(case: Case, tmp_path: Path, catalogue: Catalogue) -> None:
    again = load_case(case.write(tmp_path / "montara"), catalogue)
    assert again.command == case.command
    assert again.digest == case.digest
    text = (tmp_path / "montara" / "command.yaml").read_text()
    assert "sanctioned: 2025-02-01\n" in text
    assert "contact: false" not in text


def test_the_digest_sees_the_command(folder: Path, case: Case, catalogue: Catalogue) -> None:
    edit(folder, "command.yaml", "weight: 0.15", "weight: 0.16")
    assert load_case(folder, catalogue).digest != case.digest


def test_weights_may_add_up_to_exactly_all(folder: Path, catalogue: Catalogue) -> None:
    edit(folder, "command.yaml", "weight: 0.35", "weight: 0.55")
    assert sum(p.weight for p in load_case(folder, catalogue).command) == pytest.approx(1)


def test_a_capital_inside_its_region_is_fine(folder: Path, catalogue: Catalogue) -> None:
    edit(folder, "command.yaml", "region: border ", "region: centre ")
    edit(folder, "command.yaml", "capital: false", "capital: true")
    assert load_case(folder, catalogue).command[2].capital


def test_sanctions_after_the_calendar_are_strange(folder: Path, catalogue: Catalogue) -> None:
    edit(folder, "command.yaml", "2025-02-01", "2026-02-01")
    (warning,) = check_case(folder, catalogue)
    assert warning.file == folder / "command.yaml"
    assert warning.line == line_of(folder / "command.yaml", "2026-02-01")
    assert "'defence-minister' begin after" in warning.text


def test_sanctions_before_the_calendar_hold_from_the_start(folder: Path, catalogue: Catalogue) -> None:
    edit(folder, "command.yaml", "2025-02-01", "2017-02-01")
    assert check_case(folder, catalogue) == []


def test_a_misspelt_file_is_noticed(folder: Path, catalogue: Catalogue) -> None:
    (folder / "command.yaml").rename(folder / "comand.yaml")
    (warning,) = check_case(folder, catalogue)
    assert warning.text.endswith("never read, did you mean 'command.yaml'?")
