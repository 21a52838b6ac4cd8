"""The command line. Each command is a thin file: it calls the same functions a notebook calls, and prints.

Nothing heavy is imported until a command that needs it runs, so that help answers at once.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

__all__ = ["main"]

_INTERRUPTED = 130  # as in breakrank.cli.options, which an interrupt may keep from being imported


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; see :func:`breakrank.cli.app.main`.

    An interrupt during the first imports ends as quietly as a later one.
    """
    gc.set_threshold(50_000)  # imports make no garbage, and looking for it 600 times takes half a second
    try:
        from breakrank.cli.app import main as run

        return run(arguments)
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("breakrank: interrupted\n")
        return _INTERRUPTED
