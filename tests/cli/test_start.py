"""Help and version answer at once; nothing in the folder that a user happens to stand in is run."""

import sys
from pathlib import Path

import pytest

import breakrank
from tests.cli.conftest import ended, process
from tests.new_cases import full_case

HEAVY = ("altair", "networkx", "numba", "numpy", "pandas", "pyarrow", "pydantic", "yaml", "scipy", "xarray")


def test_help_and_version_import_nothing_heavy(tmp_path: Path) -> None:
    script = f"""
import sys
from breakrank.cli import main
for words in ("--help", "run --help", "compare --help", "--version"):
    assert main(words.split()) == 0
sys.exit(" ".join(m for m in {HEAVY} if m in sys.modules) or None)
"""
    done = ended([sys.executable, "-c", script], tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1] == breakrank.__version__


NAMES = ("__future__", "json", "lxml", "multiprocessing", "numpy", "pickle", "trafilatura", "typing")


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """Return a folder that somebody filled with modules that libraries are called like."""
    full_case(tmp_path / "mine")
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write('{name} ')\n")
    (tmp_path / "a.html").write_text("<p>On 3 March 2025 the ministry counted 146 soldiers abroad.</p>")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "mine", "--runs", "2", "--until", "2025-01-05", "--workers", "2", "--quiet", "--out", "out"),
        ("desk", "read", "mine", "a.html"),
    ],
)
def test_modules_in_the_current_folder_are_not_imported(filled: Path, arguments: tuple[str, ...]) -> None:
    done = process(*arguments, folder=filled)
    assert (done.code, done.err) == (0, "")
    assert not (filled / "ran").exists(), (filled / "ran").read_text()


USES_BESIDE = """
import os
import breakrank
from beside import runs

class Model:
    pass

if __name__ == "__main__":
    result = breakrank.simulate(breakrank.load_case("mine").until("2025-01-03"), runs=runs(), workers=2)
    print(result.runs, "PYTHONSAFEPATH" in os.environ)
"""


def test_a_script_uses_what_stands_beside_it_and_its_environment_stays(tmp_path: Path) -> None:
    full_case(tmp_path / "mine")
    (tmp_path / "beside.py").write_text("def runs():\n    return 3\n")
    (tmp_path / "script.py").write_text(USES_BESIDE)
    done = ended([sys.executable, "script.py"], tmp_path)
    assert (done.out, done.err) == ("3 False\n", "")
