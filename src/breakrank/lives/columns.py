"""All lives of one run, one column for each thing that a pattern may ask of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from breakrank.engine import codes
from breakrank.engine.witness import Witness
from breakrank.results.conspiracies import Log, Plot, RisingRecord, plots, risings

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.moments import Moments
    from breakrank.engine.run import Run
    from breakrank.force import Force
    from breakrank.model import Model

Column = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

NOBODY: Final = 0xFFFFFFFF
"""What the log has where nobody else took part."""

MOVES: Final = (
    codes.EV_LODGED,
    codes.EV_PUT_OUT,
    codes.EV_TOOK_OFFER,
    codes.EV_RELOCATED,
    codes.EV_MOVED_ON,
    codes.EV_SETTLED,
    codes.EV_WENT_BACK,
    codes.EV_HELD,
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
    moments : int32 (soldier,), moments of decision that came his way.
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
    moments : int32, moments of decision that came his way.
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
        return cls(
            model.world.case,
            force,
            log,
            witness.moments,
            witness.occasion,
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

    def at_site(self, who: Column, day: Column) -> Column:
        """Return where soldiers lived at the end of days, as positions in the case's sites, -1 for none.

        Parameters
        ----------
        who, day : positions of soldiers, and days, of equal shape (k,).
        """
        out = np.full(len(who), -1, np.int64)
        stays = self.stays
        for k, (i, d) in enumerate(zip(who.tolist(), day.tolist(), strict=True)):
            a, b = np.searchsorted(stays.who, [i, i + 1])
            here = np.flatnonzero((stays.since[a:b] <= d) & (d < stays.until[a:b]))
            out[k] = stays.site[a + here[-1]] if here.size else -1
        return out

    def stayed(self, rows: Incidents) -> Column:
        """Return the days of the stay at a site that each row falls into or ends, -1 for none."""
        out = np.full(len(rows.who), -1, np.int64)
        stays, code = self.stays, (*codes.EVENTS, *self.case.catalogue.events).index(rows.event)
        for k, (who, day) in enumerate(zip(rows.who.tolist(), rows.day.tolist(), strict=True)):
            a, b = np.searchsorted(stays.who, [who, who + 1])
            since, until = stays.since[a:b], stays.until[a:b]
            ended = (until == day) & (stays.end[a:b] == code)
            here = np.flatnonzero((since <= day) & ((day < until) | ended))
            out[k] = day - since[here[-1]] if here.size else -1
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
    def risings(self) -> list[RisingRecord]:
        """The risings of the run, in order."""
        return risings(self.log)

    def _places(self, rows: npt.NDArray[np.intp]) -> Column:
        return self.log["place"][rows].astype(np.int64) - len(self.case.force.states)
