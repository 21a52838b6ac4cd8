"""``breakrank case count``: a table of dated counts into the ledger and the targets of a case."""

from __future__ import annotations

from pathlib import Path

from breakrank.errors import UsageError
from breakrank.show.terminal import note, say


def count(case: str, table: Path, /) -> None:
    """Write a table of dated counts into the ledger and the targets of a case.

    The table (CSV or XLSX) has the columns date, measure, figure and source. A date is a day, a month, a
    year, or a period such as 2021-Q3 or "early 2022". A figure may be hedged: 850, 800-900, nearly 1,000,
    hundreds, <5, 300+. A source is the id of one in evidence/sources.yaml. If two sources contradict each
    other, both are kept and named as conflicting. What cannot be so is refused: more soldiers than there are,
    a total that falls. The case is checked first; if anything is wrong, nothing is written.

    Parameters
    ----------
    case
        A case folder.
    table
        The table.
    """
    from breakrank import list_cases, load_case
    from breakrank.case.count_table import count_table

    folder = Path(case)
    if not folder.is_dir():
        built_in = ": built-in cases stay as they are" if case in list_cases() else ""
        raise UsageError(f"{case} is no case folder{built_in}\n  `breakrank case new my-country` writes one.")
    counts, remarks = count_table(load_case(case, "point"), folder, table, load_case)
    for one in counts:
        say(f"{one.told}: {one.read}")
    for remark in remarks:
        note(str(remark))
    targets = len({one.target_id for one in counts})
    note(
        f"{len(counts)} observations and {targets} targets were added to {case}. Read them, and give each "
        "the paragraph that it rests on."
    )
