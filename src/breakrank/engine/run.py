"""One replicate in the making: its random key, its day, its records and the columns mechanisms share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from breakrank.draws import luck_key
from breakrank.engine.calendar import Occasions
from breakrank.engine.codes import EV_FELL
from breakrank.engine.records import RunRecords, make_room, open_records, record
from breakrank.engine.rows import Rows
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.table import Table

T = TypeVar("T")


class Now(Table):
    """The moment of a run, as compiled code reads it.

    ``key`` of this run's luck; ``day`` today; ``first`` the first row of the log that belongs to today;
    ``fallen`` whether the regime has fallen.
    """

    key: np.uint64
    day: int
    first: int
    fallen: bool


@lean
def hold(gauge: NDArray[np.float32], day: int, value: float) -> None:
    """Note what a gauge says on a day; it says so until the next time."""
    gauge[day:] = value


class Run:
    """The state of one replicate.

    Attributes
    ----------
    world : what is the same in each replicate.
    key : the 64-bit key of this replicate's luck; it changes at the days of ``turns``, each with the key that
        holds from it on, by rising day.
    day : today, 0 on the first day of the calendar.
    records : fates, log and agenda.
    mark : first row of the log that belongs to today. ``now`` is the same for compiled code.
    processes : the moments offered for the whole run in ``begin``: (days, soldiers, occasion code).
    calls : who else has to decide today, on what occasion, and who asks them (positions, -1 nobody).
    stocks : what mechanisms count every dusk, by name of the series; ``tables`` what they count once.
    fallen : day on which the regime fell, -1 while it holds.
    state : all tables behind one address, as compiled steps take them; None before they are taken.
    """

    def __init__(
        self,
        world: World,
        seed: int,
        number: int,
        keep_log: bool,
        rows: Rows | None = None,
        turns: Sequence[tuple[int, np.uint64]] = (),
    ) -> None:
        force = world.force
        self._columns: dict[str, NDArray[Any]] = {}
        self._shared: dict[type, object] = {}
        self.state: Table | None = None
        self._followed: Mapping[type, str] = {}
        self.world = world
        self.rows = rows or Rows(force.n)
        self.number = number
        self.key = luck_key(seed, "run", number)
        self.turns = tuple(turns)
        self.day = 0
        self.keep_log = keep_log
        ranks, fates = len(world.rank_ids), len(world.fates)
        self.records: RunRecords = open_records(force.identity, force.rank, ranks, world.days, 1 << 14, fates)
        self.share(self.records)
        self.now = Now(self.key, 0, 0, False)
        self.share(self.now)
        self.mark = 0
        self.processes: list[tuple[NDArray[np.int16], NDArray[np.int32], int]] = []
        self.occasions: Occasions | None = None
        self.decisions = 0
        self.calls: list[tuple[NDArray[np.int32], int, NDArray[np.int32]]] = []
        self.fallen = -1
        self.measured: dict[str, NDArray[np.float32]] = {}
        self.stocks: dict[str, NDArray[np.int32]] = {}
        self.tables: dict[str, NDArray[Any]] = {}

    def column(self, name: str, dtype: DTypeLike, fill: float = 0) -> NDArray[Any]:
        """Return the per-soldier column `name`, made on first use; its owner is ``name``'s prefix."""
        if name not in self._columns:
            n = self.world.force.n
            self._columns[name] = np.full(n, fill, dtype) if fill else np.zeros(n, dtype)
        return self._columns[name]

    def hot(self, name: str, dtype: DTypeLike, fill: float | None = 0, width: int = 0) -> NDArray[Any]:
        """Return a column as :meth:`column` does, beside others that every moment reads (see ``rows``).

        With `fill` None whatever stands there is left: for whoever writes all of it.
        """
        if name not in self._columns:
            blank = self.rows.blank(name)
            self._columns[name] = self.rows.column(name, dtype, width)
            if fill or (fill == 0 and not blank):
                self._columns[name][:] = fill
        return self._columns[name]

    def share(self, view: object) -> None:
        """Offer a typed view of a mechanism's state to those that read it, with the parameters it holds."""
        if isinstance(view, Table):
            view.fill(self.world)
        self._shared[type(view)] = view
        if type(view) in self._followed:
            setattr(self.state, self._followed[type(view)], view)

    def follow(self, state: Table, names: Mapping[type[Table], str]) -> None:
        """Keep `state`, a table of tables, up with what is shared, each kind under its name."""
        self.state, self._followed = state, names

    def __getstate__(self) -> dict[str, Any]:
        """Be packed without the state, which is made again from what is shared."""
        return vars(self) | {"state": None, "_followed": {}}

    def view(self, kind: type[T]) -> T:
        """Return the view of type `kind` that a mechanism shared in this replicate."""
        found = self._shared[kind]
        assert isinstance(found, kind)
        return found

    def gauge(self, name: str) -> NDArray[np.float32]:
        """Return the series of what is measured on some days only, nan so far; see :func:`hold`."""
        return self.measured.setdefault(name, np.full(self.world.days, np.nan, np.float32))

    def call(self, who: NDArray[np.int32], occasion: int, leader: NDArray[np.int32] | int = -1) -> None:
        """Have `who` (positions) decide once more today; `leader` is who asks them, -1 nobody."""
        if len(who):
            leaders = leader if isinstance(leader, np.ndarray) else np.full(len(who), leader, np.int32)
            self.calls.append((who, occasion, leaders))

    def fall(self, by: int, who: int) -> None:
        """Let the regime fall today: `by` 0 to an uprising, 1 to a pact, led by the soldier at `who`."""
        if self.fallen < 0:
            self.fallen, self.now.fallen = self.day, True
            record(self.records, self.day, who, EV_FELL, -1, -1, float(by))

    def open_day(self, day: int) -> None:
        """Turn the page: today's log starts here (older rows go unless the log is kept)."""
        self.day = day
        while self.turns and self.turns[0][0] <= day:
            self.key, self.turns = self.turns[0][1], self.turns[1:]
        if not self.keep_log:
            self.records.cursor[0] = 0
        self.mark = int(self.records.cursor[0])
        self.now.key, self.now.day, self.now.first = self.key, day, self.mark

    def make_room(self, rows: int) -> None:
        """See to it that `rows` more rows fit into the log and the agenda."""
        self.records = make_room(self.records, rows)
