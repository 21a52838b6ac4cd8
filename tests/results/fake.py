"""A made-up run and result that look plausible, for tests of everything downstream of the engine.

``fake_result()`` gives 100 runs of 365 days in about a second, without engine or case folder. The
numbers mean nothing; stocks and counts are consistent with one another.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.engine.replicate import Replicate
from breakrank.labels import FATES, OUTCOMES
from tests.results.fake_case import BRANCHES, RANKS, STATES, FakeCase, read_case
from tests.results.voices import voice_series

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.results.result import Result


__all__ = ["EVENTS", "FakeCase", "fake_build", "fake_case", "fake_replicate", "fake_result", "read_case"]

EVENTS = (
    "left",
    "crossed",
    "registered",
    "deserted quietly",
    "declared for the challenger",
    "shot on the way",
)


def fake_case() -> Any:
    """Return the made-up case."""
    return FakeCase()


def fake_build(case: Any, seed: int) -> Any:
    """Stand in for building the force."""
    return SimpleNamespace(n=case.strength)


def fake_replicate(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Replicate:
    """Return one made-up run: a pure function of (case, seed, run)."""
    rng = np.random.default_rng([seed, run])
    days, n = case.calendar.days, force.n
    t = np.arange(days)
    luck = rng.lognormal(0.0, 0.25)
    wave = case.wave * luck * np.where(t < 53, 1.5, 1.5 + 42 * np.exp(-np.maximum(t - 53, 0) / 20.0))
    rates = {
        "quiet_desertion": 0.3 * wave + 9,
        "registered_exit": wave,
        "open_defection": 0.03 * wave + 12 * (t == 119),
        "resigned": 0 * wave,
    }
    leaving = np.stack([rng.poisson(rates[o]) for o in OUTCOMES])
    kind, day = np.repeat(np.indices(leaving.shape).reshape(2, -1), leaving.ravel(), axis=1)
    m = len(day)
    rank = rng.choice(5, m, p=[0.58, 0.32, 0.085, 0.0148, 0.0002])
    branch = rng.choice(4, m, p=[b.share for b in BRANCHES])
    state = rng.choice(6, m, p=[0.15, 0.4, 0.2, 0.1, 0.1, 0.05])
    route = rng.choice(5, m, p=[0.4, 0.15, 0.3, 0.1, 0.05])
    out = (kind == 1) | ((kind == 0) & (rng.random(m) < 0.3))
    arrested, shot = rng.poisson(0.4 + 0.02 * wave), rng.poisson(0.002 * wave)

    def count(*keys_sizes: tuple[Any, int], where: Any = slice(None)) -> np.ndarray[Any, np.dtype[np.int32]]:
        keys, sizes = [k[where] for k, _ in keys_sizes], [s for _, s in keys_sizes]
        return (
            np.bincount(np.ravel_multi_index(keys, sizes), minlength=int(np.prod(sizes)))
            .reshape(sizes)
            .astype(np.int32)
        )

    registered = count((day, days), where=kind == 1)
    routes = np.pad(count((day, days), (route, 5), where=out), ((0, 0), (0, 1)))
    total = {
        name: np.cumsum(v)
        for name, v in (
            ("hiding", count((day, days), where=(kind == 0) & ~out)),
            ("abroad", count((day, days), where=(kind == 0) & out)),
            ("registered", registered),
            ("declared", count((day, days), where=kind == 2)),
            ("arrested", arrested),
            ("dead", shot),
        )
    }
    fate = np.zeros((days, len(FATES)), np.int32)
    at = {f: i for i, f in enumerate(FATES)}
    embassy = np.where((t >= 119) & (t < 340), np.minimum(16, total["declared"]), 0)
    for name in ("hiding", "abroad", "registered", "dead"):
        fate[:, at[name]] = total[name]
    fate[:, at["declared"]] = total["declared"] - embassy
    fate[:, at["embassy"]] = embassy
    fate[:, at["detained"]] = total["arrested"] // 4
    fate[:, at["imprisoned"]] = total["arrested"] - total["arrested"] // 4
    fate[:, 0] = n - fate.sum(1)
    series = {
        "exits_rank": count((day, days), (kind, len(OUTCOMES)), (rank, 5)),
        "exits_branch": count((day, days), (kind, len(OUTCOMES)), (branch, 4)),
        "exits_state": count((day, days), (state, 6)),
        "exits_route": routes,
        "fates": fate,
        "fate_rank": _split(fate[-1], [r.share for r in RANKS]),
        "registered": registered,
        "registered_rank": count((day, days), (rank, 5), where=kind == 1),
        "crossed_rank": count((day, days), (rank, 5), where=out),
        "left_abroad": count((day, days), where=out),
        "arrested": arrested.astype(np.int32),
        "released": rng.poisson(0.2, days).astype(np.int32),
        "shot": shot.astype(np.int32),
        "shocks": rng.poisson(60, days).astype(np.int32),
        "confided": rng.poisson(200, days).astype(np.int32),
        "reported": rng.poisson(5, days).astype(np.int32),
        "opposed": np.repeat((0.55 + 0.3 * t / 365 + rng.normal(0, 0.01)).astype(np.float32)[::7], 7)[:days],
        "belief": np.repeat((0.2 + 0.3 * t / 365 + rng.normal(0, 0.02)).astype(np.float32)[::7], 7)[:days],
        "decision_opportunities": np.array(550_000 + rng.integers(0, 20_000), np.int32),
        **voice_series(days, n, len(BRANCHES), len(case.force.regions), (seed, run)),
    }
    events = None
    if log:
        order = np.argsort(day, kind="stable")
        events = {
            "day": day[order].astype(np.int16),
            "soldier": rng.choice(n, m, replace=False).astype(np.uint32),
            "event": np.array([3, 2, 4], np.uint8)[kind[order]],
            "place": (len(STATES) + route[order]).astype(np.int16),
            "other": np.full(m, 0xFFFFFFFF, np.uint32),
            "value": rng.random(m).astype(np.float32),
        }
    return Replicate(run, series, events)


def _split(totals: Any, shares: list[float]) -> Any:
    """Split each total by shares into whole numbers that add up to it."""
    parts = np.floor(np.outer(totals, shares)).astype(np.int32)
    parts[:, 0] += totals - parts.sum(1)
    return parts


@cache
def fake_result(runs: int = 100, seed: int = 7, wave: float = 1.0) -> Any:
    """Return a made-up result; the same object for the same arguments."""
    from breakrank.results.collect import Collector
    from breakrank.results.result import Result

    case = FakeCase(wave=wave)
    force = fake_build(case, seed)
    collector = Collector(case, runs, EVENTS)
    for run in range(runs):
        collector.add(fake_replicate(case, force, seed, run, log=run < 4))
    return Result(
        data=collector.dataset(),
        case=case,
        seed=seed,
        seconds=1.0,
        command=f'simulate(load_case("{case.id}"), runs={runs}, seed={seed})',
        versions={"breakrank": "0", "python": "3", "numpy": "2", "numba": "0", "platform": "made up"},
        events=collector.events(),
    )


def assert_same_data(one: xr.Dataset, other: xr.Dataset) -> None:
    assert one.identical(other)
    assert list(one.variables) == list(other.variables)
    for name in one.variables:
        left, right = one[name].values, other[name].values
        assert left.dtype == right.dtype, name
        assert left.tobytes() == right.tobytes(), name


def assert_same_bits(one: Result, other: Result) -> None:
    assert_same_data(one.data, other.data)
    assert (one.events is None) == (other.events is None)
    if one.events is not None:
        assert one.events.schema.equals(other.events.schema)
        assert one.events.equals(other.events)
