"""Text out of bytes: UTF-8, UTF-16 or Windows 1252, whichever program wrote it."""

from __future__ import annotations

import codecs

MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""What stands at the start of a file and names its encoding."""


def decoded(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Return bytes as text, and what was unusual about them.

    What is no UTF-8 is read as Windows 1252. Bytes that are no text there either become U+FFFD.
    """
    for mark, name in MARKS.items():
        if data.startswith(mark):
            return data.decode(name, "replace"), ()
    for name, zeros in (("utf-16-le", data[1:200:2]), ("utf-16-be", data[:200:2])):
        if zeros and not any(zeros):
            return data.decode(name, "replace"), ()
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace"), ("not UTF-8; read as Windows 1252",)
