"""Hostile files: each gives a text or a clear error, within the limits, and the reader goes on."""

import gzip
import random
import time
from collections import Counter
from collections.abc import Callable

import pytest

from breakrank_desk.dates import date_spans
from breakrank_desk.figures import figures
from breakrank_desk.languages import nearest_table
from breakrank_desk.library import text_of
from breakrank_desk.reading.limits import BLOCKS
from breakrank_desk.reading.parent import DocumentReader, ReadError
from packages.desk.tests.invented import REPORTS, pdf_of
from packages.desk.tests.test_reading import warc_of

FEW, MANY = 300, 5_000
MARKS = [
    *(
        b"<div>" * 80,
        b"\xff\xfe",
        b"</p>",
        b"\x00",
        "\u202e".encode(),
        b"obj\n",
        b"stream\n",
        b"/Length 99999999",
    ),
    *(b"%PDF-1.4", b"Content-Type: text/html\n\n", b"WARC/1.0\r\n", b"--x\n", b"<script>", b"<!--", b"&#x0;"),
    *(
        b"1" * 400,
        b"a " * 300,
        b'"' * 50,
        b"nearly " * 20,
        b"two hundred and " * 15,
        b"\xc3\x28",
        b"xref\n0 1\n",
    ),
]


def seeds() -> list[tuple[str, bytes]]:
    page = (REPORTS / "en-barracks.html").read_bytes()
    lines = [f"Some {k} soldiers crossed the river on Sunday, witnesses said." for k in range(10, 30)]
    out = [(f.name, f.read_bytes()) for f in sorted(REPORTS.iterdir())]
    archive = warc_of(page, page)
    return [
        *out,
        ("a.pdf", pdf_of([lines, lines])),
        ("a.warc", archive),
        ("a.warc.gz", gzip.compress(archive)),
    ]


def broken(data: bytes, luck: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(luck.randint(1, 8)):
        at, what = luck.randrange(len(out) + 1), luck.randrange(6)
        if what == 0:
            out[at : at + luck.randint(1, 200)] = b""
        elif what == 1:
            out[at:at] = luck.choice(MARKS)
        elif what == 2:
            out[at:at] = luck.randbytes(luck.randint(1, 40))
        elif what == 3:
            out = out[:at]
        elif what == 4:
            end = min(len(out), at + luck.randint(1, 400))
            out[at:at] = out[at:end] * luck.randint(1, 4)
        elif at < len(out):
            out[at] = luck.randrange(256)
    return bytes(out)


def ended(reader: DocumentReader, data: bytes, name: str) -> str:
    """Return why a file is not read; nothing where it is, all of its figures looked for."""
    try:
        texts = [text_of(found, "x", "") for found in reader.take_apart(data, name)]
    except ReadError as error:
        return str(error)
    for text in texts:
        assert len(text.paragraphs) <= BLOCKS
        words = nearest_table(text.language)
        for p in text.story:
            figures(p.text, words, date_spans(p.text, words))
    return ""


def fuzzed(count: int, seed: int) -> Counter[str]:
    luck, tried = random.Random(seed), seeds()
    ends: Counter[str] = Counter()
    with DocumentReader() as reader:
        for _ in range(count):
            name, data = luck.choice(tried)
            began = time.process_time()
            told = ended(reader, broken(data, luck), name)
            assert "cannot be taken apart" not in told, told
            ends["refused" if told else "read"] += 1
            assert time.process_time() - began < 20
    return ends


def test_some_broken_files() -> None:
    ends = fuzzed(FEW, 7)
    assert min(ends["read"], ends["refused"]) > FEW / 20


@pytest.mark.thorough
def test_many_broken_files() -> None:
    ends = fuzzed(MANY, 11)
    assert min(ends["read"], ends["refused"]) > MANY / 20


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("nested.html", lambda: b"<html>" + b"<span>" * 200_000),
        ("paragraphs.html", lambda: b"<html><body>" + b"<p>Some 80 soldiers crossed.</p>" * 400_000),
        ("words.txt", lambda: b"two hundred and " * 250_000),
        ("line.txt", lambda: b"a" * 3_000_000),
        ("quotes.txt", lambda: b'"Nearly 1,000 troops," he said. ' * 60_000),
        ("commas.txt", lambda: b"1,000," * 400_000),
        ("bomb.warc.gz", lambda: gzip.compress(b"WARC/1.0\r\n" + bytes(200_000_000))),
    ],
)
def test_costly_files_end_within_the_limits(name: str, made: Callable[[], bytes]) -> None:
    data = made()
    began = time.process_time()
    with DocumentReader() as reader:
        told = ended(reader, data, name)
    assert not told or name in told
    assert time.process_time() - began < 30
