"""Making worlds that agree with the record of a case up to a day."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING

from breakrank.errors import UsageError
from breakrank.questions.calibrate.free_parameters import Free
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.calibrate.reported import inside
from breakrank.questions.condition.lives import Carry, LivedWorlds
from breakrank.questions.condition.smc import Conditioning
from breakrank.questions.condition.worlds import Worlds, told
from breakrank.results.measures import known_on
from breakrank.runs.backends import choose_backend
from breakrank.runs.carry_out import carry_out
from breakrank.runs.identity import code_digest, source_digest
from breakrank.runs.whole_number import whole_number

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.runs.store import Store
    from breakrank.runs.worker import Simulator

RECORD = "record"
"""Given the whole record."""


def condition(
    case: Case,
    given: dt.date | str = RECORD,
    worlds: int = 200,
    seed: int = 0,
    *,
    store: Store | None = None,
    workers: int | None = None,
    carry: Carry | None = None,
    model: Simulator | None = None,
) -> Worlds:
    """Return worlds, parameters and luck together, that agree with the record of a case up to a day.

    They begin as draws of the priors, so nothing is used twice: a posterior, which knows the record already,
    is left aside.

    Parameters
    ----------
    case : with priors and targets.
    given : last day whose figures are used, or ``"record"`` for all.
    worlds : how many, at least 20; all weigh the same.
    seed : names the draws and the luck; it is never chosen for its outcome.
    store : keeps what worlds count, so that an interrupted call goes on from there.
    workers : number of processes.
    carry : carries out each study, for whoever wants to watch.
    model : what makes the runs; by default the model.

    Raises
    ------
    UsageError
        for an argument that makes no sense, or a day by which nothing was known.
    BreakrankError
        if no world could be lived.
    KeyboardInterrupt
        for Ctrl-C.
    """
    number, count = whole_number("seed", seed, 0, 2**64 - 1), whole_number("worlds", worlds, 20, 1_000_000)
    plain = case.with_draws(None)
    day = day_of(plain, given)
    known = tuple(t for t in inside(plain) if known_on(t) <= day)
    if not known:
        raise UsageError(f"no figure of the record of {case.id} was known on {day}; name a later day")
    record = TargetRecord.of(type(plain)(replace(plain.content, targets=known), plain.catalogue))
    where = choose_backend(None, workers)
    lives = LivedWorlds(
        plain,
        Free.of(plain),
        number,
        carry or (lambda study, kept, _: carry_out(study, kept, where, simulator=model)),
        None if store is None else store.folder,
        code_digest(model),
    )
    work = Conditioning(lives, record, day, count)
    return told(lives, record, day, work, work.done(), source_digest(model, plain.catalogue.code))


def day_of(case: Case, given: dt.date | str) -> dt.date:
    """Return the last day whose figures are used, within the calendar.

    Raises
    ------
    UsageError
        for a text that is no date, or a day outside the calendar.
    """
    start, end = case.calendar.start, case.calendar.end
    if given == RECORD:
        return end
    try:
        day = dt.date.fromisoformat(given) if isinstance(given, str) else given
    except ValueError:
        raise UsageError(f"{given!r} is neither {RECORD!r} nor a date such as 2019-02-28") from None
    if not start <= day <= end:
        raise UsageError(f"{day} is outside the calendar of {case.id}, which runs from {start} to {end}")
    return day
