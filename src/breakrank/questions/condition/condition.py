"""Making worlds that agree with the record of a case up to a day."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.case.dates import DateLike
from breakrank.case.draws import Draws, Luck, LuckPath
from breakrank.case.free_parameters import Free, with_later_events
from breakrank.case.worlds import Worlds, numbers_of
from breakrank.errors import UsageError
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.calibrate.regression import Array
from breakrank.questions.calibrate.reported import inside
from breakrank.questions.condition.choose import FoundWorlds, SettledWorlds, ToldFigure, apart, chosen
from breakrank.questions.condition.filter import ALIVE, FEW, FILTER, FilteredDraw, told_on
from breakrank.questions.condition.lives import Carry, LivedWorlds
from breakrank.questions.condition.search import Search, once, settled
from breakrank.results.measures import counted_until
from breakrank.results.outcomes import is_known
from breakrank.results.quantiles import MEDIAN_AND_ENDS
from breakrank.runs.as_of import as_known
from breakrank.runs.backends import choose_backend
from breakrank.runs.carry_out import Account, carry_out
from breakrank.runs.cases import as_case
from breakrank.runs.crew import Backend
from breakrank.runs.identity import code_digest, source_digest
from breakrank.runs.memory_store import MemoryStore
from breakrank.runs.study import Study
from breakrank.runs.whole_number import whole_number
from breakrank.runs.worker import Simulator
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.runs.store import Store

SAME = ("case", "given", "strength", "model")
"""What worlds have to share."""


def pooled(several: Sequence[Worlds]) -> FoundWorlds:
    """Return the worlds of all searches as those of one.

    What counts again what another figure counts is as the first search found it. How likely lives of the
    prior agreed with a figure is the mean over searches.

    Parameters
    ----------
    several : at least one, told of the same figures.

    Raises
    ------
    UsageError
        for worlds of different cases, days, forces, models, steps, parameters or figures, or of the same
        seed twice.
    """
    first, *others = several
    steps = _steps(first)
    for other in others:
        for key in SAME:
            one, two = first.about[key], other.about[key]
            if one != two:
                raise UsageError(f"worlds that are put together share their {key}: {one} and {two} differ")
        if (more := _steps(other)) != steps:
            raise UsageError(
                f"worlds that are put together have taken as many steps: {steps} and {more} differ\n"
                "  Let those that have taken fewer take the others first."
            )
        if differ := sorted(set(first.draws.names) ^ set(other.draws.names)):
            raise UsageError(
                f"worlds that are put together draw the same parameters; these differ in {listed(differ)}"
            )
        if [row["id"] for row in other.figures] != [row["id"] for row in first.figures]:
            raise UsageError("worlds that are put together were told of the same figures; these were not")
    luck = first.draws.luck
    assert luck is not None
    paths = [_paths(worlds, luck.seed) for worlds in several]
    seeds = [{path.seed for path in of_one} for of_one in paths]
    if len(set().union(*seeds)) < sum(map(len, seeds)):
        raise UsageError("worlds that are put together were made with different seeds; name each folder once")
    names = first.draws.names
    order = [[worlds.draws.names.index(name) for name in names] for worlds in several]
    values = np.concatenate([w.draws.values[:, here] for w, here in zip(several, order, strict=True)])
    sizes = [0, *np.cumsum([worlds.origins.max() + 1 for worlds in several])[:-1].tolist()]
    origins = np.concatenate([worlds.origins + size for worlds, size in zip(several, sizes, strict=True)])
    figures = zip(*(map(earlier, worlds.figures) for worlds in several), strict=True)
    return FoundWorlds(
        draws=Draws(names, values, luck=Luck(luck.seed, tuple(chain(*paths)), luck.until)),
        figures=tuple(_mean(found) for found in figures),
        filtered=sum(worlds.about["filtered"] for worlds in several),
        failed=sum(worlds.about["failed"] for worlds in several),
        sharp=sum(worlds.about["effective_unsoftened"] for worlds in several),
        power=min(worlds.about["power"] for worlds in several),
        effective=sum(worlds.about["effective"] for worlds in several),
        counts=np.empty((len(values), 0)),
        settled=SettledWorlds(steps, origins) if steps else None,
    )


def _steps(worlds: Worlds) -> int:
    return int(worlds.about["settled"]["steps"]) if "settled" in worlds.about else 0


def _paths(worlds: Worlds, seed: int) -> list[LuckPath]:
    """Return paths of luck that say under which seed they count, if not under this one."""
    luck = worlds.draws.luck
    assert luck is not None
    under = [luck.under(row) for row in range(len(luck.paths))]
    own = [None if one == seed else one for one in under]
    return [replace(path, seed=one) for path, one in zip(luck.paths, own, strict=True)]


def _mean(found: Sequence[ToldFigure]) -> ToldFigure:
    before, bits = np.mean([(one.before, one.information) for one in found], axis=0).tolist()
    return replace(found[0], before=before, information=bits)


def further(
    lives: LivedWorlds, worlds: Worlds, record: TargetRecord, given: dt.date, late: tuple[str, ...] = ()
) -> tuple[FoundWorlds, list[Array]] | None:
    """Return worlds told of the figures of a record that were published after theirs; ``None`` if none were.

    Figures of days that worlds have lived already, by id, are `late`.

    With them, what each figure of the record counts in them, (n, lag + 1) each: their filters have lived
    them, so nobody has to live them again for it.

    Raises
    ------
    BreakrankError
        if no world could be lived.
    """
    draws = replace(with_later_events(worlds.draws, lives.case), shuffled=False)
    assert draws.luck is not None
    after, n = draws.luck.until, len(draws)
    aims = record.aims
    fresh = [(date, k) for date, here in told_on(record, after, given, late) for k in here]
    if not fresh:
        return None
    places = [k for _, k in fresh]
    twice = {k: next((j for j in places[:at] if _same(record, j, k)), k) for at, k in enumerate(places)}
    once = [k for k in range(len(aims)) if twice.get(k, k) == k]
    told = replace(record, aims=tuple(aims[k] for k in once))
    found = lives.filtered(draws, given, told, f"worlds gone on with until {given}", FEW._replace(late=late))
    order = [k for _, here in told_on(told, after, given, late) for k in here]
    alone = {told.aims[k].id: _alone(list(found.values()), row) for row, k in enumerate(order)}
    figures = [earlier(row) for row in worlds.figures]
    for date, k in fresh:
        before, bits = alone[aims[twice[k]].id]
        figures.append(ToldFigure(aims[k].id, date, before, bits, "" if twice[k] == k else aims[twice[k]].id))
    flat = np.zeros(n)
    dates = [date for date, _ in told_on(told, after, given, late)]
    made = chosen(draws, found, dates, given, n, tuple(figures), flat, flat)
    made = replace(made, effective=made.effective * worlds.about["effective"] / n)
    ends = np.cumsum([told.width(k) for k in range(len(once))])
    by = dict(zip(once, np.split(made.counts, ends[:-1], axis=1), strict=True))
    return made, [by[twice.get(k, k)] for k in range(len(aims))]


def lived_on(worlds: Worlds, case: Case, given: dt.date) -> Worlds:
    """Return worlds that live on to a later day, of which no figure tells.

    What events until then do is drawn, where it has a prior; random draws go on as each world's own.
    """
    assert worlds.draws.luck is not None
    before = worlds.draws.luck.until
    if given <= before:
        return worlds
    draws = with_later_events(worlds.draws, case)
    assert draws.luck is not None
    paths = apart(list(draws.luck.paths), [before], given)
    luck = replace(draws.luck, paths=paths, until=given)
    about = {**worlds.about, "given": str(given), "gone_on_from": str(before)}
    return replace(worlds, draws=replace(draws, luck=luck), about=about)


def _same(record: TargetRecord, one: int, other: int) -> bool:
    """Return whether two figures count the same thing, of the same days."""
    a, b = (record.aims[k].target for k in (one, other))
    return (a.measure, a.date, a.start, a.lag, a.by, a.against) == (
        b.measure,
        b.date,
        b.start,
        b.lag,
        b.by,
        b.against,
    )


def _alone(found: list[FilteredDraw], row: int) -> tuple[float, float]:
    """Return the share of lives that agreed with a figure, and the bits that it alone tells them."""
    agreed, mean, curved = np.mean([one.alone[row] for one in found], axis=0).tolist()
    return agreed, max(0.0, (curved / mean - np.log(mean)) / np.log(2))


def earlier(row: dict[str, object]) -> ToldFigure:
    """Return a figure that kept worlds were told, as their folder tells it."""
    date, again = dt.date.fromisoformat(str(row["date"])), str(row.get("counts_again", ""))
    return ToldFigure(str(row["id"]), date, float(str(row["agree_before"])), float(str(row["bits"])), again)


def told(
    lives: LivedWorlds,
    record: TargetRecord,
    found: FoundWorlds,
    counts: list[Array],
    model: str,
    price: Mapping[str, Any],
) -> Worlds:
    """Return finished worlds with all that is said of them.

    Parameters
    ----------
    counts : what each target of the record counts in them, (n, lag + 1) each.
    model : digest of its source. price : what they took.
    """
    case, draws = lives.case, found.draws
    assert draws.luck is not None
    given = draws.luck.until
    place = {aim.id: k for k, aim in enumerate(record.aims)}
    figures = []
    for told in found.figures:
        aim = record.aims[place[told.id]]
        x = counts[place[told.id]][:, 0]
        x = x[np.isfinite(x)]
        low, middle, high = np.quantile(x, MEDIAN_AND_ENDS).tolist() if x.size else [np.nan] * 3
        figures.append(
            {
                "id": told.id,
                "label": aim.target.label,
                "date": str(told.date),
                "used": not told.twice,
                **({"counts_again": told.twice} if told.twice else {}),
                "median": _plain(middle),
                "interval90": [_plain(low), _plain(high)],
                "error90": [_plain(x) for x in _error(record, place[told.id])],
                "agree_before": round(told.before, 3),
                "agree": round(float(aim.agrees(x).mean()) if x.size else 0.0, 3),
                "bits": round(told.information, 2),
            }
        )
    about = {
        "case": case.id,
        "given": str(given),
        "strength": case.force.strength,
        "seed": lives.seed,
        "luck": draws.luck.seed,
        "worlds": len(draws),
        "draws": len({row.tobytes() for row in draws.values}),
        "effective": round(found.effective, 1),
        "effective_unsoftened": round(found.sharp, 1),
        "power": round(found.power, 3),
        "filtered": found.filtered,
        "failed": found.failed,
        **({} if found.settled is None else {"settled": _told_of(found.settled)}),
        **price,
        "model": model,
        "figures": figures,
    }
    origins = numbers_of(draws) if found.settled is None else found.settled.origins
    return Worlds(Draws(draws.names, draws.values, 1, True, draws.luck), about, hashes(counts), origins)


def drawn_from_prior(lives: LivedWorlds, given: dt.date, number: int, model: str) -> Worlds:
    """Return draws of the prior up to a day by which nothing was published, each with its own random numbers.

    Parameters
    ----------
    model : digest of its source.
    """
    z = lives.free.drawn(lives.seed, "worlds 0", np.arange(number))
    draws = lives.draws(z, [LuckPath(k) for k in range(number)], given)
    assert draws.luck is not None
    draws = replace(draws, luck=replace(draws.luck, informed=False))
    nothing = np.empty((number, 0))
    found = FoundWorlds(draws, (), number, 0, number, 1.0, number, nothing)
    record = TargetRecord((), lives.case.calendar.start)
    return told(lives, record, found, [nothing], model, {"paths": [0, 0], "lives": 0})


def told_otherwise(worlds: Worlds, record: TargetRecord) -> list[str]:
    """Return by id the figures that a record holds otherwise now than when worlds were told of them."""
    now = {aim.id: [_plain(end) for end in _error(record, k)] for k, aim in enumerate(record.aims)}
    return sorted(row["id"] for row in worlds.figures if now.get(row["id"], row["error90"]) != row["error90"])


def hashes(counts: list[Array]) -> tuple[str, ...]:
    """Return for each world a hash of what the targets of a record count in it, to the bit."""
    every = np.concatenate(counts, axis=1).astype("<f8")
    return tuple(hashlib.sha256(row.tobytes()).hexdigest()[:16] for row in every)


def _told_of(made: SettledWorlds) -> dict[str, Any]:
    return {
        "steps": made.steps,
        "starts": len(set(made.origins.tolist())),
        "taken": round(made.taken, 3),
        "at_rest": made.at_rest,
        "middles": list(made.middles),
    }


def _plain(value: float) -> float | None:
    """Return a number with four digits after the point; ``None`` for an open end, or where nothing counts."""
    return round(value, 4) if np.isfinite(value) else None


def _error(record: TargetRecord, which: int) -> tuple[float, float]:
    """Return the ends of what a figure allows with its own error (90%); infinite where it sets none."""
    aim = record.aims[which]
    ends = []
    for figure in aim.figures:
        low, high = aim.bounds(figure)
        room = 1.645 * aim.softness(figure)
        ends.append((float(aim.unscaled(np.array(low - room))), float(aim.unscaled(np.array(high + room)))))
    return min(low for low, _ in ends), max(high for _, high in ends)


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
