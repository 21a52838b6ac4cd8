"""Web archives: each page that a server answered with, as a document of its own."""

from __future__ import annotations

import io
from collections.abc import Iterator

from breakrank_desk.reading.limits import DOCUMENTS, FILE_BYTES, UNPACKED_BYTES
from breakrank_desk.reading.refused import RefusedError, unless_broken


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
