"""Making worlds that agree with the record of a case up to a day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from breakrank.case.dates import DateLike
from breakrank.case.free_parameters import Free
from breakrank.case.worlds import Worlds
from breakrank.errors import UsageError
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.calibrate.reported import inside
from breakrank.questions.condition.filter import ALIVE, FEW, FILTER
from breakrank.questions.condition.further import further, lived_on
from breakrank.questions.condition.lives import Carry, LivedWorlds
from breakrank.questions.condition.pool import pooled
from breakrank.questions.condition.rounds import settled
from breakrank.questions.condition.search import Search, once
from breakrank.questions.condition.told_worlds import drawn_from_prior, told, told_otherwise
from breakrank.questions.validate.known_then import as_known
from breakrank.results.measures import counted_until
from breakrank.results.publication import is_known
from breakrank.runs.backends import Backend, choose_backend
from breakrank.runs.carry_out import Account, carry_out
from breakrank.runs.cases import as_case
from breakrank.runs.identity import code_digest, source_digest
from breakrank.runs.memory_store import MemoryStore
from breakrank.runs.study import Study
from breakrank.runs.whole_number import whole_number
from breakrank.runs.worker import Simulator
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.runs.store import Store

Simulators = tuple[Simulator | None, Simulator]
"""What makes runs, ``None`` for the model; and what filters their luck."""
RECORD = "record"
"""Given the whole record."""


def condition(
    case: Case,
    given: DateLike = RECORD,
    worlds: int = 200,
    seed: int = 0,
    *,
    store: Store | None = None,
    workers: int | None = None,
    carry: Carry | None = None,
    simulators: Simulators = (None, FILTER),
    steps: int = 0,
) -> Worlds:
    """Return worlds, parameters and luck together, that agree with what was published of a case by a day.

    The priors are those of the case; its posterior, which knows the record already, is left aside. The record
    is used twice all the same where the case's author chose priors, events or fields with it in view: priors
    centred on values that were fitted to it by hand are narrowed by it once more.

    Parameters
    ----------
    case : with priors and targets.
    given : last day whose publications are used, or ``"record"`` for all figures. If nothing was published
        by then, worlds are draws of the prior.
    worlds : how many, at least 20; all weigh the same.
    seed : names the draws and the luck; it is never chosen for its outcome.
    store : keeps what worlds count, so that an interrupted call goes on from there.
    workers : number of processes.
    carry : carries out each study, for whoever wants to watch.
    simulators : what makes runs, by default the model; and what filters their luck.
    steps : that each world takes from what filters leave, a life each, 0 to 1,000.

    Raises
    ------
    UsageError
        for an argument that makes no sense.
    BreakrankError
        if no world could be lived.
    KeyboardInterrupt
        for Ctrl-C.
    """
    number, count = whole_number("seed", seed, 0, 2**64 - 1), whole_number("worlds", worlds, 20, 1_000_000)
    plain = as_case(case).with_draws(None)
    day = day_of(plain, given)
    record = known_record(plain, None if given == RECORD else day)
    lives = _lives(plain, day, number, store, workers, carry, simulators)
    model = source_digest(simulators[0], plain.catalogue.code)
    if record is None:
        return drawn_from_prior(lives, day, count, model)
    search = Search(lives, record, day, count, whole_number("steps", steps, 0, 1_000))
    found = search.done()
    counts = lives.counts(found.draws, record, f"worlds until {day}")
    price = {"paths": [ALIVE.size, ALIVE.most], "lives": search.lived}
    return told(lives, record, found, counts, model, price)


def go_on(
    case: Case,
    worlds: Worlds,
    given: DateLike,
    seed: int = 0,
    *,
    store: Store | None = None,
    workers: int | None = None,
    carry: Carry | None = None,
    simulators: Simulators = (None, FILTER),
) -> Worlds:
    """Return worlds gone on with to a later day, and told of the figures published since theirs.

    Each lives on with some paths of luck. Worlds are taken by how likely the figures are in them, so there
    are as many as before, of as many draws or fewer.

    Parameters
    ----------
    case : theirs, with further figures in its record.
    worlds : that agree with an earlier record.
    given : last day whose publications are used.
    seed, store, workers, carry, simulators : as in :func:`condition`.

    Raises
    ------
    UsageError
        for worlds of another case or force, or an earlier day than theirs.
    BreakrankError
        if no world could be lived.
    KeyboardInterrupt
        for Ctrl-C.
    """
    plain = worlds.of(as_case(case)).with_draws(None)
    day = day_of(plain, given)
    before = worlds.draws.luck
    assert before is not None
    if day < before.until:
        raise UsageError(f"these worlds were told all figures up to {before.until}; name no earlier day")
    ids = {row["id"] for row in worlds.figures}
    record = known_record(plain, None if given == RECORD else day, ids)
    aims = () if record is None else record.aims
    late = tuple(a.id for a in aims if counted_until(a.target) <= before.until and a.id not in ids)
    if late and day == before.until:
        raise UsageError(
            f"these worlds have lived up to {before.until}, and were not told of {listed(late)}\n"
            "  Go on to a later day, or make worlds anew."
        )
    lost = sorted(ids - {aim.id for aim in aims})
    if lost:
        raise UsageError(
            f"these worlds were told of {listed(lost)}, which the record does not hold now\n"
            "  Keep what they were told in the case, or in the table of --observations."
        )
    _refuse_revised(worlds, record)
    number = whole_number("seed", seed, 0, 2**64 - 1)
    lives = _lives(plain, day, number, store, workers, carry, simulators)
    found = None if record is None else further(lives, worlds, record, day, late)
    if record is None or found is None:
        return lived_on(worlds, plain, day)
    price = {"paths": [FEW.size, FEW.most], "lives": worlds.about["lives"], "gone_on_from": str(before.until)}
    model = source_digest(simulators[0], plain.catalogue.code)
    return told(lives, record, *found, model, price)


def take_steps(
    case: Case,
    several: Sequence[Worlds],
    steps: int,
    worlds: int = 200,
    *,
    store: Store | None = None,
    carry: Carry | None = None,
    simulators: Simulators = (None, FILTER),
) -> Worlds:
    """Return worlds of one or several searches after further steps in parameters and luck.

    Searches of different seeds may be made apart, on several machines; steps bring their worlds to one
    posterior.

    Parameters
    ----------
    case : theirs, with the record that they were told.
    several : the worlds of each search, at least one.
    steps : that each world takes, at least 1; 1,000 in all its calls.
    worlds : how many are left, at least 20; not more than there are.
    store, carry, simulators : as in :func:`condition`. What steps draw follows from the luck of the worlds.

    Raises
    ------
    UsageError
        for worlds that do not go together, or of another case, force or record.
    BreakrankError
        if a world could not be lived again.
    KeyboardInterrupt
        for Ctrl-C.
    """
    found = pooled(several)
    plain = several[0].of(case).with_draws(None)
    assert found.draws.luck is not None
    day = found.draws.luck.until
    record = known_record(plain, day, {figure.id for figure in found.figures})
    known = [] if record is None else [aim.id for aim in record.aims]
    if record is None or {figure.id for figure in found.figures} != set(known):
        lost = sorted({figure.id for figure in found.figures} ^ set(known))
        raise UsageError(f"these worlds were told another record, which differs in {listed(lost)}")
    for one in several:
        _refuse_revised(one, record)
    before = 0 if found.settled is None else found.settled.steps
    count = whole_number("worlds", worlds, 20, 1_000_000)
    more = whole_number("steps", steps, 1, 1_000 - before)
    lives = _lives(plain, day, several[0].about["seed"], store, None, carry, simulators)
    lives = replace(lives, free=_as_drawn(lives.free, found.draws.names))
    made = settled(lives, found, once(record, found.figures), more, count)
    price = {"paths": several[0].about["paths"], "lives": sum(one.about["lives"] for one in several)}
    counts = lives.counts(made.draws, record, f"worlds until {day}")
    return told(lives, record, made, counts, source_digest(simulators[0], plain.catalogue.code), price)


def known_record(case: Case, day: dt.date | None, told: Collection[str] = ()) -> TargetRecord | None:
    """Return the figures of a case that were published by a day, or told already; ``None`` if there was none.

    Without a day it is the whole record.
    """
    known = tuple(t for t in inside(case) if day is None or t.id in told or is_known(t, case, day))
    if not known:
        return None
    return TargetRecord.of(type(case)(replace(case.content, targets=known), case.catalogue))


def _refuse_revised(worlds: Worlds, record: TargetRecord | None) -> None:
    """Raise a UsageError where the record holds a figure otherwise now than when worlds were told of it."""
    revised = [] if record is None else told_otherwise(worlds, record)
    if revised:
        raise UsageError(
            f"these worlds were told another figure of {listed(revised)} than the record holds now\n"
            "  Make worlds anew; a figure of a past day cannot be revised in them."
        )


def _as_drawn(free: Free, names: tuple[str, ...]) -> Free:
    """Return free parameters in the order in which worlds hold them; UsageError for others than theirs."""
    priors = dict(zip(free.names, free.priors, strict=True))
    if differ := sorted(priors.keys() ^ set(names)):
        raise UsageError(
            f"these worlds draw other parameters than their case does now, which differ in {listed(differ)}\n"
            "  Give the same case, --set and --events as when they were made, or make worlds anew."
        )
    return Free(names, tuple(priors[name] for name in names))


def _lives(
    case: Case,
    day: dt.date,
    seed: int,
    store: Store | None,
    workers: int | None,
    carry: Carry | None,
    simulators: Simulators,
) -> LivedWorlds:
    model, luck = simulators
    where = choose_backend(None, workers)
    folder = None if store is None else store.folder
    made = carry or silently(where, model)
    free = Free.of(as_known(case, day).case if day < case.calendar.end else case)
    return LivedWorlds(case, free, seed, made, folder, code_digest(model), luck, model)


def silently(where: Backend, model: Simulator | None = None) -> Carry:
    """Return what carries studies out and says nothing."""

    def carry(study: Study, store: MemoryStore, _: str, /, *, simulator: Simulator | None = None) -> Account:
        return carry_out(study, store, where, simulator=simulator or model)

    return carry


def day_of(case: Case, given: DateLike) -> dt.date:
    """Return the last day whose figures are used, within the calendar.

    Raises
    ------
    UsageError
        for a text that is no date, or a day outside the calendar.
    """
    if isinstance(given, str) and given == RECORD:
        return case.calendar.end
    return case.calendar.within(given, f"a day, or {RECORD!r}")
