"""A function takes at most eight arguments: what travels together is one object."""

from __future__ import annotations

import ast
from functools import cache

from tests.project.trees import DESK, PACKAGE, nodes, sources

MOST = 8
COMPILED = ("kernel", "lean", "njit")
"""Decorators of compiled functions, which take columns one by one where a table would cost time."""
MOST_COMPILED = 15
"""How many compiled functions may take more; none is to be added."""
PROMISED = {"inference/calibration.py:ensemble_of", "runs/carry_out.py:simulate"}
"""Questions as they are asked from Python: by keyword, with defaults."""


@cache
def longer() -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return the functions with more arguments."""
    out = {}
    for package, path in [(each, path) for each in (PACKAGE, DESK) for path in sources(each)]:
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                if len([one for one in every if one.arg not in ("self", "cls")]) > MOST:
                    out[f"{path.relative_to(package).as_posix()}:{node.name}"] = node
    return out


def is_compiled(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Say whether a function is compiled."""
    return any(ast.unparse(each).split("(")[0] in COMPILED for each in node.decorator_list)


def test_more_arguments_are_taken_only_by_keyword_where_they_are_promised() -> None:
    found = {name: node for name, node in longer().items() if not is_compiled(node)}
    assert set(found) == PROMISED
    for name, node in found.items():
        args = node.args
        assert len(args.posonlyargs + args.args) - len(args.defaults) <= 2, name
        assert all(default is not None for default in args.kw_defaults), name


def test_few_compiled_functions_take_more() -> None:
    assert len([name for name, node in longer().items() if is_compiled(node)]) <= MOST_COMPILED


def test_no_table_of_a_mechanism_is_built_by_position() -> None:
    """Numbers of one type beside each other could be swapped and nothing would say so."""
    tables = {
        node.name
        for path in sources()
        for node in nodes(path)
        if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "Table" for base in node.bases)
    }
    assert len(tables) > 40
    by_position = [
        f"{path.relative_to(PACKAGE).as_posix()}:{node.lineno}"
        for path in sources()
        for node in nodes(path)
        if path.is_relative_to(PACKAGE / "mechanisms") and isinstance(node, ast.Call) and node.args
        if isinstance(node.func, ast.Name) and node.func.id in tables
    ]
    assert not by_position
