"""``breakrank worlds``: worlds that agree with the record of a case, kept as small text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from breakrank.cli.changed_case import change
from breakrank.cli.options import DONE, DatedOptions, Events, OutputOptions, RunOptions, Whole, unused
from breakrank.cli.progress import carried_out
from breakrank.errors import UsageError
from breakrank.show.terminal import note

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.worlds import Worlds
    from breakrank.questions.condition.lives import Carry
    from breakrank.runs.carry_out import Account
    from breakrank.runs.memory_store import MemoryStore
    from breakrank.runs.store import Store
    from breakrank.runs.study import Study
    from breakrank.runs.worker import Simulator


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    """How many worlds are made, and how far.

    Attributes
    ----------
    number
        Number of worlds, at least 20. All are equally likely.
    steps
        Steps in parameters and random draws that each world takes at the end, a life each, up to 1,000.
    start
        Folder of worlds that were made before. Steps go on from them, and no others are made. May be given
        several times, for worlds that were made with different seeds.
    """

    number: Whole = 100
    steps: Whole = 0
    start: Annotated[tuple[Path, ...], Parameter(name="--from")] = ()


def worlds(
    case: str,
    /,
    *,
    given: str = "record",
    search: SearchOptions = SearchOptions(),
    events: Events = None,
    out: Path | None = None,
    options: DatedOptions = DatedOptions(),
    where: RunOptions = RunOptions(),
    output: OutputOptions = OutputOptions(),
) -> int:
    """Make worlds that agree with the record: parameters and random draws together.

    Parameters are drawn from where the record points. Each draw is lived with many paths of random draws
    from figure to figure, and those that fit are continued. Prints how well each figure is met. Leaves a
    folder of small text files, which `breakrank run --given FOLDER` uses.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    given
        Last day whose publications are used, or record for all figures.
    out
        Folder for the worlds; by default breakrank-CASE-worlds in the current directory.
    """
    from breakrank.questions.condition.terminal import show

    made = change(case, replace(options, parameters="values"), events, output.quiet)
    folder = out if out is not None else unused(Path(f"breakrank-{made.case.id}-worlds"))
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty; name another folder with --out")
    if search.start:
        if options.seed:
            raise UsageError("--from goes on with the random draws of its worlds; leave --seed out")
        found = _moved_on(made.case, given, search, where, output.quiet)
    else:
        found = made_worlds(made.case, given, search.number, options.seed, where, output.quiet, search.steps)
    found.save(folder)
    output.tell(lambda: dict(found.about), lambda: show(found, made.case), "", f"Worlds  {folder}")
    return DONE


def made_worlds(
    case: Case, given: str, number: int, seed: int, where: RunOptions, quiet: bool, steps: int = 0
) -> Worlds:
    """Return worlds of a case, made here."""
    from breakrank.questions.condition.condition import condition

    with searching(case, where, quiet) as (store, carry):
        return condition(case, given, number, seed, store=store, carry=carry, steps=steps)


def _moved_on(case: Case, given: str, search: SearchOptions, where: RunOptions, quiet: bool) -> Worlds:
    """Return kept worlds after further steps."""
    from breakrank.case.worlds import load_worlds
    from breakrank.questions.condition.condition import day_of, take_steps

    if not search.steps:
        raise UsageError("--from goes on with worlds that were made; say how many --steps they take")
    several = [load_worlds(folder, case) for folder in search.start]
    day = day_of(case, given)
    for folder, found in zip(search.start, several, strict=True):
        told = found.about["given"]
        if told != str(day):
            raise UsageError(
                f"the worlds in {folder} were told the figures up to {told}, not up to {day}\n"
                f"  Name that day: --given {told}."
            )
    with searching(case, where, quiet) as (store, carry):
        return take_steps(case, several, search.steps, search.number, store=store, carry=carry)


@contextmanager
def searching(case: Case, where: RunOptions, quiet: bool) -> Iterator[tuple[Store | None, Carry]]:
    """Give the store of a search, if one is named, and what carries it out; after Ctrl-C say what is kept."""
    try:
        yield None if where.store is None else where.opened(case.id), _carries(case, where, quiet)
    except KeyboardInterrupt:
        if where.store is None:
            note("breakrank: nothing is kept; with --store FOLDER, the same call goes on where it stopped")
        else:
            note(f"breakrank: what is finished is kept in {where.store}; the same call goes on from there")
        raise


def _carries(case: Case, where: RunOptions, quiet: bool) -> Carry:
    """Return what carries the studies of a search for worlds out, on this machine.

    UsageError for a backend that is on others: filters hold states, which do not travel.
    """
    if where.backend not in (None, "cores", "serial"):
        raise UsageError(f"--backend {where.backend}: worlds are made on this machine, by cores or serial")
    local = RunOptions(workers=1 if where.backend == "serial" else where.workers)

    def carry(
        study: Study, store: MemoryStore, what: str, /, *, simulator: Simulator | None = None
    ) -> Account:
        about = f"{case.title}, {what}"
        return carried_out(study, store, about, local, quiet, again=True, simulator=simulator)

    return carry
