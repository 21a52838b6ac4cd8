"""Where the runs of a question are made and kept."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from breakrank.errors import UsageError
from breakrank.runs.backends import WORDS, choose_backend
from breakrank.runs.carry_out import Account, Progress, carry_out, watch_with
from breakrank.runs.memory_store import AnyStore, MemoryStore
from breakrank.runs.scenario import NamedChanges
from breakrank.runs.store import Store

if TYPE_CHECKING:
    from breakrank.runs.study import Study
    from breakrank.runs.worker import Simulator


class Making:
    """Makes the runs of studies for one question, one after the other; leave its block when it is answered.

    Parameters
    ----------
    folder : store that keeps every finished run; by default none is kept.
    backend, workers : where runs are made; see :func:`~breakrank.runs.backends.choose_backend`.
    progress : called in this process with (runs ended, runs asked for) of each study.
    changes : what was changed of the case, for the names of scenarios.
    command : the call that asks, for what it leaves.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str] | None = None,
        backend: str | None = None,
        workers: int | None = None,
        progress: Progress | None = None,
        changes: NamedChanges | None = None,
        command: str = "",
    ) -> None:
        if folder is None and backend not in (None, *WORDS):
            raise UsageError(
                f"the backend {backend} needs a store, a folder for its workers to keep runs in\n"
                "  Name it with --store FOLDER, in Python with store=."
            )
        self.place = choose_backend(backend, workers)
        self.changes, self.command = changes or NamedChanges(), command
        self.accounts: list[Account] = []
        self.folder = None if folder is None else Path(folder)
        self._progress = progress
        self._forgotten = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Forget the runs that no store was named for; `kind` of error that ends the block, if one does."""
        self._forgotten.close()

    @cached_property
    def store(self) -> Store | None:
        """The store that was named, made where there is none yet."""
        return None if self.folder is None else Store(self.folder)

    def keep(self, only: Collection[str] | None = None) -> AnyStore:
        """Return the store that was named, or one that is forgotten afterwards.

        Parameters
        ----------
        only : variables of the runs that are read; runs with all of them go to a folder on their way.
        """
        if self.store is not None:
            return self.store
        if only is not None:
            return MemoryStore(only)
        return Store(Path(self._forgotten.enter_context(tempfile.TemporaryDirectory())) / "store")

    def carry(
        self, study: Study, store: AnyStore, what: str, /, *, simulator: Simulator | None = None
    ) -> Account:
        """Make the runs of a study that its store does not hold yet.

        Parameters
        ----------
        what : the study in words. simulator : what makes a run, if not the model.
        """
        account = self.made(study, store, what, simulator)
        self.accounts.append(account)
        return account

    def made(self, study: Study, store: AnyStore, what: str, simulator: Simulator | None) -> Account:  # noqa: ARG002
        """Carry a study out."""
        return carry_out(study, store, self.place, watch_with(self._progress), simulator=simulator)

    def remark(self, *remarks: object) -> None:
        """Say something to whoever watches, before the question is answered; nobody does here."""

    @property
    def interrupted(self) -> bool:
        """Whether a study was stopped."""
        return any(one.interrupted for one in self.accounts)

    @property
    def failed(self) -> tuple[str, ...]:
        """Why runs failed, one text each."""
        return tuple(str(lost) for one in self.accounts for lost in one.failed)
