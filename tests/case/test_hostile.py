"""Every malformed folder gives one clear CaseError, at once, and leaves nothing behind."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from breakrank.case import load_case
from breakrank.case.content import read_folder
from breakrank.errors import CaseError
from breakrank.spec import Catalogue
from tests.case.conftest import line_of
from tests.case.hostile import Hostile
from tests.case.hostile_cases import HOSTILE


def test_they_differ() -> None:
    assert len({h.name for h in HOSTILE}) == len(HOSTILE)


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda h: h.name)
def test_hostile(hostile: Hostile, folder: Path, catalogue: Catalogue) -> None:
    hostile.do(folder)
    before = sorted(folder.parent.rglob("*"))
    with pytest.raises(CaseError) as caught:
        load_case(folder, catalogue)
    error, text = caught.value, str(caught.value)
    assert error.place.file == folder / hostile.file, text
    for fragment in hostile.says:
        assert fragment in text
    if hostile.on:
        assert error.place.line == line_of(folder / hostile.file, hostile.on), text
        assert f"{folder / hostile.file}:{error.place.line}" in text
    if hostile.key:
        assert hostile.key in error.place.key, text
    assert len(error.problem) > 10
    assert len(text) < 1500, "a message that nobody reads"
    assert "pydantic" not in text
    assert "Traceback" not in text
    assert error.__cause__ is None or isinstance(error.__cause__, OSError)
    assert sorted(folder.parent.rglob("*")) == before
    assert str(pickle.loads(pickle.dumps(error))) == text


def test_no_folder_at_all(folder: Path, catalogue: Catalogue) -> None:
    with pytest.raises(CaseError, match="a case is a folder"):
        load_case(folder / "case.yaml", catalogue)
    with pytest.raises(CaseError, match="does not exist"):
        read_folder(folder / "nowhere")


def test_the_untouched_folder_is_fine(folder: Path, catalogue: Catalogue) -> None:
    assert load_case(folder, catalogue).force.strength == 5000
