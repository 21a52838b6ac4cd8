"""``breakrank case guide``: the national numbers of a case that matter most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from breakrank.cli.changed_case import change
from breakrank.cli.options import DONE, INTERRUPTED, DatedOptions, OutputOptions, RunOptions, Whole
from breakrank.cli.studies import carried_out

if TYPE_CHECKING:
    from breakrank.runs.carry_out import Account
    from breakrank.runs.memory_store import AnyStore
    from breakrank.runs.study import Study


def guide(
    case: str,
    /,
    *,
    of: str | None = None,
    runs: Whole = 8,
    options: DatedOptions = DatedOptions(),
    where: RunOptions = RunOptions(),
    output: OutputOptions = OutputOptions(),
) -> int:
    """Show the national numbers that matter most in a case.

    Moves each national parameter and field alone, in small runs with the same random draws. Prints the ten
    that move the leading figure most, with the effect of a step, their sizes in the built-in cases, and
    whether evidence stands behind them. Finished runs are kept in a store: after an interruption the same
    call continues from there.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    of
        The measure that counts, e.g. left_abroad. The default is what the record counts most often,
        of that which happens to more than a few.
    runs
        Runs of each number at each end, at least 8, of those that are tried last.
    """
    from dataclasses import replace

    from breakrank.questions.guide.guide import guide as found_out
    from breakrank.questions.guide.terminal import show
    from breakrank.runs.whole_number import whole_number

    made = change(case, replace(options, parameters="values"), None, output.quiet).case
    store, done = where.opened(made.id), 0

    def carry(study: Study, kept: AnyStore, what: str) -> Account:
        nonlocal done
        done += 1
        return carried_out(study, kept, f"{made.title}, {what}", where, output.quiet, again=done > 1)

    found = found_out(made, carry, of, whole_number("runs", runs, 8, 10_000), options.seed, lambda _: store)
    output.tell(found.as_json, lambda: show(found))
    return INTERRUPTED if found.cut_short else DONE
