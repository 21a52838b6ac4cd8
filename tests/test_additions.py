"""What installed packages add: found by name, imported when called for, and told where it is missing."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from breakrank.errors import UsageError
from breakrank.plugins import COMMANDS, PAGE, SEPARATE, about, addition, additions
from tests.cli.conftest import environment
from tests.programs import Done, ended

MISSING = "breakrank: breakrank-desk is not installed; from a checkout of Breakrank: python -m pip install "
MISSING += "packages/desk\n"
ALONE = """
import importlib.metadata, sys
found = importlib.metadata.entry_points
importlib.metadata.entry_points = lambda **wanted: () if "breakrank" in wanted["group"] else found(**wanted)
from breakrank.cli import main
sys.exit(main(sys.argv[1:]))
"""
"""A call where no other package is installed."""


def offer(folder: Path, package: str, *lines: str) -> None:
    """Install a package that says what it offers, and holds nothing."""
    place = folder / f"{package}-1.dist-info"
    place.mkdir()
    head = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\nSummary: Do {package}.\n"
    (place / "METADATA").write_text(head, "utf-8")
    (place / "entry_points.txt").write_text("\n".join(lines) + "\n", "utf-8")


def process(*arguments: str, code: str = ALONE, path: Path | None = None) -> Done:
    """Call the command line in a fresh process."""
    known = environment()
    known["PYTHONPATH"] = os.pathsep.join([known["PYTHONPATH"], *([] if path is None else [str(path)])])
    return ended(sys.executable, "-c", code, *arguments, env=known)


def test_the_desk_offers_a_command_and_a_view() -> None:
    assert additions(COMMANDS)["desk"].value.startswith("breakrank_desk.")
    assert about(additions(COMMANDS)["desk"]) == "Code reports: read, propose, accept."
    assert list(additions(PAGE)) == list(SEPARATE) == ["desk"]


@pytest.mark.parametrize("arguments", [("desk",), ("ui", "venezuela-2019", "--no-browser", "--desk", ".")])
def test_where_the_desk_is_not_installed_one_line_says_so(arguments: tuple[str, ...]) -> None:
    done = process(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", MISSING)


def test_where_the_desk_is_not_installed_it_is_no_command_in_the_list() -> None:
    listed = process("--help").stdout
    assert "Run a case" in listed
    assert "Code reports" not in listed


def test_the_list_of_commands_imports_no_package(tmp_path: Path) -> None:
    offer(tmp_path, "elsewhere", f"[{COMMANDS}]", "survey = elsewhere:app")
    code = "import sys; from breakrank.cli import main; code = main(sys.argv[1:])"
    code += "; sys.exit(code or 'breakrank_desk' in sys.modules)"
    listed = process("--help", code=code, path=tmp_path)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert {"Do elsewhere.", "Code reports: read, propose, accept."} <= {
        line.strip("│ ").partition(" ")[2].strip() for line in listed.stdout.splitlines()
    }
    called = process("survey", code=code, path=tmp_path)
    assert called.returncode == 2
    assert called.stderr.startswith("breakrank: 'survey' (elsewhere:app) cannot be imported: ModuleNotFound")


def test_a_name_that_two_packages_offer_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("one", "two"):
        offer(tmp_path, package, f"[{COMMANDS}]", f"twice = {package}:app")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError, match=r"several packages offer 'twice' \(breakrank.commands\): \w+:app, "):
        addition(COMMANDS, "desk")
