"""Help and version answer at once, because nothing heavy is imported for them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import breakrank
from tests.cli.conftest import ended, process

HEAVY = ("altair", "networkx", "numba", "numpy", "pandas", "pyarrow", "pydantic", "yaml", "scipy", "xarray")


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["compare", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str], tmp_path: Path) -> None:
    script = (
        "import sys; from breakrank.cli import main; code = main(sys.argv[1:]);"
        f" sys.exit(code or ' '.join(m for m in {HEAVY} if m in sys.modules) or None)"
    )
    done = ended([sys.executable, "-c", script, *arguments], tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out


def test_version(tmp_path: Path) -> None:
    done = process("--version", folder=tmp_path)
    assert (done.code, done.out.strip(), done.err) == (0, breakrank.__version__, "")


def test_help_breaks_where_the_terminal_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text of a docstring flows as one, and an empty default is none."""
    monkeypatch.setenv("COLUMNS", "110")
    shown = process("compare", "--help", folder=tmp_path).out
    assert "figures too. A change that acts before the last figure leaves members aside: then" in shown
    assert shown.startswith("Usage: breakrank compare ")
    assert 'default: ""' not in process("case", "new", "--help", folder=tmp_path).out
