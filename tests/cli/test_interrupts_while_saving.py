"""Ctrl-C while a result is being written, what has finished is kept and said; and while a library works."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from breakrank.cli.run import _saved
from tests.cli.conftest import ended

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")


class Saving:
    """A result whose saving is interrupted so many times."""

    def __init__(self, interrupts: int) -> None:
        self.interrupts = interrupts
        self.whole = False

    def save(self, _folder: Path) -> None:
        for _ in range(self.interrupts):
            os.kill(os.getpid(), signal.SIGINT)
        self.whole = True


@pytest.mark.parametrize(("interrupts", "goes_on"), [(0, True), (1, False)])
def test_one_interrupt_waits_until_all_is_saved(interrupts: int, goes_on: bool, tmp_path: Path) -> None:
    result: Any = Saving(interrupts)
    assert _saved(result, [tmp_path]) is goes_on
    assert result.whole


def test_a_second_interrupt_breaks_off(tmp_path: Path) -> None:
    result: Any = Saving(2)
    with pytest.raises(KeyboardInterrupt):
        _saved(result, [tmp_path])
    assert not result.whole


LOST = """
import sys, time
import breakrank.cli, breakrank.cli.app

class Library:
    def __del__(self):
        raise KeyboardInterrupt

def main(arguments):
    library = Library()
    del library
    time.sleep(30)

breakrank.cli.app.main = main
sys.exit(breakrank.cli.main())
"""


def test_an_interrupt_that_compiled_code_of_a_library_loses_is_sent_again(tmp_path: Path) -> None:
    """An interrupt while Pydantic made a class printed a traceback, and the command went on."""
    done = ended([sys.executable, "-c", LOST], tmp_path)
    assert (done.code, done.err) == (130, "breakrank: interrupted\n")
