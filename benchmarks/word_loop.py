"""The loop that word home closes, measured: its gain and its delay.

Who leaves is received somehow, word of it reaches those who still serve, and some of them leave or stay for
it. A push from outside (a fortnight in which the challenger is believed in a little more) is run with the
loop closed and with the loop open, under common random numbers. What the push moves with the loop closed,
over what it moves with the loop open, is the amplification A; the gain of the loop is 1 - 1/A, as for any
feedback that comes back on itself: 0 says that word home changes nothing, 0.5 that each leaver draws half
another after him, below 0 that it dampens (the first fill the places, and the word that follows is worse).
"""

from __future__ import annotations

import argparse
import datetime as dt
import math
import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from breakrank import Case, Result, load_case, simulate

WORD = "word_home.contact"
_RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class WordLoop:
    """What word home does to arrivals at the host.

    Attributes
    ----------
    arrivals, arrivals_open : mean soldiers who come to the host, with the loop closed and open.
    pushed, pushed_open : mean soldiers whom the push adds, with the loop closed and open.
    gain : 1 - pushed_open / pushed; ``low`` and ``high`` its 95% interval over runs (bootstrap).
    told : share of those who set out after the first word came home who had word from a comrade.
    lag : median days between a comrade's crossing and the leaving of who had his word (nan: nobody).
    half : days after the push began until half of what the loop adds or takes away has come (nan: nothing).
    runs : runs of each of the four worlds.
    """

    arrivals: float
    arrivals_open: float
    pushed: float
    pushed_open: float
    gain: float
    low: float
    high: float
    told: float
    lag: float
    half: float
    runs: int

    def __str__(self) -> str:
        return (
            f"Gain of the loop {self.gain:+.2f} (95% {self.low:+.2f} to {self.high:+.2f}, {self.runs} runs): "
            f"a push adds {self.pushed:,.0f} arrivals with the loop, {self.pushed_open:,.0f} without.\n"
            f"Without the loop {self.arrivals_open:,.0f} soldiers come instead of {self.arrivals:,.0f}.\n"
            f"{self.told:.0%} of those who set out had word from a comrade abroad, who had crossed "
            f"{self.lag:.0f} days before (median); half of the loop's effect has come by day {self.half:.0f}."
        )


def word_loop(case: Case, runs: int, seed: int, date: str | None, push: float) -> WordLoop:
    """Measure the gain and the delay of word home in a case.

    Parameters
    ----------
    runs : runs of each of four worlds, at least 2.
    date : first day of the push; by default that on which the host begins to register people, or else the
        first day. It lasts a fortnight.
    push : credibility added, above 0 and at most 1.
    """
    first = _begin(case) if date is None else dt.date.fromisoformat(date)
    start = case.calendar.day(first)
    event = {
        "id": "push-to-measure-the-loop",
        "date": first.isoformat(),
        "title": "A push, to measure what follows",
        "assumed": "No claim about the record: a small push from outside, to measure how far it echoes.",
        "effects": [
            {
                "field": "credibility",
                "op": "add",
                "value": push,
                "until": min(first + dt.timedelta(13), case.calendar.end).isoformat(),
            }
        ],
    }

    def arrivals(told: bool, pushed: bool, log_runs: int = 0) -> tuple[NDArray[np.float64], Result]:
        world = case if told else case.set({WORD: 0})
        if pushed:
            world = world.with_events([event])
        result = simulate(world, runs, seed, log_runs=log_runs)
        if len(result.data["run"]) < runs:
            sys.exit("a run was not finished: pairs would be broken")
        return result.data["arrived_soldiers"].values.astype(np.float64), result

    closed, kept = arrivals(True, False, min(runs, 4))
    pushed, _ = arrivals(True, True)
    opened, _ = arrivals(False, False)
    pushed_open, _ = arrivals(False, True)
    extra, extra_open = (pushed - closed)[:, start:], (pushed_open - opened)[:, start:]
    gain, low, high = _gain(extra.sum(axis=1), extra_open.sum(axis=1))
    told, lag = _told(kept)
    return WordLoop(
        float(closed.sum(axis=1).mean()),
        float(opened.sum(axis=1).mean()),
        float(extra.sum(axis=1).mean()),
        float(extra_open.sum(axis=1).mean()),
        gain,
        low,
        high,
        told,
        lag,
        _half((extra - extra_open).mean(axis=0)),
        runs,
    )


def _begin(case: Case) -> dt.date:
    """Return the day on which registration begins, or the first day."""
    scheme = case.daily("registration") >= 0.5
    return case.calendar.date(int(np.argmax(scheme)))


def _gain(closed: NDArray[np.float64], opened: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return the gain of the loop, and its 95% interval by resampling runs (nan: nothing moves)."""

    def gain(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
        with np.errstate(divide="ignore", invalid="ignore"):
            return 1 - b / a

    mean = float(gain(closed.mean(keepdims=True), opened.mean(keepdims=True))[0])
    picks = np.random.default_rng(0).integers(0, len(closed), (_RESAMPLES, len(closed)))
    spread = gain(closed[picks].mean(axis=1), opened[picks].mean(axis=1))
    spread = spread[np.isfinite(spread)]
    if not np.isfinite(mean) or not spread.size:
        return math.nan, math.nan, math.nan
    return mean, float(np.quantile(spread, 0.025)), float(np.quantile(spread, 0.975))


def _half(daily: NDArray[np.float64]) -> float:
    """Return the days until half of the sum of a series has come, nan for one that adds up to nothing."""
    total = daily.sum()
    if not total:
        return math.nan
    return float(np.argmax(np.cumsum(daily) / total >= 0.5))


def _told(result: Result) -> tuple[float, float]:
    """Return the share of leavers who had word from a comrade, and the median days since he had crossed."""
    assert result.events is not None
    log = result.events.to_pydict()
    had, leavers, lags = 0, 0, []
    crossed: dict[tuple[int, int], int] = {}
    heard: dict[tuple[int, int], tuple[int, int]] = {}
    began: dict[int, int] = {}
    rows = zip(log["run"], log["day"], log["soldier"], log["event"], log["other"], log["value"], strict=True)
    for run, day, soldier, event, other, value in rows:
        if event == "crossed":
            crossed[run, soldier] = day
        elif event == "sent word home":
            began.setdefault(run, day)
            heard[run, other] = (day, crossed.get((run, soldier), day))
        elif event == "left for the border" and value >= 0 and run in began:
            leavers += 1
            if (run, soldier) in heard:
                had += 1
                lags.append(day - heard[run, soldier][1])
    return (had / leavers if leavers else math.nan), (float(np.median(lags)) if lags else math.nan)


def main() -> None:
    """Read the arguments, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", default="venezuela-2019")
    parser.add_argument("--soldiers", type=int, help="another strength of the force")
    parser.add_argument("--runs", type=int, default=40, help="of each of four worlds, at least 2")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--date", help="first day of the push")
    parser.add_argument("--push", type=float, default=0.1, help="credibility added, above 0 and at most 1")
    given = parser.parse_args()
    case = load_case(given.case, "values")
    if given.soldiers:
        case = case.set({"force.strength": given.soldiers})
    print(word_loop(case, given.runs, given.seed, given.date, given.push))  # noqa: T201


if __name__ == "__main__":
    main()
