"""Reading: formats, what is refused by name, and limits that hold."""

import gzip
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from breakrank_desk.library import text_of
from breakrank_desk.reading import child
from breakrank_desk.reading.kinds import paragraphs_of
from breakrank_desk.reading.parent import DocumentReader, ReadError, files_of
from breakrank_desk.texts import Block, Text
from breakrank_desk.words import table
from packages.desk.tests.invented import REPORTS, pdf_of


@pytest.fixture(scope="module")
def reader() -> Iterator[DocumentReader]:
    with DocumentReader() as one:
        yield one


def take(reader: DocumentReader, data: bytes, name: str = "a.bin") -> list[Text]:
    return [text_of(e, "x", "") for e in reader.take_apart(data, name)]


def warc_of(*pages: bytes) -> bytes:
    out = b""
    for k, page in enumerate(pages):
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
        head = (
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-00000000000"
            f"{k}>\r\nWARC-Target-URI: http://a.example/{k}\r\nWARC-Date: 2031-07-01T00:00:00Z\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
        )
        out += head.encode() + http + b"\r\n\r\n"
    return out


def test_pdf_joins_lines_and_drops_margins(reader: DocumentReader) -> None:
    first = [
        "Delta Post",
        "Some 80 guardsmen rose before dawn on Sunday at the Alto barracks and",
        "held the gate for",
    ]
    pages = [
        [*first, "1"],
        ["Delta Post", "five hours, witnesses said.", "2"],
        ["Delta Post", "Nobody was killed.", "3"],
    ]
    (text,) = take(reader, pdf_of(pages), "a.pdf")
    assert text.story[0].text.endswith("held the gate for five hours, witnesses said.")
    assert "Delta Post" not in " ".join(p.text for p in text.paragraphs)


def test_web_archive_gives_a_text_a_page(reader: DocumentReader) -> None:
    page = (REPORTS / "en-barracks.html").read_bytes()
    for data in (warc_of(page, page), gzip.compress(warc_of(page, page))):
        texts = take(reader, data, "a.warc")
        assert [len(t.story) for t in texts] == [4, 4]
        assert any("no date of publication" in x for x in texts[0].told)


def test_guesses_are_told_with_reasons_and_not_taken(reader: DocumentReader) -> None:
    (text,) = take(reader, (REPORTS / "en-barracks.html").read_bytes(), "a.html")
    assert ("date", "2031-05-06") in {(g.what, g.value) for g in text.guesses}
    assert text.date is None
    assert text.outlet == ""


def test_hidden_characters_are_removed_and_told(reader: DocumentReader) -> None:
    (text,) = take(
        reader, "Some 80\u202e soldiers crossed the riv\u200ber on Sunday, witnesses said.".encode()
    )
    assert text.paragraphs[0].text == "Some 80 soldiers crossed the river on Sunday, witnesses said."
    assert "2 hidden characters" in text.told[0]


def test_empty_text_is_told(reader: DocumentReader) -> None:
    (text,) = take(reader, b"\n\n")
    assert text.told == ("no text in it",)


def zipped() -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr("a.txt", "a")
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "told"),
    [
        (zipped(), "a.zip", "archive"),
        (gzip.compress(gzip.compress(b"WARC/1.0")), "a.warc.gz", "archive within an archive"),
        (gzip.compress(b"plain"), "a.gz", "no web archive"),
        (b"\x89PNG\r\n", "a.png", "picture"),
        (b"a\x00b", "a.txt", "zero bytes"),
        (b"%PDF-1.4\nnothing", "a.pdf", "broken"),
        (b"<html>" + b"<div>" * 600 + b"x", "a.html", "levels"),
        (b"Subject: a\nContent-Type: image/png\n\nx", "a.eml", "no text"),
    ],
    ids=("zip", "archive in archive", "gzip", "picture", "zero bytes", "pdf", "nested", "mail"),
)
def test_refused_by_name(reader: DocumentReader, data: bytes, name: str, told: str) -> None:
    with pytest.raises(ReadError, match=told):
        reader.take_apart(data, name)


def test_links_and_large_files_are_refused(tmp_path: Path, reader: DocumentReader) -> None:
    (tmp_path / "a.txt").write_text("Some text.")
    (tmp_path / "b.txt").symlink_to(tmp_path / "a.txt")
    with (tmp_path / "c.txt").open("wb") as big:
        big.truncate(21_000_000)
    for name, told in (("b.txt", "symbolic link"), ("c.txt", "at most 20 MB"), ("d.txt", "No such file")):
        with pytest.raises(ReadError, match=told):
            reader.read(tmp_path / name)
    assert [f.name for f in files_of(tmp_path)] == ["a.txt", "b.txt", "c.txt"]


def test_attachments_are_named_and_not_read(reader: DocumentReader) -> None:
    data = (
        b"Subject: a\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n"
        b"Content-Type: text/plain\n\n"
        b"Some 80 soldiers crossed the river on Sunday, witnesses said.\n--x\nContent-Type: application/pdf\n"
        b"Content-Disposition: attachment; filename=b.pdf\n\nzz\n--x--\n"
    )
    (text,) = take(reader, data, "a.eml")
    assert "attachment not read: b.pdf" in text.told


def served_by(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Let the child be one that runs `code` with the names of the real one before it serves."""
    lines = f"import os, sys, time\nfrom breakrank_desk.reading import child\n{code}\n"

    def started(self: DocumentReader) -> subprocess.Popen[bytes]:
        if self._child is None:
            self._child = subprocess.Popen([sys.executable, "-c", lines], stdin=-1, stdout=-1, stderr=-3)
        return self._child

    monkeypatch.setattr(DocumentReader, "_started", started)


SERVE = "child.serve(sys.stdin.buffer, sys.stdout.buffer)\n"


def test_a_child_that_was_killed_costs_no_document() -> None:
    with DocumentReader() as one:
        assert take(one, b"Some text stands here.")
        for waits in (True, False):
            assert one._child is not None
            one._child.kill()
            if waits:
                one._child.wait()
            assert take(one, b"Some text stands here.")


def test_the_document_after_one_that_needs_too_much_memory_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first child has said that it ends, and takes a while to do so."""
    code = (
        "real = child.documents_of\n"
        "def documents_of(data: bytes, name: str):\n"
        "    if data == b'grow': raise MemoryError\n"
        "    return real(data, name)\n"
        f"child.documents_of = documents_of\n{SERVE}time.sleep(20)"
    )
    served_by(monkeypatch, code)
    began = time.monotonic()
    with DocumentReader() as one:
        with pytest.raises(ReadError, match="more memory"):
            one.take_apart(b"grow", "a.txt")
        assert take(one, b"Some text stands here.", "b.txt")
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("fails", ["os._exit(1)", "raise MemoryError", "raise KeyError"])
def test_only_what_a_new_child_fails_on_is_blamed(monkeypatch: pytest.MonkeyPatch, fails: str) -> None:
    """Each child serves one document and fails on the second, whatever that is."""
    code = (
        "real, served = child.documents_of, []\n"
        "def documents_of(data: bytes, name: str):\n"
        f"    if served or data == b'bad': {fails}\n"
        "    served.append(name)\n"
        "    return real(data, name)\n"
        f"child.documents_of = documents_of\n{SERVE}"
    )
    served_by(monkeypatch, code)
    with DocumentReader() as one:
        for _ in range(3):
            assert take(one, b"Some text stands here.")
        with pytest.raises(ReadError):
            one.take_apart(b"bad", "a.txt")


def test_time_limit_kills_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """The child burns processor time in a parser that never ends; the limit is lowered for the test."""
    code = (
        "child.CPU_SECONDS = 0\n"
        "def burn(data: bytes, name: str):\n    while True: pass\n"
        f"child.documents_of = burn\n{SERVE}"
    )
    served_by(monkeypatch, code)
    began = time.monotonic()
    with DocumentReader() as one, pytest.raises(ReadError, match="taking it apart took more than"):
        one.take_apart(b"x", "a.txt")
    assert time.monotonic() - began < 60


def test_memory_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "child.MEMORY = 300_000_000\n"
        "def grow(data: bytes, name: str):\n    return [bytes(600_000_000)]\n"
        f"child.documents_of = grow\n{SERVE}"
    )
    served_by(monkeypatch, code)
    with DocumentReader() as one, pytest.raises(ReadError, match="more memory"):
        one.take_apart(b"x", "a.txt")


def test_no_sockets_in_the_child() -> None:
    with pytest.raises(OSError, match="no network"):
        child.ClosedSocket()
    with pytest.raises(OSError, match="no network"):
        child.closed("example.org", 80)


def test_lines_of_a_pdf_become_paragraphs(reader: DocumentReader) -> None:
    lines = [
        "Rules for leave",
        "The council met on 3 May 2030 and heard twelve officers, who asked for longer leave and",
        "for better food in the winter quarters.",
        "By Sunday evening the council had closed its doors, the clerk said.",
        "Por Ana Prado",
    ]
    (found,) = reader.take_apart(pdf_of([lines]), "a.pdf")
    assert [b.text[:20] for b in found.blocks] == [x[:20] for x in (lines[0], lines[1], lines[3], lines[4])]


def test_room_between_lines_of_a_pdf_ends_a_paragraph(reader: DocumentReader) -> None:
    line = "Of the 730 only 95 have papers, and a lawyer said that a hearing takes seven months."
    (found,) = reader.take_apart(pdf_of([[line, line[:60], "", line, "", line]]), "a.pdf")
    assert [b.text for b in found.blocks] == [f"{line} {line[:60]}", line, line]


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("en", "By Sunday evening the council had closed its doors, the clerk said.", "story"),
        ("en", "By Ana Prado", "bio"),
        ("es", "Por Ana Prado", "bio"),
        ("es", "Por la noche del domingo el consejo había cerrado sus puertas, dijo el secretario.", "story"),
    ],
)
def test_a_byline_is_names(language: str, text: str, kind: str) -> None:
    story = "The council met and heard twelve officers there."
    blocks = [Block(story), Block(text), Block(f"{story} It met again.")]
    told = paragraphs_of(blocks, table(language))
    assert told[1].kind == kind


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    told = "reading it needs the library trafilatura; in a checkout of Breakrank: python3 bootstrap.py setup"
    assert str(child.answer(b"<p>146 soldiers</p>", "a.html")["refused"]).startswith(told)
    assert child.answer(b"146 soldiers", "a.txt")["documents"]
