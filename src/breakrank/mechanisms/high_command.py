"""The high command: the offices at the top, whose holders hedge, promise, go back on it, or agree on a pact.

A case names offices with the share of the force's obedience that each controls, never people; in each
replicate a synthetic soldier of the highest rank holds each. Holders ask themselves now and then where
they stand, on the days of a public call, and when a plot asks them (what they weigh is told in
:mod:`breakrank.mechanisms.high_command_choice`). Once enough weight hedges or has promised, they sound
each other out: a regime-change game among few, in which each joins if he holds success likely enough
for what he stands to lose (Singh 2014, "Seizing power", on coups as coordination among those who
command; Svolik 2012, "The politics of authoritarian rule", on moral hazard and guarantees among those
who rule; Geddes 2003, "Paradigms and sand castles", on soldiers who go when their interests are safe;
Quinlivan 1999 on perks; Albrecht and Ohl 2016 on loyalty at the top). A pact ends the regime without a
shot; a failed one exposes those who joined it. A holder who is gone is replaced by a loyal one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from breakrank.case.models_force import Position
from breakrank.draws import NOBODY, decision, uniform, uniform_each
from breakrank.engine.codes import DETAINED, EV_ARRESTED, EV_PACT, SERVING
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.records import move, record
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.mechanisms.challenger import Credit
from breakrank.mechanisms.high_command_choice import LOYAL, STANCES, Command, share_not_loyal
from breakrank.mechanisms.high_command_parameters import (
    EXPOSURE,
    MOMENTS,
    NUMBERS,
    OUTPUTS,
    PARAMETERS,
    QUORUM,
    SIGHT,
    STRENGTH,
)
from breakrank.mechanisms.high_command_pledges import (
    Players,
    answers_of,
    ask,
    let_go,
    on_the_day,
    players_of,
    players_of_command,
    seek_pledge,
    stances,
    take,
    weighing,
)
from breakrank.mechanisms.high_command_seats import (
    Seats,
    anyone_asks_himself,
    count_stances,
    make_offers,
)
from breakrank.mechanisms.regime import Watch
from breakrank.mechanisms.regime_change import HOURS, play
from breakrank.spec import Field
from breakrank.units import DAYS_A_YEAR

__all__ = [
    "STANCES",
    "Command",
    "HighCommand",
    "Players",
    "ask",
    "let_go",
    "on_the_day",
    "players_of_command",
    "seek_pledge",
    "stances",
    "weighing",
]

_NOBODY = int(NOBODY)
_MOMENT = int(decision("high_command.moment"))
_PACT = int(decision("high_command.pact"))
_EXPOSED = int(decision("high_command.exposed"))
_POOL = 64
"""Soldiers among whom the holder of a position is drawn, at least (as far as the force has them)."""


class HighCommand(Mechanism):
    """Hedging, promises and pacts at the top. Off, or without a high command in the case: nobody is there."""

    name = "high_command"
    subsystem = 10
    parameters = PARAMETERS
    outputs = OUTPUTS
    fields = (
        Field("guarantees", "fraction", 0, 1, "guarantees offered to the high command", (), 0.0),
        Field("sanctions", "fraction", 0, 1, "pressure of foreign sanctions on those named in them", (), 0.0),
    )

    steps = (
        Step("dawn", make_offers, then="_fill"),
        Step("conspire", anyone_asks_himself, then="_ask_themselves"),
        Step("dusk", count_stances),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        case, start = world.case, world.case.calendar.start
        self.positions = case.command if self.on else case.command[:0]
        self.acts = bool(self.positions)
        self.offer = np.stack([world.daily("guarantees"), world.daily("sanctions")], axis=1)
        self.numbers = np.array([world[p.name] for p in NUMBERS])
        first = [(p.sanctioned - start).days if p.sanctioned else world.days for p in self.positions]
        self.named = np.arange(world.days)[:, None] >= np.array(first)[None, :]
        tier = world.tier[world.force.rank]
        of_tier = cache(lambda level: np.flatnonzero(tier == level).astype(np.int32))
        self.groups = [_eligible(world, p, of_tier) for p in self.positions]
        self.draw_names = [int(decision(f"high_command.holder.{p.id}")) for p in self.positions]
        self.seats = np.array([decision(f"high_command.position.{p.id}") for p in self.positions], np.uint32)

    def begin(self, run: Run) -> None:
        """Draw who holds each position, and the moments of the whole run; everyone is loyal."""
        world, here = self.world, self.positions
        branches, regions = list(world.branch_ids), [r.id for r in world.case.force.regions]
        watch = run.view(Watch)
        self.command = c = Command(
            np.full(len(here), -1, np.int32),
            np.zeros(len(here), np.uint8),
            np.array([p.weight for p in here], np.float64),
            np.array([branches.index(p.branch) if p.branch else -1 for p in here], np.int16),
            np.array([regions.index(p.region) if p.region else -1 for p in here], np.int16),
            np.array([p.capital for p in here], np.bool_),
            np.array([p.contact for p in here], np.bool_),
            np.array([p.rents for p in here], np.float64),
            np.zeros(len(here), np.bool_),
            np.full(len(here), -1, np.int32),
            world.tier,
            watch.perks,
            np.zeros(2),
            run.view(Credit).today,
            watch.today,
            self.numbers,
        )
        run.share(c)
        self.by_day = Seats(
            offer=self.offer,
            named=self.named,
            moments=np.zeros((world.days, len(here)), np.bool_),
            stances=stances(run),
            vacant=False,
        )
        run.share(self.by_day)
        run.stocks["command"] = self.by_day.stances
        if not self.acts:
            return
        self.held = run.column("high_command.held", np.bool_)
        days = np.arange(world.days)
        draws = [uniform_each(run.key, _MOMENT, np.full(len(days), s, np.uint32), days) for s in self.seats]
        chance = 1 - np.exp(-world[MOMENTS.name] / DAYS_A_YEAR) * (1 - calls_raised(world))
        self.by_day.moments = np.ascontiguousarray(np.less(np.array(draws).T, chance[:, None]))
        self._fill(run)

    def _ask_themselves(self, run: Run) -> None:
        c, day = self.command, run.day
        serves = (c.holder >= 0) & (run.records.fate[c.holder] == SERVING)
        who = np.flatnonzero(self.by_day.moments[day] & serves)
        chosen = answers_of(run, c, who, -1)
        for q, stance in zip(who, chosen, strict=True):
            take(run, c, int(q), int(stance), -1)
        if (chosen != LOYAL).any() and self._enough_waver():
            self._pact(run)

    def ask(self, run: Run, position: int, founder: int) -> bool:
        """See :func:`ask`."""
        return ask(run, position, founder)

    def stances(self, run: Run) -> NDArray[np.int32]:
        """See :func:`stances`."""
        return stances(run)

    def _enough_waver(self) -> bool:
        """Return whether those who are not loyal have weight enough to sound each other out."""
        share = share_not_loyal(self.command, -1)
        return share > 0 and share >= self.world[QUORUM.name]

    def _pact(self, run: Run) -> None:
        """Let those who waver sound each other out; the regime falls, or some who dared are found out."""
        c, day, world = self.command, run.day, self.world
        who = np.flatnonzero((c.holder >= 0) & (run.records.fate[c.holder] == SERVING))
        p = players_of(run, c, who)
        loyal = c.stance[who] == LOYAL
        sight = world[SIGHT.name]
        joined, refused = np.full(len(who), -1, np.int16), np.empty(len(who), np.int16)
        weight, left = play(
            run.key,
            _PACT,
            day,
            p.identity,
            p.weight / c.weight.sum(),
            np.where(loyal, 1.0, p.threshold),
            np.where(loyal, 0.0, p.belief),
            np.where(loyal, 0.0, sight**-2),
            np.zeros(len(who), np.bool_),
            joined,
            refused,
            world[STRENGTH.name],
            0.0,
            0.0,
            sight,
            1.0,
            HOURS,
            np.empty(len(who)),
        )
        first = np.lexsort((-p.weight, joined))
        partners = first[joined[first] >= 0]
        if not len(partners):
            return
        run.make_room(len(partners) + 1)
        if weight < left:
            self._expose(run, p.position[partners])
            return
        for k in partners:
            record(run.records, day, p.holder[k], EV_PACT, -1, -1, float(p.position[k]))
        run.fall(1, int(p.holder[partners[0]]))

    def _expose(self, run: Run, partners: NDArray[np.int64]) -> None:
        """Arrest those of a failed pact who are found out; the others go back to loyalty."""
        c, day, world = self.command, run.day, self.world
        for q in partners:
            holder = int(c.holder[q])
            found = uniform(run.key, _EXPOSED, int(run.records.identity[holder]), _NOBODY, day)
            if found >= world[EXPOSURE.name]:
                take(run, c, int(q), LOYAL, -1)
            else:
                move(run.records, day, holder, DETAINED, EV_ARRESTED, -1, -1, 0.0)

    def _fill(self, run: Run) -> None:
        """Give every vacant position to the first by lot of those who fit it best; he is loyal."""
        c, fate = self.command, run.records.fate
        self.by_day.vacant = False
        for q, groups in enumerate(self.groups):
            if c.holder[q] >= 0 and fate[c.holder[q]] == SERVING:
                continue
            c.holder[q], c.stance[q], c.pledged_to[q] = -1, LOYAL, -1
            for group in groups:
                free = (fate[group] == SERVING) & ~self.held[group]
                if free.any():
                    identity = run.records.identity[group]
                    lots = uniform_each(run.key, self.draw_names[q], identity, np.zeros(len(group), np.int64))
                    c.holder[q] = group[np.argmin(np.where(free, lots, 2.0))]
                    self.held[c.holder[q]] = True
                    break
            else:
                self.by_day.vacant = True


def calls_raised(world: World) -> NDArray[np.float64]:
    """Return how far a public call is raised on each day, float64 (day,), 0 to 1."""
    calls = world.daily("call") if "call" in world.case.catalogue.fields else np.zeros(world.days)
    return np.maximum(np.diff(calls, prepend=0.0), 0.0)


def _eligible(
    world: World, p: Position, of_tier: Callable[[float], NDArray[np.int32]]
) -> list[NDArray[np.int32]]:
    """Return who may hold a position, the best first: his branch, then the highest rank, then its place."""
    force, states = world.force, world.state_ids
    if p.capital:
        states = [world.case.capital]
    elif p.region is not None:
        states = list(world.case.force.regions.named(p.region).states)
    where = [world.state_ids.index(s) for s in states]
    groups: list[NDArray[np.int32]] = []
    for own in (True, False):
        for level in np.unique(world.tier)[::-1]:
            who = of_tier(level)
            branch = np.full(len(who), True)
            if p.branch is not None:
                branch = force.branch[who] == world.branch_ids.index(p.branch)
            near = np.isin(force.state[who], where)
            for here in (True, False):
                found = who[(branch == own) & (near == here)]
                if len(found):
                    groups.append(found)
                if sum(map(len, groups)) >= _POOL + len(world.case.command):
                    return groups
    return groups
