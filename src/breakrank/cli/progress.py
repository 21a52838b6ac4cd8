"""A study as it goes, on standard error where someone watches: done, failed, rate, time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from breakrank.runs.carry_out import Making, carry_out
from breakrank.show.terminal import clock, note, visible, wrapped

if TYPE_CHECKING:
    from pathlib import Path

    from breakrank.cli.options import RunOptions
    from breakrank.runs.carry_out import Account, StudyProgress, Watch
    from breakrank.runs.store import AnyStore
    from breakrank.runs.study import NamedChanges, Study
    from breakrank.runs.worker import Simulator


class WatchedMaking(Making):
    """Makes the runs of a question under the eyes of whoever watches.

    Parameters
    ----------
    folder : store of the runs; ``None`` for one in memory.
    where, quiet : as typed. changes : made to the case. command : the call that asks.
    """

    keeps = True
    """Whether a store can be named."""

    def __init__(
        self, folder: Path | None, where: RunOptions, changes: NamedChanges, command: str, quiet: bool
    ) -> None:
        super().__init__(folder, where.backend, where.workers, changes=changes, command=command)
        self._quiet, self._said = quiet, False

    def __exit__(self, kind: type[BaseException] | None, *more: object) -> None:
        """Say after Ctrl-C what is kept, unless it was said of the runs that it stopped."""
        super().__exit__(kind, *more)
        stopped = kind is not None and issubclass(kind, KeyboardInterrupt)
        if not (stopped and self.keeps) or self._said:
            return
        if self.folder is None:
            note("breakrank: nothing is kept; with --store FOLDER, the same call goes on where it stopped")
        else:
            note(f"breakrank: what is finished is kept in {self.folder}; the same call goes on from there")

    def made(self, study: Study, store: AnyStore, what: str, simulator: Simulator | None) -> Account:
        """Carry a study out, and say on standard error what went wrong."""
        with live(what, self._quiet) as watch:
            stops = None if self._quiet else stopping
            account = carry_out(study, store, self.place, watch, stopping=stops, simulator=simulator)
        again = bool(self.accounts)  # most of its runs may be those of the study before
        tell(account, store, self._quiet or again)
        self._said |= account.interrupted and store.folder is not None
        return account

    def remark(self, *remarks: object) -> None:
        """Say something on standard error, unless nobody wants to hear it."""
        lines = () if self._quiet else (line for one in remarks for line in str(one).splitlines())
        for line in lines:
            text = line.lstrip()
            note(wrapped(text, len(line) - len(text)))


def stopping() -> None:
    """Say that what is under way is being finished."""
    note("breakrank: finishing the runs in progress (Ctrl-C again stops at once)")


def tell(account: Account, store: AnyStore, quiet: bool) -> None:
    """Say what was reused, set aside, failed or left open."""
    for damaged in account.aside:
        note(f"breakrank: {damaged}; its runs were made again")
    if account.reused and not quiet:
        where = "kept" if store.folder is None else f"in {store.folder}"  # filters keep their own files
        note(f"{account.reused:,} of {account.asked:,} runs were {where} already")
    if account.failed:
        note(
            f"breakrank: {len(account.failed)} of {account.asked} runs failed; the first: {account.failed[0]}"
        )
        for one in account.failed[1:5]:
            note(f"  {one}")
        if len(account.failed) > 5:
            note(f"  and {len(account.failed) - 5} more")
        if store.folder is not None:
            note(f"  {store.folder} holds their tracebacks (failed.json); the same call tries them again.")
    if account.interrupted and store.folder is not None:
        note(
            f"breakrank: interrupted; {account.finished:,} of {account.asked:,} runs are kept in "
            f"{store.folder}, and the same call continues from there"
        )


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
    """Return a tally in a few words, e.g. ``120/1,000 done, 1 failed, 5.2/s, 2:49 left``."""
    words = [f"{tally.done:,}/{tally.total:,} done"]
    if tally.reused:
        words[0] += f" ({tally.reused:,} were there)"
    if tally.failed:
        words.append(f"{tally.failed:,} failed")
    if tally.rate:
        words.append(f"{tally.rate:.1f}/s" if tally.rate >= 1 else f"{60 * tally.rate:.1f}/min")
    if tally.left is not None and tally.done + tally.failed < tally.total:
        words.append(f"{clock(tally.left)} left")
    return ", ".join(words)
