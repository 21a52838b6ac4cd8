"""Reports that several desks read at once, and files of a case that are links."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Barrier, Thread

import pytest

from breakrank import new_case
from breakrank.case.files import CaseFileError
from breakrank.errors import UsageError
from breakrank_desk import Desk, library
from packages.desk.tests.invented import REPORTS


def test_reports_are_taken_apart_outside_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case, really = new_case(tmp_path / "mine", full=True), library.text_of
    seen: list[bool] = []

    def text_of(*given: object) -> object:
        seen.append((case / ".lock").exists() or (case / "evidence/.lock").exists())
        return really(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(library, "text_of", text_of)
    Desk.open(case).read(REPORTS / "en-river.txt")
    assert seen == [False]


@pytest.mark.parametrize(
    ("second", "kept"), [("en-river.txt", ["r000"]), ("en-partial.txt", ["r000", "r001"])]
)
def test_desks_that_read_at_once_give_each_report_one_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, second: str, kept: list[str]
) -> None:
    """Both have taken their report apart before either numbers it."""
    case, together, really = new_case(tmp_path / "mine", full=True), Barrier(2, timeout=60), library.text_of
    sources = case / "evidence/sources.yaml"
    sources.write_text("[]\n")

    def text_of(*given: object) -> object:
        made = really(*given)  # type: ignore[arg-type]
        together.wait()
        return made

    desks = [Desk.open(case) for _ in range(2)]
    monkeypatch.setattr(library, "text_of", text_of)
    found: list[str] = []
    threads = [
        Thread(target=lambda d=d, n=n: found.append(d.read(REPORTS / n)[0].source))  # type: ignore[misc]
        for d, n in zip(desks, ("en-river.txt", second), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(set(found)) == kept
    assert list(Desk.open(case).library.entries()) == kept


def test_a_number_that_the_ledger_got_meanwhile_is_not_given(tmp_path: Path) -> None:
    case = new_case(tmp_path / "mine", full=True)
    desk, sources = Desk.open(case), case / "evidence/sources.yaml"
    entry = "{id: r007, publisher: P, title: T, date: 2031-04-02, kind: report, reliability: medium}"
    sources.write_text(f"{sources.read_text().rstrip()}\n\n- {entry}\n")
    assert desk.read(REPORTS / "en-river.txt")[0].source == "r008"


def test_documents_do_not_take_each_other_s_place(tmp_path: Path) -> None:
    desk = Desk.open(new_case(tmp_path / "mine", full=True))
    with pytest.raises(UsageError, match="cannot all be r005"):
        desk.read(REPORTS, source="r005")
    assert desk.read(REPORTS / "en-river.txt", source="r005")[0].told == ()
    (again,) = desk.read(REPORTS / "en-partial.txt", source="r005")
    assert "takes the place of another document" in again.told[-1]


@pytest.mark.skipif(os.name == "nt", reason="there links need rights")
@pytest.mark.parametrize("inside", ["evidence", "evidence/desk", "evidence/desk/texts.yaml"])
def test_nothing_is_written_through_a_link(tmp_path: Path, inside: str) -> None:
    case, elsewhere = new_case(tmp_path / "mine", full=True), tmp_path / "elsewhere"
    Desk.open(case).read(REPORTS / "en-river.txt")
    desk = Desk.open(case)
    (case / inside).rename(elsewhere)
    (case / inside).symlink_to(elsewhere)
    before = {p: p.read_bytes() for p in (elsewhere, *elsewhere.rglob("*")) if p.is_file()}
    with pytest.raises(CaseFileError, match="a symbolic link is not written to"):
        desk.read(REPORTS / "en-partial.txt")
    assert {p: p.read_bytes() for p in (elsewhere, *elsewhere.rglob("*")) if p.is_file()} == before
