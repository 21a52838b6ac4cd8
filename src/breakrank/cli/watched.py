"""The runs of a question, made under the eyes of whoever watches the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.cli.progress import carried_out
from breakrank.runs.making import Making
from breakrank.show.terminal import note, wrapped

if TYPE_CHECKING:
    from breakrank.cli.options import RunOptions
    from breakrank.runs.carry_out import Account
    from breakrank.runs.memory_store import AnyStore
    from breakrank.runs.scenario import NamedChanges
    from breakrank.runs.study import Study
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
        self._where, self._quiet, self._said = where, quiet, False

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
        """Carry a study out; see :func:`carried_out`."""
        again = bool(self.accounts)  # most of its runs may be those of the study before
        account = carried_out(study, store, what, self._where, self._quiet, again=again, simulator=simulator)
        self._said |= account.interrupted and store.folder is not None
        return account

    def remark(self, *remarks: object) -> None:
        """Say something on standard error, unless nobody wants to hear it."""
        lines = () if self._quiet else (line for one in remarks for line in str(one).splitlines())
        for line in lines:
            text = line.lstrip()
            note(wrapped(text, len(line) - len(text)))
