"""Imports stand at the top of a file, unless an import inside a function saves time or breaks a circle.

It saves time in a file that is loaded at the start (``import breakrank``, the ``--help`` of a command, a
worker, the page), unless what it imports is loaded then anyway. It also does where the import would load a
library that the file does not need otherwise. These are the only reasons, and this is where they are checked.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from breakrank import _HOME as HOME
from tests.project.trees import PACKAGE, nodes, parsed

START = (
    "breakrank",
    "breakrank.page.server",
    "breakrank.runs.batch",
    "breakrank.runs.preload",
    "breakrank.runs.pool_worker",
)
COMMON = {"numpy", "platformdirs", "pydantic", "pydantic_core", "yaml", "rich"}
"""Libraries that are loaded anyway before any question is asked."""


def named(path: Path) -> str:
    """Return the name of the module that a file holds."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {named(path): path for path in PACKAGE.rglob("*.py")}


def targets(node: ast.stmt) -> set[str]:
    """Return the modules that an import loads, with the packages that they lie in."""
    found = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    if isinstance(node, ast.ImportFrom) and node.module:
        each = [f"{node.module}.{alias.name}" for alias in node.names]
        if node.module == "breakrank":  # which looks its public names up when they are asked for
            each = [HOME.get(alias.name, name) for alias, name in zip(node.names, each, strict=True)]
        found = [name if name in MODULES else node.module for name in each]
    parts = [name.split(".") for name in found]
    return {".".join(p[: k + 1]) for p in parts for k in range(len(p) if p[0] == "breakrank" else 1)}


def at_the_top(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run when a module is loaded."""
    for node in body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With):
            yield from at_the_top(node.body)


@cache
def top(name: str) -> set[str]:
    """Return what is loaded directly with a module."""
    if name not in MODULES:
        return set()
    return {target for node in at_the_top(parsed(MODULES[name]).body) for target in targets(node)}


def loaded(roots: Iterable[str]) -> set[str]:
    """Return everything that is loaded with some modules."""
    seen: set[str] = set()
    todo = list(roots)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += top(name)
    return seen


def libraries(modules: set[str]) -> set[str]:
    """Return the libraries among modules that take time to load."""
    return {m for m in modules if m.split(".")[0] not in sys.stdlib_module_names | COMMON | {"breakrank"}}


def needless(name: str, early: dict[str, set[str]]) -> Iterator[str]:
    """Yield the imports inside the functions of a module that save no time."""
    here = loaded([name])
    starts = [start for start in early.values() if name in start]
    for function in nodes(MODULES[name]):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in ast.walk(function):
            if not isinstance(node, ast.Import | ast.ImportFrom) or not {*targets(node)} & MODULES.keys():
                continue
            more = loaded(targets(node))
            there = more <= here or (starts and all(more <= start for start in starts))
            cheap = not starts and not libraries(more) - libraries(here)
            if name not in more and (there or cheap):
                yield f"{name}, line {node.lineno}: {ast.unparse(node)}"


def test_imports_inside_functions_save_time_or_break_a_circle() -> None:
    roots = (*START, *(name for name in MODULES if name.startswith("breakrank.cli")))
    early = {root: loaded([root]) for root in roots}
    names = [name for name in MODULES if not name.startswith("breakrank.desk")]
    assert not [line for name in sorted(names) for line in needless(name, early)]


def test_the_rule_would_notice() -> None:
    assert "breakrank.questions.run.report" not in loaded(["breakrank"])
    assert "altair" in libraries(loaded(["altair"]))
