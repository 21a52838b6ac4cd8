"""Scenarios that part on a day: the days before it are lived once.

Two models of one force and one luck may differ in nothing but what holds from a day on: an event on another
date, dearer goods from May. Both begin a run. All that the models and the runs then hold is compared bit by
bit. What differs has to be declared as counted by day: a field of the case, or an array of a table with
``array("day", ...)``; or it has to be the calendar of occasions. The first day on which any of it differs is
that of the parting. Where anything else differs there is none.

That mechanisms read nothing of a later day is what tests hold of those that come with the model. With others
nothing is shared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.calendar import Occasions
from breakrank.engine.mechanism import Mechanism
from breakrank.engine.process import Process
from breakrank.engine.records import RunRecords
from breakrank.engine.rows import LINE
from breakrank.engine.snapshot import Snapshot, used
from breakrank.engine.world import World
from breakrank.plugins import OPTIONAL
from breakrank.table import Table

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.day import Days
    from breakrank.engine.observe import Observer
    from breakrank.engine.run import Run

LEAST = 60
"""Days that have to be shared for it to pay."""
_ASIDE = ("counterfactuals", "patterns", "targets", "sources", "observations")
"""What of a case no run reads."""
_FOLLOWED = ("events", "fields", "series", "parameters")
"""What of a case is compared by what follows from it."""
_OWN = ("rows", "state", "_followed", "world")
"""What of a run is made anew, or is compared by itself."""


class _DifferError(Exception):
    """Two models differ in something that does not begin on a day."""


@dataclass
class Parting:
    """What two models share: the days before ``day``.

    Attributes
    ----------
    day : from which on they may differ.
    days : the model that goes on from there.
    swapped : what differs, as the one has it and as the other does.
    """

    day: int
    days: Days
    swapped: list[tuple[Any, Any]]
    _kept: Snapshot | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._began = [one.tobytes() for one in self._arrays()]

    def _arrays(self) -> Iterator[NDArray[Any]]:
        return (one for one, _ in self.swapped if isinstance(one, np.ndarray))

    @property
    def ready(self) -> bool:
        """Whether the run is kept."""
        return self._kept is not None

    def keep(self, days: Days, run: Run, observer: Observer) -> None:
        """Keep a run at the dusk before the day of parting, lived by the first model.

        Where its days have written into what differs, nothing is kept.
        """
        for name in vars(days.world):
            getattr(self.days.world, name)  # what is worked out when first asked for
        for name in days.world.fields:
            self.days.world.daily(name)
        if all(one.tobytes() == was for one, was in zip(self._arrays(), self._began, strict=True)):
            self._kept = Snapshot(days, run, observer, [one for one, _ in self.swapped])

    def open(self) -> tuple[Run, Observer]:
        """Return the run, ready to go on with the other model."""
        assert self._kept is not None
        return self._kept.open(self.days, [other for _, other in self.swapped])


def parting(days: Days, run: Run, other: Days, other_run: Run) -> Parting | None:
    """Return where two runs that have begun part; ``None`` where that is too soon, or cannot be known.

    Parameters
    ----------
    days, run : a model, and its run with its calendar.
    other, other_run : another model, and its run under the same luck.
    """
    seen = _Comparison(days.world.days)
    try:
        seen.cases(days.world.case, other.world.case)
        seen.same(days.world.force, other.world.force)
        for name, values in days.world.fields.items():
            seen.by_day(values, other.world.daily(name))
        seen.same([days.factor, days.limit, days.mechanisms], [other.factor, other.limit, other.mechanisms])
        seen.same(*({k: v for k, v in vars(each).items() if k not in _OWN} for each in (run, other_run)))
        seen.settle()
    except _DifferError:
        return None
    return Parting(seen.day, other, seen.swapped) if seen.day >= LEAST else None


def may_part(case: Case, other: Case) -> bool:
    """Return whether two cases differ only in what fields are from a day on; :func:`parting` tells."""
    seen = _Comparison(case.calendar.days)
    try:
        seen.cases(case, other)
    except _DifferError:
        return False
    return seen.day >= LEAST


class _Comparison:
    """What two models have in common.

    Attributes
    ----------
    day : the first day on which anything differs.
    swapped : what differs from then on, as the one has it and as the other does.
    """

    def __init__(self, days: int) -> None:
        self.day = days
        self.swapped: list[tuple[Any, Any]] = []
        self._loose: list[NDArray[Any]] = []
        self._seen: dict[tuple[int, int], tuple[Any, Any]] = {}
        self._wholes: dict[tuple[int, int], bool] = {}

    def cases(self, case: Case, other: Case) -> None:
        """Compare what runs read of two cases."""
        one, two = case.content, other.content
        for name in (f.name for f in fields(one) if f.name not in (*_FOLLOWED, *_ASIDE)):
            self.same(getattr(one, name), getattr(two, name))
        self.same(case.catalogue, other.catalogue)
        if not set(case.mechanisms) <= OPTIONAL.keys():
            raise _DifferError
        for name in case.catalogue.parameters:
            self.same(case.value(name), other.value(name))
        for name in case.catalogue.fields:
            self._first(case.daily(name), other.daily(name))
            if one.fields is not two.fields or one.series is not two.series:
                self._first(case.stated(name), other.stated(name))

    def same(self, a: Any, b: Any) -> None:  # noqa: ANN401 (whatever a model holds)
        """Compare two things and all that they hold."""
        if a is b or (id(a), id(b)) in self._seen:
            return
        self._seen[id(a), id(b)] = a, b
        if type(a) is not type(b):
            raise _DifferError
        if isinstance(a, np.ndarray):
            if not self._equal(a, b):
                self._loose.append(a)
        elif isinstance(a, Occasions):
            self._calendar(a, b)
        elif isinstance(a, Table) and not isinstance(a, RunRecords):
            for name in a.names():
                dated = a.axes_of(name)[:1] == ("day",)
                (self.by_day if dated else self.same)(getattr(a, name), getattr(b, name))
        else:
            self._parts(_parts_of(a), _parts_of(b))

    def _parts(self, a: Any, b: Any) -> None:  # noqa: ANN401
        if isinstance(a, list | tuple):
            if len(a) != len(b):
                raise _DifferError
            for mine, others in zip(a, b, strict=True):
                self.same(mine, others)
        elif not (a == b or (a != a and b != b)):  # or both are no number
            raise _DifferError

    def by_day(self, a: NDArray[Any], b: NDArray[Any]) -> None:
        """Compare two arrays whose first axis is the day."""
        if a is not b and self._first(a, b):
            self.swapped.append((a, b))

    def settle(self) -> None:
        """See to it that arrays which differ, wherever they were found, are known to be counted by day."""
        known = {id(one) for one, _ in self.swapped}
        if any(id(one) not in known for one in self._loose):
            raise _DifferError

    def _first(self, a: NDArray[Any], b: NDArray[Any]) -> bool:
        """Return whether two arrays differ, and note from which row on."""
        if (a.dtype, a.shape) != (b.dtype, b.shape):
            raise _DifferError
        one, two = (np.ascontiguousarray(each).view(np.uint8).reshape(len(a), -1) for each in (a, b))
        rows = np.flatnonzero((one != two).any(axis=1))
        self.day = min(self.day, *rows[:1].tolist(), self.day)
        return bool(len(rows))

    def _calendar(self, a: Occasions, b: Occasions) -> None:
        """Compare two calendars: they differ from the day on which other soldiers have occasions."""
        for one, two in ((a.who, b.who), (a.occasion, b.occasion)):
            n = min(len(one), len(two))
            k = int(np.argmax(one[:n] != two[:n])) if (one[:n] != two[:n]).any() else n
            if k < max(len(one), len(two)):
                self.day = min(self.day, *(int(np.searchsorted(c.start, k, "right")) - 1 for c in (a, b)))
        self.day = min(self.day, *np.flatnonzero(a.start[1:] != b.start[1:])[:1].tolist(), self.day)
        self.swapped.append((a, b))

    def _equal(self, a: NDArray[Any], b: NDArray[Any]) -> bool:
        if a.dtype.hasobject or (a.dtype, a.shape, a.strides) != (b.dtype, b.shape, b.strides):
            return False
        if a.base is None or b.base is None:
            return _bits(a, b)
        (one, first), (two, second) = _whole(a), _whole(b)
        key = id(one), id(two)
        if key not in self._wholes:
            self._wholes[key] = _bits(_aligned(one), _aligned(two))
        return (first == second and self._wholes[key]) or a.tobytes() == b.tobytes()


def _parts_of(thing: Any) -> Any:  # noqa: ANN401
    """Return what something consists of, as a list; where it is no whole of parts, the thing itself."""
    if isinstance(thing, World | Process):
        return []  # a world is compared by itself; what a process brings stands in the calendar
    if isinstance(thing, RunRecords):
        return used(thing)
    if isinstance(thing, Mechanism):
        thing = vars(thing)
    if isinstance(thing, dict):
        return [*thing, *thing.values()]
    if is_dataclass(thing):
        return [getattr(thing, f.name) for f in fields(thing)]
    return thing


def _whole(array: NDArray[Any]) -> tuple[NDArray[Any], int]:
    """Return the array that another is a part of, and at which byte of its first whole line that begins."""
    whole = array
    while isinstance(whole.base, np.ndarray):
        whole = whole.base
    return whole, array.ctypes.data - _aligned(whole).ctypes.data


def _aligned(whole: NDArray[Any]) -> NDArray[Any]:
    """Return the rows of soldiers that an array has room for; any other as it is."""
    if whole.dtype != np.uint8 or whole.ndim != 1:
        return whole
    first = -whole.ctypes.data % LINE
    return whole[first : len(whole) - LINE + first]


def _bits(a: NDArray[Any], b: NDArray[Any]) -> bool:
    word = np.uint64 if a.nbytes % 8 == 0 else np.uint8
    if a.nbytes != b.nbytes:
        return False
    one, two = (np.ascontiguousarray(each).reshape(-1).view(word) for each in (a, b))
    return bool(np.array_equal(one, two))
