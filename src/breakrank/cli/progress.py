"""Progress of long work, on standard error and only where someone watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from breakrank.show.terminal import note, visible


@contextmanager
def watched(what: str, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Give a function to call with (done, all) that moves a bar, or ``None`` where there is no terminal.

    Says in one line when the model has still to be compiled for this machine, which happens once.
    """
    if quiet:
        yield None
        return
    tell_of_compiling()
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(visible(what), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def tell_of_compiling() -> None:
    """Say in one line when the model has still to be compiled for this machine."""
    from breakrank.runs.compiling import compiled

    if not compiled():
        note("compiling the model for this machine; this happens once and takes two to five minutes")
