"""One soldier's year: who they are, what happened to them, and what weighed at each of their decisions.

Every draw is a pure function of seed, run and soldier, so a life that was lived in an ensemble can be
lived again with a witness beside it. No real person is described: all soldiers are synthetic.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from breakrank.draws import uniform_each
from breakrank.engine import codes
from breakrank.engine.observe import Witness
from breakrank.errors import UsageError, nearest
from breakrank.force.force import BORDER_POST, CLASSMATE, ESCORT, GUARDS_POLITICIAN, KIN, UNIT, VEHICLE
from breakrank.mechanisms.counterintelligence import INFORMER_DRAW
from breakrank.model import model_of
from breakrank.wording import counted, listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.day import Days
    from breakrank.engine.mechanism import Term
    from breakrank.engine.observe import Testimony
    from breakrank.force import Force
    from breakrank.model import Model

Log = Mapping[str, npt.NDArray[Any]]
"""Columns of one run's event log (see :data:`breakrank.engine.replicate.EVENT_COLUMNS`)."""
Mask = npt.NDArray[np.bool_]

NOBODY: Final = 0xFFFFFFFF
"""What the log has where nobody else took part."""


MEANT: Final[Mapping[str, tuple[str, ...]]] = {
    "arrested": ("detained", "imprisoned"),
    "defected": ("declared",),
    "deserted": ("hiding", "travelling", "abroad", "registered"),
    "fled": ("travelling", "abroad", "registered"),
    "killed": ("dead",),
    "stayed": ("serving",),
}
"""Where those are on the last day to whom something happened, by the common word for it."""


def odds(chance: float) -> str:
    """Return a probability as odds, no more digits than carry meaning.

    Examples
    --------
    >>> [odds(p) for p in (0.72, 0.0042, 0.00001834, 1e-9, 0.0, 0.9999)]
    ['72 in 100', '1 in 240', '1 in 55,000', 'less than 1 in a million', 'no chance', 'almost certain']
    """
    if chance <= 0:
        return "no chance"
    if chance < 1e-6:
        return "less than 1 in a million"
    if chance >= 0.995:
        return "almost certain"
    if chance >= 0.1:
        return f"{chance * 100:.0f} in 100"
    return f"1 in {int(float(f'{1 / chance:.2g}')):,}"


@dataclass(frozen=True, slots=True)
class Weight:
    """What one named term adds to an option: `value` in utility units (log-odds against staying).

    `base` marks what is no motive, but how rare the act is (see :class:`breakrank.engine.mechanism.Term`).
    """

    term: str
    about: str
    value: float
    base: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """One option that was open.

    Attributes
    ----------
    code, name : which option, as in ``world.options``.
    chance : its probability, 0 to 1.
    weights : the terms that speak for or against it, the heaviest first; none for staying.
    """

    code: int
    name: str
    chance: float
    weights: tuple[Weight, ...]

    @property
    def utility(self) -> float:
        """Log-odds against staying."""
        return sum(w.value for w in self.weights)


@dataclass(frozen=True, slots=True)
class LivedMoment:
    """One decision opportunity.

    Attributes
    ----------
    date : when.
    occasion : why then.
    options : what was open, staying first.
    choice : code of the option taken.
    opposed : whether they were privately opposed.
    leader : identity of who asked them to come along.
    """

    date: dt.date
    occasion: str
    options: tuple[Option, ...]
    choice: int
    opposed: bool
    leader: int | None

    @property
    def chosen(self) -> Option:
        """The option taken."""
        return next(o for o in self.options if o.code == self.choice)

    @property
    def weighed(self) -> Option | None:
        """The option against staying that the moment turned on: the one taken, or else the likeliest."""
        if self.choice != codes.STAY:
            return self.chosen
        return max((o for o in self.options if o.code != codes.STAY), key=lambda o: o.chance, default=None)


def moment_of(seen: Testimony, days: Days) -> LivedMoment:
    """Return a moment from a witness's testimony; a term counts for an option with its factor there."""
    world = days.world
    options = tuple(
        Option(code, name, float(seen.chance[code]), _weights(seen, days.terms, code))
        for code, name in enumerate(world.options)
        if seen.chance[code] > 0
    )
    return LivedMoment(
        world.case.calendar.date(seen.day),
        of_anyone(codes.OCCASIONS[seen.occasion]),
        options,
        seen.choice,
        seen.margin > 0,
        int(world.force.identity[seen.leader]) if seen.leader >= 0 else None,
    )


def _weights(seen: Testimony, terms: Sequence[Term], option: int) -> tuple[Weight, ...]:
    found = (
        Weight(t.name, t.about, float(t.options.get(option, 0.0)) * float(value), t.base)
        for t, value in zip(terms, seen.terms, strict=True)
    )
    return tuple(sorted((w for w in found if w.value != 0), key=lambda w: -abs(w.value)))


def informers(case: Case, force: Force, key: np.uint64) -> Mask:
    """Return whether each soldier is an informer under a run's random key, bool (soldier,)."""
    if not case.value("counterintelligence.on"):
        return np.zeros(force.n, np.bool_)
    draws = uniform_each(key, INFORMER_DRAW, force.identity, np.zeros(force.n, np.int64))
    found: Mask = draws < case.value("counterintelligence.informers")
    return found


ACCESS: Mapping[int, str] = MappingProxyType(
    {
        VEHICLE: "a vehicle at hand",
        BORDER_POST: "a post at the border",
        ESCORT: "escort duty",
        GUARDS_POLITICIAN: "guard duty over a politician",
    }
)
"""What a soldier can get at, by flag of the column ``access``."""


@dataclass(frozen=True, slots=True)
class Soldier:
    """A synthetic soldier; no real person stands behind them.

    Attributes
    ----------
    identity : their number, which names them and their luck for good.
    branch, rank : labels of the case; a rank is a group of ranks.
    about : where they serve, who depends on them, whom they trust and what they can get at, in sentences.
    """

    identity: int
    branch: str
    rank: str
    about: str

    def __str__(self) -> str:
        return self.about


def soldier_of(case: Case, force: Force, position: int) -> Soldier:
    """Return who stands at a position of a force."""
    identity, years = int(force.identity[position]), int(force.years[position])
    branch = case.force.branches[int(force.branch[position])].label
    rank = case.force.ranks[int(force.rank[position])].label
    station = case.force.states[int(force.state[position])].label
    served = "less than a year" if years == 0 else counted(years, "year")
    post = (
        f"Soldier {identity} of the synthetic force ({branch}; rank group: {rank}) serves in unit "
        f"{int(force.unit[position])}, stationed in {station}, and has {served} of service behind them."
    )
    return Soldier(identity, branch, rank, f"{post} {_bonds(force, position)}")


def _bonds(force: Force, position: int) -> str:
    """Return who depends on a soldier, whom they trust and what they can get at, in a few sentences."""
    fed, flags = int(force.dependants[position]), int(force.access[position])
    who = counted(fed, "person lives", "people live") if fed else "Nobody lives"
    abroad = "they have relatives abroad" if force.kin_abroad[position] else "they have nobody abroad"
    kinds = force.ties.kind[force.ties.start[position] : force.ties.start[position + 1]]
    known = [
        counted(number, one, many)
        for kind, one, many in (
            (UNIT, "comrade of their unit", "comrades of their unit"),
            (CLASSMATE, "classmate", "classmates"),
            (KIN, "relative in the force", "relatives in the force"),
        )
        if (number := int((kinds == kind).sum()))
    ]
    trusts = f"They trust {listed(known)}." if known else "There is nobody in the force whom they trust."
    access = [words for flag, words in ACCESS.items() if flags & flag]
    has = f" They have {listed(access)}." if access else ""
    return f"{who} on their pay; {abroad}. {trusts}{has}"


SHARED: Final = (
    codes.EV_CONFIDED,
    codes.EV_REPORTED,
    codes.EV_APPROACHED_SOMEONE,
    codes.EV_JOINED,
    codes.EV_DECLINED,
    codes.EV_PLEDGED,
    codes.EV_TAPPED,
    codes.EV_NAMED,
    codes.EV_WORD,
)
"""Events of others that stand in the other's life as well: whom they approached, who heard of them."""
COUNTED: Final = (codes.EV_LEFT, codes.EV_FOLLOWED, codes.EV_ROSE, codes.EV_RENEGED, codes.EV_REFUSED)
"""Events of others that the life of whom they followed counts, one row a day."""
ABROAD: Final = tuple(range(codes.EV_SENT, codes.EV_TOOK_OFFER + 1))
"""Events of life abroad, of which somebody's being many says nothing of how typical they are."""
BEFORE: Final = frozenset(
    codes.EVENTS[e]
    for e in (
        codes.EV_SHOCK,
        codes.EV_CONFIDED,
        codes.EV_ARRESTED,
        codes.EV_RELEASED,
        codes.EV_IMPRISONED,
        codes.EV_SET_FREE,
        codes.EV_DIED,
        codes.EV_CAUGHT_HIDING,
        codes.EV_DISMISSED,
        *range(codes.EV_PLEDGED, codes.EV_SURRENDERED),
    )
)
"""Events of a day that come before its decision opportunities; the others follow from them."""

_RELATION: Final = {UNIT: "comrade of their unit", CLASSMATE: "classmate", KIN: "relative in the force"}
_LEFT_HOW: Final = {
    codes.AS_CIVILIAN: "as a civilian",
    -1: "slipping away",
    0: "without family",
    1: "with their family",
    2: "from their post at the crossing",
}
_WENT_BACK: Final = ("unnoticed", "caught at the border", "to fight, and taken at the border")
_FARED: Final = ((0.85, "well"), (0.6, "fairly well"), (0.4, "neither well nor badly"), (0.2, "badly"))


def fared(quality: float) -> str:
    """Return in words how someone fares abroad: treatment times hope, from 0 (neither) to 1 (both).

    Examples
    --------
    >>> [fared(q) for q in (1.0, 0.7, 0.5, 0.15)]
    ['well', 'fairly well', 'neither well nor badly', 'very badly']
    """
    return next((words for least, words in _FARED if quality >= least), "very badly")


def of_anyone(name: str) -> str:
    """Return the name of an event or an occasion as it is said of anyone.

    >>> of_anyone("found his way shut"), of_anyone("as a way opened that he had waited for")
    ('found their way shut', 'as a way opened that they had waited for')
    """
    return re.sub(r"\bhe\b", "they", re.sub(r"\bhis\b", "their", name))


def _aim(_: Case, value: float) -> str:
    pledge = "a pledge for " if value >= codes.PLEDGE_ASKED else ""
    rises = int(value) % codes.PLEDGE_ASKED == codes.RISE
    return f"{pledge}{'an uprising' if rises else 'a crossing with comrades'}"


def _launched(_: Case, value: float) -> str:
    members = counted(max(0, int(value)) % codes.BY_AIM, "member")
    return f"{'an uprising' if value >= codes.BY_AIM else 'a crossing with comrades'}, {members}"


def _many(noun: str) -> Callable[[Case, float], str]:
    return lambda _, value: counted(max(0, int(value)), noun)


def _pledged(case: Case, value: float) -> str:
    return _office(case, value - codes.OF_THE_HIGH_COMMAND) if value >= codes.OF_THE_HIGH_COMMAND else ""


def _office(case: Case, index: float) -> str:
    positions = tuple(getattr(case, "command", ()))
    there = 0 <= index < len(positions)
    return f"as {positions[int(index)].label}" if there else "as holder of a position of the high command"


def _household(_: Case, value: float) -> str:
    return f"with {counted(int(value) - 1, 'relative')}" if value >= 2 else ""


DETAILS: Final[Mapping[int, Callable[[Case, float], str]]] = {
    codes.EV_LEFT: lambda _, value: _LEFT_HOW.get(int(value), ""),
    codes.EV_INVITED: _many("comrade"),
    codes.EV_SHOT: lambda _, value: "died" if value > 0 else "lived",
    codes.EV_REGISTERED: lambda _, value: "by the host" if value > 0 else "",
    codes.EV_FOUNDED: _aim,
    codes.EV_APPROACHED_SOMEONE: _aim,
    codes.EV_JOINED: _aim,
    codes.EV_PLEDGED: _pledged,
    codes.EV_RENEGED: _pledged,
    codes.EV_LAUNCHED: _launched,
    **dict.fromkeys(range(codes.EV_PLOT_BROKEN, codes.EV_LAUNCHED), _many("member")),
    codes.EV_ROSE: lambda _, value: f"{counted(int(value), 'hour')} after the first" if value >= 1 else "",
    **dict.fromkeys(range(codes.EV_UPRISING_COLLAPSED, codes.EV_SURRENDERED), _many("soldier")),
    codes.EV_STOOD_BY: _office,
    codes.EV_PACT: _office,
    codes.EV_FELL: lambda _, value: "by a pact" if value >= 1 else "by an uprising",
    **dict.fromkeys((codes.EV_LODGED, codes.EV_NO_PLACE, codes.EV_PUT_OUT), _household),
    **dict.fromkeys((codes.EV_RELOCATED, codes.EV_TOOK_OFFER), _household),
    codes.EV_MOVED_ON: lambda _, value: "to kin abroad" if value < 1 else "without kin to go to",
    codes.EV_WENT_BACK: lambda _, value: _WENT_BACK[min(max(0, int(value)), len(_WENT_BACK) - 1)],
    codes.EV_EXPELLED: lambda _, value: "an infiltrator" if value >= 1 else "though no infiltrator",
    codes.EV_WORD: lambda _, value: f"faring {fared(value)}",
}
"""What the value of an event in the log means, in words; of others it says nothing."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened to a soldier or that they did.

    Attributes
    ----------
    date : when.
    event : name of the event, as in the event log.
    place, where : id and label of the route or of the site it concerns, or "".
    other : identity of who else took part, ``None`` for nobody or several.
    who : the same in words, e.g. ``"classmate (soldier 8)"``, after "by" where another did it.
    value : what the event log notes beside it; of several who did the same, how many.
    detail : what that means, in words.
    own : whether it is their own doing or fate, rather than another's that concerns them.
    """

    date: dt.date
    event: str
    place: str = ""
    where: str = ""
    other: int | None = None
    who: str = ""
    value: float = 0.0
    detail: str = ""
    own: bool = True


def happenings(case: Case, force: Force, log: Log, position: int, informers: Mask) -> tuple[Happening, ...]:
    """Return the events of the soldier at `position`, in the order things happened.

    Rows of others are theirs too where they did something to them, confided in them or went along with them;
    those of :data:`COUNTED` are one a day. Of words from and to abroad only those stand that say something
    else than the one before. Of `informers`, bool (soldier,), it is said that they are, though they could not
    know.
    """
    me = int(force.identity[position])
    own = log["soldier"] == me
    theirs = (log["other"] == me) & np.isin(log["event"], (*SHARED, *COUNTED))
    twice = (log["event"] == codes.EV_DESERTED) & (log["value"] == codes.HAD_LEFT)  # as turned away
    rows = np.flatnonzero((own | theirs) & ~twice)
    along = Counter((int(log["event"][k]), int(log["day"][k])) for k in rows if not own[k])
    heard: dict[int, str] = {}
    found = []
    for k in rows:
        event, day, value = int(log["event"][k]), int(log["day"][k]), float(log["value"][k])
        mine, other = bool(own[k]), int(log["other" if own[k] else "soldier"][k])
        beside = None if other in (NOBODY, me) else other
        many = 1
        if not mine and event in COUNTED:
            many, along[event, day] = along[event, day], 0
            if not many:
                continue
        detail = DETAILS[event](case, value) if event in DETAILS else ""
        if event == codes.EV_WORD:
            source = me if mine else other
            if heard.get(source) == detail:
                continue
            heard[source] = detail
        if mine and event == codes.EV_REPORTED and informers[position]:
            detail = "as an informer"
        who = "" if beside is None else _relation(force, position, beside)
        told_to = event == (codes.EV_CONFIDED if mine else codes.EV_REPORTED)
        if told_to and beside is not None:
            who += ", an informer" if informers[int(np.searchsorted(force.identity, beside))] else ""
        place, where = _place(case, int(log["place"][k]) - len(case.force.states))
        found.append(
            Happening(
                case.calendar.date(day),
                (*codes.EVENTS, *case.catalogue.events)[event],
                place,
                where,
                beside if many == 1 else None,
                f"{'' if mine or not who else 'by '}{who}" if many == 1 else f"by {many} soldiers",
                value if many == 1 else float(many),
                detail if many == 1 else "",
                mine,
            )
        )
    return tuple(found)


def entries(force: Force, log: Log) -> npt.NDArray[np.int64]:
    """Return how much there is to tell of each: rows of the log, life abroad apart, int64 (soldier,)."""
    rows = ~np.isin(log["event"], ABROAD)
    who = np.searchsorted(force.identity, log["soldier"][rows])
    return np.bincount(who, minlength=force.n).astype(np.int64)


def _place(case: Case, place: int) -> tuple[str, str]:
    """Return id and label of a place, counted through the crossings and then the sites; "" for none."""
    named = [(one.id, one.label) for many in (case.crossings, case.sites) for one in many]
    return named[place] if 0 <= place < len(named) else ("", "")


def _relation(force: Force, position: int, identity: int) -> str:
    """Return who another soldier is to the one at `position`."""
    other = int(np.searchsorted(force.identity, identity))
    ties = force.ties
    row = slice(int(ties.start[position]), int(ties.start[position + 1]))
    kinds = ties.kind[row][ties.other[row] == other]
    return f"{_RELATION[int(kinds[0])]} (soldier {identity})" if kinds.size else f"soldier {identity}"


@dataclass(frozen=True)
class Trace:
    """The life of one synthetic soldier in one run.

    Attributes
    ----------
    seed, run : which world.
    soldier : who they are.
    last : the last day of the run.
    moments : their decision opportunities, in order.
    events : what happened to them and what they did, in order.
    fate : where they were on the last day (see ``breakrank.engine.codes.FATES``).
    opposed : whether they were privately opposed then.
    """

    seed: int
    run: int
    soldier: Soldier
    last: dt.date
    moments: tuple[LivedMoment, ...]
    events: tuple[Happening, ...]
    fate: str
    opposed: bool


def trace(case: Case, soldier: int, seed: int = 0, run: int = 0) -> Trace:
    """Tell one soldier's year, with what weighed at each of their decision opportunities.

    Parameters
    ----------
    soldier : their identity.
    seed, run : which world; run k of an ensemble under a seed is told exactly as it was lived there.

    Raises
    ------
    UsageError
        for a soldier who is not in the force.
    """
    return traces(case, (soldier,), seed, run)[0]


def traces(case: Case, soldiers: Iterable[int], seed: int = 0, run: int = 0) -> tuple[Trace, ...]:
    """Tell several soldiers' years of one run, which is lived once (see :func:`trace`)."""
    model = model_of(case, seed, run)
    positions = [model.world.force.position(soldier) for soldier in soldiers]
    witness = Witness(positions)
    log = model.witnessed(seed, run, witness).events
    assert log is not None
    return tuple(_life(model, log, witness, position, seed, run) for position in positions)


def find_soldier(
    case: Case,
    fate: str,
    seed: int = 0,
    run: int = 0,
    *,
    rank: str | None = None,
    branch: str | None = None,
) -> int:
    """Return the identity of a soldier who ended in a given way: a typical one.

    Of the commonest rank and private stance among those, with as much in the log as the median one of whom it
    tells anything.

    Parameters
    ----------
    fate : where they are on the last day, e.g. ``"registered"``, ``"dead"``, ``"serving"``.
    rank, branch : ids of their rank and branch; any by default.

    Raises
    ------
    UsageError
        for an unknown fate, rank or branch, or a fate that nobody met here; it names those that were.
    """
    model = model_of(case, seed, run)
    fates = model.world.fates
    if fate not in fates:
        meant = f": that is {listed(MEANT[fate], 'or')}" if fate in MEANT else nearest(fate, fates)
        raise UsageError(f"there is no outcome {fate!r}{meant}; known: {', '.join(fates)}")
    force = model.world.force
    witness = Witness(())
    log = model.witnessed(seed, run, witness).events
    assert log is not None
    kinds = model.world.case.force
    among = _of(rank, [one.id for one in kinds.ranks], force.rank, "rank")
    among &= _of(branch, [one.id for one in kinds.branches], force.branch, "branch")
    there = np.flatnonzero(among & (witness.fate == fates.index(fate)))
    if not there.size:
        met = ", ".join(fates[code] for code in np.unique(witness.fate[among])) or "nothing"
        who = " ".join(["nobody", *(f"of {name}" for name in (rank, branch) if name)])
        raise UsageError(f"{who} ended as {fate!r} in run {run} under seed {seed}; what occurs: {met}")
    kind = 2 * force.rank[there].astype(np.intp) + (witness.margin[there] > 0)
    alike, told = there[kind == np.bincount(kind).argmax()], entries(force, log)
    with_a_life = alike[told[alike] > 0]
    return int(force.identity[typical(with_a_life if with_a_life.size else alike, told)])


def _of(name: str | None, ids: Sequence[str], codes: npt.NDArray[np.uint8], kind: str) -> Mask:
    """Return who is of a rank or branch, bool (soldier,); everyone where none is named."""
    if name is None:
        return np.ones(len(codes), np.bool_)
    if name not in ids:
        raise UsageError(f"there is no {kind} {name!r}{nearest(name, ids)}; known: {', '.join(ids)}")
    return np.asarray(codes == ids.index(name))


def typical(there: npt.NDArray[np.intp], told: npt.NDArray[np.int64]) -> int:
    """Return the first of some positions of whom the log says as much as of the median one."""
    order = there[np.lexsort((there, told[there]))]
    middle = told[order[(order.size - 1) // 2]]
    return int(there[np.argmax(told[there] == middle)])


def _life(model: Model, log: Log, witness: Witness, position: int, seed: int, run: int) -> Trace:
    case, force = model.world.case, model.world.force
    known = informers(case, force, model.first_key(seed, run))
    return Trace(
        seed=seed,
        run=run,
        soldier=soldier_of(case, force, position),
        last=case.calendar.end,
        moments=tuple(moment_of(t, model.days) for t in witness.seen if t.soldier == position),
        events=happenings(case, force, log, position, known),
        fate=model.world.fates[witness.fate[position]],
        opposed=bool(witness.margin[position] > 0),
    )
