"""What Windows lacks is not needed: the same calls without the modules and functions that only POSIX has."""

import ast
import os
import re
from pathlib import Path

import pytest

from breakrank import new_case
from tests.programs import python
from tests.project.trees import DESK, PACKAGE, nodes, sources

SOURCES = (PACKAGE.parent, DESK.parent)
FILES = {**sources(), **sources(DESK)}
POSIX = ("fcntl", "grp", "posix_ipc", "pwd", "resource", "syslog", "termios", "tty")
"""Modules that Windows lacks."""
BARE = """
import importlib.abc, os, selectors, signal, subprocess, sys

import numpy, platformdirs  # which look at the system they are really on

class Lacking(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in {lacking!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

for name in {lacking!r}:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Lacking())
for name in ("fork", "forkpty", "getloadavg", "getpgid", "getuid", "geteuid", "killpg", "nice", "setsid",
             "sched_getaffinity", "sysconf", "posix_fallocate", "mkfifo", "O_NOFOLLOW"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGHUP", "SIGUSR1", "SIGUSR2", "SIGQUIT", "SIGXCPU", "pthread_sigmask"):
    if hasattr(signal, name):
        delattr(signal, name)

def refuse(*_):
    raise OSError(10038, "an operation was attempted on something that is not a socket")

selectors.DefaultSelector.register = refuse
"""
REPORT = "RIVER TOWN, 2 April 2025. Some 240 soldiers have crossed the bridge since 23 February, he said.\n"


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that takes away, from every Python that finds it, what Windows lacks."""
    folder = tmp_path_factory.mktemp("bare")
    (folder / "sitecustomize.py").write_text(BARE.format(lacking=POSIX), "utf-8")
    return folder


@pytest.mark.slow
def test_studies_results_and_the_desk_need_nothing_that_windows_lacks(bare: Path, tmp_path: Path) -> None:
    new_case(tmp_path / "small", full=True)
    (tmp_path / "report.txt").write_text(REPORT, "utf-8")
    calls = (
        ("run", "small", "--runs", "1", "--workers", "1", "--store", "store", "--out", "out", "--quiet"),
        ("store", "list", "store"),
        ("desk", "read", "small", "report.txt", "--outlet", "Valley", "--date", "2025-04-02"),
    )
    code = f"from breakrank.cli import main; import sys; sys.exit(max(main(call) for call in {calls!r}))"
    path = os.pathsep.join(map(str, (bare, *SOURCES)))
    assert "Text r00" in python("-c", code, folder=tmp_path, env=os.environ | {"PYTHONPATH": path})
    assert not (tmp_path / "small" / ".lock").exists()


def test_no_module_that_windows_lacks_is_imported_where_a_module_begins() -> None:
    wanted = re.compile(rf"^(?:import|from) (?:{'|'.join(POSIX)})\b", re.M)
    assert wanted.search("import os\nimport resource\n")
    for path, text in FILES.items():
        assert not wanted.search(text), path


def test_files_are_read_and_written_as_utf_8_whatever_the_system_prefers() -> None:
    """That is, `read_text` and `write_text` name it."""
    for path, text in FILES.items():
        if "read_text" not in text and "write_text" not in text:
            continue
        for node in nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                named = {word.arg for word in node.keywords}
                given = len(node.args) - (node.func.attr == "write_text")
                if node.func.attr in ("read_text", "write_text"):
                    assert given > 0 or "encoding" in named, f"{path}:{node.lineno}"
