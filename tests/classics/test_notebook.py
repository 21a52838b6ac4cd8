"""Every table in the notebook is what the models say today."""

import ast
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd

NOTEBOOK = Path(__file__).parents[2] / "examples" / "classics" / "classics.ipynb"


def test_the_notebook_shows_what_it_gives() -> None:
    names: dict[str, Any] = {}
    tables = 0
    for cell in nbformat.read(NOTEBOOK, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        *before, last = ast.parse(cell.source).body
        exec(compile(ast.Module(before, []), "a cell", "exec"), names)
        if not cell.outputs:
            exec(compile(ast.Module([last], []), "a cell", "exec"), names)
            continue
        found = eval(compile(ast.Expression(last.value), "a cell", "eval"), names)
        if isinstance(found, pd.DataFrame):
            tables += 1
            assert repr(found) == cell.outputs[0]["data"]["text/plain"]
    assert tables == 4, "each classic beside its known answers"
