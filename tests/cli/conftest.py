"""The command line as a user meets it: in a fresh process, or called here where that is enough."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import programs

SOURCE = Path(__file__).parents[2] / "src"


@dataclass(frozen=True)
class Outcome:
    """What a call left behind."""

    code: int
    out: str
    err: str


Call = Callable[..., Outcome]
"""The command line, called in this process."""


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Call the command line in this process."""
    from breakrank.cli import main

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = main([str(a) for a in arguments])
        return Outcome(code, *capsys.readouterr())

    return run


def command(*arguments: object) -> list[str]:
    """Return the command of a fresh process."""
    return [sys.executable, "-m", "breakrank", *map(str, arguments)]


def environment() -> dict[str, str]:
    """Return the environment of a fresh process, which finds the package as the tests do."""
    return os.environ | {"PYTHONPATH": str(SOURCE), "PYTHONWARNINGS": "error"}


def ended(words: Sequence[str], folder: Path, **variables: str) -> Outcome:
    """Call a program in `folder` and wait for its end."""
    done = programs.ended(*words, folder=folder, env=environment() | variables)
    return Outcome(done.returncode, done.stdout, done.stderr)


def process(*arguments: object, folder: Path) -> Outcome:
    """Call the command line in a fresh process in `folder`."""
    return ended(command(*arguments), folder)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a new case, small enough to run in an instant."""
    from tests.new_cases import without_priors

    return without_priors(tmp_path_factory.mktemp("cases") / "small")
