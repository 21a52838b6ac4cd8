"""The command line. Each command is a thin file: it calls the same functions a notebook calls, and prints.

Nothing heavy is imported until a command that needs it runs, so that help answers at once.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import Any

__all__ = ["main"]

_INTERRUPTED = 130  # as in breakrank.cli.options, which an interrupt may keep from being imported
_SOON = 0.05
"""Seconds after which an interrupt that was lost is sent again: the library is back from compiled code."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; see :func:`breakrank.cli.app.main`.

    An interrupt during the first imports ends as quietly as a later one.
    """
    gc.set_threshold(50_000)  # imports make no garbage, and looking for it 600 times takes half a second
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = _interrupt_again
    try:
        from breakrank.cli.app import main as run

        return run(arguments)
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("breakrank: interrupted\n")
        return _INTERRUPTED


def _interrupt_again(lost: Any) -> None:  # noqa: ANN401 (what Python hands over, of no public class)
    """Send an interrupt again that struck Python within compiled code of a library, which cannot raise it."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    import _thread
    import os
    import signal
    import threading

    def send() -> None:
        if os.name == "posix":
            os.kill(os.getpid(), signal.SIGINT)
        else:
            _thread.interrupt_main()

    again = threading.Timer(_SOON, send)
    again.daemon = True
    again.start()
