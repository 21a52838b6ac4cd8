"""What the event log says of one soldier, one dated clause for each row.

Plots, uprisings, the high command and the regime in words: one clause for each row of the log. Plots and
uprisings are also put together again: who founded what, who joined, how it ended, and who took part.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from breakrank.engine import codes
from breakrank.engine.codes import EV_WORD, EVENTS
from breakrank.force.force import CLASSMATE, KIN, UNIT
from breakrank.lives import abroad
from breakrank.lives.abroad import Abroad, in_words
from breakrank.wording import counted

if TYPE_CHECKING:
    from breakrank.case import Case, Crossing
    from breakrank.force import Force


Log = Mapping[str, npt.NDArray[Any]]
"""Columns of one run's event log (see :data:`breakrank.engine.replicate.EVENT_COLUMNS`)."""

_ENDS: Final = {
    codes.EV_PLOT_BROKEN: "broken",
    codes.EV_PLOT_SCATTERED: "scattered",
    codes.EV_PLOT_DISSOLVED: "dissolved",
    codes.EV_LAUNCHED: "launched",
}
_MARKS: Final = {
    codes.EV_DECLINED: "declined",
    codes.EV_PLEDGED: "pledged",
    codes.EV_TAPPED: "wiretapped",
    codes.EV_NAMED: "named",
    codes.EV_WARNED: "warned",
}
OUTCOMES: Final = {
    codes.EV_UPRISING_COLLAPSED: "collapsed",
    codes.EV_UPRISING_STALEMATE: "stalemate",
    codes.EV_UPRISING_WON: "won",
}


@dataclass(slots=True)
class Plot:
    """One plot of a run.

    Attributes
    ----------
    founder, aim, founded : identity of who began it, its aim (a code of
        ``breakrank.engine.codes.AIMS``), the day.
    ended, end : the last day (-1: none) and how, an id of :data:`breakrank.results.measures.PLOT_ENDS`.
    size : the most members it ever had, the founder counted.
    members : day of joining, by identity; the founder first.
    marks : (day, what, identity): ``"declined"``, ``"pledged"``, ``"wiretapped"``, ``"named"``, ``"warned"``,
        ``"arrested"``.
    """

    founder: int
    aim: int
    founded: int
    ended: int = -1
    end: str = "alive"
    size: int = 1
    members: dict[int, int] = field(default_factory=dict)
    marks: list[tuple[int, str, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class UprisingRecord:
    """One uprising of a run: all plots launched on that day to rise.

    Attributes
    ----------
    day, outcome : ``"collapsed"``, ``"stalemate"`` or ``"won"``.
    size : participants, commanders and followers.
    participants : identities of all who took part, the leader among them.
    reneged : identities of those who had pledged and stayed away.
    """

    day: int
    outcome: str
    size: int
    participants: frozenset[int]
    reneged: tuple[int, ...]


def plots(log: Log) -> list[Plot]:
    """Return the plots of a log, in the order of their founding."""
    found: list[Plot] = []
    of: dict[int, list[Plot]] = {}
    wanted = (codes.EV_FOUNDED, codes.EV_JOINED, codes.EV_ARRESTED, *_ENDS, *_MARKS)
    for k in np.flatnonzero(np.isin(log["event"], wanted)):
        day, event, who = int(log["day"][k]), int(log["event"][k]), int(log["soldier"][k])
        other, value = int(log["other"][k]), float(log["value"][k])
        if event == codes.EV_FOUNDED:
            plot = Plot(who, int(value), day, members={who: day})
            found.append(plot)
            of.setdefault(who, []).append(plot)
        elif event == codes.EV_JOINED:
            into = _alive(of.get(other, ()), int(value))
            if into is not None and who not in into.members:
                into.members[who] = day
                into.size = max(into.size, len(into.members))
                of.setdefault(who, []).append(into)
        elif event in _ENDS:
            ending = next((p for p in reversed(of.get(who, [])) if p.founder == who and p.ended < 0), None)
            if ending is not None:
                ending.ended, ending.end = day, _ENDS[event]
                ending.size = max(
                    ending.size, int(value) % codes.BY_AIM if event == codes.EV_LAUNCHED else int(value)
                )
        elif event == codes.EV_ARRESTED:
            for plot in of.get(who, ()):
                if plot.ended < 0 or day - plot.ended <= 1:
                    plot.marks.append((day, "arrested", who))
        else:
            about = _alive(of.get(other, ())) or _alive(of.get(who, ()))
            if about is not None:
                about.marks.append((day, _MARKS[event], who))
    return found


def uprisings(log: Log) -> list[UprisingRecord]:
    """Return the uprisings of a log, in order."""
    found = []
    for row in np.flatnonzero(np.isin(log["event"], tuple(OUTCOMES))):
        day, event, size = (int(log[column][row]) for column in ("day", "event", "value"))
        rose, followed, reneged = (
            log["soldier"][(log["day"] == day) & (log["event"] == code)].tolist()
            for code in (codes.EV_ROSE, codes.EV_FOLLOWED, codes.EV_RENEGED)
        )
        everyone = frozenset((int(log["soldier"][row]), *rose, *followed))
        found.append(UprisingRecord(day, OUTCOMES[event], size, everyone, tuple(reneged)))
    return found


def _alive(plots: list[Plot] | tuple[()], aim: int = -1) -> Plot | None:
    """Return the latest of someone's plots that has not ended, of that aim if there is one."""
    going = [p for p in plots if p.ended < 0]
    fitting = [p for p in going if p.aim == aim]
    best = fitting or going
    return best[-1] if best else None


TOLD_TO_THE_OTHER: Final = (
    codes.EV_APPROACHED_SOMEONE,
    codes.EV_JOINED,
    codes.EV_DECLINED,
    codes.EV_PLEDGED,
    codes.EV_TAPPED,
    codes.EV_NAMED,
)
"""Events that belong to the other's life as well: whom they approached, whose plot it was."""

CAME_ALONG: Final = "comrades came along"
COUNTED: Final = {
    codes.EV_LEFT: (CAME_ALONG, "comrade", "{} came along with them"),
    codes.EV_FOLLOWED: (
        "comrades followed into the uprising",
        "soldier",
        "{} followed them into the uprising",
    ),
    codes.EV_ROSE: ("other units rose", "other commander", "{} rose with their units"),
    codes.EV_RENEGED: ("pledges not kept", "commander", "{} who had pledged stayed away"),
    codes.EV_REFUSED: ("refusals to march", "commander", "{} sent against the uprising would not march"),
}
"""Events of others that a leader's life counts, one clause a day: name, who they are, and the clause."""

_FOUND_OUT: Final = {
    codes.EV_PLOT_BROKEN: "was broken up by arrests",
    codes.EV_PLOT_SCATTERED: "scattered after a warning",
    codes.EV_PLOT_DISSOLVED: "came to nothing and was given up",
}
_FAILED: Final = {
    codes.EV_UPRISING_COLLAPSED: "collapsed within the day",
    codes.EV_UPRISING_STALEMATE: "held out for a while, then ended",
    codes.EV_UPRISING_WON: "succeeded",
}
_TURNS: Final = {
    codes.EV_STOOD_BY: "came back to the regime's side",
    codes.EV_PACT: "joined a pact against the regime",
}
_OF_A_PLOT: Final = {
    codes.EV_WARNED: "they were warned that the plot had been found out",
    codes.EV_REFUSED: "ordered against the uprising, they would not march",
    codes.EV_SURRENDERED: "they surrendered and were detained",
    codes.EV_DISCHARGED: "they were discharged in a purge",
}
PLOT_CODES: Final = frozenset(
    {
        codes.EV_FOUNDED,
        codes.EV_LAUNCHED,
        codes.EV_ROSE,
        codes.EV_FOLLOWED,
        codes.EV_RENEGED,
        codes.EV_FELL,
        *TOLD_TO_THE_OTHER,
        *_FOUND_OUT,
        *_FAILED,
        *_TURNS,
        *_OF_A_PLOT,
    }
)
"""The events that have their clause here."""
VOICE: Final = frozenset(codes.EVENTS[e] for e in PLOT_CODES)
"""The same by name."""


def plot_clause(case: Case, event: int, value: float, other: int | None, who: Who) -> str:
    """Return the clause for a soldier's own plot, uprising or stance."""
    by = who(other) if other is not None else ""
    if event in _OF_A_PLOT:
        return _OF_A_PLOT[event]
    if event in _FOUND_OUT:
        many = f"with {counted(int(value), 'member')} at its largest"
        alone = "which nobody had joined" if value <= 1 else many
        return f"their plot, {alone}, {_FOUND_OUT[event]}"
    if event in _FAILED:
        return (
            f"the uprising they led {_FAILED[event]}; {counted(max(0, int(value)), 'soldier')} had taken part"
        )
    if event in _TURNS:
        return f"as {office(case, int(value))} they {_TURNS[event]}"
    if event == codes.EV_FELL:
        return f"the {'pact' if value >= 1 else 'uprising'} brought the regime down"
    if event == codes.EV_FOUNDED:
        return f"they began to plan {_plan(value)}"
    if event == codes.EV_APPROACHED_SOMEONE:
        whom = by or "a comrade"
        if value >= codes.PLEDGE_ASKED:
            return f"they asked {whom} to pledge themselves to {_plan(value - codes.PLEDGE_ASKED)}"
        return f"they sounded out {whom} for {_plan(value)}"
    if event == codes.EV_LAUNCHED:
        members = max(0, int(value)) % codes.BY_AIM
        strong = f", {members} strong" if members > 1 else ""
        return f"they gave the word to {'rise' if value >= codes.BY_AIM else 'go'}{strong}"
    return _beside_another(case, event, value, by)


def _beside_another(case: Case, event: int, value: float, by: str) -> str:
    if event == codes.EV_JOINED:
        plot = "a plot to rise" if int(value) == codes.RISE else "a plot to cross with comrades"
        return f"they joined {plot}" + (f", asked by {by}" if by else "")
    if event == codes.EV_DECLINED:
        return f"they would not join{' ' + by if by else ''} and said nothing of it"
    if event == codes.EV_PLEDGED:
        if value >= codes.OF_THE_HIGH_COMMAND:
            holder = office(case, int(value) - codes.OF_THE_HIGH_COMMAND)
            return f"as {holder} they pledged themselves to an uprising"
        return "they pledged their unit to an uprising" + (f", asked by {by}" if by else "")
    if event == codes.EV_TAPPED:
        return "their talk of the plot was overheard"
    if event == codes.EV_NAMED:
        return "they were named under interrogation" + (f" by {by}" if by else "")
    if event == codes.EV_ROSE:
        late = f", {counted(int(value), 'hour')} after the first" if value >= 1 else ""
        return f"they rose with their unit{late}"
    if event == codes.EV_FOLLOWED:
        return f"they followed {by or 'their commander'} into the uprising"
    assert event == codes.EV_RENEGED, codes.EVENTS[event]
    if value >= codes.OF_THE_HIGH_COMMAND:
        holder = office(case, int(value) - codes.OF_THE_HIGH_COMMAND)
        return f"as {holder} they did not keep their pledge on the day of the uprising"
    return "they stayed away on the day of the uprising, though they had pledged their unit"


def _of_another(event: int, value: float, who: str) -> str:
    """Return the clause for another's act towards the soldier whose history this is."""
    if event == codes.EV_CONFIDED:
        return f"{who} confided in them"
    if event == codes.EV_APPROACHED_SOMEONE:
        if value >= codes.PLEDGE_ASKED:
            return f"{who} asked them to pledge themselves to {_plan(value - codes.PLEDGE_ASKED)}"
        return f"{who} sounded them out for {_plan(value)}"
    if event == codes.EV_JOINED:
        return f"{who} joined"
    if event == codes.EV_DECLINED:
        return f"{who} would not join"
    if event == codes.EV_PLEDGED:
        if value >= codes.OF_THE_HIGH_COMMAND:
            return f"{who}, who held a position of the high command, gave them a pledge"
        return f"{who} pledged them their unit"
    if event == codes.EV_TAPPED:
        return f"{who}, who was in the plot, was overheard"
    assert event == codes.EV_NAMED, codes.EVENTS[event]
    return f"they named {who} under interrogation"


def office(case: Case, index: int) -> str:
    """Return who holds the position of the high command at an index, by the label of the position."""
    positions = tuple(getattr(case, "command", ()))
    if 0 <= index < len(positions):
        return f"holder of the office of {positions[index].label}"
    return "holder of a position of the high command"


def _plan(aim: float) -> str:
    return "an uprising" if int(aim) == codes.RISE else "a crossing with comrades"


WORD: Final = EVENTS[EV_WORD]
WORDS_SENT: Final = "words home in all"
WORDS_HEARD: Final = "words from abroad in all"
"""What a life calls the sum of the words that someone sent or heard."""

_FARED: Final = ((0.85, "well"), (0.6, "fairly well"), (0.4, "neither well nor badly"), (0.2, "badly"))

Who = Callable[[int], str]
"""Returns who a soldier of that identity is to the one whose life is told."""


def fared(quality: float) -> str:
    """Return in words how someone fares abroad: treatment times hope, from 0 (neither) to 1 (both).

    Examples
    --------
    >>> [fared(q) for q in (1.0, 0.7, 0.5, 0.15)]
    ['well', 'fairly well', 'neither well nor badly', 'very badly']
    """
    return next((words for least, words in _FARED if quality >= least), "very badly")


class Words:
    """The words that one soldier sent home, or that they heard from abroad: which are told, and their sum.

    Told are the first, from each comrade if they heard them, and those that say something else than the one
    before; beside the last stands how many there were.
    """

    def __init__(self, log: Log, rows: npt.NDArray[np.intp], sent: bool) -> None:
        self._log, self._sent = log, sent
        self._rows = rows
        self._said: dict[int, str] = {}
        self._told = 0

    def of(self, row: int, who: Who) -> Iterator[tuple[str, str, int | None, float]]:
        """Yield the entries for a row of the log: event, clause, the other soldier, value."""
        log = self._log
        other = int(log["other" if self._sent else "soldier"][row])
        quality = float(log["value"][row])
        how, source = fared(quality), 0 if self._sent else other
        before = self._said.get(source)
        if how != before:
            self._said[source] = how
            self._told += 1
            now = "" if before is None else "now "
            yield WORD, self._clause(who(other), now, how), other, quality
        many = len(self._rows)
        if row == self._rows[-1] and many > self._told:
            yield self._sum(many)

    def _clause(self, other: str, now: str, how: str) -> str:
        if self._sent:
            return f"they got word to {other} that in treatment and hope they {now}fared {how}"
        return f"word came from {other} abroad, who {now}fared {how} there"

    def _sum(self, many: int) -> tuple[str, str, int | None, float]:
        column = self._log["other" if self._sent else "soldier"][self._rows]
        people = counted(int(np.unique(column).size), "comrade")
        if self._sent:
            text = f"they got word home for the last of {counted(many, 'time')}, to {people} in all"
            return WORDS_SENT, text, None, float(many)
        return WORDS_HEARD, f"word came for the last of {many} times, from {people} abroad", None, float(many)


Mask = npt.NDArray[np.bool_]

SHARED: Final = (codes.EV_CONFIDED, codes.EV_REPORTED, *TOLD_TO_THE_OTHER)
"""Events of others that stand in their life as well, each with a clause."""
SUMMED: Final = (codes.EV_WORD,)
"""Events, their own and others' that reach them, of which their life tells some and how many there were."""
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
    )
)
"""Events of a day that come before its decision opportunities; the others follow from them."""

_RELATION: Final = {UNIT: "a comrade of their unit", CLASSMATE: "a classmate", KIN: "a relative in the force"}
_PLAIN: Final = {
    codes.EV_SHOCK: "a loss struck their family",
    codes.EV_ARRESTED: "they were arrested",
    codes.EV_ILL_TREATED: "they were ill-treated in custody",
    codes.EV_RELEASED: "a patron had them released and they went back to their post",
    codes.EV_IMPRISONED: "they were sent to prison",
    codes.EV_SET_FREE: "they were let out of prison, and out of the force",
    codes.EV_DIED: "they died in custody",
    codes.EV_DESERTED: "they left their post without a word and hid",
    codes.EV_SHUT_OUT: "they meant to leave, found their way shut and wait for one to open",
    codes.EV_DECLARED: "they declared for the challenger",
    codes.EV_REPRISAL: "their relatives were made to suffer for it",
    codes.EV_CAUGHT_HIDING: "they were found in hiding and detained",
    codes.EV_RESIGNED: "they handed in their resignation",
    codes.EV_REFUSED_ORDER: "they refused the order in the open and were out of the force",
    codes.EV_DISMISSED: "they were let go, and dismissed from the force",
}


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened to a soldier or that they did.

    Attributes
    ----------
    date : when.
    event : name of the event, as in the event log.
    text : it in words, one clause that begins with a small letter.
    place : id of the route or of the site it concerns, or "".
    other : identity of who else took part.
    value : what the event log notes beside it.
    own : whether it is their own doing or fate, rather than another's that concerns them.
    """

    date: dt.date
    event: str
    text: str
    place: str = ""
    other: int | None = None
    value: float = 0.0
    own: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Return the event, ready for JSON."""
        plain = {name: getattr(self, name) for name in self.__slots__}
        return plain | {"date": self.date.isoformat()}


def happenings(
    case: Case,
    force: Force,
    log: Log,
    position: int,
    informers: Mask | None = None,
    there: Abroad | None = None,
) -> tuple[Happening, ...]:
    """Return the events of the soldier at `position`, in the order things happened.

    Rows of others are theirs too where they did something to them, confided in them or went along with them.
    Of `informers`, bool (soldier,), it is said that they are, though they could not know. What is told of
    life abroad is read by `there`, which knows afterwards where they lived in the end.
    """
    if informers is None:
        informers = np.zeros(force.n, np.bool_)
    return tuple(_told(case, force, log, position, informers, there or Abroad(case)))


def entries(force: Force, log: Log) -> npt.NDArray[np.int64]:
    """Return how much there is to tell of each: rows of the log, life abroad apart, int64 (soldier,)."""
    rows = ~np.isin(log["event"], (*SUMMED, *abroad.CODES))
    who = np.searchsorted(force.identity, log["soldier"][rows])
    return np.bincount(who, minlength=force.n).astype(np.int64)


def _rows(force: Force, log: Log, position: int) -> npt.NDArray[np.intp]:
    me = force.identity[position]
    shared = np.isin(log["event"], (*SHARED, *COUNTED, *SUMMED))
    twice = (log["event"] == codes.EV_DESERTED) & (log["value"] == codes.HAD_LEFT)  # as turned away
    return np.flatnonzero(((log["soldier"] == me) | ((log["other"] == me) & shared)) & ~twice)


def _told(
    case: Case,
    force: Force,
    log: Log,
    position: int,
    informers: Mask,
    there: Abroad,
) -> Iterator[Happening]:
    rows = _rows(force, log, position)
    me = int(force.identity[position])
    names = (*codes.EVENTS, *case.catalogue.events)
    states = len(case.force.states)
    others: Counter[tuple[int, int]] = Counter(
        (int(log["event"][k]), int(log["day"][k]))
        for k in rows
        if log["soldier"][k] != me and log["event"][k] in COUNTED
    )
    words = rows[log["event"][rows] == codes.EV_WORD]
    sent = log["soldier"][words] == me
    news = Words(log, words[~sent], False), Words(log, words[sent], True)
    for k in rows:
        event, day, value = int(log["event"][k]), int(log["day"][k]), float(log["value"][k])
        date = case.calendar.date(day)
        who, other = int(log["soldier"][k]), int(log["other"][k])
        place = int(log["place"][k]) - states
        if event == codes.EV_WORD:
            own = who == me
            for name, text, whom, much in news[own].of(k, lambda them: _relation(force, position, them)):
                yield Happening(date, name, text, other=whom, value=much, own=own)
            continue
        if who != me:
            if event in COUNTED:
                many = others.pop((event, day), 0)
                if many:
                    name, noun, text = COUNTED[event]
                    text = text.format(counted(many, noun))
                    yield Happening(date, name, text, value=float(many), own=False)
                continue
            if event == codes.EV_REPORTED:
                spy = _among(informers, force, who)
                text = f"an informer, soldier {who}, reported them" if spy else f"soldier {who} reported them"
            else:
                text = _of_another(event, value, _relation(force, position, who))
            yield Happening(date, names[event], text, other=who, value=value, own=False)
            continue
        beside = other if other != 0xFFFFFFFF and other != me else None
        if event in abroad.CODES:
            text = there.clause(event, day, place, value)
        elif event == codes.EV_REGISTERED:
            text = there.registered(by_host=value > 0)
        else:
            text = _PLAIN.get(event) or _clause(case, force, position, event, place, beside, value)
        if event == codes.EV_CONFIDED and beside is not None and _among(informers, force, beside):
            text += ", who was an informer"
        if event == codes.EV_REPORTED and informers[position]:
            text += ", as an informer"
        yield Happening(date, names[event], text, _place(case, place), beside, value)


def _place(case: Case, place: int) -> str:
    """Return the id of a place, counted through the crossings and then the sites; "" for none."""
    if place < 0:
        return ""
    crossings = len(case.crossings)
    return case.crossings[place].id if place < crossings else case.sites[place - crossings].id


def _among(informers: Mask, force: Force, identity: int) -> bool:
    return bool(informers[int(np.searchsorted(force.identity, identity))])


def _clause(
    case: Case, force: Force, position: int, event: int, place: int, other: int | None, value: float
) -> str:
    """Return an event that its place, another soldier or its value qualifies."""
    if event >= len(codes.EVENTS):
        beside = "" if other is None else f", and {_relation(force, position, other)} was part of it"
        done = re.sub(r"\bhis\b", "their", case.catalogue.events[event - len(codes.EVENTS)])
        return f"they {done}{beside}"
    if event in PLOT_CODES:
        return plot_clause(case, event, value, other, lambda who: _relation(force, position, who))
    if event == codes.EV_CONFIDED:
        assert other is not None
        return f"they confided in {_relation(force, position, other)}"
    if event == codes.EV_REPORTED:
        return f"they reported soldier {other}"
    if event == codes.EV_INVITED:
        return f"they asked {counted(int(value), 'comrade', 'comrades')} of their unit to come along"
    if event == codes.EV_SLIPPED:
        return "they presented themselves to nobody"
    if event == codes.EV_WENT_OVER and place < 0:
        led = "" if other is None else ", as its commander did"
        return f"they went over to the opposition with their unit{led}"
    crossing = case.crossings[place]
    if event == codes.EV_LEFT:
        return _setting_out(crossing, other, value, bool(force.dependants[position] > 0))
    if event == codes.EV_CAPTURED:
        return "they were captured on the way"
    if event == codes.EV_SHOT:
        return f"they were shot on the way and {'died' if value > 0 else 'lived'}"
    if event == codes.EV_EMBASSY:
        return f"they were let into the embassy of {crossing.country}"
    return _arriving(crossing, event)


def _arriving(crossing: Crossing, event: int) -> str:
    """Return how a journey ends at its goal."""
    if event == codes.EV_WENT_OVER:
        return f"they went over to the opposition: {in_words(crossing.label)}"
    assert event == codes.EV_CROSSED, codes.EVENTS[event]
    if crossing.kind == "embassy":
        return "they got out of the embassy and out of the country"
    return f"they reached {in_words(crossing.label) if crossing.inside else crossing.country}"


def _setting_out(crossing: Crossing, leader: int | None, mode: float, family: bool) -> str:
    """Return how a journey begins.

    `mode`: -2 after resigning, -1 slipping away, 0 alone, 1 with family, 2 from a post there.
    """
    shut_in = crossing.kind == "embassy"
    if crossing.at_home:
        goal, way = f"the opposition ({in_words(crossing.label)})", ""
    elif crossing.inside:
        goal, way = in_words(crossing.label), ""
    else:
        goal = f"the embassy of {crossing.country}" if shut_in else crossing.country
        way = "" if shut_in else f", by way of {in_words(crossing.label)}"
    if mode == codes.AS_CIVILIAN:
        return f"they set out for {goal}{way}, a civilian now"
    if mode < 0:
        return f"they slipped away towards {goal}{way}"
    start = (
        f"they followed soldier {leader} towards {goal}" if leader is not None else f"they set out for {goal}"
    )
    post = " from their post at the crossing" if mode == 2 else ""
    along = " with their family" if mode == 1 else ""
    behind = ", leaving their family behind" if family and not along else ""
    return f"{start}{post}{along}{way}{behind}"


def _relation(force: Force, position: int, identity: int) -> str:
    """Return who another soldier is to the one at `position`."""
    other = int(np.searchsorted(force.identity, identity))
    ties = force.ties
    row = slice(int(ties.start[position]), int(ties.start[position + 1]))
    kinds = ties.kind[row][ties.other[row] == other]
    return f"{_RELATION[int(kinds[0])] if kinds.size else 'a comrade'} (soldier {identity})"
