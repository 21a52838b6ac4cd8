"""The queue for asylum against a textbook (Erlang 1917) and against a plain one.

Where requests come at random to a constant staff, waits are known exactly. The means of long queues have to
meet them within 3.5 standard errors (of batch means, since neighbours wait together), and the standard error
has to be below 1.2 per cent of the mean: an error of five per cent would not go unseen.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from breakrank.mechanisms.asylum import take_up

Floats = NDArray[np.float64]
FILES, BATCHES = 2_500_000, 100


def waits(rate: float, staff: int, effort: float, seed: int) -> Floats:
    """Return the waits of files that come at random, of exponential work, the first tenth left out."""
    rng = np.random.default_rng(seed)
    ready = np.cumsum(rng.exponential(1 / rate, FILES))
    work, done = rng.exponential(effort, FILES), np.full(FILES, np.inf)
    assert take_up(ready, work, 0, np.zeros(staff), staff, 0.0, math.inf, done) == FILES
    begun = done - work
    # what is no wait may be off by the rounding of done
    return np.where(begun - ready < 1e-6, 0.0, begun - ready)[FILES // 10 :]


def assert_mean(values: Floats, expected: float) -> None:
    """Assert that a mean is what it should be, within its error, which is small."""
    means = values[: len(values) // BATCHES * BATCHES].reshape(BATCHES, -1).mean(axis=1)
    error = means.std(ddof=1) / math.sqrt(BATCHES)
    assert error < 0.012 * expected
    assert abs(means.mean() - expected) < 3.5 * error


def erlang_c(servers: int, load: float) -> float:
    """Return the probability of waiting in M/M/c under so much load (work per day); Erlang 1917."""
    terms = [load**k / math.factorial(k) for k in range(servers)]
    last = load**servers / math.factorial(servers) * servers / (servers - load)
    return last / (sum(terms) + last)


@pytest.mark.parametrize(("staff", "busy"), [(1, 0.75), (2, 0.5), (10, 0.75)])
def test_a_constant_staff_is_the_queue_of_erlang(staff: int, busy: float) -> None:
    effort = 4.0
    rate = busy * staff / effort
    found = waits(rate, staff, effort, 10 * staff + round(10 * busy))
    chance = erlang_c(staff, rate * effort)
    leaves = staff / effort - rate
    assert_mean((found > 0).astype(float), chance)
    assert_mean(found, chance / leaves)
    # those who wait do so for an exponential time
    assert_mean((found > 1 / leaves).astype(float), chance * math.exp(-1))


eighths = st.integers(0, 300).map(lambda k: k / 8)  # sums of eighths are exact
some_files = st.lists(st.tuples(eighths, eighths), max_size=40).map(sorted)


def day_by_day(files: list[tuple[float, float]], staff: list[int]) -> tuple[Floats, list[int]]:
    """Return decisions and the first file left over each day; the last day's staff goes on for ever."""
    ready, work = (np.array([f[k] for f in files], float) for k in (0, 1))
    done, free, first, left = np.full(len(files), np.inf), np.zeros(max(1, *staff)), 0, []
    for day, at_work in enumerate(staff):
        until = day + 1.0 if day + 1 < len(staff) else math.inf
        first = take_up(ready, work, first, free, at_work, float(day), until, done)
        left.append(first)
    return done, left


def day_by_day_plainly(files: list[tuple[float, float]], staff: list[int]) -> tuple[list[float], list[int]]:
    """As `day_by_day`: who is sent home finishes what he has begun, and takes it up again where he was."""
    free, done, left = [0.0] * max(1, *staff), [math.inf] * len(files), []
    waiting = list(range(len(files)))
    for day, at_work in enumerate(staff):
        last = day + 1 == len(staff)
        while waiting and at_work:
            file = waiting[0]
            who = min(range(at_work), key=lambda s: (free[s], s))
            start = max(files[file][0], free[who], float(day))
            if start >= day + 1 and not last:
                break
            done[file] = free[who] = start + files[file][1]
            waiting.pop(0)
        left.append(waiting[0] if waiting else len(files))
    return done, left


@given(some_files, st.lists(st.integers(0, 5), min_size=1, max_size=50))
def test_a_staff_that_changes_agrees_with_a_plain_telling(
    files: list[tuple[float, float]], staff: list[int]
) -> None:
    done, left = day_by_day(files, staff)
    assert (done.tolist(), left) == day_by_day_plainly(files, staff)


def test_without_staff_nothing_is_decided_and_nothing_lost() -> None:
    ready, work, done = np.array([0.5, 0.7]), np.array([1.0, 1.0]), np.full(2, np.inf)
    free = np.zeros(3)
    assert take_up(ready, work, 0, free, 0, 0.0, 1.0, done) == 0
    assert take_up(ready, work, 0, free, 3, 1.0, 2.0, done) == 2
    assert done.tolist() == [2.0, 2.0]
    assert take_up(ready, work, 2, free, 3, 2.0, 3.0, done) == 2
