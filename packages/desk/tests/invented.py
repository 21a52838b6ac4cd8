"""The invented reports: read once, with what a reader finds in them; and a PDF of some lines."""

import datetime as dt
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import yaml

from breakrank_desk.library import text_of
from breakrank_desk.normal import sha256
from breakrank_desk.reading.parent import DocumentReader
from breakrank_desk.texts import Text

REPORTS = Path(__file__).parent / "reports"


@dataclass(frozen=True)
class Expected:
    text: Text
    story: int
    figures: list[tuple[float, float, str]]


@lru_cache(maxsize=1)
def invented() -> dict[str, Expected]:
    out = {}
    with DocumentReader() as reader:
        for e in yaml.safe_load((REPORTS / "expected.yaml").read_text(encoding="utf-8")):
            data, found = reader.read(REPORTS / e["file"])
            made = text_of(found[0], e["id"], sha256(data))
            day = e["date"] if isinstance(e["date"], dt.date) else dt.date.fromisoformat(e["date"])
            figures = [(float(a), float(b), unit) for a, b, unit in e["figures"]]
            out[e["id"]] = Expected(replace(made, date=day, outlet=e["outlet"]), e["story"], figures)
    return out


def ids() -> list[str]:
    return [e["id"] for e in yaml.safe_load((REPORTS / "expected.yaml").read_text(encoding="utf-8"))]


def pdf_of(pages: list[list[str]]) -> bytes:
    def text(lines: list[str]) -> bytes:
        body = "BT /F1 11 Tf 14 TL 60 780 Td\n"
        for line in lines:
            safe = line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            body += f"({safe}) Tj T*\n"
        return (body + "ET").encode("cp1252")

    objects = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * k} 0 R" for k in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode())
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    for k, lines in enumerate(pages):
        fonts = "<< /Font << /F1 3 0 R >> >>"
        box = "/MediaBox [0 0 595 842]"
        page = f"<< /Type /Page /Parent 2 0 R {box} /Resources {fonts} /Contents {5 + 2 * k} 0 R >>"
        objects.append(page.encode())
        stream = text(lines)
        objects.append(b"<< /Length %d >>\nstream\n" % len(stream) + stream + b"\nendstream")
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % o for o in offsets)
    start = len(out)
    count = len(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % count + table
    return out + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, start)
