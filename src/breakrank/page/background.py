"""Long answers: computed once in the background, with honest progress, and kept for good.

An answer that comes with Breakrank is read from the package; any other is made while somebody looks at its
view, and is kept beside the store.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.answer.files import FORMAT, MARK
from breakrank.errors import BreakrankError
from breakrank.results.files import UNREADABLE, read_sealed, write_sealed
from breakrank.runs.carry_out import Account, Making, carry_out

if TYPE_CHECKING:
    from breakrank.runs.crew import Backend
    from breakrank.runs.store import AnyStore
    from breakrank.runs.study import Study
    from breakrank.runs.worker import Simulator

SHIPPED = Path(__file__).parent / "kept"
"""Answers that come with Breakrank, by case."""
PATIENCE = 20.0
"""Seconds after which nobody looks any more, and the computing rests."""

Found = dict[str, Any]
Tell = Callable[[int, int, str], None]
"""Called with (runs made, runs in all, what is under way)."""
Make = Callable[[threading.Event, Tell], Found]
"""Makes an answer in a thread, with an event that is set once it has to stop."""


class BackgroundMaking(Making):
    """Makes the runs of a long answer; a KeyboardInterrupt tells that it was stopped.

    Parameters
    ----------
    folder : store that keeps every finished run. place : where runs are made. tell : see :data:`Tell`.
    """

    def __init__(self, folder: Path, place: Backend, tell: Tell) -> None:
        super().__init__(folder)
        self.place, self._tell = place, tell

    def made(self, study: Study, store: AnyStore, what: str, simulator: Simulator | None) -> Account:
        """Carry a study out, and tell how far it is."""
        account = carry_out(
            study,
            store,
            self.place,
            lambda now: self._tell(now.done + now.failed, now.total, what),
            simulator=simulator,
        )
        if account.interrupted:
            raise KeyboardInterrupt
        return account


class Background:
    """Long answers under way, by key.

    Parameters
    ----------
    folder : where they are kept; made if there is none.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._under_way: dict[str, _Work] = {}

    def get(self, key: str) -> Found | None:
        """Return an answer that was kept under a key; ``None`` where there is none."""
        return _told(self.folder / f"{key}.json", read_sealed)

    def ask(self, key: str, make: Make) -> Found:
        """Return how far an answer is that is not kept yet; begin it where nobody has, or go on with it."""
        with self._lock:
            work = self._under_way.get(key)
            if work is None or work.over:
                if work is not None and work.error:
                    del self._under_way[key]
                    return {"error": work.error}
                work = self._under_way[key] = _Work(self.folder / f"{key}.json", make)
            return work.told()

    def close(self) -> None:
        """Stop all of them; finished runs are kept in the store."""
        for work in self._under_way.values():
            work.stop.set()


class _Work:
    """One answer under way."""

    def __init__(self, file: Path, make: Make) -> None:
        self.stop, self.error = threading.Event(), ""
        self._file, self._make = file, make
        self._done, self._of, self._what = 0, 0, "The case is read"
        self._begun = self._seen = time.monotonic()
        self._warm: tuple[int, float] | None = None
        self._thread = threading.Thread(target=self._go, name=f"breakrank {file.stem}", daemon=True)
        self._thread.start()

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return not self._thread.is_alive()

    def told(self) -> Found:
        """Return how far it is: runs done and in all, and seconds left as the runs so far have it."""
        self._seen = time.monotonic()
        done, of, left = self._done, self._of, None
        if self._warm is not None and done > self._warm[0]:
            rate = (self._seen - self._warm[1]) / (done - self._warm[0])
            left = round(rate * (of - done), 1)
        return {"progress": {"done": done, "of": of, "left": left, "what": self._what}}

    def _tell(self, done: int, of: int, what: str) -> None:
        if what != self._what:
            self._warm = None
        self._done, self._of, self._what = done, of, what
        if self._warm is None and done:
            self._warm = (done, time.monotonic())
        if time.monotonic() - self._seen > PATIENCE:
            self.stop.set()

    def _go(self) -> None:
        try:
            found = self._make(self.stop, self._tell)
            write_sealed(self._file, found)
        except KeyboardInterrupt:
            pass  # nobody looks any more; finished runs are kept
        except (BreakrankError, OSError) as error:
            self.error = str(error)
        except Exception as error:  # whatever it is, whoever waits has to hear of it
            self.error = f"{type(error).__name__}: {error}"


def shipped(case: str, view: str) -> Found | None:
    """Return the answer that comes with Breakrank for a view of a built-in case, whatever its digest."""
    return _told(SHIPPED / f"{case}-{view}.json", lambda file: json.loads(file.read_text("utf-8")))


def _told(file: Path, read: Callable[[Path], Found]) -> Found | None:
    """Return a kept answer; ``None`` for a file that is not there, or holds none as they are written now."""
    try:
        found = read(file)
        return found if found.get(MARK) == FORMAT else None
    except UNREADABLE:
        return None
