"""The graph of routes: roads between states, crossings, embassies; and what each way costs.

A way is the quickest road from a soldier's station to a crossing, and the crossing itself. Its
risk of capture compounds that of the crossing with that of each checkpoint on the road. Crossings
open, close and change by date, and roads are cut; those posted at a closed crossing can still force it
(Schon 2020 on routes of flight; Flee, Suleimenova et al. 2017, on dated closures). Where an opposition
holds part of a state (the field ``held`` of the mechanism ``war``), so many checkpoints fewer stand on the
roads there, and the risk at its crossings is so much lower (control of territory: Kalyvas 2006). Some ways
end inside the country: see the optional mechanism ``opposition``.
"""

from __future__ import annotations

import datetime as dt
import heapq
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.world import World
from breakrank.errors import UsageError
from breakrank.mechanisms.ground import held_by_opposition
from breakrank.mechanisms.local_fields import watch_by_state

if TYPE_CHECKING:
    from breakrank.case.models_routes import Crossing


SHOT_TO_CAUGHT: Final = 10 / 3
"""Weight of a way's risk of being shot relative to that of capture: death against years in prison. As the
witness who kept off the bridge for fear of armed civilians, soldiers avoid it several times as much."""
HARDSHIP: Final = 1.0
"""What the hardest way (hardship 1) costs, utility: as much as two days on the road."""
FAMILY_HARDSHIP: Final = 2.0
"""Hardship of a way with a family, relative to going alone: there are twice as many to get across."""
KIN_HELP: Final = 0.7
"""Utility of relatives abroad for one who wants to leave: twice the odds. Theory only: Massey and others
1993; size assumed."""
LEAD: Final = 0.5
"""Chance that a leader who leaves alone asks comrades along: an even one, as nobody has counted."""
SHOT_DIES: Final = 0.3
"""Chance that who is shot on the way dies: assumed; the one whom the reports name lived."""
DECLARES: Final = 0.4
"""Chance that a soldier who registers declares for a challenger who is sure to win. Theory only: Albrecht and
Ohl 2016; size assumed."""
PARTIES: Final = 4
"""Parties in which those whom an embassy sheltered leave, one a day, once safe conduct is granted."""
LATER: Final = 60.0
"""Mean days from leaving the service in the open to leaving the country: time to sell, pack and be hired."""
AGAIN: Final = 30
"""Days after which who finds no way open tries again to leave the country as a civilian."""


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
    """Every route out of every state.

    Attributes
    ----------
    world : of the case.
    cut : bool (day, road), which roads are cut; ``watch`` float64 (day, state), relative to the country's.
    home : int64 (route,), the state a crossing lies in.
    host, posted, embassy : bool (route,).
    inland : bool (route,), whether it ends with an opposition inside the country.
    usual : float64 (route,), by how much more usual it is than leaving the country, utility.
    ranks : bool (rank, route), whether a rank can take it.
    family : bool (route,), whether it can be done with a family.
    hardship : float64 (route,), 0 to 1; ``stay`` float64 (route,), mean days inside an embassy.
    open : bool (day, route); ``capture``, ``violence`` float64 (day, route).
    exposed : float64 (day, route), the risk of capture where nobody but the regime holds land.
    epoch : int64 (day,), counts the days on which anything of these changes.
    known : what roads were found to be like, by what is cut, held and watched.
    """

    world: World
    cut: NDArray[np.bool_]
    watch: NDArray[np.float64]
    home: NDArray[np.int64]
    host: NDArray[np.bool_]
    posted: NDArray[np.bool_]
    embassy: NDArray[np.bool_]
    inland: NDArray[np.bool_]
    usual: NDArray[np.float64]
    ranks: NDArray[np.bool_]
    family: NDArray[np.bool_]
    hardship: NDArray[np.float64]
    stay: NDArray[np.float64]
    open: NDArray[np.bool_]
    capture: NDArray[np.float64]
    exposed: NDArray[np.float64]
    violence: NDArray[np.float64]
    epoch: NDArray[np.int64]
    known: dict[bytes, _Roads] = field(default_factory=dict)

    def on(self, day: int, held: NDArray[np.float64]) -> WaysToday:
        """Return what the ways are like on a day on which the opposition holds these shares of states."""
        cut, watch = self.cut[day], self.watch[day]
        now = cut.tobytes() + held.tobytes() + watch.tobytes()
        if now not in self.known:
            self.known[now] = _roads(self.world, np.flatnonzero(cut).tolist(), held, watch)
        capture = np.where(self.inland, self.exposed[day], self.exposed[day] * (1 - held[self.home]))
        return WaysToday(*self.known[now], capture)


class WaysToday(NamedTuple):
    """The ways on one day.

    Attributes
    ----------
    days : float64 (state, route), on the road and across; inf where no road leads.
    checkpoints : int64 (state, route), on the road.
    watched : float64 (state, route), how closely they are watched, relative to the country's watch.
    guarded : float64 (route,), the same of each crossing. capture : float64 (route,), see :class:`Ways`.
    """

    days: NDArray[np.float64]
    checkpoints: NDArray[np.int64]
    watched: NDArray[np.float64]
    guarded: NDArray[np.float64]
    capture: NDArray[np.float64]


_Way: TypeAlias = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]
"""From every state: days, checkpoints, and how closely these are watched relative to the country's watch."""
_Roads: TypeAlias = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]
"""The same to every crossing (state, route), and the watch at each crossing (route,)."""


def _quickest(
    world: World,
    goal: int,
    cut: Collection[int] = (),
    held: Sequence[float] = (),
    watch: Sequence[float] = (),
) -> _Way:
    """Return days by road and checkpoints from every state to state `goal`, and how closely they are watched.

    The quickest way counts (Dijkstra 1959). Roads of `cut` (positions) cannot be used; `held` (state,) is the
    share of each that the opposition holds, `watch` (state,) the watch there, 1 where it is left out.
    """
    n = len(world.state_ids)
    code = {s: i for i, s in enumerate(world.state_ids)}
    roads: list[list[tuple[int, float, int, float]]] = [[] for _ in range(n)]
    for k, road in enumerate(world.case.roads):
        if k in cut:
            continue
        a, b = code[road.start], code[road.to]
        posts = int(road.checkpoints)
        if held:
            posts = round(posts * (1 - (held[a] + held[b]) / 2))
        seen = posts * (watch[a] + watch[b]) / 2 if watch else float(posts)
        roads[a].append((b, float(road.days), posts, seen))
        roads[b].append((a, float(road.days), posts, seen))
    days = np.full(n, np.inf)
    posts_to, seen_to = np.zeros(n, np.int64), np.zeros(n)
    days[goal] = 0
    queue = [(0.0, 0, goal)]
    while queue:
        d, p, s = heapq.heappop(queue)
        if (d, p) > (days[s], posts_to[s]):
            continue
        for t, more, checks, seen in roads[s]:
            if (d + more, p + checks) < (days[t], posts_to[t]) or days[t] == np.inf:
                days[t], posts_to[t], seen_to[t] = d + more, p + checks, seen_to[s] + seen
                heapq.heappush(queue, (d + more, p + checks, t))
    return days, posts_to, np.where(posts_to > 0, seen_to / np.maximum(posts_to, 1), 1.0)


def days_to_capital(world: World) -> NDArray[np.float64]:
    """Return days by road to the capital, float64 (state,); the farthest where no road leads there."""
    days, _, _ = _quickest(world, world.state_ids.index(world.case.capital))
    return np.where(np.isfinite(days), days, days[np.isfinite(days)].max())


def _roads(
    world: World, cut: Collection[int], held: NDArray[np.float64], watch: NDArray[np.float64]
) -> _Roads:
    """Return days, checkpoints and their watch from every state to every crossing, and the watch at each.

    Roads of `cut` (positions) cannot be used; `held` and `watch` are of each state.
    """
    code = {s: i for i, s in enumerate(world.state_ids)}
    part = held.tolist() if held.any() else ()
    here = watch.tolist() if (watch != 1).any() else ()
    goals = {c.state for c in world.case.crossings}
    found = {s: _quickest(world, code[s], cut, part, here) for s in goals}
    days, posts, watched = zip(*(_on_the_way(found, c) for c in world.case.crossings), strict=True)
    guarded = watch[[code[c.state] for c in world.case.crossings]]
    return np.stack(days, axis=1), np.stack(posts, axis=1), np.stack(watched, axis=1), guarded


def _cut(world: World) -> NDArray[np.bool_]:
    """Return which roads are cut, bool (day, road)."""
    cut = np.zeros((world.days, len(world.case.roads)), np.bool_)
    for k, road in enumerate(world.case.roads):
        for time in road.cut:
            cut[_span(world.case.calendar.start, time.start, time.to), k] = True
    return cut


def _on_the_way(found: Mapping[str, _Way], crossing: Crossing) -> _Way:
    """Return the same of a way from every state; a register is reached by telephone."""
    days, posts, watched = found[crossing.state]
    if crossing.kind == "register":
        return np.full_like(days, float(crossing.days)), np.zeros_like(posts), watched
    return days + float(crossing.days), posts, watched


def _span(start: dt.date, first: dt.date, last: dt.date) -> slice:
    """Return the days from one date to another, both included, as far as they lie in the calendar."""
    return slice(max(0, (first - start).days), max(0, (last - start).days + 1))


def find_ways(world: World) -> Ways:
    """Return the routes out of a case's states, by day."""
    crossings, start = world.case.crossings, world.case.calendar.start
    routes = len(crossings)
    if not routes:
        raise UsageError("the case has no crossings; give at least one in routes.yaml or set routes.on=0")
    code = {s: i for i, s in enumerate(world.state_ids)}
    inland = np.array([c.at_home for c in crossings], np.bool_)
    home = np.array([code[c.state] for c in crossings], np.int64)
    opened = np.ones((world.days, routes), np.bool_)
    capture = np.empty((world.days, routes))
    violence = np.empty((world.days, routes))
    for r, c in enumerate(crossings):
        capture[:, r] = c.capture
        violence[:, r] = c.violence
        for spell in c.schedule:
            days = _span(start, spell.start, spell.to)
            opened[days, r] = spell.open
            if spell.capture is not None:
                capture[days, r] = spell.capture
            if spell.violence is not None:
                violence[days, r] = spell.violence
    later = np.array([c.later for c in crossings], np.bool_)
    opened &= (~inland | world.on("opposition")) & ~later
    held = held_by_opposition(world)
    exposed, capture = capture, np.where(inland, capture, capture * (1 - held[:, home]))
    cut, watch = _cut(world), watch_by_state(world)
    changed = np.zeros(world.days, np.int64)
    for series in (cut, held, watch, opened, capture, violence):
        changed[1:] |= np.any(series[1:] != series[:-1], axis=1)
    return Ways(
        world,
        cut,
        watch,
        home,
        np.array([c.host for c in crossings], np.bool_),
        np.array([c.posted for c in crossings], np.bool_),
        np.array([c.kind == "embassy" for c in crossings], np.bool_),
        inland,
        np.where(
            inland,
            world["opposition.baseline"] if "opposition.baseline" in world.case.catalogue.parameters else 0.0,
            0.0,
        ),
        np.array([[not c.ranks or rank in c.ranks for c in crossings] for rank in world.rank_ids], np.bool_),
        np.array([c.family for c in crossings], np.bool_),
        np.array([c.hardship for c in crossings], np.float64),
        np.array([float(c.stay.days) for c in crossings], np.float64),
        opened,
        capture,
        exposed,
        violence,
        np.cumsum(changed),
    )
