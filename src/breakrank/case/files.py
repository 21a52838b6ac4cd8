"""Files of a case: a folder written in a layout that people can read and that loads to the same digest.

Files are written whole, under one lock, through no link, and never over changes made meanwhile.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import yaml  # type: ignore[import-untyped,unused-ignore]

from breakrank.case.content import STATION_COLUMNS, Content
from breakrank.case.draws import Draws, Luck, checked
from breakrank.case.source import Folder
from breakrank.case.values import NumberError, resolve
from breakrank.errors import BreakrankError, CaseError, FaultyCaseError, Location, UsageError
from breakrank.leftovers import beside, holder, is_marked, left_over, mark

if TYPE_CHECKING:
    from breakrank.spec import Parameter


def write_case(
    content: Content, folder: Path, draws: Draws | None = None, more: Mapping[str, str] = MappingProxyType({})
) -> Path:
    """Write a case into a new or empty folder and return it; see :meth:`breakrank.case.Case.write`.

    Parameters
    ----------
    more : text of further files, by relative name.
    """
    files: dict[str, str | bytes] = {**files_of(content), **more}
    if draws is not None:
        files[DRAWS] = text_of(draws)
    return write_folder(folder, files)


DRAWS = "draws.json"
"""File of a written case that holds its draws."""
LARGEST = 16 * 1024 * 1024
"""Bytes that it may have."""


def text_of(draws: Draws) -> str:
    """Return draws as the text of :data:`DRAWS`: every bit of every value; UsageError for too many."""
    luck = None if draws.luck is None else draws.luck.told()
    about = {"names": draws.names, "each": draws.each, "shuffled": draws.shuffled, "luck": luck}
    text = json.dumps({**about, "values": draws.values.tolist()}) + "\n"
    if len(text) > LARGEST:
        raise UsageError(f"{draws!r} are more than a case can hold ({LARGEST // 1024**2} MB)")
    return text


def read_draws(folder: Path, declared: Mapping[str, Parameter]) -> Draws | None:
    """Return the draws of a case folder, ``None`` if it has none.

    Raises
    ------
    CaseError
        for a file that is not what :func:`text_of` makes, or draws that the model cannot be run under.
    """
    there = [name for name in (DRAWS, "draws.npz") if os.path.lexists(folder / name)]
    if not there:
        return None
    place, remedy = (
        Location(folder / there[0]),
        "Write the case again with Case.write, or take the file away.",
    )
    if there[0] != DRAWS:
        raise CaseError("these draws are of an earlier version of Breakrank", place, remedy)
    try:
        told = json.loads(Folder(folder).read_bytes(DRAWS, most=LARGEST))
        luck = None if told["luck"] is None else Luck.of_told(told["luck"])
        values = np.array(told["values"], np.float64)
        return checked(
            Draws(tuple(told["names"]), values, told["each"], bool(told["shuffled"]), luck), declared
        )
    except UsageError as error:
        raise CaseError(str(error), place, remedy) from None
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise CaseError(f"these draws cannot be read ({error})", place, remedy) from None


def files_of(content: Content) -> dict[str, str]:
    """Return the text of every file of a case, by relative name."""
    out: dict[str, str] = {}
    for name, part in content.plain().items():
        out[name] = (
            json.dumps(part, indent=1, ensure_ascii=False) + "\n"
            if name.endswith(".geojson")
            else to_yaml(part)
        )
    rows = [[s, b, repr(v)] for s, b, v in content.stations]
    out[content.force.stations.file] = table_text(STATION_COLUMNS, rows)
    for entry in content.fields.values():
        if entry.file is not None:
            series = content.series[entry.file]
            lines = [
                [d.isoformat(), *ids, repr(v)]
                for d, ids, v in zip(series.dates, series.ids, series.values, strict=True)
            ]
            out[entry.file] = table_text(["date", *entry.dims, "value"], lines)
    return out


def write_folder(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files into a new or empty folder, all or nothing, and return the folder.

    Raises
    ------
    UsageError
        when the folder exists and is not empty, or cannot be written.
    """
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise UsageError(f"{folder} exists and is not an empty folder; name a new one")
    folder = folder.absolute()
    draft = beside(folder, ".part")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft.mkdir()
        for name, text in files.items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        if folder.exists():
            folder.rmdir()  # empty; some systems do not rename onto a folder
        draft.replace(folder)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return folder


_Emitting: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
"""Writes with libyaml where it is built in, four times as fast; the text is the same."""


class _Dumper(_Emitting):  # type: ignore[misc]
    """YAML of version 1.2: texts that would read as numbers, words or nothing are quoted, dates are not."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
        return True

    def represent(self, data: object) -> None:
        """Write the two outermost levels in lines; further in, short lists and mappings share one."""
        node = self.represent_data(data)
        for outer in (node, *(v[1] if isinstance(v, tuple) else v for v in node.value)):
            if isinstance(outer, yaml.MappingNode) or outer is node:
                outer.flow_style = False
        self.serialize(node)

    def represent_text(self, text: str) -> yaml.Node:
        try:
            plain = resolve(text) == text and text != ""
        except NumberError:
            plain = False
        return self.represent_scalar("tag:yaml.org,2002:str", text, None if plain else "'")


_Dumper.add_representer(str, _Dumper.represent_text)
_Dumper.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if not tag.endswith(":timestamp")]
    for first, known in yaml.SafeDumper.yaml_implicit_resolvers.items()
}


def to_yaml(part: Mapping[str, Any] | Sequence[Any]) -> str:
    """Return a plain mapping or list as YAML, a blank line between entries of several lines at the top."""
    if not part:
        return "{}\n" if isinstance(part, Mapping) else "[]\n"
    pieces = [{k: v} for k, v in part.items()] if isinstance(part, Mapping) else [[item] for item in part]
    texts = [_entry(json.dumps(_ordered(p), ensure_ascii=False)) for p in pieces]
    return "".join(t if t.count("\n") == 1 or not k else "\n" + t for k, t in enumerate(texts))


def appended(text: str, entry: Mapping[str, Any]) -> str:
    """Return the text of a list in YAML with one entry more at its end."""
    body = text.rstrip("\n")
    new = to_yaml([dict(entry)]).rstrip("\n")
    if re.sub(r"(?m)^\s*#.*$", "", body).strip() in ("", "[]"):
        body = re.sub(r"(?m)^\[\]\s*$", "", body).rstrip("\n")
        return (f"{body}\n" if body else "") + new + "\n"
    return f"{body}\n\n{new}\n"


def with_entry(text: str, name: str, block: str) -> str:
    """Return a mapping in YAML with the lines of an entry in the place of those of its name, or at its end.

    Everything else stays as it is, comments too.
    """
    here = re.compile(rf"""^(["']?){re.escape(name)}\1[ ]*:.*\n?(?:(?:[ \t]*\n)*[ \t]+\S.*\n?)*""", re.M)
    found = here.search(text)
    if found is not None:
        return text[: found.start()] + block + text[found.end() :]
    body = re.sub(r"(?m)^\{\}\s*$", "", text).rstrip("\n")
    return (f"{body}\n\n" if body else "") + block


@lru_cache(maxsize=8192)
def _entry(plain: str) -> str:
    """Return one entry, given as JSON, as YAML; cases that differ in a few share the texts of all others.

    Writing a case of 200 parameters takes a quarter of a second with PyYAML alone.
    """
    text: str = yaml.dump(
        json.loads(plain),
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=110,
        default_flow_style=None,
    )
    return text


def _ordered(part: object) -> object:
    """Put the id of every mapping first and its evidence last."""
    if isinstance(part, dict):
        first, last = ("id",), ("evidence", "assumed", "about")
        keys = [
            *(k for k in part if k in first),
            *(k for k in part if k not in first + last),
            *(k for k in last if k in part),
        ]
        return {k: _ordered(part[k]) for k in keys}
    return [_ordered(item) for item in part] if isinstance(part, list) else part


def table_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


WAIT = 30.0
"""Seconds to wait for another process that writes the same case."""
PENDING = ".pending"
"""Names, while several files are put in their places, which drafts are still to be."""
DEPTHS = ("", "*/", "*/*/")
"""Where files of a case stand."""
STALE = 600.0
"""Seconds after which a lock that does not tell whether its holder lives was left behind."""


class CaseFileError(BreakrankError):
    """A file of a case cannot be written, or says something that cannot be."""


class Files:
    """Texts of a case folder by relative name, as they were when they were first read.

    What is written under the lock is put in its places together when the lock is let go: all of it, or
    nothing where an error or an interrupt comes before.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seen: dict[str, str] = {}
        self._new: dict[str, str] = {}
        self._held = 0

    def path(self, name: str) -> Path:
        """Return where a file or folder of the case stands.

        Raises
        ------
        CaseFileError
            where it, or a folder on the way to it, is a link: what is written would be elsewhere.
        """
        path = self.folder
        for part in Path(name).parts:
            path /= part
            if path.is_symlink():
                raise CaseFileError(
                    f"{path}: a symbolic link is not written to\n  Put what it points to there."
                )
        return path

    def read(self, name: str) -> str:
        """Return the text of a file, as it is to be where it was written here; empty where there is none.

        Raises
        ------
        CaseFileError
            for links, what is no UTF-8, and what cannot be read.
        """
        if name in self._new:
            return self._new[name]
        text = self._now(name)
        self._seen[name] = _hash(text)
        return text

    def _now(self, name: str) -> str:
        path = self.path(name)
        try:
            return path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise CaseFileError(f"{path}: {error}") from error

    def write(self, name: str, text: str) -> None:
        """Write a file whole; see :meth:`write_all`."""
        self.write_all({name: text})

    def write_all(self, texts: Mapping[str, str]) -> None:
        """Write files by name: all under temporary names, then renamed; under the lock, when it is let go.

        Raises
        ------
        CaseFileError
            where one has changed since it was read here, or cannot be written; then all stay as they were.
        """
        self._new |= texts
        if not self._held:
            self._put()

    def _put(self) -> None:
        """Put what was written in its places; CaseFileError as :meth:`write_all`."""
        texts, self._new = self._new, {}
        for name in texts:
            if _hash(self._now(name)) != self._seen.get(name, _hash("")):
                raise CaseFileError(
                    f"{self.folder / name} has changed meanwhile; nothing was written\n"
                    f"  Read it again and repeat the step."
                )
        drafts: dict[Path, Path] = {}
        before: dict[Path, Path] = {}
        placed: list[Path] = []
        path = self.folder
        try:
            for name, text in texts.items():
                path = self.folder / name
                drafts[path] = beside(path, ".part")
                path.parent.mkdir(parents=True, exist_ok=True)
                drafts[path].write_bytes(text.encode("utf-8"))
                if len(texts) > 1 and path.exists():
                    before[path] = beside(path, ".part")
                    shutil.copy2(path, before[path])
            if len(drafts) > 1:
                path = self.path(PENDING)
                listed = {str(to.relative_to(self.folder)): draft.name for to, draft in drafts.items()}
                last = beside(path, ".part")
                last.write_text(json.dumps(listed), "utf-8")
                last.replace(path)
            for path, draft in drafts.items():
                draft.replace(path)
                placed.append(path)
            (self.folder / PENDING).unlink(missing_ok=True)
        except BaseException as error:
            self._restore(placed, before)
            if isinstance(error, OSError):
                raise CaseFileError(f"{path} cannot be written: {error.strerror or error}") from error
            raise
        finally:
            for draft in (*drafts.values(), *before.values()):
                with suppress(OSError):
                    draft.unlink(missing_ok=True)
        self._seen |= {name: _hash(text) for name, text in texts.items()}

    def _restore(self, placed: Iterable[Path], before: Mapping[Path, Path]) -> None:
        """Put files that were replaced back as they were, by copies of them; new ones go."""
        with suppress(OSError):
            (self.folder / PENDING).unlink(missing_ok=True)
        for path in placed:
            with suppress(OSError):
                if path in before:
                    before[path].replace(path)
                else:
                    path.unlink()

    def finish(self) -> None:
        """Clear up after a killed process: put what it had written whole in its places, the rest away.

        Raises
        ------
        CaseFileError
            as for :meth:`locked`, where there is something to clear up.
        """
        left = (self.folder / PENDING).exists() or any(left_over(draft.name) for draft in self._drafts())
        with suppress(FileNotFoundError):
            left = left or _is_abandoned(self.folder / ".lock")
        if left:
            with self.locked():
                pass

    def _drafts(self) -> list[Path]:
        """Return temporary files of this class, whoever's."""
        found = (draft for depth in DEPTHS for draft in self.folder.glob(f"{depth}.*.part"))
        return [draft for draft in found if is_marked(draft.name) and not draft.is_dir()]

    def _finish(self) -> None:
        pending = self.path(PENDING)
        with suppress(OSError, ValueError, AttributeError):
            for name, draft in json.loads(pending.read_text("utf-8")).items():
                path = self.path(name)
                with suppress(FileNotFoundError):
                    path.with_name(Path(draft).name).replace(path)
        pending.unlink(missing_ok=True)
        for draft in self._drafts():  # others are the user's own
            draft.unlink()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the case's lock; who holds it may take it again. A killed process's lock is taken.

        What that process had written whole is put in its places, and what it had begun is taken away.

        Raises
        ------
        CaseFileError
            where another holds it for longer than :data:`WAIT`, and as :meth:`write_all`.
        """
        path, own = self.path(".lock"), mark()
        if not self._held:
            path.parent.mkdir(parents=True, exist_ok=True)
            _wait_for(path, own)
        self._held += 1
        try:
            if self._held == 1:
                self._finish()
            yield
            if self._held == 1:
                self._put()
        finally:
            self._held -= 1
            if not self._held:
                self._new = {}
                path.unlink(missing_ok=True)


def _wait_for(path: Path, own: str) -> None:
    """Take a lock as soon as it is free; CaseFileError as :meth:`Files.locked`."""
    until = time.monotonic() + WAIT
    while True:
        try:
            _take(path, own)
        except FileExistsError:
            if not _remove_abandoned(path):
                if time.monotonic() > until:
                    raise CaseFileError(f"{path}: {_held_by(path)}") from None
                time.sleep(0.05)
        except OSError as error:
            raise CaseFileError(f"{path}: {error.strerror or error}") from error
        else:
            return


def _take(path: Path, own: str) -> None:
    """Make the file that is the lock; FileExistsError where there is one, OSError where the disk is full."""
    with path.open("x", encoding="utf-8") as lock:
        try:
            lock.write(own)
            lock.flush()
        except OSError:
            path.unlink(missing_ok=True)
            raise


def _is_abandoned(path: Path) -> bool:
    """Say whether a lock's holder has ended; its age counts only where its mark cannot tell."""
    state = holder(path.read_text("utf-8", "replace"))
    return state == "ended" or (state == "unknown" and time.time() - path.stat().st_mtime > STALE)


def _remove_abandoned(path: Path) -> bool:
    """Remove a lock whose holder has ended, and say whether it is free now.

    One at a time removes a lock, and looks again before: what it saw first may be another's by now.
    """
    removing = path.with_name(f"{path.name}.removing")
    with suppress(OSError):
        if _is_abandoned(path):
            removing.touch(exist_ok=False)
            try:
                if _is_abandoned(path):
                    path.unlink()
            finally:
                removing.unlink(missing_ok=True)
    return not path.exists()


def _held_by(path: Path) -> str:
    """Return who holds a lock, and what to do."""
    try:
        held = path.read_text("utf-8", "replace")
    except OSError:
        held = ""
    match holder(held):
        case "alive":
            pid = held.split("-")[1]
            return f"process {pid} of this machine is writing the case\n  Wait for its end, or end it."
        case "elsewhere":
            told = "a process of another machine or container is writing the case, or was killed there"
        case _:
            told = "another process is writing the case, or was killed"
    return f"{told}\n  If none is writing, remove {path} and, if it is there, {path.name}.removing."


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@contextmanager
def draft_of(folder: Path, *ignored: str) -> Iterator[Path]:
    """Copy a case folder, without what is ignored; errors about the copy are raised as about the folder."""
    with tempfile.TemporaryDirectory() as scratch:
        draft = Path(scratch) / folder.resolve().name
        shutil.copytree(
            folder, draft, ignore=shutil.ignore_patterns(".lock", PENDING, ".*.part", "*.store", *ignored)
        )
        try:
            yield draft
        except FaultyCaseError as found:
            raise FaultyCaseError([_moved(error, draft, folder) for error in found.errors]) from None
        except CaseError as error:
            raise _moved(error, draft, folder) from None


def check_draft(folder: Path, new: Mapping[str, str], load: Callable[[Path], object]) -> None:
    """Load the case as new texts of its files would have it; CaseError where it could not be used."""
    with draft_of(folder) as draft:
        for name, text in new.items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        load(draft)


def _moved(error: CaseError, draft: Path, folder: Path) -> CaseError:
    """Return an error about a file of a draft as one about that file of the case."""
    file = error.place.file
    if file is None or not file.is_relative_to(draft):
        return error
    place = replace(error.place, file=folder / file.relative_to(draft))
    return CaseError(error.problem, place, error.remedy)
