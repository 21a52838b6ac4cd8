"""The sources of both packages, read and parsed once for all tests that look at them."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "breakrank"
DESK = ROOT / "packages" / "desk" / "src" / "breakrank_desk"


@cache
def sources(package: Path = PACKAGE) -> dict[Path, str]:
    """Return the text of each file of a package."""
    return {path: path.read_text("utf-8") for path in sorted(package.rglob("*.py"))}


@cache
def parsed(path: Path) -> ast.Module:
    """Return the tree of a file; nobody may change it."""
    return ast.parse(sources(DESK if path.is_relative_to(DESK) else PACKAGE)[path])


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Return everything in the tree of a file."""
    return list(ast.walk(parsed(path)))
