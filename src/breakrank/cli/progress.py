"""A study as it goes, on standard error where someone watches: done, failed, rate, time left, memory."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from breakrank.show.terminal import clock, note, visible

if TYPE_CHECKING:
    from breakrank.runs.study_progress import StudyProgress, Watch

OFTEN = 0.1
"""Seconds between two looks."""
FIRST_LINE, NEXT_LINES = 20.0, 60.0
"""Seconds until a line tells how far a study is where there is no terminal, and between two of them."""


@contextmanager
def live(what: str, quiet: bool) -> Iterator[Watch | None]:
    """Give a function to call with a tally: it moves a bar, or writes a line a minute without a terminal.

    Says, to the quiet too, when the model has still to be compiled.
    """
    from breakrank.runs.compiling import compilation_told

    with compilation_told(), _shown(what, quiet) as watch:
        yield watch


@contextmanager
def _shown(what: str, quiet: bool) -> Iterator[Watch | None]:
    if quiet:
        yield None
        return
    if not sys.stderr.isatty():
        yield _in_lines(what)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[told]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(visible(what), total=None, told="")
        last = 0.0

        def watch(tally: StudyProgress) -> None:
            nonlocal last
            now = time.monotonic()
            ended = tally.done + tally.failed
            if now - last < OFTEN and ended < tally.total:
                return
            last = now
            bar.update(task, completed=ended, total=tally.total, told=told(tally))

        yield watch


def _in_lines(what: str) -> Watch:
    """Return what writes a line on standard error after a while, and then every minute."""
    due = time.monotonic() + FIRST_LINE

    def watch(tally: StudyProgress) -> None:
        nonlocal due
        if time.monotonic() >= due and tally.done + tally.failed < tally.total:
            due = time.monotonic() + NEXT_LINES
            note(f"{visible(what)}: {told(tally)}")

    return watch


def told(tally: StudyProgress) -> str:
    """Return a tally in a few words, e.g. ``120/1,000 done, 1 failed, 5.2/s, 2:49 left, 410 MB``."""
    words = [f"{tally.done:,}/{tally.total:,} done"]
    if tally.reused:
        words[0] += f" ({tally.reused:,} were there)"
    if tally.failed:
        words.append(f"{tally.failed:,} failed")
    if tally.rate:
        words.append(f"{tally.rate:.1f}/s" if tally.rate >= 1 else f"{60 * tally.rate:.1f}/min")
    if tally.left is not None and tally.done + tally.failed < tally.total:
        words.append(f"{clock(tally.left)} left")
    if tally.memory:
        words.append(f"{tally.memory / 1e6:,.0f} MB in {tally.workers} worker{'s' * (tally.workers != 1)}")
    return ", ".join(words)
