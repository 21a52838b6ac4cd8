"""The committed pages of the reference say what the code says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from breakrank.case.content import FILES
from breakrank.case.examination import FILE, TABLE
from tools.reference import PAGES, page

DOCS = Path(__file__).parents[2] / "docs"
GENERATED = DOCS / "reference" / "generated"


@pytest.mark.parametrize("name", PAGES)
def test_a_committed_page_is_fresh(name: str) -> None:
    committed = (GENERATED / f"{name}.inc.md").read_text(encoding="utf-8")
    assert committed == page(name), "build the documentation, or call tools/reference.py, and commit the page"


def test_what_a_page_includes_is_committed_or_said_to_be_built() -> None:
    for one in DOCS.rglob("*.md"):
        text = one.read_text(encoding="utf-8")
        missing = set(re.findall(r"^```{include} .*/(.+)\.inc\.md$", text, re.M)) - {*PAGES}
        said = "is written when the documentation is built" in " ".join(text.split())
        assert said or not missing, f"whoever reads {one} without building it finds an empty section"


@pytest.mark.parametrize("file", [*FILES, FILE])
def test_every_key_of_a_file_of_a_case_is_explained(file: str) -> None:
    schema = {**FILES, FILE: TABLE}[file].json_schema(by_alias=True)
    for part in (schema, *schema.get("$defs", {}).values()):
        for key, value in part.get("properties", {}).items():
            assert value.get("description"), f"{file}: {key}"
