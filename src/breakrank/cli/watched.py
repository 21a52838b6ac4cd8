"""The runs of a question, made under the eyes of whoever watches the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.cli.progress import carried_out
from breakrank.runs.making import Making

if TYPE_CHECKING:
    from breakrank.cli.changed_case import Changed
    from breakrank.cli.options import RunOptions
    from breakrank.runs.carry_out import Account
    from breakrank.runs.memory_store import AnyStore
    from breakrank.runs.study import Study


class WatchedMaking(Making):
    """Makes the runs of a question under the eyes of whoever watches.

    Parameters
    ----------
    folder : store of the runs; ``None`` for one in memory.
    where, quiet : as typed. made : the case with its changes.
    """

    def __init__(self, folder: Path | None, where: RunOptions, made: Changed, quiet: bool) -> None:
        super().__init__(folder, where.backend, where.workers, changes=made.changes)
        self._where, self._quiet = where, quiet

    def made(self, study: Study, store: AnyStore, what: str, *, again: bool) -> Account:
        """Carry a study out; see :func:`carried_out`."""
        return carried_out(study, store, what, self._where, self._quiet, again=again)
