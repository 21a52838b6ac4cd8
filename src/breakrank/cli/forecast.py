"""``breakrank forecast``: what follows from what was known on a day."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from breakrank.cli.changed_case import change
from breakrank.cli.options import DONE, DatedOptions, Events, OutputOptions, RunOptions, Whole
from breakrank.cli.worlds import searching
from breakrank.errors import UsageError
from breakrank.show.terminal import note

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
    given
        A folder of worlds kept of an earlier day. They go on, told only of the figures since.
    """

    as_of: str
    observations: Path | None = None
    announced: Announced = ()
    given: Path | None = None


def forecast(
    case: str,
    /,
    *,
    known: KnownOptions,
    number: Whole = 100,
    events: Events = None,
    out: Path | None = None,
    options: DatedOptions = DatedOptions(),
    where: RunOptions = RunOptions(),
    output: OutputOptions = OutputOptions(),
) -> int:
    """Forecast from what was known on a day.

    Later events, series and sites are taken out. Worlds are made that agree with the figures published by
    then, and go on with fresh random draws from the last known count. If nothing was published, they are
    draws from the prior. The forecast is the pool of them, a null model and simple baselines. Their scores so
    far are printed, and what they score on later figures, if the case knows any.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    number
        Number of worlds, at least 20.
    out
        Folder in which the worlds are kept, for --given of a later forecast.
    """
    from breakrank.case.worlds import load_worlds
    from breakrank.questions.forecast.forecast import forecast as foretold
    from breakrank.questions.forecast.forecast import show, with_observations

    if out is not None and out.exists() and any(out.iterdir()):
        raise UsageError(f"{out} is not empty; name another folder with --out")
    made = change(case, replace(options, parameters="values"), events, output.quiet).case
    if known.observations is not None:
        made, remarks = with_observations(made, known.observations)
        for remark in remarks:
            note(str(remark))
    with searching(made, where, output.quiet) as (store, carry):
        found = foretold(
            made,
            known.as_of,
            number if known.given is None else load_worlds(known.given, made),
            options.seed,
            announced=known.announced,
            store=store,
            carry=carry,
        )
    if out is not None:
        found.worlds.save(out)
    output.tell(found.as_json, lambda: show(found, made))
    return DONE
