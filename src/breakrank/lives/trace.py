"""One soldier's year: who they are, what happened to them, and what weighed at each of their decisions.

Every draw is a pure function of seed, run and soldier, so a life that was lived in an ensemble can be
lived again with a witness beside it. No real person is described: all soldiers are synthetic.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from breakrank.lives.abroad import Abroad
from breakrank.lives.happening import BEFORE, VOICE, Happening, entries, happenings
from breakrank.mechanisms.counterintelligence import INFORMER_DRAW
from breakrank.model import model_of
from breakrank.wording import counted, listed

if TYPE_CHECKING:
    import datetime as dt

    from breakrank.case import Case
    from breakrank.engine.day import Days
    from breakrank.engine.mechanism import Term
    from breakrank.engine.observe import Testimony
    from breakrank.force import Force
    from breakrank.lives.happening import Log
    from breakrank.model import Model


MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip


def on(date: dt.date) -> str:
    """Return a date in words, whatever the machine's language.

    Examples
    --------
    >>> on(dt.date(2019, 3, 12))
    '12 March 2019'
    """
    return f"{date.day} {MONTHS[date.month - 1]} {date.year}"


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


def sentence(text: str) -> str:
    """Return a text with a capital first letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


WHEN: Final = {
    codes.LEAVE_PASS: "on leave",
    codes.ERRAND: "on an errand outside the base",
    codes.FAMILY_SHOCK: "with that loss on their mind",
    codes.CONFIDED_TO: "with what a comrade had confided in them",
    codes.POSTING: "posted at the border",
    codes.INVITED: "asked to come along",
    codes.APPROACHED: "asked to join a plot",
    codes.WARNED: "warned that the plot was found out",
    codes.DEFEATED: "after the uprising had failed",
    codes.UNDER_FIRE: "under fire",
    codes.ADRIFT: "as their unit came apart",
    codes.CALLED_OVER: "called upon to take their unit over",
    codes.WAITED: "as a way opened that they had waited for",
    codes.ORDERED: "ordered to act against protesters",
}
ASKED: Final = {
    codes.INVITED: "asked by soldier {} to come along",
    codes.APPROACHED: "asked by soldier {} to join a plot",
}
WEIGHED: Final = {
    codes.DESERT: "deserting quietly",
    codes.LEAVE: "setting out alone",
    codes.LEAVE_WITH_FAMILY: "setting out with their family",
    codes.REPORT: "reporting the comrade",
    codes.JOIN: "joining the plot",
    codes.PLAN_CROSSING: "planning a crossing with comrades",
    codes.PLAN_UPRISING: "planning an uprising",
    codes.RESIGN: "resigning",
}
CHOSE: Final = {
    codes.STAY: "they stayed",
    codes.DESERT: "they deserted",
    codes.LEAVE: "they left",
    codes.LEAVE_WITH_FAMILY: "they left with their family",
    codes.REPORT: "they reported the comrade",
    codes.JOIN: "they joined the plot",
    codes.PLAN_CROSSING: "they began to plan a crossing with comrades",
    codes.PLAN_UPRISING: "they began to plan an uprising",
    codes.RESIGN: "they resigned",
}
STAYED: Final = {
    codes.APPROACHED: "they would not join and stayed",
    codes.WARNED: "they stayed, come what may",
    codes.DEFEATED: "they stayed where they were",
    codes.ORDERED: "they obeyed",
}


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

    @property
    def doing(self) -> str:
        """What it means, as a noun, e.g. ``"deserting quietly"``."""
        return "staying" if self.code == codes.STAY else WEIGHED.get(self.code, f"whether to {self.name}")

    def strongest(self, sign: int) -> str:
        """Return the heaviest motive for (1) or against it (-1) in words; empty without any."""
        found = (w for w in self.weights if not w.base and sign * w.value > 0)
        return next((w.about.partition(",")[0] for w in found), "")


@dataclass(frozen=True, slots=True)
class LivedMoment:
    """One decision opportunity.

    Attributes
    ----------
    date : when.
    occasion, code : why then, and its code.
    options : what was open, staying first.
    choice : code of the option taken.
    opposed : whether they were privately opposed.
    leader : identity of who asked them to come along.
    gone, punished : how many of those they trust had left, or been punished, up to the day before.
    """

    date: dt.date
    occasion: str
    code: int
    options: tuple[Option, ...]
    choice: int
    opposed: bool
    leader: int | None
    gone: int
    punished: int

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

    def when(self) -> str:
        """Return the occasion as a phrase, e.g. ``"on an errand outside the base"``."""
        if self.leader is None or self.code not in ASKED:
            return WHEN[self.code]
        return ASKED[self.code].format(self.leader)

    def outcome(self) -> str:
        """Return the choice, as a clause."""
        if self.choice == codes.STAY and self.code in STAYED:
            return STAYED[self.code]
        if self.choice == codes.STAY and any(o.code == codes.REPORT for o in self.options):
            return "they kept it to themselves and stayed"
        return CHOSE.get(self.choice, f"they chose to {self.chosen.name}")

    def news(self) -> str:
        """Return who of those they trusted had left or been punished, as a sentence after a space, or ""."""
        known = [
            f"{n} had {what}" for n, what in ((self.gone, "left"), (self.punished, "been punished")) if n
        ]
        return f" {sentence(f'of those they trusted, {listed(known)}')}" if known else ""

    def strongest(self) -> str:
        """Return the strongest reasons for and against the option that it turned on, as a clause."""
        weighed = self.weighed
        if weighed is None:
            return ""
        sides = (("for", weighed.strongest(1)), ("against", weighed.strongest(-1)))
        (first, *more) = [(side, f"“{reason}”") for side, reason in sides if reason] or [("", "")]
        if not first[0]:
            return ""
        rest = f", and the strongest {more[0][0]} it was {more[0][1]}" if more else ""
        return f"the strongest reason {first[0]} {weighed.doing} was {first[1]}{rest}"


def moment_of(seen: Testimony, days: Days, gone: int, punished: int) -> LivedMoment:
    """Return a moment from a witness's testimony; a term counts for an option with its factor there."""
    world = days.world
    options = tuple(
        Option(code, name, float(seen.chance[code]), _weights(seen, days.terms, code))
        for code, name in enumerate(world.options)
        if seen.chance[code] > 0
    )
    return LivedMoment(
        world.case.calendar.date(seen.day),
        codes.OCCASIONS[seen.occasion],
        seen.occasion,
        options,
        seen.choice,
        seen.margin > 0,
        int(world.force.identity[seen.leader]) if seen.leader >= 0 else None,
        gone,
        punished,
    )


def _weights(seen: Testimony, terms: Sequence[Term], option: int) -> tuple[Weight, ...]:
    found = (
        Weight(t.name, t.about, float(t.options.get(option, 0.0)) * float(value), t.base)
        for t, value in zip(terms, seen.terms, strict=True)
    )
    return tuple(sorted((w for w in found if w.value != 0), key=lambda w: -abs(w.value)))


Mask = npt.NDArray[np.bool_]


def informers(case: Case, force: Force, key: np.uint64) -> Mask:
    """Return whether each soldier is an informer under a run's random key, bool (soldier,)."""
    if not case.value("counterintelligence.on"):
        return np.zeros(force.n, np.bool_)
    draws = uniform_each(key, INFORMER_DRAW, force.identity, np.zeros(force.n, np.int64))
    found: Mask = draws < case.value("counterintelligence.informers")
    return found


_LEFT: Final = (codes.EV_DESERTED, codes.EV_CROSSED, codes.EV_RESIGNED, codes.EV_REFUSED_ORDER)
_PUNISHED: Final = (
    codes.EV_ARRESTED,
    codes.EV_ILL_TREATED,
    codes.EV_DIED,
    codes.EV_CAPTURED,
    codes.EV_SHOT,
    codes.EV_CAUGHT_HIDING,
    codes.EV_REPRISAL,
    codes.EV_SURRENDERED,
)


ENDED: Final = {
    "serving": "they still served",
    "travelling": "they were on their way",
    "hiding": "they were in hiding",
    "abroad": "they were abroad, unregistered",
    "registered": "they were registered abroad",
    "declared": "they stood with the challenger, abroad",
    "embassy": "they were inside an embassy",
    "detained": "they were detained",
    "imprisoned": "they were in prison",
    "dead": "they were dead",
    "discharged": "they were out of the force",
    "resigned": "they were at home and out of the force",
    "opposition": "they were with an opposition inside the country",
    "prisoner": "they were a prisoner of an opposition inside the country",
    "reserve": "they were in reserve, not called up",
}
_ABROAD: Final = ("abroad", "registered", "declared")


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
    branch, rank, station, region : labels of the case; a rank is a group of ranks.
    unit, formation : their place in the order of battle, counted from 0.
    years : years served.
    dependants : people who live on their pay.
    kin_abroad : whether they have relatives abroad who could take them in.
    access : what they can get at, in words.
    comrades, classmates, kin : how many they trust, by kind of tie.
    """

    identity: int
    branch: str
    rank: str
    station: str
    region: str
    unit: int
    formation: int
    years: int
    dependants: int
    kin_abroad: bool
    access: tuple[str, ...]
    comrades: int
    classmates: int
    kin: int

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes, ready for JSON."""
        return {name: getattr(self, name) for name in self.__slots__} | {"access": list(self.access)}

    def post(self) -> str:
        """Return who they are and where they serve, in one sentence."""
        served = "less than a year" if self.years == 0 else counted(self.years, "year")
        return (
            f"Soldier {self.identity} of the synthetic force ({self.branch}; rank group: {self.rank}) serves"
            f" in unit {self.unit}, stationed in {self.station}, and has {served} of service behind them."
        )

    def bonds(self) -> str:
        """Return who depends on them, whom they trust and what they can get at, in two or three sentences."""
        if self.dependants:
            feeds = f"{counted(self.dependants, 'person lives', 'people live')} on their pay"
        else:
            feeds = "Nobody lives on their pay"
        abroad = "they have relatives abroad" if self.kin_abroad else "they have nobody abroad"
        known = [
            counted(number, one, many)
            for number, one, many in (
                (self.comrades, "comrade of their unit", "comrades of their unit"),
                (self.classmates, "classmate", "classmates"),
                (self.kin, "relative in the force", "relatives in the force"),
            )
            if number
        ]
        trusts = f"They trust {listed(known)}." if known else "There is nobody in the force whom they trust."
        has = f" They have {listed(self.access)}." if self.access else ""
        return f"{feeds}; {abroad}. {trusts}{has}"

    def __str__(self) -> str:
        return f"{self.post()} {self.bonds()}"


def soldier_of(case: Case, force: Force, position: int) -> Soldier:
    """Return who stands at a position of a force."""
    unit = int(force.unit[position])
    formation = int(force.units.formation[unit])
    flags = int(force.access[position])
    kinds = force.ties.kind[force.ties.start[position] : force.ties.start[position + 1]]
    comrades, classmates, kin = (int((kinds == kind).sum()) for kind in (UNIT, CLASSMATE, KIN))
    return Soldier(
        identity=int(force.identity[position]),
        branch=case.force.branches[int(force.branch[position])].label,
        rank=case.force.ranks[int(force.rank[position])].label,
        station=case.force.states[int(force.state[position])].label,
        region=case.force.regions[int(force.formations.region[formation])].label,
        unit=unit,
        formation=formation,
        years=int(force.years[position]),
        dependants=int(force.dependants[position]),
        kin_abroad=bool(force.kin_abroad[position]),
        access=tuple(words for flag, words in ACCESS.items() if flags & flag),
        comrades=comrades,
        classmates=classmates,
        kin=kin,
    )


@dataclass(frozen=True)
class Trace:
    """The life of one synthetic soldier in one run.

    Attributes
    ----------
    case : id of the case. seed, run : which world.
    soldier : who they are.
    first, last : the days between which the run lies.
    moments : their decision opportunities, in order.
    events : what happened to them and what they did, in order.
    fate : where they were on the last day (see ``breakrank.engine.codes.FATES``).
    opposed : whether they were privately opposed then.
    where : where they lived abroad then, e.g. ``"lived with kin"``; "" if they did not or nothing is known.
    """

    case: str
    seed: int
    run: int
    soldier: Soldier
    first: dt.date
    last: dt.date
    moments: tuple[LivedMoment, ...]
    events: tuple[Happening, ...]
    fate: str
    opposed: bool
    where: str = ""

    @property
    def over(self) -> bool:
        """Whether their service ended with something that happened to them: death, a discharge."""
        return self.fate in ("dead", "discharged")

    def end(self) -> str:
        """Return how it ended, as a clause."""
        ended = ENDED.get(self.fate) or f"it ended so: {self.fate.replace('_', ' ')}"
        if self.fate == "serving":
            return f"{ended}, {'privately opposed' if self.opposed else 'and were not opposed in private'}"
        return f"{ended}, and {self.where}" if self.where and self.fate in _ABROAD else ended

    def days(self) -> Iterator[tuple[dt.date, list[LivedMoment], list[Happening], list[Happening]]]:
        """Yield each day on which something happened: decisions, and what came before and after them.

        What a decision led to at once is told by the event, and not by the decision as well.
        """
        for date in sorted({m.date for m in self.moments} | {e.date for e in self.events}):
            today = [e for e in self.events if e.date == date]
            deciding = [m for m in self.moments if m.date == date]
            before = BEFORE if deciding else frozenset()
            if any(m.code in (codes.WARNED, codes.DEFEATED) for m in deciding):
                before |= VOICE
            first = [e for e in today if e.event in before]
            yield date, deciding, first, [e for e in today if e.event not in before]


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

    Of the commonest rank and private stance among those, with as much in the log as the median one.

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
        raise UsageError(f"there is no outcome {fate!r}{nearest(fate, fates)}; known: {', '.join(fates)}")
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
    alike = there[kind == np.bincount(kind).argmax()]
    return int(force.identity[typical(alike, entries(force, log))])


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
    news, there = _News(force, log, position), Abroad(case)
    known = informers(case, force, model.first_key(seed, run))
    events = happenings(case, force, log, position, known, there)
    return Trace(
        case=case.id,
        seed=seed,
        run=run,
        soldier=soldier_of(case, force, position),
        first=case.calendar.start,
        last=case.calendar.end,
        moments=tuple(
            moment_of(t, model.days, *news.before(t.day)) for t in witness.seen if t.soldier == position
        ),
        events=events,
        fate=model.world.fates[witness.fate[position]],
        opposed=bool(witness.margin[position] > 0),
        where=there.where(),
    )


class _News:
    """Who of those a soldier trusts has left or been punished, by day."""

    def __init__(self, force: Force, log: Log, position: int) -> None:
        trusted = force.identity[force.ties.of(position)]
        rows = np.flatnonzero(np.isin(log["soldier"], trusted))
        self._day, self._who, self._event = (log[name][rows] for name in ("day", "soldier", "event"))

    def before(self, day: int) -> tuple[int, int]:
        """Return how many had left and how many had been punished before a day."""
        return self._count(_LEFT, day), self._count(_PUNISHED, day)

    def _count(self, events: tuple[int, ...], day: int) -> int:
        rows: npt.NDArray[np.bool_] = (self._day < day) & np.isin(self._event, events)
        return int(np.unique(self._who[rows]).size)
