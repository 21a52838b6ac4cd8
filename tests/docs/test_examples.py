"""Examples of sessions in the docs give what they say; cells of tutorials are run as the docs are built."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```\{doctest\}\n(.*?)^```", re.M | re.S)
OTHER = re.compile(r"^(?:```|:::)\{(?:testcode|testsetup|testoutput)\}", re.M)


def test_examples_in_the_text_give_what_they_say() -> None:
    tried = 0
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        assert not OTHER.search(text), f"{page}: only blocks of doctest are tried here"
        names: dict[str, object] = {}  # which the blocks of a page share
        for block in BLOCK.finditer(text):
            line = text.count("\n", 0, block.start())
            found = doctest.DocTestParser().get_doctest(block[1], names, page.name, str(page), line)
            told: list[str] = []
            result = doctest.DocTestRunner(verbose=False).run(found, out=told.append, clear_globs=False)
            assert not result.failed, "".join(told)
            names, tried = found.globs, tried + result.attempted
    assert tried >= 6
