"""The graph of ways out: roads between states, crossings, embassies; and what each way costs.

A way is the quickest road from a soldier's station to a crossing, and the crossing itself. Its
risk of capture compounds that of the crossing with that of each checkpoint on the road. Crossings
open, close and change by date; those posted at a closed one can still force it (Schon 2020 on
routes of flight; Flee, Suleimenova et al. 2017, on dated closures).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.world import World
from breakrank.errors import UsageError


def logsumexp(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log(sum(exp(values))) over the last axis; -inf where all are -inf or there are none."""
    if values.shape[-1] == 0:
        return np.full(values.shape[:-1], -np.inf)
    highest = values.max(axis=-1)
    shift = np.where(np.isfinite(highest), highest, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(values - shift[..., None]).sum(axis=-1)) + shift)


@dataclass(frozen=True)
class Ways:
    """Every way out of every state.

    Attributes
    ----------
    days : float64 (state, route), on the road and across; inf where no road leads.
    checkpoints : int64 (state, route), on the road.
    home : int64 (route,), the state a crossing lies in; ``abroad`` int64 (route,) code of the country;
        ``countries`` their names.
    host, posted, embassy : bool (route,).
    family : bool (route,), whether it can be done with a family.
    hardship : float64 (route,), 0 to 1; ``stay`` float64 (route,), mean days inside an embassy.
    open : bool (day, route); ``capture``, ``violence`` float64 (day, route).
    epoch : int64 (day,), counts the days on which anything of these changes.
    """

    days: NDArray[np.float64]
    checkpoints: NDArray[np.int64]
    home: NDArray[np.int64]
    host: NDArray[np.bool_]
    posted: NDArray[np.bool_]
    embassy: NDArray[np.bool_]
    family: NDArray[np.bool_]
    hardship: NDArray[np.float64]
    stay: NDArray[np.float64]
    open: NDArray[np.bool_]
    capture: NDArray[np.float64]
    violence: NDArray[np.float64]
    epoch: NDArray[np.int64]


def _quickest(world: World, goal: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return days by road and checkpoints from every state to state `goal` (Dijkstra 1959)."""
    n = len(world.state_ids)
    code = {s: i for i, s in enumerate(world.state_ids)}
    roads: list[list[tuple[int, float, int]]] = [[] for _ in range(n)]
    for road in world.case.roads:
        a, b = code[road.start], code[road.to]
        roads[a].append((b, float(road.days), int(road.checkpoints)))
        roads[b].append((a, float(road.days), int(road.checkpoints)))
    days = np.full(n, np.inf)
    posts = np.zeros(n, np.int64)
    days[goal] = 0
    queue = [(0.0, 0, goal)]
    while queue:
        d, p, s = heapq.heappop(queue)
        if (d, p) > (days[s], posts[s]):
            continue
        for t, more, checks in roads[s]:
            if (d + more, p + checks) < (days[t], posts[t]) or days[t] == np.inf:
                days[t], posts[t] = d + more, p + checks
                heapq.heappush(queue, (d + more, p + checks, t))
    return days, posts


def days_to_capital(world: World) -> NDArray[np.float64]:
    """Return days by road to the capital, float64 (state,); the farthest where no road leads there."""
    days, _ = _quickest(world, world.state_ids.index(world.case.capital))
    return np.where(np.isfinite(days), days, days[np.isfinite(days)].max())


def find_ways(world: World) -> Ways:
    """Return the ways out of a case's states, by day."""
    crossings = world.case.crossings
    calendar = world.case.calendar
    n, routes = len(world.state_ids), len(crossings)
    if not routes:
        raise UsageError("the case has no crossings; give at least one in routes.yaml or set ways_out.on=0")
    code = {s: i for i, s in enumerate(world.state_ids)}
    days = np.full((n, routes), np.inf)
    posts = np.zeros((n, routes), np.int64)
    opened = np.ones((world.days, routes), np.bool_)
    capture = np.empty((world.days, routes))
    violence = np.empty((world.days, routes))
    for r, c in enumerate(crossings):
        road, posts[:, r] = _quickest(world, code[c.state])
        days[:, r] = road + float(c.days)
        capture[:, r] = c.capture
        violence[:, r] = c.violence
        for spell in c.schedule:
            first = max(0, (spell.start - calendar.start).days)
            last = max(0, (spell.to - calendar.start).days + 1)
            opened[first:last, r] = spell.open
            if spell.capture is not None:
                capture[first:last, r] = spell.capture
            if spell.violence is not None:
                violence[first:last, r] = spell.violence
    changed = np.zeros(world.days, np.int64)
    for series in (opened, capture, violence):
        changed[1:] |= np.any(series[1:] != series[:-1], axis=1)
    return Ways(
        days,
        posts,
        np.array([code[c.state] for c in crossings], np.int64),
        np.array([c.host for c in crossings], np.bool_),
        np.array([c.posted for c in crossings], np.bool_),
        np.array([c.kind == "embassy" for c in crossings], np.bool_),
        np.array([c.family for c in crossings], np.bool_),
        np.array([c.hardship for c in crossings], np.float64),
        np.array([float(c.stay.days) for c in crossings], np.float64),
        opened,
        capture,
        violence,
        np.cumsum(changed),
    )
