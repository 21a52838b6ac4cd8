"""The folder a result is kept in: written whole or not at all, read back bit for bit.

::

    result.json      seed, runs, failed runs, versions, platform, command, seconds, case id and digest, and
                     the SHA-256 of the Parquet files and of itself
    outcomes.json    headline outcomes beside the record
    outcomes.csv     the same as a table
    daily.parquet    a row per run and day (see :mod:`breakrank.results.parquet`); of a force drawn in part it
                     counts those drawn, and result.json says for how many one ``stands_for``
    runs.parquet     a row per run
    fields.parquet   a row per day: the case's dated fields
    events.parquet   the event log of the runs that kept one
    case/            the case exactly as used
"""

from __future__ import annotations

import json
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.case import load_case
from breakrank.engine.replicate import Failure
from breakrank.errors import BreakrankError
from breakrank.model import catalogue
from breakrank.results.folder import checksum, seal, sealed, whole_folder
from breakrank.results.json_files import intact, says_format, write_json
from breakrank.results.outcomes import as_json
from breakrank.results.parquet import read_dataset, read_events, write_dataset, write_events
from breakrank.results.result import Result

if TYPE_CHECKING:
    from breakrank.case import Case

FORMAT = 2
"""Version of the folder, under ``breakrank_result`` in ``result.json``; 1 was that of Breakrank 0.1."""


OWN = frozenset(
    {
        "case",
        "daily.parquet",
        "events.parquet",
        "fields.parquet",
        "outcomes.csv",
        "outcomes.json",
        "report.html",
        "result.json",
        "runs.parquet",
    }
)
"""What a result folder consists of; a new result replaces these and leaves anything else where it is."""


def save_result(result: Result, folder: str | PathLike[str]) -> None:
    """Write a result folder; an older result in its place is replaced once the new one is complete.

    Raises
    ------
    BreakrankError
        if the folder holds something else, or the disk is full or not writable; then nothing is left behind.
    """
    with whole_folder(Path(folder), is_result, OWN) as staging:
        _write(result, staging)


def load_result(folder: str | PathLike[str], *, read_case: Callable[[Path], Case] | None = None) -> Result:
    """Read a result folder.

    Parameters
    ----------
    folder : as written by :func:`save_result`.
    read_case : how to read its ``case/`` folder; by default as any case, against today's catalogue.

    Raises
    ------
    BreakrankError
        if the folder is no result, is incomplete, damaged, of another format, or its case was changed since.
    """
    folder = Path(folder)
    about = _about(folder)
    case = (read_case or _read_case)(folder / "case")
    if case.digest != about["digest"]:
        raise BreakrankError(
            f"{folder / 'case'} is not the case that ran (its digest differs)\n"
            "  Put the original back, or run the changed case again."
        )
    for path in map(folder.joinpath, about["files"]):
        with intact(path, "part of a Breakrank result"):
            if path.exists() and checksum(path) != about["files"][path.name]:
                raise BreakrankError(_damaged(path))
    data = read_dataset(folder)
    events = read_events(folder / "events.parquet") if about["events"] else None
    return Result(data, case, events=events, **about["told"])


def is_result(folder: Path) -> bool:
    """Say whether a folder is a Breakrank result."""
    return says_format(folder / "result.json", "breakrank_result")


def _write(result: Result, folder: Path) -> None:
    write_dataset(result.data, folder)
    if result.events is not None:
        write_events(result.events, folder / "events.parquet")
    result.case.write(folder / "case")
    write_json(folder / "outcomes.json", as_json(result))
    result.table().to_csv(folder / "outcomes.csv", lineterminator="\n")
    about = {
        "breakrank_result": FORMAT,
        "case": {"id": result.case.id, "digest": result.case.digest},
        "seed": result.seed,
        "runs": result.runs,
        "failed": [{"run": f.run, "where": f.where, "why": f.why} for f in result.failed],
        "interrupted": result.interrupted,
        "events": result.events is not None,
        "seconds": result.seconds,
        "command": result.command,
        "versions": dict(result.versions),
    }
    if result.case.stands_for != 1:
        about["stands_for"] = result.case.stands_for
    names = sorted(path.name for path in folder.glob("*.parquet"))
    write_json(folder / "result.json", sealed(about, folder, names))


def _about(folder: Path) -> dict[str, Any]:
    if not folder.is_dir():
        raise BreakrankError(f"no result folder {folder}")
    if not is_result(folder):
        raise BreakrankError(f"{folder} is no Breakrank result: it has no readable result.json")
    path = folder / "result.json"
    with intact(path, "what a result says of itself"):
        about: dict[str, Any] = json.loads(path.read_text("utf-8"))
        if about["breakrank_result"] != FORMAT:
            writer = about.get("versions", {}).get("breakrank", "of unknown version")
            raise BreakrankError(
                f"{folder} has result format {about['breakrank_result']}, this Breakrank reads {FORMAT}\n"
                f"  It was written by Breakrank {writer}. "
                + (_TO_GO_ON if about["breakrank_result"] == 1 else "Read it with that one, or a newer one.")
            )
        if about.pop("checksum", None) != seal(about):
            raise BreakrankError(_damaged(path))
        return {
            "digest": about["case"]["digest"],
            "files": dict(about["files"]),
            "events": bool(about["events"]),
            "told": {
                "seed": int(about["seed"]),
                "seconds": float(about["seconds"]),
                "command": str(about["command"]),
                "versions": dict(about["versions"]),
                "failed": tuple(Failure(**f) for f in about["failed"]),
                "interrupted": bool(about["interrupted"]),
            },
        }


_TO_GO_ON = (
    "Its report and tables open in other programs. To go on with it, copy its folder case/, "
    "call `breakrank case migrate` for the copy, and run that."
)


def _damaged(path: Path) -> str:
    return f"{path} is not what was written: its checksum differs\n  Make the result again."


def _read_case(folder: Path) -> Case:
    return load_case(folder, catalogue)
