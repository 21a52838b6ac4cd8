"""``breakrank case import``: a published data set into the ledger of a case, and what rests on it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from breakrank.cli.options import check_own
from breakrank.errors import UsageError
from breakrank.show.terminal import note, say, wrapped
from breakrank.wording import HEDGES, counted, listed

Many = Annotated[tuple[str, ...], Parameter(negative="", show_default=False)]
"""An option that may be given several times."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ImportOptions:
    """Which rows are taken, and what they mean.

    Attributes
    ----------
    country
        The case's country as the file names or codes it, e.g. SDN. The default is the country of case.yaml.
    where
        A column and a word that its cells have to hold, e.g. --where "admin1=North". Several have to hold at
        once. On a column by which the data set's rows are chosen, such as actor1, it takes the place of that
        choice.
    columns
        Of a table of one's own: what each column says, e.g. date=event_date,figure=best,low=low,high=high.
    source
        Id of the data set in evidence/sources.yaml. The default is its name.
    accessed
        The day on which the file was taken from its publisher. The default is today.
    host
        A host country as the file names or codes it. The default are those of the case.
    measure
        What figures of a table of one's own count, e.g. left_abroad: they become targets too.
    unit
        The unit of such figures where they are no measure.
    goods
        A good of the basket and how much a family needs a month, e.g. --goods "Rice=12 KG".
    level
        What a family needs a month in the first year of a price index, in --money.
    money
        Name of the money of prices and rates, as units in fields.yaml begin with it.
    """

    country: Many = ()
    where: Many = ()
    columns: str = ""
    source: str = ""
    accessed: str = ""
    host: Many = ()
    measure: str = ""
    unit: str = ""
    goods: Many = ()
    level: float | None = None
    money: str = ""


def import_(dataset: str, file: Path, /, *, into: Path, options: ImportOptions = ImportOptions()) -> None:
    """Write a published data set into a case: source and observations, and what rests on them.

    Events become dated markers without effects. Counts of people become upper bounds, strengths a range,
    prices the basket, rates dated rates. What an event did to soldiers is never taken from a data set. If
    anything is wrong, nothing is written.

    Parameters
    ----------
    dataset
        acled, ucdp, unhcr, unhcr-asylum, wfp, world-bank, cow, coups or coups-by-year; or own for any other
        table, with --columns.
    file
        The file as its publisher gives it: CSV, a sheet of Excel, or JSON of an interface.
    into
        The case folder.
    """
    from breakrank import load_case
    from breakrank.case.datasets.kinds import import_dataset
    from breakrank.case.datasets.rows import Request, layout
    from breakrank.case.dates import as_date
    from breakrank.case.files import Files

    check_own(into)
    known = layout(dataset, options.columns, file)
    Files(into).finish()
    case = load_case(into, "point")
    request = Request(
        source=options.source or (file.stem if dataset == "own" else known.name),
        accessed=as_date(options.accessed, "--accessed") if options.accessed else dt.date.today(),
        countries=options.country or (case.country,),
        where=tuple(_word(text) for text in options.where),
        hosts=options.host,
        measure=options.measure,
        unit=options.unit or known.unit,
        goods=options.goods,
        level=options.level,
        money=options.money,
    )
    made = import_dataset(case, into, file, known, request, load_case)
    for one in made.observations:
        ends = one.get("range", [one["value"]] if "value" in one else [])
        figure, unit = " to ".join(f"{end:,}" for end in ends), one.get("unit", "")
        figure = HEDGES.get(one.get("bound", ""), "") + figure
        say(f"{one['id']}: {one['date']}, {one['what']}{f' ({figure} {unit})' if figure else ''}")
    for remark in made.remarks:
        note(wrapped(remark))
    added = {
        "observation": len(made.observations),
        "marker": len(made.events),
        "target": len(made.targets),
        "field": len(made.fields),
        "rate": sum(len(one["rates"]) for one in made.rates),
    }
    told = [counted(many, what) for what, many in added.items() if many]
    told += ["a range of the strength"] if made.strength else []
    note(f"Added to {into}: {listed(told)}. Read them before anything rests on them.")


def _word(text: str) -> tuple[str, str]:
    column, mark, word = text.partition("=")
    if not mark or not word:
        raise UsageError(f"--where {text}: a column and a word are expected, as in --where 'actor1=Mutiny'")
    return column.strip(), word.strip()
