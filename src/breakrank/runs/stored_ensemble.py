"""One ensemble in a store: the finished runs of one scenario, one seed, and one version of the model."""

from __future__ import annotations

import json
import secrets
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.engine.replicate import Failure
from breakrank.results.folder import PARTIAL, write_whole
from breakrank.results.json_files import UNREADABLE, intact
from breakrank.runs.part import DamagedError, Part, open_part
from breakrank.runs.study import NOTHING, Log

if TYPE_CHECKING:
    from breakrank.runs.part import RunsByPart


ABOUT, FAILED, ASIDE = "ensemble.json", "failed.json", "aside"

STALE = 3600.0
"""Seconds after which a part that was begun and not finished is swept away."""


@dataclass(frozen=True, slots=True)
class Aside:
    """A part that was set aside because it cannot be used.

    Attributes
    ----------
    part : its name.
    why : what is wrong with it.
    where : where it was put; ``None`` if the store may not be written.
    runs : what its name says of its runs.
    """

    part: str
    why: str
    where: Path | None
    runs: str

    def __str__(self) -> str:
        put = f"it was set aside as {self.where}" if self.where else "it is not used"
        return f"part {self.part} (runs {self.runs}) is damaged: {self.why}; {put}"


class StoredEnsemble:
    """The folder of one ensemble. Parts come and are never changed; which there are is read from the disk.

    Parameters
    ----------
    folder : of the ensemble.
    aside : where damaged parts are put.
    """

    def __init__(self, folder: Path, aside: Path) -> None:
        self.folder = folder
        self._aside = aside
        self._known: dict[str, Part] = {}
        self._set_aside: list[Aside] = []

    @property
    def about(self) -> dict[str, Any]:
        """What the ensemble says of itself: case, digest, seed, code, versions."""
        with intact(path := self.folder / ABOUT, "what an ensemble says of itself"):
            about: dict[str, Any] = json.loads(path.read_text("utf-8"))
            return about

    @property
    def damaged(self) -> tuple[Aside, ...]:
        """What had to be set aside since this was opened."""
        return tuple(self._set_aside)

    def parts(self) -> list[Part]:
        """Return the parts there are, each checked byte by byte once; a damaged one is set aside.

        They come in order of name, which is the same on every machine.
        """
        try:
            names = sorted(p.name for p in self.folder.iterdir() if p.is_dir() and not p.name.startswith("."))
        except FileNotFoundError:
            return []
        for name in names:
            if name not in self._known:
                try:
                    self._known[name] = open_part(self.folder / name)
                except DamagedError as error:
                    self._put_aside(name, str(error))
        return [self._known[name] for name in names if name in self._known]

    def parts_with(self, runs: Iterable[int], log: Log = NOTHING) -> RunsByPart:
        """Return where each of some runs is read from; runs that are not finished are left out.

        A run that two workers finished, because one was thought to be dead, is taken from one of them.
        """
        wanted = set(runs)
        taken: list[tuple[Part, tuple[int, ...]]] = []
        for part in self.parts():
            here = tuple(r for r in part.runs if r in wanted and log.answered_by(r, part))
            if here:
                taken.append((part, here))
                wanted.difference_update(here)
        return taken

    def finished(self, runs: Iterable[int], log: Log = NOTHING) -> set[int]:
        """Return which of some runs are finished, with the events that are asked for."""
        return {run for _, here in self.parts_with(runs, log) for run in here}

    def sweep(self) -> None:
        """Remove what workers that were killed long ago had begun."""
        for path in self.folder.glob(f".*{PARTIAL}"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > STALE:
                    shutil.rmtree(path, ignore_errors=True)

    def failures(self) -> tuple[Failure, ...]:
        """Return the runs that failed when they were last tried."""
        try:
            noted = json.loads((self.folder / FAILED).read_text("utf-8"))
            return tuple(Failure(one["run"], one["where"], one["why"]) for one in noted)
        except UNREADABLE:
            return ()

    def note_failures(self, failed: Iterable[tuple[Failure, str]], tried: Iterable[int]) -> None:
        """Write down which of the runs that were tried failed, with tracebacks; OSError if it cannot."""
        gone = set(tried)
        kept = [{"run": f.run, "where": f.where, "why": f.why} for f in self.failures() if f.run not in gone]
        kept += [{"run": f.run, "where": f.where, "why": f.why, "traceback": t} for f, t in failed]
        path = self.folder / FAILED
        if kept:
            write_whole(path, json.dumps(sorted(kept, key=lambda one: one["run"]), indent=1) + "\n")
        else:
            path.unlink(missing_ok=True)

    def _put_aside(self, name: str, why: str) -> None:
        runs = "–".join(str(int(n)) for n in name.split("-")[:2] if n.isdecimal()) or "unknown"
        target: Path | None = self._aside / f"{self.folder.name[:12]}-{name}-{secrets.token_hex(2)}"
        try:
            assert target is not None
            self._aside.mkdir(exist_ok=True)
            (self.folder / name).rename(target)
            with suppress(OSError):
                (target / "why.txt").write_text(why + "\n", "utf-8")
        except OSError:
            target = None
        self._set_aside.append(Aside(name, why, target, runs))
