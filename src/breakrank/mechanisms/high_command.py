"""The high command: the offices at the top, whose holders may promise to come, and go back on it.

A case names offices with the share of the force's obedience that each controls, never people; in each
replicate a synthetic soldier of the highest rank holds each. A holder who has dealings with the challenger's
side has decision opportunities now and then, and on days of a public call; whoever a plot asks has one at
once. After each they are pledged with chance

    logistic(pull + WORD * pledged),
    pull = response * (credibility * (1 + guarantees) + others + SANCTIONED * sanctions) - costs,
    costs = rents_weight * perks + (watch - 1) + reluctance

so that one hazard gives promises and going back on them. Guarantees and sanctions on named holders are dated
fields, 0 to 1; `others` is the share of the other offices' weight that is pledged. The challenger's
credibility enters once: with it come their prospects, and what their guarantees are worth (Geddes 2003 on
soldiers who go when their interests are safe; Fearon 1995 on commitment; Svolik 2012 and Singh 2014 on moral
hazard and on what others do; Quinlivan 1999 on perks; Marinov 2005 on sanctions; Albrecht and Ohl 2016).

On the day of an uprising they come if success, as they see it, is likely enough: from p* = logistic(-pull)
on, the odds of what they lose to what they gain. Who stays away or goes back on a promise may be suspected
and arrested (Sudduth 2017). Where offices of enough weight are pledged at once, they end the regime without a
shot. A holder who is gone is replaced by a loyal one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.case.models_force import Position
from breakrank.draws import NOBODY, decision, uniform, uniform_each
from breakrank.engine.codes import (
    DETAINED,
    EV_ARRESTED,
    EV_PACT,
    EV_PLEDGED,
    EV_RENEGED,
    EV_STOOD_BY,
    OF_THE_HIGH_COMMAND,
    SERVING,
)
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.records import RunRecords, move, record
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.challenger import Credit
from breakrank.mechanisms.regime import Watch
from breakrank.outputs import LogRows, daily, stock
from breakrank.spec import Field, parameter, parameters_of
from breakrank.table import Table, array, number
from breakrank.units import DAYS_A_YEAR

LOYAL, PLEDGED = range(2)
OPPORTUNITIES = 12 / DAYS_A_YEAR
"""Decision opportunities of a holder who has dealings with the challenger's side, a day: one a month."""
WORD = 2.0
"""What a promise adds to the log-odds of being pledged, so that few go back at the next opportunity."""
SANCTIONED = 0.25
"""What sanctions weigh beside guarantees. Theory only: Marinov 2005, by whom they shorten a leader's time in
office; size assumed."""
QUORUM = 0.5
"""Share of the offices' weight that ends the regime together: half, with which the rest cannot hold it."""
SUSPECTED = 0.1
"""Chance that who goes back on a promise is arrested: purges follow plots, and most holders are needed."""

_NOBODY = int(NOBODY)
_OPPORTUNITY = int(decision("high_command.opportunity"))
_CHOICE = int(decision("high_command.choice"))
_SUSPECTED = int(decision("high_command.suspected"))
_POOL = 64
"""Soldiers among whom the holder of a position is drawn, at least (as far as the force has them)."""


class Command(Table):
    """The high command of one replicate, by position; empty where the case has none or it is switched off.

    Position: ``holder`` position in the force (-1 vacant), ``stance`` (0 loyal, 1 pledged), ``pledged_to``
    founder's position in the force (-1: to the challenger's side), ``weight`` share of the force's obedience,
    ``perks``, ``contact``, ``branch`` (-1 none).
    By day, 0 to 1: ``opportunity`` (day, position), ``guarantees`` (day,), ``sanctions`` (day, position).
    ``stances`` (stance,) how many take each; ``vacant`` whether a position is; the rest are parameters.
    """

    holder: NDArray[np.int32]
    stance: NDArray[np.uint8]
    pledged_to: NDArray[np.int32]
    weight: NDArray[np.float64]
    perks: NDArray[np.float64]
    contact: NDArray[np.bool_]
    branch: NDArray[np.int16]
    opportunity: NDArray[np.bool_] = array("day", "position")
    guarantees: NDArray[np.float64]
    sanctions: NDArray[np.float64] = array("day", "position")
    stances: NDArray[np.int32]
    vacant: bool
    reluctance: float = number("high_command.reluctance")
    response: float = number("high_command.response")
    rents_weight: float = number("preference.rents_weight")


class Players(NamedTuple):
    """Holders of positions as players of a regime-change game, by player.

    ``position``, ``holder`` position in the force, ``threshold`` p*, ``belief`` share of the others that is
    pledged, 0 to 1.
    """

    position: NDArray[np.int64]
    holder: NDArray[np.int32]
    threshold: NDArray[np.float64]
    belief: NDArray[np.float64]


@lean
def _someone_is_gone(c: Command, records: RunRecords) -> bool:
    """Return whether a position is vacant; whoever is gone is replaced by a loyal holder."""
    gone = c.vacant
    for q in range(c.holder.shape[0]):
        gone = gone or records.fate[c.holder[q]] != SERVING
    return gone


@lean
def _someone_decides(now: Now, c: Command) -> bool:
    """Holders have decision opportunities."""
    return c.opportunity[now.day].any()


@lean
def _count_stances(c: Command) -> None:
    """Count positions by stance."""
    c.stances[:] = 0
    for q in range(c.stance.shape[0]):
        c.stances[c.stance[q]] += 1


class HighCommand(Mechanism):
    """Promises at the top, kept or not. Off, or without a high command in the case: nobody is there."""

    name = "high_command"
    subsystem = 10
    parameters = (
        *parameters_of(name, "holders of the highest positions may pledge themselves and go back on it"),
        parameter("preference.rents_weight"),
    )
    outputs = (
        daily(
            "high_command_pledges",
            "Pledges of the high command",
            LogRows(EV_PLEDGED, low=OF_THE_HIGH_COMMAND),
            unit="pledges",
            primary=7,
        ),
        daily("reneged", "Pledges not kept", EV_RENEGED, unit="pledges"),
        stock("command", "High command by stance", "positions", by=("stance",), measure=None),
    )
    fields = (
        Field("guarantees", "fraction", 0, 1, "guarantees offered to the high command", (), 0.0),
        Field("sanctions", "fraction", 0, 1, "pressure of foreign sanctions on those named in them", (), 0.0),
    )
    steps = (
        Step("dawn", _someone_is_gone, then="_fill"),
        Step("conspire", _someone_decides, then="_decide"),
        Step("dusk", _count_stances),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        case, days = world.case, np.arange(world.days)
        here = self.positions = case.command if self.on else case.command[:0]
        first = [(p.sanctioned - case.calendar.start).days if p.sanctioned else world.days for p in here]
        self.named = (days[:, None] >= np.array(first)[None, :]).astype(np.float64)
        self.contact = np.array([p.contact for p in here], np.bool_)
        tier = world.tier[world.force.rank]
        of_tier = cache(lambda level: np.flatnonzero(tier == level).astype(np.int32))
        self.groups = [_eligible(world, p, of_tier) for p in here]
        self.draw_names = [int(decision(f"high_command.holder.{p.id}")) for p in here]
        self.seats = np.array([decision(f"high_command.position.{p.id}") for p in here], np.uint32)

    def begin(self, run: Run) -> None:
        """Draw who holds each position, and the opportunities of the whole run; everyone is loyal."""
        world, here, days = self.world, self.positions, np.arange(self.world.days)
        branches, n = list(world.branch_ids), len(here)
        draws = [
            uniform_each(run.key, _OPPORTUNITY, np.full(len(days), s, np.uint32), days) for s in self.seats
        ]
        chance = 1 - np.exp(-OPPORTUNITIES) * (1 - calls_raised(world))
        has = chance[:, None] > np.array(draws).reshape(n, len(days)).T
        self.command = Command(
            holder=np.full(n, -1, np.int32),
            stance=np.zeros(n, np.uint8),
            pledged_to=np.full(n, -1, np.int32),
            weight=np.array([p.weight for p in here], np.float64),
            perks=np.array([p.rents for p in here], np.float64),
            contact=self.contact,
            branch=np.array([branches.index(p.branch) if p.branch else -1 for p in here], np.int16),
            opportunity=np.ascontiguousarray(has & self.contact),
            guarantees=world.daily("guarantees").copy(),
            sanctions=world.daily("sanctions")[:, None] * self.named,
            stances=np.array([n, 0], np.int32),
            vacant=False,
        )
        run.share(self.command)
        run.stocks["command"] = self.command.stances
        if n:
            self.held = run.column("high_command.held", np.bool_)
            self._fill(run)

    def _decide(self, run: Run) -> None:
        """Holders decide in the order of the offices, and end the regime if enough of them are pledged."""
        c = self.command
        for q in np.flatnonzero(c.opportunity[run.day] & serving(run)):
            _answer(run, int(q), -1)
        pledged = np.flatnonzero((c.stance == PLEDGED) & serving(run))
        if len(pledged) and c.weight[pledged].sum() >= QUORUM * c.weight.sum():
            run.make_room(len(pledged) + 1)
            for q in pledged:
                record(run.records, run.day, int(c.holder[q]), EV_PACT, -1, -1, float(q))
            run.fall(1, int(c.holder[pledged[np.argmax(c.weight[pledged])]]))

    def _fill(self, run: Run) -> None:
        """Give every vacant position to the first by lot of those who fit it best; they are loyal."""
        c, fate = self.command, run.records.fate
        c.vacant = False
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
                c.vacant = True


@lean
def logistic(log_odds: float) -> float:
    """Return the chance, 0 to 1, of which these are the log-odds."""
    return 1.0 / (1.0 + np.exp(-log_odds))


def serving(run: Run) -> NDArray[np.bool_]:
    """Return which positions have a holder who serves, bool (position,)."""
    c = run.view(Command)
    return (c.holder >= 0) & (run.records.fate[c.holder] == SERVING)


def others_pledged(c: Command, q: int) -> float:
    """Return which share of the weight of all offices but q is pledged, 0 to 1."""
    weight = np.where(np.arange(len(c.weight)) == q, 0.0, c.weight)
    whole = weight.sum()
    return float(weight[c.stance == PLEDGED].sum() / whole) if whole > 0 else 0.0


def pull(run: Run, q: int) -> float:
    """Return the log-odds with which the holder of position q is pledged, without a promise to keep."""
    c, watch, day = run.view(Command), run.view(Watch), run.day
    draws = run.view(Credit).today[0] * (1.0 + c.guarantees[day])
    draws += others_pledged(c, q) + SANCTIONED * c.sanctions[day, q]
    perks = c.perks[q] + watch.perks[run.records.rank[c.holder[q]]]
    return float(c.response * draws - c.rents_weight * perks - (watch.today[0] - 1.0) - c.reluctance)


def _answer(run: Run, q: int, founder: int) -> bool:
    """Let the holder of position q decide, asked by a `founder` or by nobody (-1); return the promise."""
    c, records = run.view(Command), run.records
    holder, before = int(c.holder[q]), int(c.stance[q])
    whom = int(records.identity[founder]) if founder >= 0 else _NOBODY
    chance = logistic(pull(run, q) + WORD * before)
    # loyalty first: who is pledged under some draw stays so under the same draw with more pull
    pledged = bool(uniform(run.key, _CHOICE, int(records.identity[holder]), whom, run.day) >= 1.0 - chance)
    if pledged and (before == LOYAL or founder >= 0):
        run.make_room(1)
        c.stance[q], c.pledged_to[q] = PLEDGED, founder
        record(records, run.day, holder, EV_PLEDGED, -1, founder, float(OF_THE_HIGH_COMMAND + q))
    elif before == PLEDGED and not pledged:
        _go_back(run, q, EV_STOOD_BY, -1, float(q))
    return pledged


def _go_back(run: Run, q: int, event: int, leader: int, value: float) -> None:
    """Let the holder of position q break a promise; they may be suspected and arrested."""
    c, records = run.view(Command), run.records
    holder = int(c.holder[q])
    run.make_room(2)
    record(records, run.day, holder, event, -1, leader, value)
    c.stance[q], c.pledged_to[q] = LOYAL, -1
    if uniform(run.key, _SUSPECTED, int(records.identity[holder]), _NOBODY, run.day) < SUSPECTED:
        move(records, run.day, holder, DETAINED, EV_ARRESTED, -1, -1, 0.0)


def seek_pledge(run: Run, founder: int, name: int) -> bool:
    """Let a plot seek a promise from above; return whether one is given.

    `founder` (position in the force) reaches one of the positions that have dealings with the
    challenger's side or command their branch, drawn under `name` (see :func:`breakrank.draws.decision`).
    Who has promised someone else is not asked.
    """
    c, records = run.view(Command), run.records
    free = (c.stance == LOYAL) | (c.pledged_to < 0)
    near = c.contact | (c.branch == run.world.force.branch[founder])
    within = np.flatnonzero(near & free & serving(run) & (c.holder != founder))
    if not len(within):
        return False
    draw = uniform(run.key, name, int(records.identity[founder]), _NOBODY, run.day)
    return _answer(run, int(within[int(draw * len(within))]), founder)


def players_of_command(run: Run, founders: NDArray[np.int32]) -> Players:
    """Return the holders who promised one of `founders` (positions) or the challenger's side to come."""
    c = run.view(Command)
    due = np.isin(c.pledged_to, founders) | (c.pledged_to < 0)
    who = np.flatnonzero((c.stance == PLEDGED) & serving(run) & due)
    pulls = np.array([pull(run, int(q)) for q in who], np.float64)
    return Players(
        position=who,
        holder=c.holder[who],
        threshold=1 / (1 + np.exp(pulls)),
        belief=np.array([others_pledged(c, int(q)) for q in who], np.float64),
    )


def on_the_day(run: Run, leader: int, players: Players, success: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Let holders keep their promise or break it on the day of an uprising; return who keeps it.

    Parameters
    ----------
    leader : position in the force of the uprising's leader.
    players : as :func:`players_of_command` returns them.
    success : (player,) chance of success as each sees it, 0 to 1; from their threshold on they come.
    """
    keeps = success >= players.threshold
    for q in players.position[~keeps]:
        _go_back(run, int(q), EV_RENEGED, leader, float(OF_THE_HIGH_COMMAND + q))
    return keeps


def let_go(run: Run, founders: NDArray[np.int32]) -> None:
    """Let promises to founders whose plots have ended stand towards the challenger's side alone."""
    c = run.view(Command)
    c.pledged_to[np.isin(c.pledged_to, founders)] = -1


def calls_raised(world: World) -> NDArray[np.float64]:
    """Return how far a public call is raised on each day, float64 (day,), 0 to 1."""
    return np.maximum(np.diff(world.daily("call"), prepend=0.0), 0.0)


def _eligible(
    world: World, p: Position, of_tier: Callable[[float], NDArray[np.int32]]
) -> list[NDArray[np.int32]]:
    """Return who may hold a position, the best first: their branch, then the highest rank, then its place."""
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
