"""Made-up plots, uprisings, high command and regime: series of a run, and a log of events by hand."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from breakrank.engine.codes import EVENTS
from breakrank.labels import AIMS, PLOT_ENDS, PLOT_SIZES

NOBODY = 0xFFFFFFFF
CODE = {name: code for code, name in enumerate(EVENTS)}
Row = tuple[int, str, int, int | None, float]
"""Day, name of the event, who, other, value."""


def voice_series(days: int, strength: int, branches: int, regions: int, seed: tuple[int, int]) -> Any:
    """Return the series of one made-up run; a pure function of its arguments."""
    rng = np.random.default_rng([99, *seed])
    t = np.arange(days)
    counts = {
        name: rng.poisson(rate, days)
        for name, rate in (
            ("founded", 0.3), ("approached", 2.0), ("joined", 0.9), ("declined", 0.8), ("pledged", 0.03),
            ("wiretapped", 0.12), ("named", 0.05), ("warned", 0.3), ("discharged", 0.1),
            ("launched_crossing", 0.02),
        )
    }  # fmt: skip
    odds = 0.0006 + 0.35 * (t == 20) + 0.6 * (t == 119)
    uprising = rng.random(days) < odds
    kind = rng.choice(3, days, p=[0.82, 0.15, 0.03])
    holds = np.ones(days, np.int32)
    won = np.flatnonzero(uprising & (kind == 2))
    if won.size:
        holds[won[0] :] = 0
        uprising[won[0] + 1 :] = False
    counts |= {
        "uprisings": uprising,
        "coup_attempts": uprising & (kind > 0),
        "collapsed": uprising & (kind == 0),
        "stalemates": uprising & (kind == 1),
        "won": uprising & (kind == 2),
        "fell": np.append(np.diff(holds), 0) < 0,
        "uprising_size": uprising * rng.integers(20, 300, days),
        "rose": uprising * rng.integers(1, 7, days),
        "followed": uprising * rng.integers(15, 250, days),
        "reneged": uprising * rng.integers(0, 4, days),
        "refused": uprising * rng.integers(0, 3, days),
        "surrendered": uprising * rng.integers(0, 40, days),
    }
    ends = rng.multinomial(counts["founded"].sum(), [0.22, 0.13, 0.5, 0.08, 0.07])
    sizes = [rng.multinomial(n, [0.45, 0.25, 0.15, 0.09, 0.04, 0.015, 0.005]) for n in ends]
    split = [[rng.binomial(n, 0.3) for n in row] for row in sizes]
    by_aim = [
        [[a - b, b] for a, b in zip(row, of, strict=True)] for row, of in zip(sizes, split, strict=True)
    ]
    plot_ends = np.array(by_aim, np.int32)
    assert plot_ends.shape == (len(PLOT_ENDS), len(PLOT_SIZES), len(AIMS))
    alive = np.stack([rng.poisson(6, days), rng.poisson(2, days)], axis=1)
    stance = np.tile([9, 3], (days, 1))
    size = np.full((branches, regions), strength // (branches * regions))
    return {name: np.asarray(values).astype(np.int32) for name, values in counts.items()} | {
        "plots": alive.astype(np.int32),
        "plotters": (alive * 4).astype(np.int32),
        "plot_ends": plot_ends,
        "regime_holds": holds,
        "surveillance_level": np.full(days, 0.4, np.float32),
        "command": stance.astype(np.int32),
        "strength_region": size.astype(np.int32),
        "gone_region": rng.binomial(size, 0.03).astype(np.int32),
        "plotted_region": rng.binomial(size, 0.002).astype(np.int32),
        "opposed_region": rng.uniform(0.5, 0.85, (branches, regions)).astype(np.float32),
    }


def log(*rows: Row, places: Sequence[int] = ()) -> dict[str, Any]:
    """Return rows as the columns of an event log, in order of day; `places` has the code of each row's."""
    order = sorted(range(len(rows)), key=lambda k: rows[k][0])
    kept = [rows[k] for k in order]
    return {
        "day": np.array([r[0] for r in kept], np.int16),
        "soldier": np.array([r[2] for r in kept], np.uint32),
        "event": np.array([CODE[r[1]] for r in kept], np.uint8),
        "place": np.array([places[k] if places else -1 for k in order], np.int16),
        "other": np.array([NOBODY if r[3] is None else r[3] for r in kept], np.uint32),
        "value": np.array([r[4] for r in kept], np.float32),
    }


def plotted(founder: int, day: int, aim: int, joined: int, end: str, last: int, first: int) -> list[Row]:
    """Return the rows of one plot: `joined` members from identity `first` on, ended on day `last`."""
    rows: list[Row] = [(day, "founded a plot", founder, None, float(aim))]
    span = max(1, last - day)
    for k in range(joined):
        at = day + 1 + (k * span) // (joined + 1)
        recruiter = founder if k < 3 else first + (k - 3) // 2
        rows += [
            (at, "approached someone for a plot", recruiter, first + k, float(aim)),
            (at, "joined a plot", first + k, recruiter, float(aim)),
        ]
        if k % 3 == 1:
            rows += [
                (at, "approached someone for a plot", recruiter, first + 500 + k, float(aim)),
                (at, "declined to join", first + 500 + k, recruiter, 0.0),
            ]
    ends = {"broken": "plot broken by arrests", "scattered": "plot scattered", "dissolved": "plot dissolved"}
    if end == "broken":
        rows += [
            (last, "overheard by a wiretap", first, founder, 0.0),
            (last, "arrested", founder, None, 0.0),
        ]
        rows += [(last, "named under interrogation", first + 1, founder, 0.0)] if joined > 1 else []
        rows += [(last, "arrested", first + 1, None, 0.0)] if joined > 1 else []
    if end == "scattered":
        rows += [
            (last, "overheard by a wiretap", first, founder, 0.0),
            (last, "warned of a leak", founder, founder, 0.0),
        ]
    if end in ends:
        rows.append((last, ends[end], founder, None, float(joined + 1)))
    if end == "launched":
        rows.append((last, "plot launched", founder, None, float(joined + 1 + 1000 * aim)))
    return rows


def risen(day: int, leader: int, outcome: str = "uprising collapsed") -> list[Row]:
    """Return the rows of an uprising: 2 units at first, 3 more later, 3 pledges not kept, 2 refusals."""
    rows: list[Row] = [(day, "joined an uprising with his unit", leader, leader, 0.0)]
    rows += [
        (day, "joined an uprising with his unit", leader + 100 * h, leader, float(k))
        for h, k in ((1, 0), (2, 1), (3, 2), (4, 2))
    ]
    rows += [
        (day, "followed into an uprising", leader + 1000 + k, leader + 100 * (k % 5), 0.0) for k in range(88)
    ]
    rows += [
        (day, "did not keep a pledge", leader + 5000 + k, leader, v) for k, v in enumerate((1.0, 2.0, 101.0))
    ]
    rows += [
        (day, "refused to march against an uprising", leader + 6000 + k, leader, float(v))
        for k, v in enumerate((1, 3))
    ]
    rows.append((day, outcome, leader, None, 93.0))
    rows += [(day, "arrested", leader + 1000 + k, None, 0.0) for k in range(27)]
    rows += [(day, "surrendered after an uprising", leader + 1027 + k, None, 0.0) for k in range(40)]
    rows += [(day + 1, "left for the border", leader + 1067 + k, None, 0.0) for k in range(16)]
    return rows
