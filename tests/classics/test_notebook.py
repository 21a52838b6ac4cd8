"""The notebook runs as a teacher runs it, and every table in it is what the models say today."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "examples" / "classics" / "classics.ipynb"


def told(notebook: nbformat.NotebookNode) -> list[str]:
    """Return what its cells show as text."""
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [output["data"]["text/plain"] for output in shown]


@pytest.mark.slow
def test_the_notebook_shows_what_it_gives() -> None:
    kept = nbformat.read(NOTEBOOK, as_version=4)
    again = deepcopy(kept)
    NotebookClient(again, timeout=600, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    assert told(again) == told(kept)
    assert sum("known" in text for text in told(kept)) == 4, "each classic beside its known answers"
