"""``breakrank forecast``: what follows from what was known on a day."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from breakrank.cli.calibrate import keeping
from breakrank.cli.changed_case import change
from breakrank.cli.options import DONE, DatedOptions, Events, OutputOptions, RunOptions, Whole
from breakrank.errors import UsageError
from breakrank.show.terminal import note

_MADE = (None, "posterior")
"""With these an ensemble is made; any other names the folder of one."""
Announced = Annotated[tuple[str, ...], Parameter(name="--announced", negative="", show_default=False)]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class KnownOptions:
    """What is known.

    Attributes
    ----------
    as_of
        Last day that is known, e.g. 2019-02-28.
    observations
        A table (CSV or XLSX) of new figures beside the record, with the columns date, measure, figure and
        source, read as `breakrank case count` reads it. With a column published, a figure is known from that
        day, otherwise from its own. Later ones than --as-of are used for scores only.
    announced
        An event after that day which was known to come. May be given several times.
    """

    as_of: str
    observations: Path | None = None
    announced: Announced = ()


def forecast(
    case: str,
    /,
    *,
    known: KnownOptions,
    members: Whole = 40,
    events: Events = None,
    out: Path | None = None,
    options: DatedOptions = DatedOptions(),
    where: RunOptions = RunOptions(),
    output: OutputOptions = OutputOptions(),
) -> int:
    """Forecast from what was known on a day.

    Later events, series and sites are taken out. An ensemble is made that agrees with the figures published
    by then, and goes on with fresh random draws from the last known count. If nothing was published, it is
    drawn from the prior. With --ensemble FOLDER, one of an earlier day takes in the figures since. The
    forecast is the pool of the ensemble, a null model and simple baselines. Their scores so far are printed,
    and what they score on later figures, if the case knows any.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    members
        Number of members of the ensemble.
    out
        Folder in which the ensemble is kept, for --ensemble of a later forecast.
    """
    from breakrank.case.ensemble import load_ensemble
    from breakrank.questions.forecast.answer import answer_of
    from breakrank.questions.forecast.forecast import forecast as foretold
    from breakrank.questions.forecast.forecast import with_observations

    if out is not None and out.exists() and any(out.iterdir()):
        raise UsageError(f"{out} is not empty; name another folder with --out")
    made = change(case, replace(options, ensemble="point"), events, output.quiet).case
    if known.observations is not None:
        made, remarks = with_observations(made, known.observations)
        for remark in remarks:
            note(str(remark))
    with keeping(made, where, output.quiet) as (store, carry):
        found = foretold(
            made,
            known.as_of,
            members if options.ensemble in _MADE else load_ensemble(str(options.ensemble), made),
            options.seed,
            announced=known.announced,
            store=store,
            carry=carry,
        )
    if out is not None:
        found.ensemble.save(out)
    output.tell(found.as_json, lambda: answer_of(found, made).show())
    return DONE
