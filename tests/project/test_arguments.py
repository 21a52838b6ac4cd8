"""A function takes at most eight arguments: what travels together is one object.

The model's own code is left out, whose kernels are held to their own rule.
"""

from __future__ import annotations

import ast
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "breakrank"
MOST = 8
MODEL = ("force", "engine", "mechanisms")
PROMISED = {
    "questions/calibrate/calibrate.py:calibrate",
    "questions/explain/explain.py:explain",
    "questions/plan/plan.py:plan",
    "questions/validate/validate.py:validate",
    "runs/ensemble.py:simulate",
}
"""Questions as they are asked from Python, by keyword."""
CHARTS = {"questions/plan/fans.py:fan_with", "show/fan.py:fan"}
"""What of a chart can be chosen, by keyword."""
PUBLISHED = {"classics/epstein.py:civil_violence"}
"""The parameters of a published model, by keyword."""


def found() -> set[str]:
    """Return the functions with more arguments."""
    out = set()
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE)
        if name.parts[0] in MODEL or name.stem.startswith("kernel"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                if len([one for one in every if one.arg not in ("self", "cls")]) > MOST:
                    out.add(f"{name.as_posix()}:{node.name}")
    return out


def test_more_arguments_are_taken_only_by_keyword_where_they_are_promised() -> None:
    assert found() == PROMISED | CHARTS | PUBLISHED
