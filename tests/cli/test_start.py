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
