"""The sources of the package, read and parsed once for all tests that look at them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "breakrank"


@cache
def sources() -> dict[Path, str]:
    """Return the text of each file of the package."""
    return {path: path.read_text("utf-8") for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def parsed(path: Path) -> ast.Module:
    """Return the tree of a file; nobody may change it."""
    return ast.parse(sources()[path])


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Return everything in the tree of a file."""
    return list(ast.walk(parsed(path)))
