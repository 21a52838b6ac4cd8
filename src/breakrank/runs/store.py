"""The store: a folder that keeps every finished run, so that none is ever made twice.

::

    store.json              that it is a store, and which
    cases/<digest>/         each case exactly as used
    ensembles/<identity>/   the runs of one scenario under one seed, made by one version of the model:
        ensemble.json       which
        <runs>-<token>/     parts, each written whole by one worker (see :mod:`breakrank.runs.part`)
        failed.json         runs that failed when last tried: which, where, why, traceback
    aside/                  parts that were found damaged

Nothing in it is ever changed in place. Any number of workers and studies may write to it at once.

Taking away what no study uses any more is for a store that nobody uses just then: a study that loses a
folder under its hands stops with an error; the same call then goes on.

An ensemble goes by the digest of its case as changed. Two of one digest and seed, made by different versions
of the model, are told apart by the names of their folders.

A store in memory, for one study, is what a call without a folder keeps its runs in.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.engine.replicate import Failure, Replicate
from breakrank.errors import BreakrankError, UsageError
from breakrank.leftovers import beside
from breakrank.results.collect import Collector
from breakrank.results.files import PARTIAL, UNREADABLE, explain, intact, is_partial, write_first, write_whole
from breakrank.results.result import Result
from breakrank.runs.identity import code_digest, ensemble_identity, versions
from breakrank.runs.part import DamagedError, Part, gather, gather_events, open_part
from breakrank.runs.worker import Simulator, event_names

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.runs.part import RunsByPart
    from breakrank.runs.study import Scenario, Study


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

    def parts_with(self, runs: Iterable[int], log_runs: int = 0) -> RunsByPart:
        """Return where each of some runs is read from, with events of so many first ones.

        Runs that are not finished, or have no events, are left out.
        A run that two workers finished, because one was thought to be dead, is taken from one of them.
        """
        wanted = set(runs)
        taken: list[tuple[Part, tuple[int, ...]]] = []
        for part in self.parts():
            here = tuple(r for r in part.runs if r in wanted and (r >= log_runs or r in part.logged))
            if here:
                taken.append((part, here))
                wanted.difference_update(here)
        return taken

    def finished(self, runs: Iterable[int], log_runs: int = 0) -> set[int]:
        """Return which of some runs are finished, with events of so many first ones."""
        return {run for _, here in self.parts_with(runs, log_runs) for run in here}

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


FORMAT = 1
"""Version of the store's layout, under ``breakrank_store`` in ``store.json``."""
NAME = "store.json"


@dataclass(frozen=True, slots=True)
class Kept:
    """One ensemble of a store, as its folder tells."""

    stored: StoredEnsemble
    case: str
    digest: str
    seed: int
    code: str
    scenario: str

    def numbers(self) -> dict[str, int]:
        """Return finished runs, those whose events are kept, failed ones, parts, and bytes on the disk.

        Parts are checked byte by byte, as whenever they are read.
        """
        parts = self.stored.parts()
        return {
            "runs": len({run for part in parts for run in part.runs}),
            "logged": len({run for part in parts for run in part.logged}),
            "failed": len(self.stored.failures()),
            "parts": len(parts),
            "size": sum(part.size for part in parts),
        }


class Store:
    """A folder of finished runs.

    Parameters
    ----------
    folder : a store, or with `create` a new or empty folder.
    create : whether to make one there is not.

    Raises
    ------
    UsageError
        if it holds something else, is of another format, or there is none.
    BreakrankError
        if it cannot be written.
    """

    def __init__(self, folder: str | PathLike[str], *, create: bool = True) -> None:
        self.folder = Path(folder).absolute()
        if not (self.folder / NAME).exists() and (create or self._has_runs()):
            self._make()
        self.token = _token(self.folder)
        self._stored_ensembles: dict[str, StoredEnsemble] = {}

    def stored(self, case: Case, seed: int, code: str | None = None) -> StoredEnsemble:
        """Return the place of an ensemble, whether or not anything is there yet."""
        key = ensemble_identity(code or code_digest(), case.digest, seed)[:32]
        return self._stored(self.folder / "ensembles" / key)

    def prepare(self, cell: Scenario, study: Study, simulator: Simulator) -> StoredEnsemble:
        """Make room for the ensemble of a scenario, and keep its case.

        Raises
        ------
        BreakrankError
            if the disk refuses.
        """
        case, code = cell.case, code_digest(simulator)
        stored = self.stored(case, study.seed, code)
        kept = self.folder / "cases" / case.digest[:32].replace("/", "_")
        try:
            if not kept.exists():
                kept.parent.mkdir(exist_ok=True)
                partial = beside(kept, PARTIAL)
                try:
                    case.write(partial)
                    partial.rename(kept)
                except OSError:
                    shutil.rmtree(partial, ignore_errors=True)
                    if not kept.exists():  # else another study was quicker
                        raise
            about = {
                "case": case.id,
                "digest": case.digest,
                "seed": study.seed,
                "scenario": cell.name,
                "code": code,
                "kept": kept.name,
                "versions": versions(case),
            }
            if not _told(stored, about):
                stored.folder.mkdir(parents=True, exist_ok=True)
                write_whole(stored.folder / ABOUT, json.dumps(about, indent=1, ensure_ascii=False) + "\n")
        except OSError as error:
            raise BreakrankError(explain(error, self.folder)) from error
        stored.sweep()
        return stored

    def ensembles(self) -> tuple[Kept, ...]:
        """Return every ensemble there is, by case, scenario and seed."""
        found = []
        for folder in (self.folder / "ensembles").glob("*"):
            with suppress(BreakrankError, *UNREADABLE):
                stored = self._stored(folder)
                case, digest, code, name = (
                    str(stored.about[key]) for key in ("case", "digest", "code", "scenario")
                )
                found.append(Kept(stored, case, digest, int(stored.about["seed"]), code, name))
        return tuple(sorted(found, key=lambda k: (k.case, k.scenario, k.seed, k.code)))

    def case(self, kept: Kept, read_case: Callable[[Path], Case] | None = None) -> Case:
        """Return the case of an ensemble, exactly as it was used.

        Raises
        ------
        BreakrankError
            if it was changed since, or today's model cannot use it any more.
        """
        from breakrank.runs.cases import load_case

        folder = self.folder / "cases" / str(kept.stored.about["kept"])
        case = (read_case or load_case)(folder)
        if case.digest != kept.digest:
            raise BreakrankError(f"{folder} is not the case that ran (its digest differs)")
        return case

    def result(
        self,
        case: Case,
        seed: int,
        runs: int,
        *,
        only: Collection[str] | None = None,
        log_runs: int = 0,
        code: str | None = None,
    ) -> Result:
        """Return the finished runs among the first `runs` of an ensemble as a result.

        Parameters
        ----------
        only : names of the variables to read; by default all, which takes some 0.34 MB for each run.
        log_runs : so many first runs whose events are read.

        Raises
        ------
        BreakrankError
            if none of them is finished.
        """
        stored = self.stored(case, seed, code)
        found = stored.parts_with(range(runs), log_runs)
        if not found:
            found = stored.parts_with(range(runs))  # finished, if without the events
        if not found:
            raise BreakrankError(f"{self.folder} holds none of the {runs} runs of {case.id}, seed {seed}")
        spent = sum(part.seconds * len(here) / len(part.runs) for part, here in found)
        return Result(
            data=gather(case, found, runs, only),
            case=case,
            seed=seed,
            seconds=spent,
            command="",
            versions=stored.about["versions"],
            events=gather_events([(p, tuple(r for r in here if r < log_runs)) for p, here in found]),
            failed=tuple(f for f in stored.failures() if f.run < runs),
        )

    def damaged(self) -> tuple[Aside, ...]:
        """Return the parts that had to be set aside since the store was opened."""
        return tuple(one for stored in self._stored_ensembles.values() for one in stored.damaged)

    def _stored(self, folder: Path) -> StoredEnsemble:
        if folder.name not in self._stored_ensembles:
            self._stored_ensembles[folder.name] = StoredEnsemble(folder, self.folder / ASIDE)
        return self._stored_ensembles[folder.name]

    def _make(self) -> None:
        """Make the store, unless another process is quicker: then theirs is taken."""
        name = self.folder / NAME
        try:
            if self.folder.exists() and (not self.folder.is_dir() or self._foreign()) and not name.exists():
                raise UsageError(
                    f"{self.folder} holds something that is no store of Breakrank, so it is left alone\n"
                    "  Name a new or an empty folder."
                )
            self.folder.mkdir(parents=True, exist_ok=True)
            about = {"breakrank_store": FORMAT, "token": secrets.token_hex(16)}
            write_first(name, json.dumps(about) + "\n")
        except OSError as error:
            raise BreakrankError(explain(error, self.folder)) from error

    def _foreign(self) -> bool:
        """Return whether the folder holds anything but a store, whole, just begun, or without its name."""
        return not self._has_runs() and any(not is_partial(path, NAME) for path in self.folder.iterdir())

    def _has_runs(self) -> bool:
        """Return whether the folder holds ensembles, as a store does also where it has lost its name."""
        return any(self.folder.glob(f"ensembles/*/{ABOUT}"))


def _told(stored: StoredEnsemble, about: dict[str, Any]) -> bool:
    """Return whether an ensemble says of itself what it has to; not where its file is missing or damaged."""
    try:
        found = stored.about
        told = {name: found[name] for name in about}
    except (BreakrankError, *UNREADABLE):
        return False
    first = ("scenario", "versions")  # of whoever made it first
    return told == about | {name: told[name] for name in first} and all(
        type(told[name]) is type(about[name]) for name in first
    )


def _token(folder: Path) -> str:
    try:
        about = json.loads((folder / NAME).read_text("utf-8"))
        written, token = about["breakrank_store"], str(about["token"])
    except FileNotFoundError as error:
        raise UsageError(f"there is no store {folder}: it has no {NAME}") from error
    except UNREADABLE as error:
        raise UsageError(
            f"{folder} is no store of Breakrank: its {NAME} is not readable\n"
            f"  If it was one, delete {NAME}: it is made again, and every run is kept."
        ) from error
    if written != FORMAT:
        raise UsageError(f"{folder} has store format {written}, this Breakrank reads {FORMAT}")
    return token


def clean(store: Store, code: str | None = None) -> int:
    """Take away ensembles of other versions of the model, cases without any, and damaged parts set aside.

    Parameters
    ----------
    store : the store.
    code : what counts as today's code; by default the model's.

    Returns
    -------
    The bytes that are free now.

    Raises
    ------
    BreakrankError
        if the disk refuses.
    """
    before = _size(store.folder)
    try:
        for one in store.ensembles():
            if one.code != (code or code_digest()):
                _take_away(one.stored.folder)
        used = {str(kept.stored.about["kept"]) for kept in store.ensembles()}
        for folder in store.folder.glob("cases/[!.]*"):
            if folder.name not in used:
                _take_away(folder)
        shutil.rmtree(store.folder / ASIDE, ignore_errors=True)
    except OSError as error:
        raise BreakrankError(explain(error, store.folder)) from error
    return before - _size(store.folder)


def _take_away(folder: Path) -> None:
    """Delete a folder, out of sight at once, so that nobody finds half of it."""
    hidden = beside(folder, PARTIAL)
    folder.rename(hidden)
    shutil.rmtree(hidden, ignore_errors=True)


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


SHORT = 8
"""Characters of a digest that are shown, if they are enough."""


def prefix(text: str) -> str:
    """Return the beginning of a digest as it was typed; UsageError where it is none."""
    if not re.fullmatch(r"[0-9a-f]{4,64}", text.lower()):
        raise UsageError(
            f"--digest {text!r}: the beginning of a digest is expected, 4 or more of the digits 0-9 and a-f\n"
            "  `breakrank store list STORE` shows them."
        )
    return text.lower()


def fits(kept: Kept, beginning: str) -> bool:
    """Say whether the digest of an ensemble's case, or the name of its folder, begins so."""
    return kept.digest.startswith(beginning) or kept.stored.folder.name.startswith(beginning)


def abbreviated(every: Sequence[Kept]) -> list[str]:
    """Return for each ensemble the beginning of a digest that only it has among those of its seed."""
    times = Counter((kept.seed, kept.digest) for kept in every)
    names = {name for kept in every for name in (kept.digest, kept.stored.folder.name)}
    longest = max(map(len, names), default=SHORT)
    length = SHORT
    while length < longest and len({name[:length] for name in names}) < len(names):
        length += 1
    return [
        (kept.digest if times[kept.seed, kept.digest] == 1 else kept.stored.folder.name)[:length]
        for kept in every
    ]


class MemoryEnsemble:
    """The finished runs of one scenario.

    Parameters
    ----------
    collector : what they are put together in.
    only : names of the variables that are kept; ``None`` for all.
    """

    damaged: tuple[Aside, ...] = ()

    def __init__(self, collector: Collector, only: Collection[str] | None) -> None:
        self.collector = collector
        self.seconds = 0.0
        self._only = only
        self._logged: set[int] = set()
        self._failures: tuple[Failure, ...] = ()

    def keep(self, made: Replicate, seconds: float) -> None:
        """Take in a run, which took so long (s)."""
        if self._only is not None:
            made = replace(made, series={n: v for n, v in made.series.items() if n in self._only})
        self.collector.add(made)
        self.seconds += seconds
        if made.events is not None:
            self._logged.add(made.run)

    def finished(self, runs: Iterable[int], log_runs: int = 0) -> set[int]:
        """Return which of some runs are finished, with events of so many first ones."""
        done = self.collector.done
        return {r for r in runs if r < len(done) and done[r] and (r >= log_runs or r in self._logged)}

    def failures(self) -> tuple[Failure, ...]:
        """Return the runs that failed."""
        return self._failures

    def note_failures(self, failed: Iterable[tuple[Failure, str]], tried: Iterable[int]) -> None:  # noqa: ARG002
        """Note which of the runs that were tried failed."""
        self._failures = tuple(sorted((one for one, _ in failed), key=lambda one: one.run))


class MemoryStore:
    """Finished runs of one study, in the memory of this process.

    Parameters
    ----------
    only : names of the variables that are kept; by default all.
    """

    folder: Path | None = None
    token = ""

    def __init__(self, only: Collection[str] | None = None) -> None:
        self._only = None if only is None else frozenset(only)
        self._kept: dict[tuple[str, int], MemoryEnsemble] = {}

    def prepare(self, cell: Scenario, study: Study, simulator: Simulator) -> MemoryEnsemble:
        """Make room for the ensemble of a scenario."""
        collector = Collector(cell.case, study.runs, event_names(simulator, cell.case))
        made = MemoryEnsemble(collector, self._only)
        return self._kept.setdefault((cell.case.digest, study.seed), made)

    def stored(self, case: Case, seed: int) -> MemoryEnsemble:
        """Return an ensemble of the study; there is one version of the model in a process."""
        return self._kept[case.digest, seed]

    def result(
        self,
        case: Case,
        seed: int,
        runs: int,
        *,
        only: Collection[str] | None = None,  # noqa: ARG002 (said before the runs were made)
        log_runs: int = 0,  # noqa: ARG002
    ) -> Result:
        """Return the finished runs of an ensemble as a result.

        Raises
        ------
        BreakrankError
            if none of them is finished; it gives the first reason.
        """
        stored = self.stored(case, seed)
        if not stored.collector.done.any():
            why = f"; the first says: {stored.failures()[0]}" if stored.failures() else ""
            raise BreakrankError(f"none of {runs} runs finished{why}")
        return Result(
            data=stored.collector.dataset(),
            case=case,
            seed=seed,
            seconds=stored.seconds,
            command="",
            versions=versions(case),
            events=stored.collector.events(),
            failed=stored.failures(),
        )


AnyStore = Store | MemoryStore
"""Where finished runs are kept: in a folder, or in memory."""
