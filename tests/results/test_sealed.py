"""Small files with a checksum of what they say: a digit that changed is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from breakrank.answer.files import FORMAT, MARK
from breakrank.page.background import read, text_of
from breakrank.results.files import check_seal, read_sealed, seal, sealed, write_sealed


def test_a_line_of_json_is_read_as_it_was_written_or_not_at_all(tmp_path: Path) -> None:
    file, other = tmp_path / "kept.json", tmp_path / "other.json"
    write_sealed(file, [12, None])
    assert read_sealed(file) == [12, None]
    text = file.read_text()
    other.write_text(text)  # another file's content
    for path, damaged in ((other, text), (file, text.replace("12", "13")), (file, text.splitlines()[0])):
        path.write_text(damaged)
        with pytest.raises(ValueError, match="not what was written"):
            read_sealed(path)


def test_a_folder_whose_files_were_changed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1")
    about = sealed({"n": 1}, tmp_path, ["a.csv"])
    check_seal(about, tmp_path)
    check_seal({"n": 1}, tmp_path)  # as before there were checksums
    with pytest.raises(ValueError, match="not what was written"):
        check_seal(about | {"n": 2}, tmp_path)
    (tmp_path / "a.csv").write_text("2")
    with pytest.raises(ValueError, match=r"a\.csv is not what was written"):
        check_seal(about, tmp_path)


def test_an_answer_of_the_page_that_was_damaged_is_made_anew(tmp_path: Path) -> None:
    file, found = tmp_path / "why.json", {MARK: FORMAT, "finding": "12 leave"}
    file.write_text(text_of(found | {"checksum": seal(found)}))
    assert read(file) == found
    file.write_text(file.read_text().replace("12 leave", "13 leave"))
    assert read(file) is None
    file.write_text("[]")
    assert read(file) is None
