"""The high command of a case: positions with weights and places, and cases without any."""

from __future__ import annotations

from pathlib import Path

import pytest

from breakrank.case import Case, check_case, load_case
from breakrank.spec import Catalogue
from tests.case.conftest import edit, line_of


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


def test_it_is_written_and_read_again(case: Case, tmp_path: Path, catalogue: Catalogue) -> None:
    again = load_case(case.write(tmp_path / "montara"), catalogue)
    assert again.command == case.command
    assert again.digest == case.digest
    text = (tmp_path / "montara" / "command.yaml").read_text()
    assert "sanctioned: 2025-02-01\n" in text
    assert "contact: false" not in text


def test_sanctions_after_the_calendar_are_strange(folder: Path, catalogue: Catalogue) -> None:
    edit(folder, "command.yaml", "2025-02-01", "2026-02-01")
    (warning,) = check_case(folder, catalogue)
    assert warning.file == folder / "command.yaml"
    assert warning.line == line_of(folder / "command.yaml", "2026-02-01")
    assert "'defence-minister' lies outside the calendar" in warning.text
