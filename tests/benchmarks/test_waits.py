"""The edits that the benchmark of waits makes: each can be made, and gives other code."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import breakrank
from benchmarks.waits import EDITS


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_fits_the_code(name: str) -> None:
    file, old, new = EDITS[name]
    text = (Path(breakrank.__file__).parent / file).read_text("utf-8")
    assert text.count(old) == 1
    assert ast.dump(ast.parse(text.replace(old, new))) != ast.dump(ast.parse(text))
