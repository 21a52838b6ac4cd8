"""The labelled result of an ensemble, and the folder that it is kept in, written whole and read bit for bit.

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
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from breakrank.case import load_case
from breakrank.case.fitting import OTHER_FIGURES
from breakrank.engine.replicate import Failure
from breakrank.errors import BreakrankError, UsageError, nearest
from breakrank.model import catalogue
from breakrank.results.files import checksum, intact, says_format, seal, sealed, whole_folder, write_json
from breakrank.results.measures import whole_force
from breakrank.results.outcomes import Outcome, outcomes, table
from breakrank.results.parquet import read_dataset, read_events, write_dataset, write_events
from breakrank.results.uncertainty import FIXED, chance_only, doubts, holds
from breakrank.wording import counted

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import xarray as xr

    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.show.vegalite import Chart


NAMED = 5
"""Variables of the same dimensions that a result names when it is printed."""


def tree(result: Result) -> str:
    """Return a result as a tree of a few lines: where it comes from, what it holds, what went wrong."""
    data = result.data
    case = result.case
    runs = f"{counted(result.runs, 'run')}, seed {result.seed}"
    lines = [f"Result of {case.id}: {runs}{f'; {FIXED}' if chance_only(case) else ''}"]
    first, last = (str(d)[:10] for d in data["day"].values[[0, -1]])
    lines.append(f"├── calendar: {first} to {last}, {data.sizes['day']} days")
    fields = [str(v) for v in data.data_vars if str(v).startswith("field_")]
    names = [v for v in data.data_vars if v not in fields]
    lines.append(f"├── data: {len(names)} variables, {len(fields)} fields, {data.nbytes / 1e6:.1f} MB")
    by_dims: dict[str, list[str]] = {}
    for name in names:
        by_dims.setdefault(", ".join(str(d) for d in data[name].dims), []).append(str(name))
    for dims, some in by_dims.items():
        more = f" and {len(some) - NAMED} more" if len(some) > NAMED else ""
        lines.append(f"│   ├── ({dims})  {', '.join(some[:NAMED])}{more}")
    lines.append(f"├── events: {_events(result)}")
    if result.failed:
        lines.append(f"├── failed: {len(result.failed)}; first: {result.failed[0]}")
    if result.interrupted:
        lines.append("├── interrupted: the runs above had finished")
    lines.append(f"└── made in {result.seconds:.1f} s by {result.command or 'an unknown call'}")
    return "\n".join(lines)


def _events(result: Result) -> str:
    if result.events is None:
        return "no log kept"
    import pyarrow.compute as pc

    logged = len(pc.unique(result.events["run"]))
    return f"{result.events.num_rows:,} rows of {counted(logged, 'run')}"


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """Finished runs of one case, labelled.

    The values in `data` and `events` cannot be written to. Bands over the run dimension are the
    model's spread, not a forecast's certainty.

    Attributes
    ----------
    data : xarray Dataset, counting simulated soldiers (:attr:`whole` counts all for whom they stand);
        variables, dimensions and units as in :mod:`breakrank.results.measures`, the case's dated fields as
        ``field_<name>``. ``data.run`` holds the indices of the runs that finished.
    events : event log of the first runs (``None`` where none was kept): a pyarrow Table with columns run,
        day (index into the calendar), soldier, event, place, other, value, in the order things happened.
    case : the case exactly as used.
    seed : the seed that all runs share.
    seconds : wall time, s.
    command : the call that makes this result again, from the same case (see its ``digest``).
    versions : Breakrank, Python, NumPy and Numba versions and the platform.
    failed : runs that did not finish, with where and why.
    interrupted : whether the study was stopped before all runs were done.
    asked : runs asked for, which are more where it was; 0 where only those that ended are known.
    changed : what the call changed of the case besides its values and mechanisms, in words.
    """

    data: xr.Dataset
    case: Case
    seed: int
    seconds: float = 0.0
    command: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    events: pa.Table | None = None
    failed: tuple[Failure, ...] = ()
    interrupted: bool = False
    asked: int = 0
    changed: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "versions", MappingProxyType(dict(self.versions)))
        for variable in self.data.variables.values():
            variable.values.setflags(write=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (
            self.data,
            self.case,
            self.seed,
            self.seconds,
            self.command,
            dict(self.versions),
            self.events,
            self.failed,
            self.interrupted,
            self.asked,
            self.changed,
        )

    @property
    def runs(self) -> int:
        """Number of finished runs."""
        return int(self.data.sizes["run"])

    @cached_property
    def whole(self) -> Result:
        """The same runs, counting the whole force where it was drawn in part.

        All that is told of a result is read here (see :mod:`breakrank.results.measures`).
        """
        data = whole_force(self.data, self.case.stands_for)
        return self if data is self.data else replace(self, data=data)

    def select(self, variable: str, **labels: object) -> xr.DataArray:
        """Return one variable of the whole force, at the given labels.

        Counts are those that the tables tell: of a force drawn in part, of all for whom it stands. Those of
        the simulated soldiers alone are in :attr:`data`.

        A single label takes its dimension away, a list or slice of labels keeps it, e.g.
        ``select("exits_rank", outcome="registered_exit", rank=["general", "colonel"])``. Days are ISO dates.

        Raises
        ------
        UsageError
            for a variable, dimension or label that does not exist; it names the nearest.
        """
        if variable not in self.data:
            near = nearest(variable, self.data.data_vars)
            raise UsageError(f"no variable {variable!r} in this result{near}")
        array = self.whole.data[variable]
        for dim, label in labels.items():
            if dim not in array.dims:
                have = ", ".join(str(d) for d in array.dims)
                near = nearest(dim, array.dims)
                raise UsageError(f"{variable} has no dimension {dim!r}{near} (it has {have})")
            try:
                array = array.sel({dim: label})
            except (KeyError, ValueError, TypeError) as error:
                known = [str(v) for v in array[dim].values]
                counted = dim in ("run", "day")
                hint = f"{known[0]} to {known[-1]}" if counted else ", ".join(known)
                near = "" if counted else nearest(str(label), known)
                raise UsageError(f"{variable} has no {dim} {label!r}{near} ({hint})") from error
        return array

    def cumulative(self, variable: str, **labels: object) -> xr.DataArray:
        """Return the running total over days of a daily count, at the given labels (see :meth:`select`).

        Raises
        ------
        UsageError
            for a stock or a level, which do not add up over days.
        """
        array = self.select(variable, **labels)
        if array.attrs.get("aggregation") != "sum" or "day" not in array.dims:
            raise UsageError(f"{variable} is no daily count, so it has no running total; use select()")
        total = array.cumsum("day", keep_attrs=True).assign_coords(day=array["day"])
        total.attrs |= {"aggregation": "last", "unit": str(array.attrs["unit"]).removesuffix(" per day")}
        return total

    def outcomes(self) -> tuple[Outcome, ...]:
        """Return the headline outcomes: the case's targets beside the record, then measures at the end."""
        return self._outcomes

    @cached_property
    def _outcomes(self) -> tuple[Outcome, ...]:
        seen = self.versions.get("ensemble") != OTHER_FIGURES
        return outcomes(self.whole.data, self.case, seen)

    def table(self) -> pd.DataFrame:
        """Return the headline outcomes as a table, one row each, indexed by id."""
        return table(self.outcomes())

    @cached_property
    def answer(self) -> Answer:
        """The answer that the runs come to: finding, doubt, tables, figures and evidence."""
        from breakrank.questions.run.answer import answer_of

        return answer_of(self)

    def plot(self, name: str = "") -> Chart:
        """Return a chart by name, by default all of the answer, one below the other."""
        return self.answer.plot(name)

    def save(self, folder: str | PathLike[str]) -> None:
        """Write a result folder; an older result in its place is replaced once the new one is complete.

        Raises
        ------
        BreakrankError
            if the folder holds something else, or the disk is full or not writable; then nothing is left.
        """
        with whole_folder(Path(folder), is_result, OWN) as staging:
            _write(self, staging)

    def report(self, path: str | PathLike[str]) -> None:
        """Write the answer as one HTML file that holds everything and loads nothing, whole or not at all.

        Raises
        ------
        UsageError
            where the file cannot be written, or its name does not end with .html.
        """
        from breakrank.answer.files import write_page

        if Path(path).suffix != ".html":
            raise UsageError(f"{path} is no name for a report; it must end with .html")
        write_page(self.answer, path)

    def __repr__(self) -> str:
        return tree(self)


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


def load_result(folder: str | PathLike[str], *, read_case: Callable[[Path], Case] | None = None) -> Result:
    """Read a result folder.

    Parameters
    ----------
    folder : as written by :meth:`Result.save`.
    read_case : how to read its ``case/`` folder; by default as any case, against today's catalogue.

    Raises
    ------
    BreakrankError
        if the folder is no result, is incomplete, damaged, of another format, or its case was changed since.
    """
    folder = Path(folder)
    about = _about(folder)
    case = read_case(folder / "case") if read_case else load_case(folder / "case", catalogue)
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
        "asked": result.asked,
        "changed": result.changed,
        "events": result.events is not None,
        "seconds": result.seconds,
        "command": result.command,
        "versions": dict(result.versions),
    }
    if result.case.stands_for != 1:
        about["stands_for"] = result.case.stands_for
    names = sorted(path.name for path in folder.glob("*.parquet"))
    write_json(folder / "result.json", sealed(about, folder, names))


def as_json(result: Result) -> dict[str, object]:
    """Return the outcomes as the one object that ``--json`` prints and ``outcomes.json`` holds."""
    return {
        "case": result.case.id,
        "version": result.versions.get("breakrank", ""),
        "ensemble": result.versions.get("ensemble"),
        "doubts": doubts(result.case, result.versions.get("ensemble", "")),
        "seed": result.seed,
        "runs": result.runs,
        "spread": holds(result.case),
        "outcomes": {o.id: o.as_json() for o in result.outcomes()},
    }


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
                "asked": int(about.get("asked", 0)),
                "changed": str(about.get("changed", "")),
            },
        }


_TO_GO_ON = (
    "Its report and tables open in other programs. To go on with it, copy its folder case/, "
    "call `breakrank case migrate` for the copy, and run that."
)


def _damaged(path: Path) -> str:
    return f"{path} is not what was written: its checksum differs\n  Make the result again."
