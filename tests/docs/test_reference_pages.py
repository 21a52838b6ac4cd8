"""The committed pages of the reference say what the code says."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from breakrank.case.content import FILES
from breakrank.case.examination import FILE, TABLE
from tools.reference import PAGES, page

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS / "_ext"))
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


def test_what_stands_behind_a_colon_is_text_and_no_type() -> None:
    from docstrings import Docstring

    def read(*lines: str, **of: str) -> str:
        return "\n".join(Docstring(list(lines), **of).lines())

    attributes = read("Attributes", "----------", "before, left : files open", "    on a day.", "most : one.")
    assert "**before, left** -- files open" in attributes
    assert "**most** -- one." in attributes
    parameters = read("Parameters", "----------", "seed, run : which world;", "    any.")
    assert (
        parameters
        == ":param seed: which world;\n             any.\n:param run: which world;\n            any.\n"
    )
    assert read("Halved: they know.", what="data", name="breakrank.HALF") == "Halved: they know."
    assert ":returns: The rank: the lowest" in read("Returns", "-------", "The rank: the lowest", "of all.")
