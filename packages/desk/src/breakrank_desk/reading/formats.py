"""Which format a file has, by its first bytes, and taking it apart. Runs in the child process."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parsedate_to_datetime

from breakrank_desk.normal import visible
from breakrank_desk.reading.html import read_html
from breakrank_desk.reading.limits import (
    BLOCKS,
    CHARACTERS,
    DOCUMENTS,
    FILE_BYTES,
    UNPACKED_BYTES,
    RefusedError,
    unless_broken,
)
from breakrank_desk.reading.pdf import read_pdf
from breakrank_desk.reading.plain import read_plain
from breakrank_desk.texts import Block, Extract, Guess


def pages_of(data: bytes) -> Iterator[tuple[str, bytes, str]]:
    """Yield the address, the bytes and the day of storing of each page in a web archive.

    Raises
    ------
    RefusedError
        for a broken archive, or one that unfolds to too much.
    """
    from warcio.archiveiterator import ArchiveIterator

    total = count = 0
    with unless_broken("archive"):
        for record in ArchiveIterator(io.BytesIO(data)):
            if record.rec_type != "response":
                continue
            kind = (record.http_headers.get_header("Content-Type") or "") if record.http_headers else ""
            if "html" not in kind.lower():
                continue
            body = record.content_stream().read(FILE_BYTES + 1)
            total += len(body)
            count += 1
            if len(body) > FILE_BYTES or total > UNPACKED_BYTES or count > DOCUMENTS:
                raise RefusedError("the archive unfolds to more than is read")
            address = str(record.rec_headers.get_header("WARC-Target-URI") or "")[:500]
            yield address, body, str(record.rec_headers.get_header("WARC-Date") or "")[:10]


MOST_PARTS = 100


def read_mail(data: bytes) -> Extract:
    """Return the blocks of a message, its subject as head, and its day as a guess.

    Raises
    ------
    RefusedError
        for a message without a text, or that cannot be taken apart.
    """
    with unless_broken("message"):
        message = message_from_bytes(data, policy=policy.default)
        names, parts = _attached(message)
        body = message.get_body(("plain", "html")) if parts <= MOST_PARTS else None
        payload = body.get_payload(decode=True) if body is not None else None
        html = body is not None and body.get_content_type() == "text/html"
        charset = (body.get_content_charset() or "utf-8") if body is not None else "utf-8"
        subject = " ".join(str(message.get("subject", "")).split())[:300]
        when = _day(message)
    if not isinstance(payload, bytes):
        raise RefusedError("the message has no text")
    inner = (read_html if html else read_plain)(_utf8(payload, charset))
    blocks = ((Block(subject, "head"),) if subject else ()) + inner.blocks
    told = inner.told + tuple(f"attachment not read: {name}" for name in names[:20])
    return Extract("mail", inner.version, blocks, when + inner.guesses, told)


def _utf8(payload: bytes, charset: str) -> bytes:
    try:
        return payload.decode(charset, "replace").encode("utf-8", "replace")
    except LookupError:
        return payload


def _attached(message: EmailMessage) -> tuple[list[str], int]:
    names, parts = [], 0
    for part in message.walk():
        parts += 1
        if part.is_attachment():
            names.append(str(part.get_filename() or part.get_content_type())[:80])
        if parts > MOST_PARTS:
            break
    return names, parts


def _day(message: EmailMessage) -> tuple[Guess, ...]:
    try:
        day = parsedate_to_datetime(str(message.get("date", "")))
    except (ValueError, TypeError, IndexError, ArithmeticError):
        return ()
    return (Guess("date", day.date().isoformat(), "when the message was sent"),)


_PACKED = {
    b"PK\x03\x04": "a zip archive or an office document",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a rar archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"\xd0\xcf\x11\xe0": "an old office document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\x7fELF": "a program",
    b"MZ\x90": "a program",
}
_MAIL = re.compile(rb"^(?:[A-Za-z][A-Za-z0-9-]*:[^\n]*\n(?:[ \t][^\n]*\n)*){2,}", re.MULTILINE)
_HTML = re.compile(rb"<(?:!doctype html|html|head|body|article|div|p)[\s>]", re.IGNORECASE)


def format_of(data: bytes, name: str) -> str:
    """Return one of html, text, pdf, mail, warc.

    Raises
    ------
    RefusedError
        for archives, pictures, programs and office documents.
    """
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    for mark, what in _PACKED.items():
        if data.startswith(mark):
            raise RefusedError(f"{what} is not read")
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith(b"\x1f\x8b") or start.startswith(b"WARC/"):
        return "warc"
    low = name.lower()
    headed = re.match(
        rb"(?:from|received|return-path|message-id|mime-version|subject|date|to|delivered-to):? ",
        start,
        re.IGNORECASE,
    )
    if low.endswith(".eml") or (headed and _MAIL.match(start) and b"ubject:" in start):
        return "mail"
    if low.endswith((".html", ".htm", ".xhtml")) or _HTML.search(data[:4096]):
        return "html"
    if data[:4096].count(0) and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise RefusedError("it is no text: it holds zero bytes")
    return "text"


def documents_of(data: bytes, name: str) -> Iterator[Extract]:
    """Yield each document of a file: one, or one a page of a web archive.

    Raises
    ------
    RefusedError
        for what is not read.
    """
    kind = format_of(data, name)
    if kind == "warc":
        yield from _archived(data, name)
        return
    yield _clean(_READERS[kind](data), name)


_READERS = {"html": read_html, "pdf": read_pdf, "mail": read_mail, "text": read_plain}


def _archived(data: bytes, name: str) -> Iterator[Extract]:
    if data.startswith(b"\x1f\x8b"):
        inner = _unpacked(data)
        if inner.startswith(b"\x1f\x8b"):
            raise RefusedError("an archive within an archive is not read")
        if not inner.lstrip().startswith(b"WARC/"):
            raise RefusedError("a packed file that is no web archive is not read")
        data = inner
    seen = False
    for address, body, stored in pages_of(data):
        seen = True
        try:
            page = _clean(read_html(body), address or name)
        except RefusedError as error:
            page = Extract("html", "", (), told=(f"not read: {error}",), name=address or name)
        yield replace(
            page, reader="warc", told=(*page.told, f"stored on {stored}; that is no date of publication")
        )
    if not seen:
        raise RefusedError("the archive holds no page")


def _unpacked(data: bytes) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            out = packed.read(UNPACKED_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise RefusedError(f"the packed file is broken ({type(error).__name__})") from None
    if len(out) > UNPACKED_BYTES:
        raise RefusedError("the archive unfolds to more than is read")
    return out


def _clean(found: Extract, name: str) -> Extract:
    """Take hidden characters out, drop what is empty, and tell both."""
    removed, blocks = 0, []
    for block in found.blocks:
        text, count = visible(block.text)
        removed += count
        text = " ".join(text.split())
        if text:
            blocks.append(Block(text, block.hint, block.main))
    told = found.told
    if len(blocks) >= BLOCKS or sum(len(b.text) for b in blocks) >= 0.99 * CHARACTERS:
        told += (f"only its first {BLOCKS:,} blocks or {CHARACTERS:,} characters were read",)
    if removed:
        told += (f"{removed} hidden characters (direction marks, zero-width) removed",)
    if not any(c.isalnum() for b in blocks for c in b.text) and not any("no text" in t for t in told):
        told += ("no text in it",)
    guesses = tuple(replace(g, value=visible(g.value)[0]) for g in found.guesses)
    return replace(found, blocks=tuple(blocks), told=told, name=name, guesses=guesses)
