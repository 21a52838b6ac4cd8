"""The stories of the reports: whose lives each means, counted over many runs, with one soldier named.

Whoever reads the reports asks of a model whether it contains such lives, and in what numbers. The patterns
are data of the case (:attr:`breakrank.case.Case.patterns`): queries over the event log, soldier by soldier.
They are counted run by run. Soldiers are synthetic; no pattern finds a person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from breakrank.case import Case
from breakrank.case.models_patterns import PUT_TOGETHER, Incident, Pattern, Query
from breakrank.case.models_routes import Crossing
from breakrank.engine import codes
from breakrank.engine.observe import Witness
from breakrank.engine.replicate import Replicate
from breakrank.force.force import BORDER_POST, CLASSMATE, ESCORT, GUARDS_POLITICIAN, VEHICLE
from breakrank.lives.trace import NOBODY, Log, Mask, entries, typical
from breakrank.model import kept_force, kept_model, model_of
from breakrank.runs.carry_out import result_of
from breakrank.runs.store import MemoryStore
from breakrank.runs.study import Scenario, Study
from breakrank.runs.worker import Simulator
from breakrank.wording import counted

if TYPE_CHECKING:
    from breakrank.case import Site
    from breakrank.engine.moments import Moments
    from breakrank.engine.run import Run
    from breakrank.force import Force
    from breakrank.model import Model
    from breakrank.results.result import Result
    from breakrank.runs.carry_out import Making


Column = npt.NDArray[Any]

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


MOVES: Final = (
    codes.EV_LODGED,
    codes.EV_PUT_OUT,
    codes.EV_TOOK_OFFER,
    codes.EV_RELOCATED,
    codes.EV_MOVED_ON,
    codes.EV_SETTLED,
    codes.EV_WENT_BACK,
    codes.EV_EXPELLED,
)
"""Events that end a stay at a site; the first also begins one."""


class Stays(NamedTuple):
    """Stays at sites, one row each, by soldier and in order; columns have shape (stay,).

    ``who`` position of the soldier; ``site`` position in the case's sites; ``since`` first day; ``until`` day
    on which he left, the number of days of the run if he never did; ``end`` code of the event by which he
    left, -1 if he never did.
    """

    who: Column
    site: Column
    since: Column
    until: Column
    end: Column


@dataclass(frozen=True, slots=True, eq=False)
class Incidents:
    """All of one event in a run, one row each; columns have shape (row,).

    Attributes
    ----------
    event : its name.
    who, day : position of the soldier, and day. other : position of who else took part, -1 for nobody.
    way : position of the crossing it concerns, -1 for none.
    value : what the log notes beside it.
    facts : facts that are known of these rows alone, bool (row,) by name.
    """

    event: str
    who: Column
    day: Column
    way: Column
    other: Column
    value: Column
    facts: Mapping[str, Mask] = field(default_factory=dict)

    def only(self, mask: Mask) -> Incidents:
        """Return some of the rows."""
        columns = {name: getattr(self, name)[mask] for name in ("who", "day", "way", "other", "value")}
        return replace(self, **columns, facts={name: fact[mask] for name, fact in self.facts.items()})


class Departures(Witness):
    """A witness of everyone who chooses to leave the country: on what occasion, and whether opposed.

    Attributes
    ----------
    occasion : int8 (soldier,), code of the occasion at which he left, -1 for those who did not.
    opposed : bool (soldier,), whether he was privately opposed then.
    moments : int32 (soldier,), decision opportunities that came his way.
    """

    def __init__(self, soldiers: int) -> None:
        super().__init__(())
        self.occasion = np.full(soldiers, -1, np.int8)
        self.opposed = np.zeros(soldiers, np.bool_)
        self.moments = np.zeros(soldiers, np.int32)

    def see(self, run: Run, moments: Moments) -> None:  # noqa: ARG002
        """Note who leaves today."""
        self.moments[moments.who] += 1
        leaving = np.flatnonzero(
            (moments.choice == codes.LEAVE) | (moments.choice == codes.LEAVE_WITH_FAMILY)
        )
        who = moments.who[leaving]
        self.occasion[who] = moments.occasion[leaving]
        self.opposed[who] = moments.margin[leaving] > 0


@dataclass(frozen=True, eq=False)
class Lives:
    """One run, by soldier. Columns have shape (soldier,), in the order of `force`.

    Attributes
    ----------
    case, force : as given. log : the run's event log.
    moments : int32, decision opportunities that came his way.
    occasion : int8, code of the occasion at which he left the country, -1 for those who did not.
    opposed_then : bool, whether he was privately opposed at that moment.
    fate : uint8, code of where he stood on the last day. opposed : bool, privately opposed then.
    """

    case: Case
    force: Force
    log: Log
    moments: Column
    occasion: Column
    opposed_then: Mask
    fate: Column
    opposed: Mask

    @classmethod
    def of(cls, model: Model, seed: int, run: int) -> Lives:
        """Live one run of a model and keep what patterns ask."""
        force = model.world.force
        witness = Departures(force.n)
        log = model.witnessed(seed, run, witness).events
        assert log is not None
        went = np.isin(force.identity, log["soldier"][log["event"] == codes.EV_LEFT])
        return cls(
            model.world.case,
            force,
            log,
            witness.moments,
            np.where(went, witness.occasion, -1).astype(np.int8),  # a way that is shut lets nobody go
            witness.opposed,
            witness.fate,
            witness.margin > 0,
        )

    def at(self, identity: int) -> int:
        """Return the position of the soldier with an identity."""
        return int(np.searchsorted(self.force.identity, identity))

    def rows(self, event: int) -> tuple[npt.NDArray[np.intp], Column]:
        """Return the rows of the log with an event, and the positions of the soldiers they are about."""
        rows = np.flatnonzero(self.log["event"] == event)
        return rows, np.searchsorted(self.force.identity, self.log["soldier"][rows])

    def rows_of(self, event: str) -> Incidents:
        """Return all of an event of the log by its name; departures of those who merely slip away apart."""
        code = (*codes.EVENTS, *self.case.catalogue.events).index(event)
        rows, who = self.rows(code)
        other = self.log["other"][rows]
        beside = np.where(other == NOBODY, -1, np.searchsorted(self.force.identity, other))
        day = self.log["day"][rows].astype(np.int64)
        place = self._places(rows)
        way = np.where((place >= 0) & (place < len(self.case.crossings)), place, -1)
        found = Incidents(event, who, day, way, beside, self.log["value"][rows])
        return found.only(found.value >= 0) if code == codes.EV_LEFT else found

    @cached_property
    def followers(self) -> Column:
        """How many came along with him when he left the country."""
        led = self.rows_of(codes.EVENTS[codes.EV_LEFT]).other
        return np.bincount(led[led >= 0], minlength=self.force.n)

    @cached_property
    def trained(self) -> Mask:
        """Whether he serves in an intelligence service."""
        services = [k for k, b in enumerate(self.case.force.branches) if b.intelligence]
        return np.isin(self.force.branch, services)

    def on_ways(self, rows: Incidents, daily: Mask) -> Mask:
        """Return for each row what `daily`, bool (days, crossing), says of its way that day."""
        padded = np.column_stack((daily, np.zeros(len(daily), np.bool_)))
        return np.asarray(padded[rows.day, rows.way], np.bool_)

    @cached_property
    def stays(self) -> Stays:
        """The stays at sites of those who came over to the host."""
        rows = np.flatnonzero(np.isin(self.log["event"], MOVES))
        who = np.searchsorted(self.force.identity, self.log["soldier"][rows])
        order = np.argsort(who, kind="stable")
        rows, who = rows[order], who[order]
        event, day = self.log["event"][rows].astype(np.int64), self.log["day"][rows].astype(np.int64)
        # What came next for the same soldier ended the stay.
        same = np.append(who[1:] == who[:-1], False)[: len(who)]
        until = np.where(same, np.append(day[1:], 0)[: len(day)], self.case.calendar.days)
        end = np.where(same, np.append(event[1:], 0)[: len(event)], -1)
        site = self._places(rows) - len(self.case.crossings)
        began = event == codes.EV_LODGED
        return Stays(*(column[began] for column in (who, site, day, until, end)))

    def stays_of(self, who: int) -> Stays:
        """Return the stays of the soldier at a position."""
        first, last = np.searchsorted(self.stays.who, [who, who + 1])
        return Stays(*(column[first:last] for column in self.stays))

    def at_site(self, who: Column, day: Column) -> Column:
        """Return where soldiers lived at the end of days, as positions in the case's sites, -1 for none.

        Parameters
        ----------
        who, day : positions of soldiers, and days, of equal shape (k,).
        """
        out = np.full(len(who), -1, np.int64)
        for k, (own, d) in enumerate(zip(map(self.stays_of, who), day.tolist(), strict=True)):
            here = np.flatnonzero((own.since <= d) & (d < own.until))
            out[k] = own.site[here[-1]] if here.size else -1
        return out

    def stayed(self, rows: Incidents) -> Column:
        """Return the days of the stay at a site that each row falls into or ends, -1 for none."""
        out = np.full(len(rows.who), -1, np.int64)
        code = (*codes.EVENTS, *self.case.catalogue.events).index(rows.event)
        for k, (own, day) in enumerate(zip(map(self.stays_of, rows.who), rows.day.tolist(), strict=True)):
            ended = (own.until == day) & (own.end == code)
            here = np.flatnonzero((own.since <= day) & ((day < own.until) | ended))
            out[k] = day - own.since[here[-1]] if here.size else -1
        return out

    def first(self, event: int) -> Column:
        """Return the first day on which something happened to each, -1 for those to whom it never did."""
        rows, who = self.rows(event)
        out = np.full(self.force.n, -1, np.int64)
        out[who[::-1]] = self.log["day"][rows][::-1]
        return out

    @cached_property
    def plots(self) -> list[Plot]:
        """The plots of the run, in the order of their founding."""
        return plots(self.log)

    @cached_property
    def uprisings(self) -> list[UprisingRecord]:
        """The uprisings of the run, in order."""
        return uprisings(self.log)

    def _places(self, rows: npt.NDArray[np.intp]) -> Column:
        return self.log["place"][rows].astype(np.int64) - len(self.case.force.states)


WORKDAY: Final = 8.0
"""Hours out a day from which a site leaves time to work, as in :mod:`breakrank.mechanisms.exile`."""


def shut_off(site: Site) -> bool:
    """Return whether the rules of a site leave no work: none inside, and not out for a workday."""
    return not site.rules.work and site.rules.hours_out < WORKDAY


def idle_days(lives: Lives, rows: Incidents) -> Column:
    """Return for each row the days at sites without leave to work before it, int64 (row,).

    The law of the host lets nobody work without a permit or asylum while ``right_to_work`` is below one half.
    """
    forbidden = np.concatenate(([0], np.cumsum(lives.case.daily("right_to_work") < 0.5)))
    never = lives.case.calendar.days
    papers = [
        np.where(day < 0, never, day) for day in (lives.first(codes.EV_PERMIT), lives.first(codes.EV_GRANTED))
    ]
    allowed = np.minimum(*papers)
    shut = np.array([shut_off(s) for s in lives.case.sites], np.bool_)
    out = np.zeros(len(rows.who), np.int64)
    for k, (who, day) in enumerate(zip(rows.who.tolist(), rows.day.tolist(), strict=True)):
        own = lives.stays_of(who)
        since = own.since[own.since <= day]
        until = np.maximum(np.minimum(own.until[: len(since)], day), since)
        without = np.clip(allowed[who], since, until)
        by_law = forbidden[without] - forbidden[since]
        out[k] = np.where(shut[own.site[: len(since)]], until - since, by_law).sum() if since.size else 0
    return out


_FAMILY: Final = 1
_POST: Final = 2
_LOW: Final = 0.5


def _sergeants(lives: Lives) -> Mask:
    ranks = lives.case.force.ranks
    nco = [k for k, r in enumerate(ranks) if r.school == "nco"]
    return np.isin(
        lives.force.rank, nco or [k for k, r in enumerate(ranks) if r.school != "officer" and k > 0]
    )


def _has(flag: int) -> Callable[[Lives], Mask]:
    return lambda lives: (lives.force.access & flag) != 0


OF_A_SOLDIER: Final[Mapping[str, Callable[[Lives], Mask]]] = {
    "opposed at the end": lambda lives: lives.opposed,
    "dependants": lambda lives: lives.force.dependants > 0,
    "kin abroad": lambda lives: lives.force.kin_abroad.astype(np.bool_),
    "vehicle": _has(VEHICLE),
    "border post": _has(BORDER_POST),
    "escort duty": _has(ESCORT),
    "guards a politician": _has(GUARDS_POLITICIAN),
    "in intelligence": lambda lives: lives.trained,
    "officer": lambda lives: officers(lives, 0, None),
    "lowest officer": lambda lives: officers(lives, 0, 1),
    "middle officer": lambda lives: officers(lives, 1, -1),
    "highest rank": lambda lives: lives.force.rank == len(lives.case.force.ranks) - 1,
    "sergeant": _sergeants,
}
"""Each takes the lives of a run and returns bool (soldier,)."""


def _by_vehicle(lives: Lives, rows: Incidents) -> Mask:
    head = np.where(rows.other >= 0, rows.other, rows.who)
    access = lives.force.access
    return np.asarray(((access[rows.who] | access[head]) & VEHICLE) != 0)


def _closed(lives: Lives, rows: Incidents) -> Mask:
    return lives.on_ways(rows, lives.case.route_daily("open") == 0)


def _leads(there: Callable[[Crossing], bool]) -> Callable[[Lives, Incidents], Mask]:
    def holds(lives: Lives, rows: Incidents) -> Mask:
        those = np.array([there(c) for c in lives.case.crossings], np.bool_)
        return lives.on_ways(rows, np.broadcast_to(those, (lives.case.calendar.days, those.size)))

    return holds


def _own_state(lives: Lives, rows: Incidents) -> Mask:
    case = lives.case
    home = np.array([*(case.force.states.position(c.state) for c in case.crossings), -1], np.int64)
    return np.asarray(home[rows.way] == lives.force.state[rows.who])


def _beside_a_shut_gate(lives: Lives, rows: Incidents) -> Mask:
    case = lives.case
    closed, violence = case.route_daily("open") == 0, case.route_daily("violence")
    shunned = np.zeros(closed.shape, np.bool_)
    for k, crossing in enumerate(case.crossings):
        for j, gate in enumerate(case.crossings):
            if gate.kind in ("bridge", "road") and gate.state == crossing.state:
                shunned[:, k] |= closed[:, j] & (violence[:, j] > gate.violence)
    return lives.on_ways(rows, shunned)


Facts = Mapping[str, Callable[[Lives, Incidents], Column]]

OF_AN_EVENT: Final[Facts] = {
    "opposed": lambda lives, rows: lives.opposed_then[rows.who],
    "with family": lambda _, rows: rows.value == _FAMILY,
    "from his post": lambda _, rows: rows.value == _POST,
    "leading": lambda lives, rows: lives.followers[rows.who] > 0,
    "following": lambda _, rows: rows.other >= 0,
    "in a group": lambda lives, rows: (rows.other >= 0) | (lives.followers[rows.who] > 0),
    "by vehicle": _by_vehicle,
    "from his own state": _own_state,
    "closed": _closed,
    "beside a shut gate": _beside_a_shut_gate,
    "to the host": _leads(lambda way: way.host),
    "to the opposition": _leads(lambda way: way.at_home),
    "at a site": lambda lives, rows: lives.at_site(rows.who, rows.day) >= 0,
    "low morale": lambda _, rows: rows.value < _LOW,
    "to kin": lambda _, rows: rows.value == 0,
    "rightly": lambda _, rows: rows.value >= 1,
    "of the high command": lambda _, rows: rows.value >= codes.OF_THE_HIGH_COMMAND,
}
"""Each takes lives and rows of an event and returns bool (row,). Those put together bring their own."""


def fact(lives: Lives, rows: Incidents, name: str) -> Mask:
    """Return for each row whether a fact holds; one that belongs to other events holds of none."""
    if name in rows.facts:
        return rows.facts[name]
    made = OF_AN_EVENT.get(name)
    return np.zeros(len(rows.who), np.bool_) if made is None else np.asarray(made(lives, rows), np.bool_)


_Found = tuple[int, int, int, int, dict[str, bool]]
"""Position of a soldier, day, position of another (-1: none), value, and facts."""


def _took_part(lives: Lives) -> Iterator[_Found]:
    for one in lives.uprisings:
        facts = {"failed": one.outcome != "won", "pledge not kept": bool(one.reneged)}
        for who in one.participants:
            yield lives.at(who), one.day, -1, one.size, facts


def _found_out(lives: Lives) -> Iterator[_Found]:
    for plot in lives.plots:
        if plot.end == "launched":
            continue
        found = [
            m for m in plot.marks if m[1] == "wiretapped" or (m[2] == plot.founder and m[1] != "pledged")
        ]
        days = {day for day, _, _ in found} | ({plot.ended} if plot.end == "scattered" else set())
        facts = {
            "to cross": plot.aim == codes.CROSS,
            "warned": any(what == "warned" and who == plot.founder for _, what, who in plot.marks),
            "overheard": any(what == "wiretapped" for _, what, _ in plot.marks),
        }
        for day in sorted(days):
            yield lives.at(plot.founder), day, -1, plot.size, facts


def _beside_a_friend(lives: Lives) -> Iterator[_Found]:
    risen = {one.day: one.participants for one in lives.uprisings if one.outcome != "won"}
    middle = officers(lives, 1, -1)
    helped = lives.trained | ((lives.force.access & GUARDS_POLITICIAN) != 0)
    inside = lives.first(codes.EV_EMBASSY)
    ties = lives.force.ties
    for plot in lives.plots:
        if plot.aim != codes.RISE or plot.end != "launched" or plot.ended not in risen:
            continue
        members = {lives.at(i) for i in plot.members if middle[lives.at(i)]}
        for a in sorted(members):
            if int(lives.force.identity[a]) not in risen[plot.ended]:
                continue
            row = slice(int(ties.start[a]), int(ties.start[a + 1]))
            for b, kind in zip(ties.other[row].tolist(), ties.kind[row].tolist(), strict=True):
                if b in members and (helped[a] or helped[b]):
                    facts = {"classmate": kind == CLASSMATE, "friend in an embassy": inside[b] >= plot.ended}
                    yield a, plot.ended, b, len(plot.members), facts


def officers(lives: Lives, first: int, last: int | None) -> Column:
    """Return who is of the rank groups of officers from the first to before the last, bool (soldier,).

    Where a case has too few of them to tell them apart, all officers are taken.
    """
    ranks = lives.case.force.ranks
    groups = [k for k, r in enumerate(ranks) if r.school == "officer"]
    return np.isin(lives.force.rank, groups[first:last] or groups)


_MAKERS: Final[Mapping[str, Callable[[Lives], Iterator[_Found]]]] = {
    "took part in an uprising": _took_part,
    "his plan was found out": _found_out,
    "rose beside a friend": _beside_a_friend,
}


def put_together(lives: Lives, event: str) -> Incidents:
    """Return all of an event that is no row of the log, with the facts that belong to it."""
    found = list(_MAKERS[event](lives))
    who, day, other, value = np.array([f[:4] for f in found], np.int64).reshape(-1, 4).T
    names = found[0][4] if found else {}
    facts = {name: np.array([f[4][name] for f in found], np.bool_) for name in names}
    return Incidents(event, who, day, np.full(len(who), -1, np.int64), other, value, facts)


_SPAN: Final = 1 << 13
"""More days than a run can have."""


def whose(lives: Lives, query: Query) -> Mask:
    """Return whose lives a query means, bool (soldier,)."""
    mask = np.ones(lives.force.n, np.bool_)
    for names, holds in ((query.having, True), (query.lacking, False)):
        for name in names:
            mask &= OF_A_SOLDIER[name](lives) == holds
    force, case = lives.force, lives.case
    fates = (*codes.FATES, *case.catalogue.fates)
    for chosen, known, column in (
        (query.ranks, case.force.ranks.ids, force.rank),
        (query.branches, case.force.branches.ids, force.branch),
        (query.states, case.force.states.ids, force.state),
        (query.fates, fates, lives.fate),
    ):
        if chosen:
            mask &= np.isin(column, [k for k, name in enumerate(known) if name in chosen])
    if query.events and mask.any():
        low, high = query.times or (1, np.inf)
        many = np.bincount(_happened(lives, query.events), minlength=force.n)
        mask &= (many >= low) & (many <= high)
    for one in query.every:
        mask &= whose(lives, one)
    if query.some:
        mask &= np.logical_or.reduce([whose(lives, one) for one in query.some])
    for one in query.none:
        mask &= ~whose(lives, one)
    return mask


def points(lives: Lives, pattern: Pattern) -> Column:
    """Return how good an example each life is, by the traits that the pattern prefers, int64 (soldier,)."""
    score = np.zeros(lives.force.n, np.int64)
    for trait in pattern.prefer:
        score += trait.points * whose(lives, trait)
    return score


def _happened(lives: Lives, steps: Sequence[Incident]) -> Column:
    """Return the soldier of each row of the last step that the steps before it lead to."""
    before: Column | None = None
    who: Column = np.zeros(0, np.int64)
    for step in steps:
        who, day = _rows(lives, step)
        key = who * _SPAN + day
        if before is not None:
            fewest, most = step.after or (0, _SPAN - 1)
            first = np.maximum(key - int(min(most, _SPAN - 1)), who * _SPAN)
            led = np.searchsorted(before, key - int(fewest), "right") > np.searchsorted(before, first)
            who, key = who[led], key[led]
        before = np.sort(key)
    return who


def _rows(lives: Lives, step: Incident) -> tuple[Column, Column]:
    """Return soldier and day of the rows that one step means."""
    rows = put_together(lives, step.event) if step.event in PUT_TOGETHER else lives.rows_of(step.event)
    for names, holds in ((step.having, True), (step.lacking, False)):
        for name in names:
            rows = rows.only(fact(lives, rows, name) == holds)
    case = lives.case
    if step.occasions:
        wanted = [k for k, name in enumerate(codes.OCCASIONS) if name in step.occasions]
        rows = rows.only(np.isin(lives.occasion[rows.who], wanted))
    if step.ways:
        wanted = [k for k, c in enumerate(case.crossings) if {c.id, c.kind} & {*step.ways}]
        rows = rows.only(np.isin(rows.way, wanted))
    if step.sites:
        wanted = [k for k, s in enumerate(case.sites) if {s.id, s.kind} & {*step.sites}]
        rows = rows.only(np.isin(lives.at_site(rows.who, rows.day), wanted))
    measured: tuple[tuple[tuple[float, float] | None, Callable[[], Column]], ...] = (
        (step.value, lambda: rows.value),
        (step.stay, lambda: lives.stayed(rows)),
        (step.idle, lambda: idle_days(lives, rows)),
    )
    for range_, column in measured:
        if range_ is not None:
            value = column()
            rows = rows.only((value >= range_[0]) & (value <= range_[1]))
    for name in step.high:
        rows = rows.only(_high(lives, rows, name))
    return rows.who, rows.day


def _high(lives: Lives, rows: Incidents, name: str) -> Mask:
    field = lives.case.daily(name)
    high: Mask = field > np.median(field, axis=0)
    state = lives.force.state[np.where(rows.other >= 0, rows.other, rows.who)]
    return high[rows.day, state] if high.ndim > 1 else high[rows.day]


def counted_lives(case: Case, making: Making, runs: int, seed: int) -> Result:
    """Return runs whose log holds a row for each pattern of the case, as :func:`_count` makes them."""
    simulator = Simulator(kept_force, _count, case.patterns.ids)
    study, store = Study((Scenario(case),), runs, seed, log_runs=runs), MemoryStore()
    what = f"{case.title}, {counted(study.runs, 'run')}"
    account = making.carry(study, store, what, simulator=simulator)
    return result_of(account, store, study)


def _count(case: Case, force: Force | None, seed: int, run: int, /, *, log: bool) -> Replicate:
    """Return one run as a log of one row for each pattern: how many, and whose life to tell."""
    assert log
    lives = Lives.of(kept_model(case, force) if force is not None else model_of(case, seed, run), seed, run)
    patterns = case.patterns
    found = [whose(lives, p.where) for p in patterns if p.where is not None]
    told = entries(lives.force, lives.log) + lives.moments
    who = np.full(len(patterns), NOBODY, np.uint32)
    traits = np.zeros(len(patterns), np.uint32)
    for k, (pattern, mask) in enumerate(zip(patterns, found, strict=True)):
        there = np.flatnonzero(mask)
        if there.size:
            more = points(lives, pattern)[there]
            best = typical(there[more == more.max()], told)
            who[k], traits[k] = lives.force.identity[best], max(0, int(more.max()))
    rows = len(patterns)
    return Replicate(
        run,
        {},
        {
            "day": np.zeros(rows, np.int16),
            "soldier": who,
            "event": np.arange(rows, dtype=np.uint8),
            "place": np.full(rows, -1, np.int16),
            "other": traits,
            "value": np.array([mask.sum() for mask in found], np.float32),
        },
    )
