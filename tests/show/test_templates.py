"""The pages of questions share one base and one set of parts."""

from __future__ import annotations

import re
from importlib import resources

import pytest

ASSETS = {p.name: p.read_text("utf-8") for p in (resources.files("breakrank.show") / "assets").iterdir()
          if p.name.endswith(".j2")}  # fmt: skip
PAGES = sorted(name for name in ASSETS if name not in ("base.html.j2", "parts.html.j2"))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_built_on_the_base(name: str) -> None:
    assert ASSETS[name].startswith('{% extends "base.html.j2" %}')
    assert "<!doctype" not in ASSETS[name]


def test_no_line_of_markup_and_no_part_is_written_twice() -> None:
    parts = [part for text in ASSETS.values() for part in re.findall(r"macro (\w+)\(", text)]
    assert len(parts) == len(set(parts))
    lines = [line for text in ASSETS.values() for line in set(text.splitlines()) if len(line) > 80]
    assert {line for line in lines if lines.count(line) > 1} == set()
