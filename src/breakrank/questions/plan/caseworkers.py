"""What limits decisions on asylum, the rest of requests or the staff, and how many caseworkers keep up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import luck_key
from breakrank.questions.plan.asylum import AS_IS, KeepingUp, QueueRules, Staffing
from breakrank.questions.plan.checks import MOST_STAFF
from breakrank.questions.plan.queue_whatif import RecordedQueue, chances, waits
from breakrank.questions.plan.spread import spread

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.plan.course import PlanCourse
    from breakrank.questions.plan.scope import Period

KEEPS_UP = 0.95
"""Share of runs in which a number of caseworkers has to keep up."""


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
    """Return what each course's own staff, and other numbers, would do, and how many keep up in the first.

    Each number holds from the first day of the period on; before it the staff is the case's.
    """
    done: list[tuple[Staffing, ...]] = []
    keeps = None
    for world in worlds:
        rules = queue_rules(world.case)
        if rules is None or "files_open" not in world.persons:
            done.append(())
            continue
        asked = _asked(world, rules, seed)
        done.append(tuple(_staffing(asked, period, rules, number) for number in (AS_IS, *numbers)))
        if world is worlds[0] and world.within("requests", period).any():
            keeps = _keeping_up(asked, period, rules)
    return tuple(done), keeps


def _staffing(asked: Sequence[_Asked], period: Period, rules: QueueRules, number: int) -> Staffing:
    days = len(rules.staff)
    still = np.zeros((len(asked), days))
    told = np.full((len(asked), 7), np.nan)
    for k, one in enumerate(asked):
        queue = one.played(rules.staff, period, number)
        still[k] = queue.open_at(days)
        left = queue.waiting_at(period.last + 1)
        told[k] = (*_told(queue, period), *_parts(queue, period, one.rules), left)
    wait, long_wait, decided, closed, rest, held, waiting = told.T
    label = "as in the case" if number == AS_IS else f"{number:,}"
    return Staffing(
        staff=number,
        label=label,
        open=still[:, period.first : period.last + 1],
        wait=wait,
        long_wait=long_wait,
        decided=decided,
        closed=closed,
        rest=rest,
        held=held,
        waiting=waiting,
    )


@dataclass(frozen=True, eq=False)
class _Asked:
    """What one run asks of the caseworkers: its requests, their chance to close, its draws and its rules."""

    requests: NDArray[np.int64]
    closing: NDArray[np.float64]
    key: np.uint64
    rules: QueueRules

    def played(self, staff: NDArray[np.int64], period: Period, number: int) -> RecordedQueue:
        """Return the queue with the case's `staff` by day, or so many caseworkers from the period on."""
        if number != AS_IS:
            staff = staff.copy()
            staff[period.first :] = number
        rules = self.rules
        return waits(self.requests, staff, rules.effort, rules.first_days, self.key, self.closing)


def _asked(world: PlanCourse, rules: QueueRules, seed: int) -> list[_Asked]:
    """Return what each run asks; its rules are those of its own draws."""
    drawn = getattr(world.case, "draws", None) is not None
    found = []
    for k, run in enumerate(world.runs.tolist()):
        requests, decisions, files = (
            _whole(world.persons[name][k]) for name in ("requests", "decisions", "files_open")
        )
        mine = (queue_rules(world.case.drawn(seed, run)) or rules) if drawn else rules
        key = luck_key(seed, "plan.asylum", run)
        found.append(_Asked(requests, chances(requests, decisions, files), key, mine))
    return found


def _whole(files: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return files by day as whole ones; fractions wait for the next day."""
    return np.diff(np.rint(np.cumsum(files)), prepend=0.0).astype(np.int64)


def _told(queue: RecordedQueue, period: Period) -> tuple[float, float, float, float]:
    """Return mean wait, that of nine tenths, and shares decided and closed, of who asks in the period."""
    mine = (queue.asked >= period.first) & (queue.asked < period.last + 1)
    if not mine.any():
        return (math.nan,) * 4
    waited, closed = queue.wait[mine], np.isfinite(queue.closed[mine])
    waited = np.sort(waited[~closed])
    mean = within = math.nan
    if waited.size:
        mean, within = float(waited.mean()), float(waited[math.ceil(0.9 * len(waited)) - 1])
    in_time = (queue.done[mine] < period.last + 1) & ~closed
    return mean, within, float(in_time.mean()), float(closed.mean())


def _parts(queue: RecordedQueue, period: Period, rules: QueueRules) -> tuple[float, float]:
    """Return the mean days of rest and of waiting for a caseworker; of who asks in the period, if decided."""
    mine = (queue.asked >= period.first) & (queue.asked < period.last + 1)
    mine &= ~np.isfinite(queue.closed) & np.isfinite(queue.done)
    if not mine.any():
        return math.nan, math.nan
    return rules.first_days, float((queue.begun - queue.ready)[mine].mean())


def _keeping_up(asked: Sequence[_Asked], period: Period, rules: QueueRules) -> KeepingUp:
    """Return the least number of caseworkers that keeps up, and what no number changes.

    It keeps up where no more files wait for a caseworker on the last day than on the day before the period,
    in 95% of runs. Files at rest wait for nobody: they are what is left with ever so many caseworkers.
    """
    most = min(MOST_STAFF, max(int(one.requests.sum()) for one in asked))
    ever = [one.played(rules.staff, period, most) for one in asked]
    before = np.array([queue.open_at(period.first)[-1] if period.first else 0 for queue in ever])
    spare = len(asked) - math.ceil(KEEPS_UP * len(asked) - 1e-9)
    at_first = [one.played(rules.staff, period, AS_IS).waiting_at(period.first) for one in asked]

    def enough(number: int) -> bool:
        fails = 0
        for one, waited in zip(asked, at_first, strict=True):
            fails += one.played(rules.staff, period, number).waiting_at(period.last + 1) > waited
            if fails > spare:
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
    last = np.array([queue.open_at(period.last + 1)[-1] for queue in ever])
    return KeepingUp(high, most, spread(before), spread(last), float((last > before).mean()))
