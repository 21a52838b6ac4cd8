"""The invented reports: read once, with what a reader finds in them."""

from __future__ import annotations

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
