"""The committed pages of the reference say what the code says."""

from __future__ import annotations

from pathlib import Path

import pytest

from breakrank.runs.reference import PAGES, page

GENERATED = Path(__file__).parents[2] / "docs" / "reference" / "generated"


@pytest.mark.parametrize("name", PAGES)
def test_a_committed_page_is_fresh(name: str) -> None:
    committed = (GENERATED / f"{name}.inc.md").read_text(encoding="utf-8")
    assert committed == page(name), "build the documentation, or call tools/reference.py, and commit the page"
