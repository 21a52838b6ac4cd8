"""Asylum: files and waits as the runs have them, and what other numbers of caseworkers would make of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from breakrank.draws import decision, luck_key, uniform_each
from breakrank.mechanisms.asylum import take_up
from breakrank.questions.plan.course import Values
from breakrank.questions.plan.scope import MOST_STAFF, months
from breakrank.questions.plan.sums import Row, stretch
from breakrank.show.tables import COLUMNS, Spread, spread

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.plan.course import PlanCourse
    from breakrank.questions.plan.scope import Period


AS_IS = -1
"""The staff that the case has, day by day, beside constant numbers."""


STAFF_QUANTITIES = {
    "files_open": ("Files open, last day", "files"),
    "files_peak": ("Most files open", "files"),
    "waiting": ("Files waiting for a caseworker, last day", "files"),
    "wait": ("Mean time from request to decision, days", "days"),
    "rest": ("Of it until anyone may take the file up, days", "days"),
    "held": ("Of it until a caseworker is free, days", "days"),
    "long_wait": ("Time within which nine tenths are decided, days", "days"),
    "decided": ("Decided by the last day of the period", "share"),
    "closed": ("Closed without a decision, sooner or later", "share"),
}
"""What is told of a number of caseworkers by its name: label and unit.

Waits and shares are of those who ask within the period, waits of those of them who get a decision: infinite
where one never does, nan where there are none.
"""


@dataclass(frozen=True, eq=False)
class Staffing:
    """What a number of caseworkers would make of the requests of each run.

    Attributes
    ----------
    staff : caseworkers from the first day of the period on; :data:`AS_IS` for those of the case.
    open : float64 (run, day of the period), files open at the end of each day.
    told : by name of :data:`STAFF_QUANTITIES`, one number for each run, float64 (run,).
    """

    staff: int
    open: Values
    told: Mapping[str, Values]


@dataclass(frozen=True, slots=True)
class KeepingUp:
    """How many caseworkers keep up with the requests, and what no number of them changes.

    Attributes
    ----------
    staff : the least number with which no more files wait for a caseworker on the last day than before the
        period, in 95% of runs; one more than `most` where none does.
    most : the most that was tried.
    before, left : files open before the period, and on its last day with ever so many caseworkers.
    grows : share of runs in which these are more, so that files grow whatever the staff.
    """

    staff: int
    most: int
    before: Spread
    left: Spread
    grows: float


@dataclass(frozen=True, slots=True)
class QueueRules:
    """What the queue needs to know of a case: mean work of a decision, days of rest, staff by day."""

    effort: float
    first_days: float
    staff: npt.NDArray[np.int64]


def by_month(world: PlanCourse, period: Period) -> list[Row]:
    """Return requests, decisions, files open and waits by month, as the runs have them, with quantiles."""
    rows: list[Row] = []
    for window in months(period):
        days = slice(window.first, window.last + 1)
        decided = world.persons["decisions"][:, days]
        requests, waited = world.persons["requests"][:, days], _mean(world.wait[:, days], decided)
        values = [
            ("requests", "Requests", "requests", requests.sum(axis=1)),
            ("decisions", "Decisions", "decisions", decided.sum(axis=1)),
            ("wait", "Mean time from request to decision", "days", waited),
            ("age", "Mean age of open files, last day", "days", world.age[:, window.last]),
        ]
        if "files_open" in world.persons:
            last = world.persons["files_open"][:, window.last]
            values.insert(2, ("files_open", "Files open, last day", "files", last))
        for name, label, unit, per_run in values:
            one = spread(per_run)
            about = {"month": window.label, "quantity": name, "label": label, "unit": unit, "runs": one.runs}
            rows.append(about | stretch(world, window) | one.row)
    return rows


def _mean(level: Values, weight: Values) -> Values:
    """Return the mean over days of a level, weighted; nan where all weights are 0."""
    total = weight.sum(axis=1)
    added = (np.where(weight > 0, level, 0.0) * weight).sum(axis=1)
    mean = np.full(len(total), np.nan)
    np.divide(added, total, out=mean, where=total > 0)
    return mean


def staff_rows(staffings: tuple[Staffing, ...]) -> list[Row]:
    """Return the effect of numbers of caseworkers: a row for each, and quantity."""
    rows: list[Row] = []
    for one in staffings:
        as_is = one.staff == AS_IS
        label = "as in the case" if as_is else f"{one.staff:,}"
        for name, (what, unit) in STAFF_QUANTITIES.items():
            about = {"staff": None if as_is else one.staff, "staffing": label, "quantity": name}
            rows.append(about | {"label": what, "unit": unit} | _row(one.told[name]))
    return rows


def _row(values: Values) -> dict[str, float]:
    """Return quantiles over runs; infinite if waiting never ends in that share."""
    answered = values[~np.isnan(values)]
    if answered.size and np.isinf(answered).any():
        return dict.fromkeys(COLUMNS, math.inf)
    return spread(values).row


Floats = NDArray[np.float64]

_HOUR = int(decision("queue_whatif.hour"))
_WORK = int(decision("queue_whatif.work"))
_PATIENCE = int(decision("queue_whatif.patience"))


@dataclass(frozen=True, eq=False)
class RecordedQueue:
    """Files with their times, in days from the start of the first day, in the order of request.

    Attributes
    ----------
    asked, ready, begun, done : float64 (file,), when asylum is asked for, when the file can be taken up, when
        a caseworker is free for it, and when it is decided (infinite where never).
    work : float64 (file,), caseworker days of its decision.
    closed : float64 (file,), when it closes without a decision; infinite where it does not.
    """

    asked: Floats
    ready: Floats
    work: Floats
    begun: Floats
    done: Floats
    closed: Floats

    @property
    def wait(self) -> Floats:
        """Days from request to decision; nan for files that close without one."""
        return np.where(np.isfinite(self.closed), np.nan, self.done - self.asked)

    @property
    def ended(self) -> Floats:
        """When the file closes, either way."""
        return np.minimum(self.done, self.closed)

    def open_at(self, days: int) -> NDArray[np.int64]:
        """Return the files open at the end of each day, int64 (days,)."""
        ends = np.arange(1, days + 1)
        came = np.searchsorted(self.asked, ends, side="left")
        return came - np.searchsorted(np.sort(self.ended), ends, side="right")

    def waiting_at(self, day: int) -> int:
        """Return the files that wait for a caseworker when a day begins: nobody has taken them up so far."""
        return int(((self.ready < day) & (self.closed > day) & (self.begun >= day)).sum())


def waits(
    requests_by_day: NDArray[np.integer],
    staff_by_day: NDArray[np.integer],
    effort: float,
    first_days: float,
    key: np.uint64,
    closing: Floats | None = None,
) -> RecordedQueue:
    """Play the queue on the requests of one run.

    Every draw belongs to the number of a request, so that another staff meets the same requests at the
    same hours with the same work and patience. After the last day nobody asks any more and no file closes
    undecided, and the staff of that day works on until all is decided: waits are not cut off by the end of
    the run.

    Parameters
    ----------
    requests_by_day : whole numbers (days,), requests on each day; each comes at an hour of its own.
    staff_by_day : whole numbers (days,), caseworkers.
    effort : mean work of a decision, caseworker days, above 0.
    first_days : days a request rests before anyone takes it up, 0 or more.
    key : of the draws, see :func:`breakrank.draws.luck_key`.
    closing : float64 (days,), chance of each day that an open file closes without a decision; by default
        none.

    Examples
    --------
    >>> from breakrank.draws import luck_key
    >>> queue = waits(np.array([3, 0]), np.array([1, 1]), effort=2.0, first_days=1.0, key=luck_key(1, "run"))
    >>> queue.asked.size, bool((queue.done >= queue.ready).all()), queue.open_at(1).tolist()
    (3, True, [3])
    """
    requests, staff = np.asarray(requests_by_day), np.asarray(staff_by_day)
    number = np.arange(int(requests.sum()), dtype=np.uint32)
    day = np.repeat(np.arange(len(requests)), requests)
    never = np.zeros(len(number), np.int64)
    asked = day + uniform_each(key, _HOUR, number, never)
    work = -effort * np.log(uniform_each(key, _WORK, number, never))
    closes = np.full(len(number), np.inf)
    if closing is not None:
        closes = _closes(day, -np.log(uniform_each(key, _PATIENCE, number, never)), closing)
    order = np.argsort(asked, kind="stable")
    asked, work, closes = asked[order], work[order], closes[order]
    ready = asked + first_days
    begun, done = serve(ready, work, staff, closes)
    return RecordedQueue(asked, ready, work, begun, done, np.where(closes <= done, closes, np.inf))


def _closes(day: NDArray[np.int64], patience: Floats, closing: Floats) -> Floats:
    """Return when each file closes undecided, if nobody decides it before: at the end of a day, or never.

    The chances of the days add up, as hazards do, from the day of the request on; the file closes when they
    pass its `patience` (exponential with mean 1).
    """
    with np.errstate(divide="ignore"):
        hazard = np.concatenate(([0.0], np.cumsum(-np.log1p(-np.clip(closing, 0.0, 1.0)))))
    hazard = np.minimum(hazard, 1e9)
    at = np.searchsorted(hazard, hazard[day] + patience, side="left")
    return np.where(at < len(hazard), at, np.inf).astype(np.float64)


def chances(
    requests: NDArray[np.integer], decisions: NDArray[np.integer], still: NDArray[np.integer]
) -> Floats:
    """Return each day's chance of an open file to close undecided, from what a run tells of that day.

    Parameters
    ----------
    requests, decisions : whole numbers (days,). still : files open at the end of the day.

    Examples
    --------
    >>> chances(np.array([4, 0, 0]), np.array([0, 1, 0]), np.array([4, 1, 1])).round(2).tolist()
    [0.0, 0.67, 0.0]
    """
    there = np.concatenate(([0], still[:-1])) + requests - decisions
    gone = np.clip(there - still, 0, None)
    share = np.zeros(len(there))
    np.divide(gone, there, out=share, where=there > 0)
    return share


def serve(
    ready: Floats, work: Floats, staff_by_day: NDArray[np.integer], closes: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return when each file is taken up and when it is decided, float64 (file,): first come, first served.

    Parameters
    ----------
    ready : float64 (file,), when it can be taken up, ascending.
    work : float64 (file,), caseworker days that it takes.
    staff_by_day : whole numbers (days,); the last holds for all days after.
    closes : float64 (file,), when it closes if nobody has decided it; from then on it takes no work.
    """
    staff = np.asarray(staff_by_day, dtype=np.int64)
    begun, done = np.full((2, len(ready)), np.inf)
    free = np.zeros(max(1, int(staff.max(initial=0))))
    ready, work = np.ascontiguousarray(ready, np.float64), np.array(work, np.float64)
    closes = np.full(len(ready), np.inf) if closes is None else closes
    by_closing = np.argsort(closes)
    lapsing = closes[by_closing]
    changes = np.unique(np.concatenate((np.flatnonzero(np.diff(staff)) + 1.0, lapsing[np.isfinite(lapsing)])))
    begins = np.concatenate(([0.0], changes)) if len(staff) else np.zeros(0)
    closed_by = np.searchsorted(lapsing, begins, side="right")
    first = gone = 0
    for begin, end, closed in zip(
        begins.tolist(), [*changes.tolist(), np.inf], closed_by.tolist(), strict=False
    ):
        work[by_closing[gone:closed]] = 0.0
        gone = closed
        today = int(staff[min(int(begin), len(staff) - 1)])
        old, first = first, take_up(ready, work, first, free, today, begin, end, done)
        begun[old:first] = done[old:first] - work[old:first]
    return begun, done


KEEPS_UP = 0.95
"""Share of runs in which a number of caseworkers has to keep up."""
SOON = 1e-6
"""Days between two times that are the same but for rounding."""


def queue_rules(case: Case) -> QueueRules | None:
    """Return how a case's asylum queue works; ``None`` where nobody decides on asylum in it.

    The staff is that of the runs, where each stands for so many of the whole force.
    """
    known = case.parameters
    if not {"asylum.effort", "asylum.first_days"} <= known.keys() or case.value("asylum.on") < 0.5:
        return None
    simulated = np.ceil(np.floor(case.daily("asylum_staff")) * case.scale)
    staff = np.rint(simulated * case.stands_for).astype(np.int64)
    return QueueRules(case.value("asylum.effort"), case.value("asylum.first_days"), staff)


def caseworkers(
    worlds: Sequence[PlanCourse], period: Period, numbers: Sequence[int], seed: int
) -> tuple[tuple[tuple[Staffing, ...], ...], KeepingUp | None]:
    """Return the effect of each course's own staff and of other numbers, and the least that keep up.

    Each number holds from the first day of the period on; before it the staff is the case's. The queue knows
    nothing of a run beyond the period, so that longer runs tell the same.
    """
    done: list[tuple[Staffing, ...]] = []
    keeps = None
    for world in worlds:
        rules = queue_rules(world.case)
        if rules is None or "files_open" not in world.persons:
            done.append(())
            continue
        rules = replace(rules, staff=rules.staff[: period.last + 1])
        asked = _asked(world, rules, seed)
        done.append(tuple(_staffing(asked, period, rules, number) for number in (AS_IS, *numbers)))
        if world is worlds[0] and world.within("requests", period).any():
            keeps = _keeping_up(asked, period, rules)
    return tuple(done), keeps


def _staffing(asked: Sequence[_Asked], period: Period, rules: QueueRules, number: int) -> Staffing:
    still = np.zeros((len(asked), len(rules.staff)))
    found = []
    for k, one in enumerate(asked):
        queue = one.played(rules.staff, period, number)
        still[k] = queue.open_at(len(rules.staff))
        left = {"waiting": float(queue.waiting_at(period.last + 1))}
        found.append(_told(queue, period, one.rules.first_days) | left)
    still = still[:, period.first : period.last + 1]
    told = {"files_open": still[:, -1], "files_peak": still.max(axis=1)}
    told |= {name: np.array([each[name] for each in found]) for name in found[0]}
    return Staffing(number, still, told)


@dataclass(frozen=True, eq=False)
class _Asked:
    """What one run asks of the caseworkers: its requests, their chance to close, its draws and its rules."""

    requests: NDArray[np.int64]
    closing: NDArray[np.float64]
    key: np.uint64
    rules: QueueRules

    def played(self, staff: NDArray[np.int64], period: Period, number: int) -> RecordedQueue:
        """Return the queue with the case's `staff` by day, or a number of caseworkers from the period on."""
        if number != AS_IS:
            staff = staff.copy()
            staff[period.first :] = number
        rules = self.rules
        return waits(self.requests, staff, rules.effort, rules.first_days, self.key, self.closing)


def _asked(world: PlanCourse, rules: QueueRules, seed: int) -> list[_Asked]:
    """Return what each run asks up to the last day of the staff; its rules are those of its own draws."""
    drawn = getattr(world.case, "draws", None) is not None
    days = len(rules.staff)
    found = []
    for k, run in enumerate(world.runs.tolist()):
        requests, decisions, files = (
            _whole(world.persons[name][k, :days]) for name in ("requests", "decisions", "files_open")
        )
        mine = (queue_rules(world.case.drawn(seed, run)) or rules) if drawn else rules
        key = luck_key(seed, "plan.asylum", run)
        found.append(_Asked(requests, chances(requests, decisions, files), key, mine))
    return found


def _whole(files: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return files by day as whole ones; fractions wait for the next day."""
    return np.diff(np.rint(np.cumsum(files)), prepend=0.0).astype(np.int64)


def _told(queue: RecordedQueue, period: Period, first_days: float) -> dict[str, float]:
    """Return waits, and shares decided and closed, of who asks in the period."""
    told = dict.fromkeys(("wait", "rest", "held", "long_wait", "decided", "closed"), math.nan)
    mine = (queue.asked >= period.first) & (queue.asked < period.last + 1)
    if not mine.any():
        return told
    closed = np.isfinite(queue.closed)
    waited = np.sort(queue.wait[mine & ~closed])
    if waited.size:
        told["wait"] = float(waited.mean())
        told["long_wait"] = float(waited[math.ceil(0.9 * len(waited)) - 1])
    told["decided"] = float(((queue.done < period.last + 1) & ~closed)[mine].mean())
    told["closed"] = float(closed[mine].mean())
    decided = mine & ~closed & np.isfinite(queue.done)
    if decided.any():
        told["rest"], told["held"] = first_days, float((queue.begun - queue.ready)[decided].mean())
    return told


def _keeping_up(asked: Sequence[_Asked], period: Period, rules: QueueRules) -> KeepingUp:
    """Return the least number of caseworkers that keeps up, and what no number changes.

    It keeps up where no more files wait for a caseworker on the last day than on the day before the period,
    in 95% of runs. Files at rest wait for nobody: they are what is left with ever so many caseworkers.
    """
    most = min(MOST_STAFF, max(int(one.requests.sum()) for one in asked))
    spare = len(asked) - math.ceil(KEEPS_UP * len(asked) - 1e-9)
    at_first = [one.played(rules.staff, period, AS_IS).waiting_at(period.first) for one in asked]
    hardest = list(range(len(asked)))  # runs that failed last come first: a number that fails is soon known

    def enough(number: int) -> bool:
        fails: list[int] = []
        for k in hardest:
            if asked[k].played(rules.staff, period, number).waiting_at(period.last + 1) > at_first[k]:
                fails.append(k)
            if len(fails) > spare:
                hardest.sort(key=lambda k: k not in fails)
                return False
        return True

    low, high = -1, 1  # too few, enough
    while high < most and not enough(high):
        low, high = high, min(2 * high, most)
    if high == most and not enough(most):
        high = most + 1
    while low + 1 < high <= most:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    ever = [_unhindered(one, period, rules, 2 * max(1, high), most) for one in asked]
    before = np.array([queue.open_at(period.first)[-1] if period.first else 0 for queue in ever])
    last = np.array([queue.open_at(period.last + 1)[-1] for queue in ever])
    return KeepingUp(high, most, spread(before), spread(last), float((last > before).mean()))


def _unhindered(one: _Asked, period: Period, rules: QueueRules, number: int, most: int) -> RecordedQueue:
    """Return the queue of a run with `most` caseworkers; it is tried from `number` on, as fewer play faster.

    Once nobody waits for a caseworker in the period, more of them change nothing.
    """
    while number < most:
        queue = one.played(rules.staff, period, number)
        soonest = np.maximum(queue.ready, period.first)
        if (queue.begun - soonest < SOON)[queue.begun >= period.first].all():
            return queue
        number *= 2
    return one.played(rules.staff, period, most)
