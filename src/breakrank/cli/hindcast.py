"""``breakrank hindcast``: past forecasts of every case and day, scored beside simple baselines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import Parameter

from breakrank.cli.options import DONE, FAILED, Mechanisms, OutputOptions, RunOptions, Whole, refuse_early
from breakrank.cli.progress import carried_out

if TYPE_CHECKING:
    from breakrank.runs.carry_out import Account
    from breakrank.runs.memory_store import MemoryStore
    from breakrank.runs.store import Store
    from breakrank.runs.study import Study


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class HindcastOptions:
    """What is forecast, and with how much work.

    Attributes
    ----------
    as_of
        One day, e.g. 2019-03-23; by default every day on which a figure was published before a later one.
    draws
        Number of draws from the prior as of each day, at least 20: a run of the model and one of the null
        model for each.
    seed
        Random seed.
    """

    as_of: str | None = None
    draws: Whole = 100
    seed: Whole = 0


def hindcast(
    *cases: str,
    asked: HindcastOptions = HindcastOptions(),
    mechanisms: Mechanisms = (),
    out: Path | None = None,
    where: RunOptions = RunOptions(),
    output: OutputOptions = OutputOptions(),
) -> int:
    """Score past forecasts: as of every day on which a figure was published.

    As of each day, what came later is taken out of the case. The model, a null model and simple baselines
    forecast every later figure, and so does the pool of them all. With several cases, or none named (all
    built-in ones), each is also forecast without its record, with psychological parameters from the others.
    Prints which forecaster is nearest. An interrupted call continues where it stopped.

    Parameters
    ----------
    cases
        Names of built-in cases, or case folders; by default all built-in cases.
    out
        Folder for hindcast.csv, hindcast.json and hindcast.svg; by default breakrank-hindcast.
    """
    from breakrank.questions.hindcast.hindcast import hindcast as scored
    from breakrank.questions.hindcast.result import FILES
    from breakrank.runs.cases import at_large, list_cases

    folder = out if out is not None else Path("breakrank-hindcast")
    refuse_early(folder, lambda path: any((path / name).is_file() for name in FILES), "no hindcast")
    kept = where.opened("hindcast")
    lost = 0

    def carry(study: Study, stored: Store | MemoryStore, what: str) -> Account:
        nonlocal lost
        account = carried_out(study, stored, what, where, output.quiet)
        lost += len(account.failed)
        return account

    found = scored(
        tuple(at_large(case, "point", mechanisms) for case in cases or list_cases()),
        as_of=asked.as_of,
        draws=asked.draws,
        seed=asked.seed,
        store=kept,
        carry=carry,
    )
    found.save(folder)
    output.tell(found.as_json, found.answer.show, f"Table and chart  {folder}")
    return FAILED if lost else DONE
