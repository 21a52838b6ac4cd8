"""All lives of one run, one column for each thing that a pattern may ask of them."""

from __future__ import annotations

from dataclasses import dataclass
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
    serving, opposed : bool, whether he served, and was privately opposed, on the last day.
    """

    case: Case
    force: Force
    log: Log
    moments: Column
    occasion: Column
    opposed_then: Mask
    serving: Mask
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
            witness.fate == codes.SERVING,
            witness.margin > 0,
        )

    def rows(self, event: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Return the rows of the log with an event, and the positions of the soldiers they are about."""
        rows = np.flatnonzero(self.log["event"] == event)
        return rows, np.searchsorted(self.force.identity, self.log["soldier"][rows])

    @cached_property
    def _departure(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Return the rows of departures, those who merely slip away apart, and who they are about."""
        rows, who = self.rows(codes.EV_LEFT)
        meant = self.log["value"][rows] >= 0
        return rows[meant], who[meant]

    def _at_departure(self, values: Column, none: int) -> Column:
        _, who = self._departure
        column = np.full(self.force.n, none, np.int64)
        column[who] = values
        return column

    @cached_property
    def left(self) -> Column:
        """Day on which he set out for abroad, -1 for those who did not."""
        return self._at_departure(self.log["day"][self._departure[0]], -1)

    @cached_property
    def mode(self) -> Column:
        """How he set out: 0 alone, 1 with his family, 2 from his post at the crossing, -1 not at all."""
        return self._at_departure(self.log["value"][self._departure[0]].astype(np.int64), -1)

    @cached_property
    def route(self) -> Column:
        """Way that he took, as a position in the case's crossings, -1 for those who took none."""
        return self._at_departure(self._routes(self._departure[0]), -1)

    @cached_property
    def leader(self) -> Column:
        """Position of whom he followed, -1 for those who followed nobody."""
        other = self.log["other"][self._departure[0]]
        followed = np.searchsorted(self.force.identity, other)
        return self._at_departure(np.where(other == 0xFFFFFFFF, -1, followed), -1)

    @cached_property
    def followers(self) -> Column:
        """How many came along with him."""
        leaders = self.leader[self.leader >= 0]
        return np.bincount(leaders, minlength=self.force.n)

    @cached_property
    def registered(self) -> Mask:
        """Whether he presented himself abroad and was registered."""
        return self._met(codes.EV_REGISTERED)

    @cached_property
    def crossed(self) -> Mask:
        """Whether he got out of the country."""
        return self._met(codes.EV_CROSSED)

    @cached_property
    def shot_on(self) -> Column:
        """Way on which he was shot, as a position in the case's crossings, -1 for those who were not."""
        rows, who = self.rows(codes.EV_SHOT)
        out = np.full(self.force.n, -1, np.int64)
        out[who] = self._routes(rows)
        return out

    @cached_property
    def since_loss(self) -> Column:
        """Days from the last loss in his family, on an earlier day, to setting out; -1 if there is none."""
        rows, who = self.rows(codes.EV_SHOCK)
        lag = self.left[who] - self.log["day"][rows]
        before = (lag > 0) & (self.left[who] >= 0)
        never = np.iinfo(np.int64).max
        out = np.full(self.force.n, never, np.int64)
        np.minimum.at(out, who[before], lag[before])
        return np.where(out == never, -1, out)

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
        site = self._routes(rows) - len(self.case.crossings)
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

    def first(self, event: int) -> Column:
        """Return the first day on which something happened to each, -1 for those to whom it never did."""
        rows, who = self.rows(event)
        out = np.full(self.force.n, -1, np.int64)
        out[who[::-1]] = self.log["day"][rows][::-1]
        return out

    def last(self, event: int) -> Column:
        """Return the last such day, -1 for those to whom it never happened."""
        rows, who = self.rows(event)
        out = np.full(self.force.n, -1, np.int64)
        out[who] = self.log["day"][rows]
        return out

    @cached_property
    def plots(self) -> list[Plot]:
        """The plots of the run, in the order of their founding."""
        return plots(self.log)

    @cached_property
    def risings(self) -> list[RisingRecord]:
        """The risings of the run, in order."""
        return risings(self.log)

    def _met(self, event: int) -> Mask:
        out = np.zeros(self.force.n, np.bool_)
        out[self.rows(event)[1]] = True
        return out

    def _routes(self, rows: npt.NDArray[np.intp]) -> Column:
        return self.log["place"][rows].astype(np.int64) - len(self.case.force.states)
