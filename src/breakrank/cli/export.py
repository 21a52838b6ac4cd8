"""``breakrank export``: a result or a store for other programs."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from breakrank.cli.options import DONE, FAILED, Flag, Whole
from breakrank.errors import UsageError, nearest
from breakrank.results.measures import whole_force
from breakrank.results.parquet import in_blocks
from breakrank.runs.part import gather, gather_events, variables_of
from breakrank.show.terminal import note, say

if TYPE_CHECKING:
    import pyarrow as pa
    import xarray as xr

    from breakrank.results.result import Result
    from breakrank.runs.store import Kept, Store

AT_ONCE = 300
"""Runs whose variables are reduced together, some 0.1 GB; of more runs, fewer variables at once."""

Only = Annotated[tuple[str, ...], Parameter(name="--only", negative="", show_default=False)]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class EnsembleOptions:
    """Which ensemble of a store it is.

    Attributes
    ----------
    scenario
        Name of the scenario, if the store holds several.
    seed
        Seed, if the store holds several.
    digest
        Beginning of the digest, if the store holds several scenarios of one name and seed; `breakrank store
        list` shows it.
    """

    scenario: str | None = None
    seed: Whole | None = None
    digest: str | None = None


def export(
    source: Path,
    target: Path,
    /,
    *,
    to: str | None = None,
    only: Only = (),
    which: EnsembleOptions = EnsembleOptions(),
    reduce: Flag = False,
    events: Flag = False,
    quiet: Flag = False,
) -> int:
    """Write the runs of a result folder or a store as CSV, Parquet, NetCDF or Zarr, with labels and units.

    CSV and Parquet are tables with one row per run and day in TARGET. Files beside it hold variables without
    days, the case's dated fields, and the meaning of every column. NetCDF and Zarr need the extra export.

    Parameters
    ----------
    source
        A result folder, or a store.
    target
        File to write (for Zarr, a folder).
    to
        csv, parquet, netcdf or zarr; by default what the name ends with: .csv, .parquet, .nc or .zarr.
    only
        A variable to write, e.g. exits_rank; by default all. May be given several times.
    reduce
        Write mean, standard deviation and quantiles over runs instead of the runs.
    events
        Write the event table too (csv, parquet).
    quiet
        Print only errors.
    """
    from breakrank.answer.files import is_answer
    from breakrank.results.export import BY_RUN, check_format, format_of, reduced
    from breakrank.results.export import export as exported
    from breakrank.results.result import is_result, load_result

    to = format_of(target, to)
    check_format(to)
    code = DONE
    opened: _Stored | _Loaded
    if is_result(source) or (source / "daily.parquet").is_file():  # also where its result.json is damaged
        if which != EnsembleOptions():
            raise UsageError(
                f"{source} is one result: --scenario, --seed and --digest choose among what a store holds"
            )
        opened = _Loaded(load_result(source))
    elif is_answer(source):
        raise UsageError(
            f"{source} is an answer, and holds its tables as CSV files already\n"
            "  A workbook comes with --out NAME.xlsx, where the question is asked again."
        )
    else:
        opened = _Stored(source, which.scenario, which.seed, which.digest)
    wanted = _wanted(only, opened.names())
    if reduce:
        import xarray as xr

        names = [name for name in opened.names() if name in wanted]
        some = max(1, len(names) * AT_ONCE // opened.runs)  # each reads all parts of a store once
        every = [reduced(opened.data({*names[k : k + some]})) for k in range(0, len(names), some)]
        data = xr.merge(every, combine_attrs="override", join="exact", compat="equals")
    else:
        data = opened.data(wanted)
    pieces = in_blocks(data) if to in BY_RUN else [data]
    made = exported(pieces, to, target, opened.events() if events else None)
    for one in opened.damaged():
        note(f"breakrank: {one}; make its runs again with the call that made them")
        code = FAILED
    if not quiet:
        for path in made:
            say(f"{path}")
    return code


def _wanted(only: tuple[str, ...], names: list[str]) -> set[str]:
    for name in only:
        if name not in names:
            raise UsageError(f"no variable {name!r}{nearest(name, names)} (there are {', '.join(names)})")
    return set(only or names)


class _Loaded:
    """A result folder."""

    def __init__(self, result: Result) -> None:
        self._result = result
        self.runs = int(result.data.sizes["run"])

    def names(self) -> list[str]:
        return [str(v) for v in self._result.data.data_vars]

    def data(self, wanted: set[str]) -> xr.Dataset:
        data = self._result.whole.data
        return data.drop_vars([v for v in data.data_vars if v not in wanted])

    def events(self) -> pa.Table | None:
        return self._result.events

    def damaged(self) -> tuple[str, ...]:
        return ()


class _Stored:
    """One ensemble of a store."""

    def __init__(self, folder: Path, scenario: str | None, seed: int | None, digest: str | None) -> None:
        from breakrank.runs.store import Store

        self._store: Store = Store(folder, create=False)
        self._kept = _chosen(self._store, folder, scenario, seed, digest)
        self._case = self._store.case(self._kept)
        parts = self._kept.stored.parts()
        self.runs = 1 + max((run for part in parts for run in part.runs), default=-1)
        if not parts:
            raise UsageError(f"{folder} holds no finished run of {self._kept.scenario}")

    def names(self) -> list[str]:
        fields = [f"field_{name}" for name in self._case.catalogue.fields]
        return [*variables_of(self._case, self._kept.stored.parts()), *fields]

    def data(self, wanted: set[str]) -> xr.Dataset:
        kept, held = self._kept, variables_of(self._case, self._kept.stored.parts())
        some = wanted & {*held} or {held[0]}  # something with runs, for the dated fields to come along
        found = kept.stored.parts_with(range(self.runs))
        data = whole_force(gather(self._case, found, self.runs, some), self._case.stands_for)
        return data.drop_vars([v for v in data.data_vars if v not in wanted])

    def events(self) -> pa.Table | None:
        return gather_events(self._kept.stored.parts_with(range(self.runs)))

    def damaged(self) -> tuple[str, ...]:
        return tuple(str(one) for one in self._store.damaged())


def _chosen(store: Store, folder: Path, scenario: str | None, seed: int | None, digest: str | None) -> Kept:
    """Return the one ensemble that is meant; UsageError names those that there are."""
    from breakrank.runs.identity import code_digest
    from breakrank.runs.store import abbreviated, fits, prefix

    begins = None if digest is None else prefix(digest)
    every = store.ensembles()
    found = [
        k
        for k in every
        if scenario in (None, k.scenario) and seed in (None, k.seed) and (begins is None or fits(k, begins))
    ]
    if len(found) > 1:  # of several versions of the model, today's
        found = [k for k in found if k.code == code_digest()] or found
    if len(found) == 1:
        return found[0]
    short = dict(zip(every, abbreviated(every), strict=True))
    some = found or every
    there = "\n".join(
        f"  --scenario {shlex.quote(k.scenario)} --seed {k.seed} --digest {short[k]}  ({k.case})"
        for k in some[:20]
    )
    more = f"\n  and {len(some) - 20} more" if len(some) > 20 else ""
    what = "several ensembles; say which" if found else "no such ensemble"
    raise UsageError(f"{folder} holds {what}. There are:\n{there or '  none'}{more}")
