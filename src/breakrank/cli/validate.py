"""``breakrank validate``: forecasts of what the model was not told, scored beside naive baselines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from breakrank.cli.options import (
    DONE,
    FAILED,
    Flag,
    Mechanisms,
    OutputOptions,
    RunOptions,
    Whole,
    refuse_early,
)
from breakrank.cli.progress import carried_out

if TYPE_CHECKING:
    from breakrank.runs.carry_out import Account
    from breakrank.runs.study import Study

Announced = Annotated[tuple[str, ...], Parameter(name="--announced", negative="", show_default=False)]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class HoldOutOptions:
    """What is held out.

    Attributes
    ----------
    known_until
        Last known day, e.g. 2019-03-23; by default the first on which a figure was published of a count that
        the record continues.
    announced
        An event after that day which was known to come. May be given several times.
    hindsight
        Keep what came after that day: events, series, sites.
    """

    known_until: str | None = None
    announced: Announced = ()
    hindsight: Flag = False


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ValidationWork:
    """How much work it is.

    Attributes
    ----------
    simulations
        Number of simulations of the prior for each fit.
    runs
        Number of runs of each forecast, two for each parameter draw.
    seed
        Random seed.
    """

    simulations: Whole = 1000
    runs: Whole = 200
    seed: Whole = 0


def validate(
    *cases: str,
    held: HoldOutOptions = HoldOutOptions(),
    mechanisms: Mechanisms = (),
    work: ValidationWork = ValidationWork(),
    out: Path | None = None,
    where: RunOptions = RunOptions(),
    output: OutputOptions = OutputOptions(),
) -> int:
    """Forecast held-out figures, and score the forecasts against simple baselines.

    Each case is fitted to the figures known on a day, and forecasts the later ones. With several cases, or
    none named (all built-in ones), each is also forecast with psychological parameters from the others.
    Prints the score of every forecast (lower is better) and where a baseline wins. Leaves the same as tables,
    and a chart.

    Parameters
    ----------
    cases
        Names of built-in cases, or case folders; by default all built-in cases.
    out
        Folder for validation.csv, validation.json and a chart of each hold-out; by default
        breakrank-validation.
    """
    from breakrank.questions.validate.result import FILES, save
    from breakrank.questions.validate.terminal import show
    from breakrank.questions.validate.validate import validate as validated
    from breakrank.runs.cases import at_large, list_cases
    from breakrank.runs.store import Store

    folder = out if out is not None else Path("breakrank-validation")
    refuse_early(folder, lambda path: any((path / name).is_file() for name in FILES), "no validation")
    kept = where.opened("validation")
    lost = 0

    def carry(study: Study, stored: Store, what: str) -> Account:
        nonlocal lost
        account = carried_out(study, stored, what[:1].upper() + what[1:], where, output.quiet)
        lost += len(account.failed)
        return account

    found = validated(
        tuple(at_large(case, None, mechanisms) for case in cases or list_cases()),
        known_until=held.known_until,
        announced=held.announced,
        hindsight=held.hindsight,
        simulations=work.simulations,
        runs=work.runs,
        seed=work.seed,
        store=kept,
        backend=where.backend,
        workers=where.workers,
        carry=carry,
    )
    save(found, folder)
    output.tell(found.as_json, lambda: show(found), f"Tables and charts  {folder}")
    return FAILED if lost else DONE
